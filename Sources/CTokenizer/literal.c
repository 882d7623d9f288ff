/* cp_literal(word, goes_on, text…): whether one of the texts has the word as it is typed, capitals left aside.
 *
 * The index takes letters for others that read the same: 红 for 紅, てれび for テレビ, カフェ for ｶﾌｪ, ss for ß; and of `C++` it
 * has the letter. Here nothing is folded but case and blanks, and composed and decomposed letters are the same. A letter at an edge
 * of the word is no part of a longer word in the text; after it only if it `goes_on`.
 *
 * It looks through no more than the first MAX_LENGTH bytes of each text: it is called for a bounded number of candidates. */

#include "CTokenizer.h"
#include "reader.h"
#include "tokenizer.h"

#include <stdlib.h>
#include <utf8proc.h>

#define MAX_CHARACTERS 64
#define MAX_LENGTH (16 << 10)

typedef struct {
  int count; /* 0 where there is none, or too many */
  int32_t characters[MAX_CHARACTERS];
  int back[MAX_CHARACTERS]; /* how many still stand where the next one does not */
  bool bound_before, bound_behind;
} literal;

/* Every blank is a space. */
static int32_t lower(int32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (cp_is_blank(c)) return ' ';
  return c < 0x80 ? c : utf8proc_tolower(c);
}

static bool in_word(int32_t c) { return c > 0 && cp_classify(c) == CP_IN_WORD; }

static void start(cp_reader *reader, const char *text, size_t length) {
  cp_reader_start(reader, text, length);
  reader->keeps_case = reader->keeps_forms = true;
}

static void read_literal(literal *l, const char *word, size_t length, bool goes_on) {
  cp_reader reader;
  start(&reader, word, length);
  while (cp_reader_next(&reader)) {
    if (l->count + reader.count > MAX_CHARACTERS) {
      l->count = 0;
      return;
    }
    for (int i = 0; i < reader.count; i++) l->characters[l->count++] = lower(reader.characters[i]);
  }
  for (int i = 1, stands = 0; i < l->count; i++) {
    while (stands > 0 && l->characters[i] != l->characters[stands]) stands = l->back[stands - 1];
    if (l->characters[i] == l->characters[stands]) stands++;
    l->back[i] = stands;
  }
  if (l->count == 0) return;
  l->bound_before = in_word(l->characters[0]);
  l->bound_behind = !goes_on && in_word(l->characters[l->count - 1]);
}

/* Goes over characters that stand for themselves and with which the word does not begin, and answers the last of them, or
 * −1. */
static int32_t skip(const literal *l, cp_reader *reader) {
  int32_t last = -1;
  for (const uint8_t *p = reader->next; p < reader->limit; reader->next = p) {
    int32_t c;
    p += cp_decode(p, reader->limit, &c);
    if (c < 0 || (c >= 0x80 && !cp_is_common_run(c)) || !cp_begins_anew(p, reader->limit)) break;
    if (c < 0x80) c = lower(c);
    if (c == l->characters[0]) break;
    last = c;
  }
  return last;
}

/* Whether the text has it. `last` is a ring of what was read, for what stands before the word. */
static bool has(const literal *l, const char *text, size_t length) {
  int32_t last[2 * MAX_CHARACTERS] = {0};
  const size_t ring = sizeof last / sizeof *last;
  size_t place = ring;
  int stands = 0;
  bool found = false;
  cp_reader reader;
  start(&reader, text, length);
  while (true) {
    int32_t skipped = stands == 0 ? skip(l, &reader) : -1;
    if (skipped >= 0) last[place++ % ring] = skipped;
    if (!cp_reader_next(&reader)) break;
    for (int i = 0; i < reader.count; i++, place++) {
      int32_t c = lower(reader.characters[i]);
      if (found && !in_word(c)) return true;
      if (c == ' ' && last[(place - 1) % ring] == ' ') {
        place--;
        continue;
      }
      last[place % ring] = c;
      while (stands > 0 && (stands == l->count || c != l->characters[stands])) stands = l->back[stands - 1];
      if (c == l->characters[stands]) stands++;
      found = stands == l->count && !(l->bound_before && in_word(last[(place - (size_t)l->count) % ring]));
      if (found && !l->bound_behind) return true;
    }
  }
  return found;
}

void cp_literal(sqlite3_context *result, int count, sqlite3_value **arguments) {
  if (count < 2) return;
  literal *l = sqlite3_get_auxdata(result, 0);
  bool is_new = l == NULL;
  if (is_new) {
    const char *word = (const char *)sqlite3_value_text(arguments[0]);
    l = calloc(1, sizeof *l);
    if (l == NULL) {
      sqlite3_result_error_nomem(result);
      return;
    }
    if (word != NULL) read_literal(l, word, (size_t)sqlite3_value_bytes(arguments[0]), sqlite3_value_int(arguments[1]));
  }
  bool found = false;
  for (int i = 2; i < count && !found && l->count > 0; i++) {
    const char *text = (const char *)sqlite3_value_text(arguments[i]);
    size_t length = (size_t)sqlite3_value_bytes(arguments[i]);
    if (text != NULL) found = has(l, text, length < MAX_LENGTH ? length : MAX_LENGTH);
  }
  sqlite3_result_int(result, found);
  /* Last: SQLite may free it at once. */
  if (is_new) sqlite3_set_auxdata(result, 0, l, free);
}
