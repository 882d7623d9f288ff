#include "CTokenizer.h"
#include "reader.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The folded form of a unit as it grows. What no longer fits is left out, whole characters only. */
typedef struct {
  size_t length;
  bool full;
  uint8_t bytes[CP_UNIT_CAPACITY];
} form;

/* So many lines may a word go over. */
#define MAX_BREAKS 4

typedef struct {
  cp_unit unit;
  bool open;       /* a unit is being built */
  bool run_open;   /* nothing but marks since the last letter of a run */
  bool differs;    /* `plain` is in use: it is no longer the same as `exact` */
  bool base_plain; /* the last base character could carry diacritics, so its marks are such */
  int32_t last;    /* the last base character of a word that is not ASCII */
  int breaks;      /* how many line ends the word goes on after */
  size_t break_starts[MAX_BREAKS], break_ends[MAX_BREAKS];
  form exact, plain;
  const cp_wanted *wanted; /* NULL where every unit is */
  const char *text;
  void *context;
  cp_unit_callback callback;
} scanner;

static inline void append(form *form, int32_t c) {
  if (c >= 0 && c < 0x80 && !form->full && form->length < sizeof form->bytes) {
    form->bytes[form->length++] = (uint8_t)c;
    return;
  }
  uint8_t bytes[4];
  size_t length = cp_encode(c, bytes);
  if (form->full || form->length + length > sizeof form->bytes) {
    form->full = true;
    return;
  }
  memcpy(form->bytes + form->length, bytes, length);
  form->length += length;
}

static void begin(scanner *s, cp_kind kind, size_t start) {
  s->open = true;
  s->differs = s->base_plain = false;
  s->exact.length = 0;
  s->exact.full = false;
  s->unit.kind = kind;
  s->unit.start = start;
  s->unit.plains = s->unit.part = false;
  s->breaks = 0;
  s->unit.glued = kind == CP_KIND_LETTER && s->run_open;
}

/* A part of a word, whose offsets count from its own beginning. */
typedef struct {
  size_t start, place;
  void *context;
  cp_unit_callback callback;
} part;

static int put_part(void *context, const cp_unit *unit) {
  const part *p = context;
  cp_unit moved = *unit;
  moved.part = true;
  moved.place = p->place;
  moved.start += p->start;
  moved.end += p->start;
  return p->callback(p->context, &moved);
}

/* What stands between the breaks of a word, each by a scan of its own. */
static int put_parts(const scanner *s) {
  int code = 0;
  for (int i = 0; i <= s->breaks && code == 0; i++) {
    size_t start = i == 0 ? s->unit.start : s->break_ends[i - 1];
    size_t end = i == s->breaks ? s->unit.end : s->break_starts[i];
    part p = {start, s->unit.place, s->context, s->callback};
    code = cp_scan(s->text + start, end - start, &p, put_part);
  }
  return code;
}

static int finish(scanner *s) {
  if (!s->open) return 0;
  s->open = false;
  /* A word of nothing but what is left out, such as a lone tatweel, stands for itself. */
  const form *plain = s->differs && s->plain.length > 0 ? &s->plain : &s->exact;
  s->unit.exact = (const char *)s->exact.bytes;
  s->unit.exact_length = s->exact.length;
  /* Arabic letters begin with these bytes. */
  bool may_have_article = s->unit.kind == CP_KIND_WORD && (plain->bytes[0] & 0xFE) == 0xD8;
  s->unit.article = may_have_article ? cp_article((const char *)plain->bytes, plain->length) : 0;
  s->unit.plain = (const char *)plain->bytes + s->unit.article;
  s->unit.plain_length = plain->length - s->unit.article;
  /* What followed the last break may have been no part of a word after all. */
  while (s->breaks > 0 && s->break_ends[s->breaks - 1] >= s->unit.end) s->breaks--;
  s->unit.broken = s->breaks > 0;
  int code = s->callback(s->context, &s->unit);
  if (code == 0 && s->unit.broken) code = put_parts(s);
  s->unit.place++;
  return code;
}

static bool goes_on(int32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  utf8proc_category_t category = utf8proc_get_property(c)->category;
  return cp_is_letter(c) && category != UTF8PROC_CATEGORY_LU && category != UTF8PROC_CATEGORY_LT;
}

/* Whether `c`, which stands at `start`, may break a word: quickly, since it is asked of most characters. */
static inline bool may_break(int32_t c, size_t start, const cp_reader *reader) {
  return c == '-' || c == 0x2010 || (start > 1 && reader->begin[start - 1] == 0xAD);
}

/* Whether the word goes on in the next line, with `c`, from `start` to `next`, being what breaks it there: a hyphen, or the
 * first blank after a soft one. Then it answers where it does, else NULL. */
static const uint8_t *next_line(scanner *s, int32_t c, size_t start, const uint8_t *next, const cp_reader *reader) {
  if (!s->open || s->unit.kind != CP_KIND_WORD || s->unit.end != start || s->breaks == MAX_BREAKS) return NULL;
  const uint8_t *place = reader->begin + start;
  bool soft = cp_ends_with_soft_hyphen(reader->begin, place);
  if (!soft && !cp_is_hyphen(c)) return NULL;
  const uint8_t *before = place - (soft ? 3 : 1);
  if (before < reader->begin || !cp_is_letter(*before < 0x80 ? *before : s->last)) return NULL;
  bool line = false;
  for (const uint8_t *p = soft ? place : next; p < reader->limit;) {
    int32_t character;
    int length = cp_decode(p, reader->limit, &character);
    if (!cp_is_blank(character)) {
      if (!line || !goes_on(character)) return NULL;
      s->break_starts[s->breaks] = start;
      s->break_ends[s->breaks++] = (size_t)(p - reader->begin);
      return p;
    }
    line = line || cp_is_line_end(character);
    p += length;
  }
  return NULL;
}

/* Adds a character of a word, or a mark, to both forms. They are one until they first differ. */
static void grow(scanner *s, int32_t c, bool mark, size_t end) {
  s->unit.end = end;
  int32_t letters[2];
  int count = s->unit.kind == CP_KIND_WORD ? cp_without_diacritics(c, letters) : -1;
  bool keep = count < 0 || (count == 1 && letters[0] == c) || (mark && !s->base_plain);
  if (!mark) {
    s->base_plain = count >= 0;
    s->unit.plains = s->unit.plains || count >= 0;
  }
  if (!keep && !s->differs) {
    s->plain = s->exact;
    s->differs = true;
  }
  append(&s->exact, c);
  if (keep && s->differs) append(&s->plain, c);
  for (int i = 0; !keep && i < count; i++) append(&s->plain, letters[i]);
}

static int take(scanner *s, int32_t c, size_t start, size_t end) {
  cp_class class = cp_classify(c);
  int code = 0;
  switch (class) {
  case CP_IN_WORD:
    if (!s->open || s->unit.kind != CP_KIND_WORD) {
      code = finish(s);
      s->run_open = false;
      begin(s, CP_KIND_WORD, start);
    }
    grow(s, c, false, end);
    s->last = c;
    return code;
  case CP_IN_RUN:
    code = finish(s);
    begin(s, CP_KIND_LETTER, start);
    s->run_open = true;
    grow(s, cp_common_letter(c), false, end);
    return code;
  case CP_PICTOGRAPH:
    code = finish(s);
    s->run_open = false;
    begin(s, CP_KIND_SYMBOL, start);
    grow(s, c, false, end);
    return code;
  case CP_MARK:
    if (s->open) grow(s, c, true, end);
    return 0;
  case CP_SEPARATOR:
    s->run_open = false;
    return finish(s);
  }
  return 0;
}

static void append_ascii(form *form, const uint8_t *letters, size_t count) {
  size_t room = form->full ? 0 : sizeof form->bytes - form->length;
  form->full = form->full || count > room;
  if (count > room) count = room;
  for (size_t i = 0; i < count; i++) form->bytes[form->length + i] = cp_in_ascii_word(letters[i]);
  form->length += count;
}

/* Adds what a word has in ASCII from `p` on, but for a last character that may be another with what follows it. */
static const uint8_t *grow_in_ascii(scanner *s, const uint8_t *p, const cp_reader *reader) {
  const uint8_t *end = p + 1;
  while (end < reader->limit && cp_in_ascii_word(*end)) end++;
  if (!cp_begins_anew(end, reader->limit)) end--;
  bool plains = s->unit.plains;
  for (const uint8_t *q = p; q < end; q++) plains |= *q >= 'A';
  s->unit.plains = plains;
  s->base_plain = end[-1] >= 'A';
  append_ascii(&s->exact, p, (size_t)(end - p));
  if (s->differs) append_ascii(&s->plain, p, (size_t)(end - p));
  s->unit.end = (size_t)(end - reader->begin);
  return end;
}

/* Counts letters of a run from `p` on, up to one that is wanted or that may be another with what follows it. */
static const uint8_t *pass_letters(scanner *s, const uint8_t *p, const cp_reader *reader) {
  int32_t c, following = 0;
  int length = cp_decode(p, reader->limit, &c), next_length = 0;
  while (cp_is_common_run(c)) {
    const uint8_t *next = p + length;
    if (next < reader->limit) {
      next_length = cp_decode(next, reader->limit, &following);
      if (following >= 0x80 && !cp_is_common_run(following) && !cp_begins_sequence(next, reader->limit)) break;
    }
    if (cp_is_wanted_letter(s->wanted, c)) break;
    s->run_open = true;
    s->unit.place++;
    p = next;
    if (p == reader->limit) break;
    c = following;
    length = next_length;
  }
  return p;
}

/* Counts words and letters from `p` on, where none is open, up to one that is wanted or that is not known at a glance. */
static const uint8_t *pass(scanner *s, const uint8_t *p, const cp_reader *reader) {
  const uint8_t *bytes = s->wanted->bytes;
  while (p < reader->limit) {
    uint8_t kind = bytes[*p];
    const uint8_t *next = p + 1;
    if (kind == CP_BYTE_BETWEEN) {
      if (!cp_begins_anew(next, reader->limit)) break;
      s->run_open = false;
    } else if (kind == CP_BYTE_UNWANTED) {
      while (next < reader->limit && (bytes[*next] == CP_BYTE_UNWANTED || bytes[*next] == CP_BYTE_WANTED)) next++;
      /* Then it may go on. */
      if (next < reader->limit && (*next >= 0x80 || *next == '-')) break;
      s->run_open = false;
      s->unit.place++;
    } else if (kind == CP_BYTE_WANTED || (next = pass_letters(s, p, reader)) == p) {
      break;
    }
    p = next;
  }
  return p;
}

/* Takes characters of ASCII, which are most of most texts, without asking any table: as long as no mark can follow. */
static int take_ascii(scanner *s, cp_reader *reader) {
  int code = 0;
  const uint8_t *p = reader->next;
  while (code == 0 && p < reader->limit && *p < 0x80 && cp_begins_anew(p + 1, reader->limit)) {
    size_t start = (size_t)(p - reader->begin);
    if (!cp_in_ascii_word(*p)) {
      const uint8_t *line = may_break(*p, start, reader) ? next_line(s, *p, start, p + 1, reader) : NULL;
      p = line != NULL ? line : p + 1;
      if (line != NULL) continue;
      s->run_open = false;
      code = finish(s);
      continue;
    }
    if (!s->open || s->unit.kind != CP_KIND_WORD) {
      code = finish(s);
      if (s->wanted != NULL && s->wanted->bytes[*p] == CP_BYTE_UNWANTED) {
        const uint8_t *passed = pass(s, p, reader);
        bool some = passed > p;
        p = passed;
        if (some) continue;
      }
      s->run_open = false;
      begin(s, CP_KIND_WORD, start);
    }
    p = grow_in_ascii(s, p, reader);
  }
  reader->next = p;
  return code;
}

/* Takes letters of runs, which are most of all others, where none can be another with what follows it. */
static int take_letters(scanner *s, cp_reader *reader) {
  int code = 0;
  const uint8_t *p = reader->next;
  uint8_t bytes[4];
  while (code == 0 && p < reader->limit && *p >= 0x80) {
    int32_t c;
    const uint8_t *next = p + cp_decode(p, reader->limit, &c);
    if (!cp_is_common_run(c) || !cp_begins_anew(next, reader->limit)) break;
    if (s->open && (code = finish(s)) != 0) break;
    if (s->wanted != NULL && !cp_is_wanted_letter(s->wanted, c)) {
      p = pass(s, p, reader);
      continue;
    }
    s->unit.kind = CP_KIND_LETTER;
    s->unit.glued = s->run_open;
    s->unit.plains = s->unit.part = false;
    s->unit.start = (size_t)(p - reader->begin);
    s->unit.end = (size_t)(next - reader->begin);
    s->run_open = true;
    int32_t common = cp_common_run(c);
    s->unit.exact = (const char *)(common == c ? p : bytes);
    s->unit.exact_length = common == c ? (size_t)(next - p) : cp_encode(common, bytes);
    s->unit.plain = s->unit.exact;
    s->unit.plain_length = s->unit.exact_length;
    s->unit.article = 0;
    s->unit.broken = false;
    code = s->callback(s->context, &s->unit);
    s->unit.place++;
    p = next;
  }
  reader->next = p;
  return code;
}

/* Takes what needs no table, up to what does. */
static int take_common(scanner *s, cp_reader *reader) {
  int code = 0;
  const uint8_t *before;
  do {
    before = reader->next;
    code = take_ascii(s, reader);
    if (code == 0) code = take_letters(s, reader);
  } while (code == 0 && reader->next != before);
  return code;
}

int cp_scan(const char *text, size_t length, void *context, cp_unit_callback callback) {
  return cp_scan_wanted(text, length, NULL, context, callback);
}

int cp_scan_wanted(const char *text, size_t length, const cp_wanted *wanted, void *context, cp_unit_callback callback) {
  scanner s;
  s.open = s.run_open = false;
  s.unit.place = 0;
  s.wanted = wanted;
  s.text = text;
  s.context = context;
  s.callback = callback;
  cp_reader reader;
  cp_reader_start(&reader, text, length);
  int code = take_common(&s, &reader);
  while (code == 0 && cp_reader_next(&reader)) {
    for (int i = 0; i < reader.count && code == 0; i++) {
      int32_t c = reader.characters[i];
      const uint8_t *line =
          may_break(c, reader.start, &reader) ? next_line(&s, c, reader.start, reader.next, &reader) : NULL;
      if (line != NULL) {
        reader.next = line;
        break;
      }
      code = take(&s, c, reader.start, reader.end);
    }
    if (code == 0) code = take_common(&s, &reader);
  }
  return code != 0 ? code : finish(&s);
}

static bool is_blank(int32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0 || c == 0x85 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x205F || c == 0x3000;
}

char *cp_fold(const char *text, size_t length, size_t *folded_length) {
  size_t capacity = length + 16, used = 0;
  char *out = malloc(capacity);
  cp_reader reader;
  cp_reader_start(&reader, text, length);
  bool blank = false;
  while (out != NULL && cp_reader_next(&reader)) {
    /* A sequence is at most 64 characters of four bytes, each with a space before it. */
    if (capacity - used < CP_SEQUENCE * 5 + 1) {
      capacity += capacity / 2 + CP_SEQUENCE * 5 + 1;
      char *larger = realloc(out, capacity);
      if (larger == NULL) free(out);
      out = larger;
      if (out == NULL) break;
    }
    for (int i = 0; i < reader.count; i++) {
      int32_t c = reader.characters[i];
      if (is_blank(c)) {
        blank = used > 0;
        continue;
      }
      if (blank) out[used++] = ' ';
      blank = false;
      used += cp_encode(c, (uint8_t *)out + used);
    }
  }
  if (out != NULL) out[used] = 0;
  *folded_length = used;
  return out;
}

void cp_free(void *memory) { free(memory); }
