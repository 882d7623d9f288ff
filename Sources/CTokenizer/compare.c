#define _GNU_SOURCE
#include "CTokenizer.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

typedef struct {
  cp_comparable *result;
  cp_comparing how;
  size_t room, join_room;
  bool failed;
  /* The last character that was put, 0 before the first. */
  int32_t last;
  /* The last character is a hyphen after a letter, or after a letter the text has a soft hyphen. */
  bool after_hyphen, after_soft_hyphen;
  int32_t before_hyphen;
  /* Blanks that wait for what follows them, and whether a line ends there. */
  bool blank, line;
  uint32_t blank_start, blank_end;
} comparer;

static bool grow(comparer *c, size_t more) {
  cp_comparable *result = c->result;
  if (result->length + more <= c->room) return true;
  size_t room = c->room * 2 + more;
  uint8_t *bytes = realloc(result->bytes, room);
  if (bytes) result->bytes = bytes;
  bool whole = bytes != NULL;
  if (c->how.is_mapped) {
    uint32_t *starts = realloc(result->starts, room * sizeof *starts);
    if (starts) result->starts = starts;
    uint32_t *ends = realloc(result->ends, room * sizeof *ends);
    if (ends) result->ends = ends;
    whole = whole && starts && ends;
  }
  if (whole) c->room = room;
  c->failed = c->failed || !whole;
  return whole;
}

static void put(comparer *c, int32_t character, uint32_t start, uint32_t end) {
  if (!grow(c, 4)) return;
  cp_comparable *result = c->result;
  size_t length = cp_encode(character, result->bytes + result->length);
  for (size_t i = 0; c->how.is_mapped && i < length; i++) {
    result->starts[result->length + i] = start;
    result->ends[result->length + i] = end;
  }
  result->length += length;
  c->last = character;
}

static void join(comparer *c) {
  cp_comparable *result = c->result;
  if (result->join_count == c->join_room) {
    size_t room = c->join_room * 2 + 16;
    uint32_t *joins = realloc(result->joins, room * sizeof *joins);
    if (!joins) {
      c->failed = true;
      return;
    }
    result->joins = joins;
    c->join_room = room;
  }
  result->joins[result->join_count++] = (uint32_t)result->length;
}

/* What the waiting blanks become before `next`, 0 at the end of the text. */
static void end_blanks(comparer *c, int32_t next) {
  c->blank = false;
  if (c->line && next) {
    if (c->after_hyphen && cp_is_letter(next)) {
      c->result->length -= c->last == '-' ? 1 : 3;
      c->last = c->before_hyphen;
      join(c);
      return;
    }
    if (c->after_soft_hyphen && cp_is_letter(next)) {
      join(c);
      return;
    }
    if (c->last && cp_classify(c->last) == CP_IN_RUN && cp_classify(next) == CP_IN_RUN) {
      join(c);
      return;
    }
  }
  put(c, c->line && c->how.keeps_lines ? '\n' : ' ', c->blank_start, c->blank_end);
}

static void take(comparer *c, int32_t character, uint32_t start, uint32_t end) {
  if (cp_is_blank(character)) {
    if (!c->blank) {
      c->blank = true;
      c->line = false;
      c->blank_start = start;
    }
    c->line = c->line || cp_is_line_end(character);
    c->blank_end = end;
    return;
  }
  if (c->blank) end_blanks(c, character);
  int32_t previous = c->last;
  put(c, character, start, end);
  c->after_hyphen = cp_is_hyphen(character) && previous && cp_is_letter(previous);
  c->before_hyphen = previous;
  c->after_soft_hyphen = false;
}

static bool is_plain(uint8_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/* Takes letters and digits of ASCII, which are most of most texts, as long as no mark can follow. */
static void take_plain(comparer *c, cp_reader *reader, uint32_t *scalar) {
  const uint8_t *p = reader->next;
  while (p < reader->limit && is_plain(*p) && (p + 1 == reader->limit || p[1] < 0x80)) {
    int32_t character = *p++;
    if (character >= 'A' && character <= 'Z' && !c->how.keeps_case) character += 32;
    if (c->blank) end_blanks(c, character);
    put(c, character, *scalar, *scalar + 1);
    c->after_hyphen = c->after_soft_hyphen = false;
    ++*scalar;
  }
  reader->next = p;
}

static uint32_t count_scalars(const uint8_t *p, const uint8_t *limit) {
  uint32_t count = 0;
  for (; p < limit; p++) count += (*p & 0xC0) != 0x80;
  return count;
}

bool cp_compare(const char *text, size_t length, cp_comparing how, cp_comparable *result) {
  memset(result, 0, sizeof *result);
  comparer c = {.result = result, .how = how};
  if (!grow(&c, length + 8)) return false;
  cp_reader reader;
  cp_reader_start(&reader, text, length);
  reader.keeps_case = how.keeps_case;
  uint32_t scalar = 0;
  while (!c.failed) {
    take_plain(&c, &reader, &scalar);
    if (!cp_reader_next(&reader)) break;
    uint32_t start = scalar;
    scalar += count_scalars(reader.begin + reader.start, reader.begin + reader.end);
    for (int i = 0; i < reader.count; i++) take(&c, reader.characters[i], start, scalar);
    if (!c.blank && c.last && cp_is_letter(c.last) &&
        cp_ends_with_soft_hyphen(reader.begin + reader.start, reader.begin + reader.end)) {
      c.after_soft_hyphen = true;
    }
  }
  if (c.blank) end_blanks(&c, 0);
  return !c.failed;
}

void cp_compare_free(cp_comparable *comparable) {
  free(comparable->bytes);
  free(comparable->joins);
  free(comparable->starts);
  free(comparable->ends);
}

#ifdef __SSE2__
#include <emmintrin.h>

/* Sixteen places at a time: where both the first and the last byte stand, the rest is compared. In a text that is
 * several times faster than memmem, which is made for the worst of texts; `worst` bounds what this one may cost there. */
ptrdiff_t cp_find(const void *bytes, size_t length, const void *part, size_t part_length) {
  if (length < part_length || part_length == 0) return -1;
  const uint8_t *text = bytes, *wanted = part;
  const __m128i first = _mm_set1_epi8((char)wanted[0]), last = _mm_set1_epi8((char)wanted[part_length - 1]);
  size_t place = 0, starts = length - part_length + 1, compared = 0;
  const size_t worst = 4096;
  for (; place + 16 <= starts && compared < worst + place; place += 16) {
    __m128i heads = _mm_cmpeq_epi8(first, _mm_loadu_si128((const __m128i *)(text + place)));
    __m128i tails = _mm_cmpeq_epi8(last, _mm_loadu_si128((const __m128i *)(text + place + part_length - 1)));
    unsigned both = (unsigned)_mm_movemask_epi8(_mm_and_si128(heads, tails));
    for (; both; both &= both - 1) {
      size_t found = place + (size_t)__builtin_ctz(both);
      if (memcmp(text + found, wanted, part_length) == 0) return (ptrdiff_t)found;
      compared += part_length;
    }
  }
  const uint8_t *found = memmem(text + place, length - place, part, part_length);
  return found ? found - text : -1;
}
#else
ptrdiff_t cp_find(const void *bytes, size_t length, const void *part, size_t part_length) {
  if (length < part_length || part_length == 0) return -1;
  const uint8_t *found = memmem(bytes, length, part, part_length);
  return found ? found - (const uint8_t *)bytes : -1;
}
#endif
