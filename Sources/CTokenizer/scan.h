/* The scan for some of the units of a text. */

#ifndef CP_SCAN_H
#define CP_SCAN_H

#include "CTokenizer.h"
#include "reader.h"

/* What a byte of a text says of what begins there. */
enum {
  CP_BYTE_BETWEEN,  /* it is of ASCII, and no word begins there */
  CP_BYTE_UNWANTED, /* a word of ASCII that begins so is not wanted */
  CP_BYTE_WANTED,   /* it may be */
  CP_BYTE_OTHER,    /* it is not of ASCII */
};

/* Which units are wanted, as far as that is known at a glance: most of the others are counted and not given. */
typedef struct {
  uint8_t bytes[256];
  bool letters[256]; /* of runs, by the low bits of their common form */
} cp_wanted;

int cp_scan_wanted(const char *text, size_t length, const cp_wanted *wanted, void *context, cp_unit_callback callback);

/* The folded form of a letter or digit of ASCII; 0 for all other bytes. */
static inline uint8_t cp_in_ascii_word(uint8_t byte) {
  uint8_t lower = byte | 0x20;
  if (lower >= 'a' && lower <= 'z') return lower;
  return byte >= '0' && byte <= '9' ? byte : 0;
}

/* The common form of a letter that `cp_is_common_run` knows. Of Hangul there is one form. */
static inline int32_t cp_common_run(int32_t c) { return c >= 0xAC00 ? c : cp_common_letter(c); }

static inline bool cp_is_wanted_letter(const cp_wanted *wanted, int32_t c) {
  return wanted->letters[cp_common_run(c) & 0xFF];
}

#endif
