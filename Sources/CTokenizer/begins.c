/* cp_begins(words, text…): whether one of the texts has the words one after another, the last of them as the beginning of
 * a word. It is what `"words" *` asks of the index, where the index would have to read the places of too many words first:
 * it looks at a text from its beginning and no further than to the first such place. A letter of Han, kana or Hangul is
 * one wherever it stands in a run; of letters with other marks it is not the beginning.
 *
 * It compares as TextRanges does, which marks what was found: kinds, letters without diacritics, and which letters are of
 * one run. Without words, or with more of them than MAX_WORDS, nothing has them. */

#include "CTokenizer.h"
#include "tokenizer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 64

typedef struct {
  cp_kind kind;
  bool glued;
  size_t length;
  char bytes[CP_UNIT_CAPACITY];
} word;

typedef struct {
  int count; /* MAX_WORDS + 1 where they are more */
  word words[MAX_WORDS];
} wanted;

static int take_wanted(void *context, const cp_unit *unit) {
  wanted *w = context;
  if (unit->part) return 0;
  if (w->count >= MAX_WORDS) {
    w->count = MAX_WORDS + 1;
    return 1;
  }
  word *next = &w->words[w->count++];
  next->kind = unit->kind;
  next->glued = unit->glued;
  next->length = unit->plain_length;
  memcpy(next->bytes, unit->plain, unit->plain_length);
  return 0;
}

/* Bit n: the first n + 1 words stand right before the place where the scan is; `before`, before the place before it. */
typedef struct {
  const wanted *wanted;
  uint64_t before, met;
} search;

static bool is_beginning(const word *w, const char *text, size_t length) {
  return w->length <= length && memcmp(w->bytes, text, w->length) == 0;
}

static bool is_met(const word *w, const cp_unit *unit, bool first, bool last) {
  if (w->kind != unit->kind || (!first && w->glued != unit->glued)) return false;
  if (!last || w->kind != CP_KIND_WORD) {
    return w->length == unit->plain_length && memcmp(w->bytes, unit->plain, w->length) == 0;
  }
  return is_beginning(w, unit->plain, unit->plain_length) ||
         (unit->article > 0 && is_beginning(w, unit->plain - unit->article, unit->plain_length + unit->article));
}

/* One of what stands in the text: found where it ends the last of the words. */
static int look(void *context, const cp_unit *unit) {
  search *s = context;
  int last = s->wanted->count - 1;
  /* A part stands where the word does that it is a part of. */
  if (!unit->part) {
    s->before = s->met;
    s->met = 0;
  }
  uint64_t candidates = s->before << 1 | 1, met = 0;
  for (int i = 0; i <= last; i++) {
    if ((candidates >> i & 1) && is_met(&s->wanted->words[i], unit, i == 0, i == last)) met |= (uint64_t)1 << i;
  }
  s->met |= met;
  return (int)(met >> last & 1);
}

void cp_begins(sqlite3_context *result, int count, sqlite3_value **arguments) {
  if (count == 0) return;
  wanted *w = sqlite3_get_auxdata(result, 0);
  bool is_new = w == NULL;
  if (is_new) {
    const char *words = (const char *)sqlite3_value_text(arguments[0]);
    w = calloc(1, sizeof *w);
    if (w == NULL) {
      sqlite3_result_error_nomem(result);
      return;
    }
    if (words != NULL) (void)cp_scan(words, (size_t)sqlite3_value_bytes(arguments[0]), w, take_wanted);
  }
  int found = 0;
  for (int i = 1; i < count && found == 0 && w->count > 0 && w->count <= MAX_WORDS; i++) {
    const char *text = (const char *)sqlite3_value_text(arguments[i]);
    search s = {w, 0, 0};
    if (text != NULL) found = cp_scan(text, (size_t)sqlite3_value_bytes(arguments[i]), &s, look);
  }
  sqlite3_result_int(result, found);
  /* Last: SQLite may free it at once. */
  if (is_new) sqlite3_set_auxdata(result, 0, w, free);
}
