/* The FTS5 tokenizer `commonplace`: from units to tokens.
 *
 * A token's first byte tells forms apart that must not find each other:
 *
 *   cafe       a word as it is written, folded; a letter or pair of letters inside a run
 *   \1cafe     a word that has diacritics, without them (colocated with café)
 *   \2독 \2독서  the letter and pair of letters with which a run begins
 *   \3…        any of these, in a title (colocated)
 *   \4diary    a name, as it stands
 *
 * A text has, for each letter of a run, the letter and colocated with it the pair that starts
 * there. A query's run of two letters and more becomes its pairs, at adjacent positions, so that
 * every substring is found and nothing else; the run's last letter follows alone if anything comes
 * after it, because the positions would shift otherwise.
 *
 * What a query says loosely is a synonym at one position: `cafe` is cafe or \1cafe; 독서 is 독서 or
 * \2독서. With CP_MODE_EXACT it is only the form as written, or only the beginning of a run. A run
 * that is not the query's first begins a run in the text too, or there would have been no border. */

#include "tokenizer.h"

#include "CTokenizer.h"

#include <stdlib.h>
#include <string.h>

#define PLAIN 0x01
#define RUN 0x02
#define TITLE 0x03

/* A title's marker, a form's marker and two letters. */
#define TOKEN_CAPACITY (2 + 2 * CP_UNIT_CAPACITY)

typedef int (*emit_token)(void *context, int flags, const char *token, int length, int start, int end);

typedef struct {
  char bytes[CP_UNIT_CAPACITY];
  size_t length, start, end;
  bool begins_run;
} letter;

typedef struct {
  void *context;
  emit_token emit;
  bool query, exact, title;
  size_t shift;     /* the bytes of the mode characters, which are not the caller's text */
  bool held;        /* `last` waits for what follows it */
  bool first_run;   /* nothing stands before the run of `last` */
  bool any;         /* a unit was seen */
  int run_length;
  letter last;
} state;

static int put(state *s, int flags, int marker, const char *text, size_t length, size_t start, size_t end) {
  char token[TOKEN_CAPACITY];
  size_t used = 0;
  bool titled = s->title && s->query;
  int code = SQLITE_OK;
  for (int pass = 0; pass < 2 && code == SQLITE_OK; pass++) {
    used = 0;
    if (titled) token[used++] = TITLE;
    if (marker) token[used++] = (char)marker;
    memcpy(token + used, text, length);
    code = s->emit(s->context, flags, token, (int)(used + length), (int)(start + s->shift), (int)(end + s->shift));
    if (!s->title || titled) break;
    titled = true;
    flags |= FTS5_TOKEN_COLOCATED;
  }
  return code;
}

/* A letter or pair of letters of a query, which stands where `first` does. */
static int ask(state *s, const letter *first, const char *text, size_t length, size_t end) {
  if (!first->begins_run) return put(s, 0, 0, text, length, first->start, end);
  int code = put(s, 0, RUN, text, length, first->start, end);
  if (code != SQLITE_OK || s->exact || !s->first_run) return code;
  return put(s, FTS5_TOKEN_COLOCATED, 0, text, length, first->start, end);
}

/* The held letter is complete: `next` is the letter glued to it, or there is none. */
static int release(state *s, const cp_unit *next, bool more) {
  if (!s->held) return SQLITE_OK;
  s->held = false;
  const letter *last = &s->last;
  char pair[2 * CP_UNIT_CAPACITY];
  size_t length = last->length;
  memcpy(pair, last->bytes, length);
  if (next != NULL) {
    memcpy(pair + length, next->exact, next->exact_length);
    length += next->exact_length;
  }
  if (s->query) {
    if (next != NULL) return ask(s, last, pair, length, next->end);
    if (s->run_length == 1 || more) return ask(s, last, last->bytes, last->length, last->end);
    return SQLITE_OK;
  }
  int marker = last->begins_run ? RUN : 0;
  int code = put(s, 0, marker, last->bytes, last->length, last->start, last->end);
  if (code != SQLITE_OK || next == NULL) return code;
  return put(s, FTS5_TOKEN_COLOCATED, marker, pair, length, last->start, next->end);
}

static int take_letter(state *s, const cp_unit *unit) {
  int code = release(s, unit->glued ? unit : NULL, true);
  if (!unit->glued) {
    s->first_run = !s->any;
    s->run_length = 0;
  }
  s->run_length += 1;
  memcpy(s->last.bytes, unit->exact, unit->exact_length);
  s->last.length = unit->exact_length;
  s->last.start = unit->start;
  s->last.end = unit->end;
  s->last.begins_run = !unit->glued;
  s->held = true;
  return code;
}

static int take_word(state *s, const cp_unit *u) {
  int code = release(s, NULL, true);
  if (code != SQLITE_OK) return code;
  bool same = u->exact == u->plain;
  if (!s->query || s->exact || !u->plains) {
    code = put(s, 0, 0, u->exact, u->exact_length, u->start, u->end);
    if (code != SQLITE_OK || s->query || same) return code;
  } else {
    code = put(s, 0, 0, u->plain, u->plain_length, u->start, u->end);
    if (code != SQLITE_OK) return code;
  }
  return put(s, FTS5_TOKEN_COLOCATED, PLAIN, u->plain, u->plain_length, u->start, u->end);
}

static int take_unit(void *context, const cp_unit *unit) {
  state *s = context;
  int code = unit->kind == CP_KIND_LETTER ? take_letter(s, unit) : take_word(s, unit);
  s->any = true;
  return code;
}

static int tokenize(Fts5Tokenizer *tokenizer, void *context, int flags, const char *text, int length,
                    emit_token emit) {
  (void)tokenizer;
  if (text == NULL || length <= 0) return SQLITE_OK;
  state s;
  memset(&s, 0, offsetof(state, last));
  s.context = context;
  s.emit = emit;
  s.query = (flags & FTS5_TOKENIZE_QUERY) != 0;
  for (; s.shift < (size_t)length; s.shift++) {
    char mode = text[s.shift];
    if (mode == CP_MODE_NAME) {
      /* FTS5 ends a term at a NUL. */
      size_t size = strnlen(text + s.shift, (size_t)length - s.shift);
      return emit(context, 0, text + s.shift, (int)(size < TOKEN_CAPACITY ? size : TOKEN_CAPACITY), 0, length);
    } else if (mode == CP_MODE_TITLE && !s.title) {
      s.title = true;
    } else if (mode == CP_MODE_EXACT && s.query && !s.exact) {
      s.exact = true;
    } else {
      break;
    }
    /* Of a text's own characters none is a mode: only the first one is looked at. */
    if (!s.query) {
      s.shift++;
      break;
    }
  }
  int code = cp_scan(text + s.shift, (size_t)length - s.shift, &s, take_unit);
  return code != SQLITE_OK ? code : release(&s, NULL, false);
}

/* The tokenizer has no state and no options. FTS5 only asks that the pointer be not NULL. */
static int create(void *module, const char **arguments, int count, Fts5Tokenizer **tokenizer) {
  (void)module;
  (void)arguments;
  static char only;
  *tokenizer = (Fts5Tokenizer *)&only;
  return count == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static void delete(Fts5Tokenizer *tokenizer) { (void)tokenizer; }

fts5_tokenizer cp_fts5_tokenizer = {create, delete, tokenize};
