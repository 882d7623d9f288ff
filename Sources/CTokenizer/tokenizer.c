/* The FTS5 tokenizer `commonplace`: from units to tokens.
 *
 * A token's first byte tells forms apart that must not find each other:
 *
 *   cafe       a word as it is written, folded; a pair of letters inside a run, or the last letter of one
 *   \1cafe     a word that has diacritics, or an Arabic article, without them (colocated with café)
 *   \2독서 \2책  the pair with which a run begins, or the letter that is all of it
 *   \3…        any of these, in a title (colocated)
 *   \4diary    a name, as it stands
 *   \5ㄷ \5도    what somebody has typed of a title so far (colocated), see below
 *   \6กิ\6      a letter with marks, where it stands alone or first in a pair (after \2 and before the second letter)
 *
 * A text has, for each letter of a run, the pair that starts there, and for the last one, at which none
 * starts, the letter:
 *
 *   책을 읽다    \2책을  을  \2읽다  다
 *
 * A query's run of two letters and more becomes its pairs, at adjacent positions, so that every
 * substring is found and nothing else; the run's last letter follows alone if anything comes after
 * it: there the text's run ends, too. So it does after a run of one letter that anything follows.
 * One that nothing follows may be the last letter of a run or the first of a pair: all tokens that
 * begin with it, which is what FTS5 looks for where a star follows the phrase (MatchExpression).
 * What a letter without marks begins is not what one with marks does, for those have \6 before and after them.
 *
 * A write costs what a text has of different terms, and each letter by itself would be one more. Only titles, which are
 * short, have them beside their pairs (\3): a keyboard shows them on the way.
 *
 * What a query says loosely is a synonym at one position: `cafe` is cafe or \1cafe; 독서 is 독서 or
 * \2독서. With CP_MODE_EXACT it is only the form as written, or only the beginning of a run. A run
 * that is not the query's first begins a run in the text too, or there would have been no border.
 *
 * A word that a hyphen breaks at a line end stands at one place with its parts, and a phrase goes on after all of them.
 *
 * Of a title there is also what a Korean keyboard shows on the way to it, and how its words begin:
 *
 *   독서   ㄷ 도 독     the letter's initial, and the letter without its final
 *         ㄷㅅ 독ㅅ     pairs of initials, and of a letter and an initial
 *   도섬   도서        a pair whose second letter has no final yet
 *   swift s sw        of a word its first letter and its first two: FTS5 would read the lists of
 *                     all words that begin so, which for one letter is a good part of the index
 *
 * A query with CP_MODE_TYPED takes these for synonyms of what it says. A letter that another one
 * follows is complete, so only the last can be half-typed: the next pair would not be found. */

#include "tokenizer.h"

#include "CTokenizer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN 0x01
#define RUN 0x02
#define TITLE 0x03
#define TYPED 0x05
#define MARKED 0x06

/* A letter, and what stands around one with marks. */
#define LETTER_CAPACITY (2 + CP_UNIT_CAPACITY)

/* A title's marker, a form's marker and two letters. */
#define TOKEN_CAPACITY (2 + LETTER_CAPACITY + CP_UNIT_CAPACITY)

typedef int (*emit_token)(void *context, int flags, const char *token, int length, int start, int end);

typedef struct {
  char bytes[LETTER_CAPACITY]; /* as tokens begin with it */
  size_t length, start, end;
  bool begins_run;
} letter;

typedef struct {
  void *context;
  emit_token emit;
  bool query, exact, title, typed;
  size_t units, seen; /* of a query with `typed`: how many units it has, and how many were taken */
  size_t shift;     /* the bytes of the mode characters, which are not the caller's text */
  bool held;        /* `last` waits for what follows it */
  bool first_run;   /* nothing stands before the run of `last` */
  bool any;         /* a unit was seen */
  int run_length;
  letter last;
} state;

/* One token: `place` is TITLE, TYPED or 0, `marker` says the form. */
static int emit(state *s, int flags, int place, int marker, const char *text, size_t length, size_t start, size_t end) {
  start += s->shift;
  end += s->shift;
  if (!place && !marker) return s->emit(s->context, flags, text, (int)length, (int)start, (int)end);
  char token[TOKEN_CAPACITY];
  size_t used = 0;
  if (place) token[used++] = (char)place;
  if (marker) token[used++] = (char)marker;
  memcpy(token + used, text, length);
  return s->emit(s->context, flags, token, (int)(used + length), (int)start, (int)end);
}

static int put(state *s, int flags, int marker, const char *text, size_t length, size_t start, size_t end) {
  int code = emit(s, flags, s->query && s->title ? TITLE : 0, marker, text, length, start, end);
  if (code != SQLITE_OK || !s->title) return code;
  if (!s->query) return emit(s, flags | FTS5_TOKEN_COLOCATED, TITLE, marker, text, length, start, end);
  return SQLITE_OK;
}

/* The same for what may be half-typed. */
static int put_typed(state *s, int flags, int marker, const char *text, size_t length, size_t start, size_t end) {
  int code = put(s, flags, marker, text, length, start, end);
  if (code != SQLITE_OK || !s->typed) return code;
  return emit(s, flags | FTS5_TOKEN_COLOCATED, TYPED, marker, text, length, start, end);
}

/* A letter or pair of letters of a query, which stands where `first` does. */
static int ask(state *s, const letter *first, const char *text, size_t length, size_t end) {
  if (!first->begins_run) return put_typed(s, 0, 0, text, length, first->start, end);
  int code = put_typed(s, 0, RUN, text, length, first->start, end);
  if (code != SQLITE_OK || s->exact || !s->first_run) return code;
  return put_typed(s, FTS5_TOKEN_COLOCATED, 0, text, length, first->start, end);
}

/* The syllable's number, or −1. */
static int syllable(const char *text, size_t length) {
  const uint8_t *b = (const uint8_t *)text;
  if (length != 3 || b[0] < 0xEA || b[0] > 0xED) return -1;
  int c = (b[0] & 0x0F) << 12 | (b[1] & 0x3F) << 6 | (b[2] & 0x3F);
  return c >= 0xAC00 && c <= 0xD7A3 ? c - 0xAC00 : -1;
}

#define MEDIALS 21
#define FINALS 28

static void encode(int c, char *bytes) {
  bytes[0] = (char)(0xE0 | c >> 12);
  bytes[1] = (char)(0x80 | (c >> 6 & 0x3F));
  bytes[2] = (char)(0x80 | (c & 0x3F));
}

static void initial(int number, char *bytes) { encode(0x1100 + number / (MEDIALS * FINALS), bytes); }
static void open_syllable(int number, char *bytes) { encode(0xAC00 + number - number % FINALS, bytes); }

/* What a keyboard shows on the way to a letter of a title, and to the pair that it begins. */
static int put_way(state *s, int marker, const cp_unit *next) {
  const letter *last = &s->last;
  int flags = FTS5_TOKEN_COLOCATED;
  int number = syllable(last->bytes, last->length);
  int following = next != NULL ? syllable(next->exact, next->exact_length) : -1;
  char text[LETTER_CAPACITY + 3];
  int code = SQLITE_OK;
  if (number >= 0) {
    initial(number, text);
    code = emit(s, flags, TYPED, marker, text, 3, last->start, last->end);
    if (code == SQLITE_OK && following >= 0) {
      initial(following, text + 3);
      code = emit(s, flags, TYPED, marker, text, 6, last->start, next->end);
    }
    if (code == SQLITE_OK && number % FINALS != 0) {
      open_syllable(number, text);
      code = emit(s, flags, TYPED, marker, text, 3, last->start, last->end);
    }
  }
  if (code != SQLITE_OK || following < 0) return code;
  memcpy(text, last->bytes, last->length);
  initial(following, text + last->length);
  code = emit(s, flags, TYPED, marker, text, last->length + 3, last->start, next->end);
  if (code != SQLITE_OK || following % FINALS == 0) return code;
  open_syllable(following, text + last->length);
  return emit(s, flags, TYPED, marker, text, last->length + 3, last->start, next->end);
}

/* The held letter is complete: `next` is the letter glued to it, or there is none, and `more` whether anything follows. */
static int release(state *s, const cp_unit *next, bool more) {
  if (!s->held) return SQLITE_OK;
  s->held = false;
  const letter *last = &s->last;
  char pair[LETTER_CAPACITY + CP_UNIT_CAPACITY];
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
  int code = put(s, 0, marker, pair, length, last->start, next != NULL ? next->end : last->end);
  if (code == SQLITE_OK && s->title && next != NULL) {
    code = emit(s, FTS5_TOKEN_COLOCATED, TITLE, marker, last->bytes, last->length, last->start, last->end);
  }
  return code == SQLITE_OK && s->title ? put_way(s, marker, next) : code;
}

/* Whether a letter is of more than one character. */
static bool has_marks(const cp_unit *unit) {
  uint8_t first = (uint8_t)unit->exact[0];
  return unit->exact_length > (first < 0x80 ? 1u : first < 0xE0 ? 2u : first < 0xF0 ? 3u : 4u);
}

static void hold(letter *l, const cp_unit *unit) {
  l->length = 0;
  bool marked = has_marks(unit);
  if (marked) l->bytes[l->length++] = MARKED;
  memcpy(l->bytes + l->length, unit->exact, unit->exact_length);
  l->length += unit->exact_length;
  if (marked) l->bytes[l->length++] = MARKED;
  l->start = unit->start;
  l->end = unit->end;
  l->begins_run = !unit->glued;
}

static int take_letter(state *s, const cp_unit *unit) {
  int code = release(s, unit->glued ? unit : NULL, true);
  if (!unit->glued) {
    s->first_run = !s->any;
    s->run_length = 0;
  }
  s->run_length += 1;
  hold(&s->last, unit);
  s->held = true;
  return code;
}

/* How many bytes the first `count` characters have; 0 if there are no more than these. */
static size_t beginning(const char *text, size_t length, int count) {
  size_t end = 0;
  while (end < length && count-- > 0) {
    end++;
    while (end < length && ((uint8_t)text[end] & 0xC0) == 0x80) end++;
  }
  return end < length ? end : 0;
}

static int put_beginnings(state *s, const cp_unit *u) {
  int code = SQLITE_OK;
  for (int count = 1; count <= 2 && code == SQLITE_OK; count++) {
    size_t end = beginning(u->plain, u->plain_length, count);
    if (end > 0) code = emit(s, FTS5_TOKEN_COLOCATED, TYPED, 0, u->plain, end, u->start, u->end);
    if (u->article == 0 || code != SQLITE_OK) continue;
    const char *whole = u->plain - u->article;
    size_t written = beginning(whole, u->plain_length + u->article, count);
    bool same = written == end && memcmp(whole, u->plain, end) == 0;
    if (!same) code = emit(s, FTS5_TOKEN_COLOCATED, TYPED, 0, whole, written, u->start, u->end);
  }
  return code;
}

static int ask_word(state *s, const cp_unit *u) {
  bool plain = !s->exact && u->plains;
  const char *text = plain ? u->plain : u->exact;
  size_t length = plain ? u->plain_length : u->exact_length;
  /* Words before the last are complete. */
  bool last = s->seen + 1 == s->units;
  int code = (last ? put_typed : put)(s, 0, 0, text, length, u->start, u->end);
  if (code != SQLITE_OK || !plain) return code;
  return put(s, FTS5_TOKEN_COLOCATED, PLAIN, text, length, u->start, u->end);
}

static int take_word(state *s, const cp_unit *u) {
  int code = release(s, NULL, true);
  if (code != SQLITE_OK) return code;
  if (s->query) return ask_word(s, u);
  code = put(s, u->part ? FTS5_TOKEN_COLOCATED : 0, 0, u->exact, u->exact_length, u->start, u->end);
  if (code == SQLITE_OK && u->exact != u->plain) {
    code = put(s, FTS5_TOKEN_COLOCATED, PLAIN, u->plain, u->plain_length, u->start, u->end);
  }
  /* With its article too, for whoever has typed no more than that and the first letters. */
  const char *whole = u->plain - u->article;
  if (code == SQLITE_OK && u->article > 0 && u->exact != whole) {
    code = put(s, FTS5_TOKEN_COLOCATED, PLAIN, whole, u->plain_length + u->article, u->start, u->end);
  }
  return code == SQLITE_OK && s->title ? put_beginnings(s, u) : code;
}

static int take_unit(void *context, const cp_unit *unit) {
  state *s = context;
  /* Two words cannot be asked for in the place of one: see MatchQuery.Term. */
  if (s->query && unit->part) return SQLITE_OK;
  int code = unit->kind == CP_KIND_LETTER ? take_letter(s, unit) : take_word(s, unit);
  s->any = true;
  s->seen++;
  return code;
}

static int count_unit(void *context, const cp_unit *unit) {
  if (!unit->part) (*(size_t *)context)++;
  return 0;
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
    } else if (mode == CP_MODE_TYPED && s.query && !s.title) {
      s.title = s.typed = true;
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
  if (s.typed) (void)cp_scan(text + s.shift, (size_t)length - s.shift, &s.units, count_unit);
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
