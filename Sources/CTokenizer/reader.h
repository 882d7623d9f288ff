/* Reads a text as folded characters, a combining sequence at a time. */

#ifndef CP_READER_H
#define CP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for one sequence. The stream-safe format of Unicode allows 30 marks; a longer sequence is
 * cut there, between characters. U+FDFA alone unfolds to 18 characters. */
#define CP_SEQUENCE 64
#define CP_EXPANSION 32

/* Stands for a byte that is not UTF-8. */
#define CP_INVALID (-1)

typedef struct {
  const uint8_t *begin, *next, *limit;
  /* The sequence just read: folded characters, all from the bytes [start, end). There may be none,
   * where the text has only ignorable characters. */
  size_t start, end;
  int count;
  int32_t characters[CP_SEQUENCE];
  /* Whether capitals stay: NFKC alone. */
  bool keeps_case;
  /* Whether letters stay that only look like others: NFC and no NFKC. */
  bool keeps_forms;
} cp_reader;

typedef enum {
  CP_SEPARATOR = 0,
  CP_IN_WORD,
  CP_IN_RUN,
  CP_MARK,
  CP_PICTOGRAPH,
} cp_class;

void cp_reader_start(cp_reader *reader, const char *text, size_t length);

static inline bool cp_continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* The character at `p`, before `limit`, and its length in bytes. A byte that begins none is CP_INVALID, and one long. */
static inline int cp_decode(const uint8_t *p, const uint8_t *limit, int32_t *c) {
  uint8_t lead = p[0];
  if (lead < 0x80) {
    *c = lead;
    return 1;
  }
  ptrdiff_t room = limit - p;
  if (lead >= 0xC2 && lead <= 0xDF && room >= 2 && cp_continues(p[1])) {
    *c = (lead & 0x1F) << 6 | (p[1] & 0x3F);
    return 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF && room >= 3 && cp_continues(p[1]) && cp_continues(p[2])) {
    *c = (lead & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    if (*c >= 0x800 && (*c < 0xD800 || *c > 0xDFFF)) return 3;
  } else if (lead >= 0xF0 && lead <= 0xF4 && room >= 4 && cp_continues(p[1]) && cp_continues(p[2]) && cp_continues(p[3])) {
    *c = (lead & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | (p[3] & 0x3F);
    if (*c >= 0x10000 && *c <= 0x10FFFF) return 4;
  }
  *c = CP_INVALID;
  return 1;
}

/* Whether the character at `p` surely begins a combining sequence. */
bool cp_begins_sequence(const uint8_t *p, const uint8_t *limit);

/* Whether what stands at `p` is surely no part of the sequence before it; so it is at the end. */
static inline bool cp_begins_anew(const uint8_t *p, const uint8_t *limit) {
  /* With EB and EC begin letters of Hangul, and nothing else but bytes that are not UTF-8. */
  return p >= limit || *p < 0x80 || *p == 0xEB || *p == 0xEC || cp_begins_sequence(p, limit);
}

/* Whether a character of a text is a letter of a run that folding leaves as it is: Hangul, kana, common Han. */
static inline bool cp_is_common_run(int32_t c) {
  return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3041 && c <= 0x3096) ||
         (c >= 0x30A1 && c <= 0x30FA);
}

/* Whether a folded character is a letter: no digit, no mark. */
bool cp_is_letter(int32_t character);

/* A hyphen of those that stand at a line end; a soft one is not among them, since folding leaves it out. */
bool cp_is_hyphen(int32_t character);
bool cp_is_line_end(int32_t character);
/* A line end or a space of any width. */
bool cp_is_blank(int32_t character);

/* Whether what lies before `end` is the two bytes of U+00AD. */
bool cp_ends_with_soft_hyphen(const uint8_t *begin, const uint8_t *end);

/* False at the end of the text. */
bool cp_reader_next(cp_reader *reader);

/* What a folded character is to the scan. */
cp_class cp_classify(int32_t character);

/* The letter that a letter of a run is found as: katakana as hiragana, traditional Chinese as simplified where no two letters
 * that Japan tells apart become one (see scripts/han-letters). */
int32_t cp_common_letter(int32_t character);

/* The simplified form alone. */
int32_t cp_simplified(int32_t character);

/* Writes a character as UTF-8 and answers its length, 1…4. */
size_t cp_encode(int32_t character, uint8_t out[4]);

/* The form of a folded character without its diacritics: at most two characters; none for a mark.
 * Only Latin, Greek, Hebrew and Arabic have such a form. In other scripts marks make letters: й is
 * not и, and a vowel sign of Devanagari is half a syllable. Answers the number of characters, or
 * −1 where the character has no such form. */
int cp_without_diacritics(int32_t character, int32_t out[2]);

/* How many bytes of a word without diacritics are the Arabic article, with what is written together with it: ال, وال, بال,
 * كال, فال and لل. 0 where there is none, and where fewer than three letters would be left: of الله it is no article. */
size_t cp_article(const char *word, size_t length);

#endif
