/* Which letters the index may take for letters of ASCII: é and ſ, ß for two of them, ｓ, 𝐬 and the marks that stand on them. */

#include "CTokenizer.h"

#include <string.h>

typedef struct {
  uint32_t first, last;
} range;

/* Whole blocks, as Unicode names them, where most of a block is such; more than is needed does no harm. Ascending. */
static const range stand_ins[] = {
    {0xAA, 0xAA},       {0xBA, 0xBA},       {0xC0, 0x24F},      /* Latin-1, Extended-A, Extended-B */
    {0x250, 0x36F},                                             /* IPA, modifiers, combining marks */
    {0x1AB0, 0x1AFF},                                           /* combining marks */
    {0x1D00, 0x1EFF},                                           /* phonetic letters, marks, Extended Additional */
    {0x2071, 0x2071},   {0x207F, 0x209C},                       /* raised and lowered */
    {0x20A8, 0x20A8},   {0x20D0, 0x218F},                       /* marks, letterlike signs, roman numbers */
    {0x249C, 0x24E9},                                           /* in parentheses and circles */
    {0x2C60, 0x2C7F},   {0x3250, 0x3250},   {0x32CC, 0x32CF},   /* Extended-C, PTE, Hg to LTD */
    {0x3371, 0x33FF},                                           /* squared units */
    {0xA720, 0xA7FF},   {0xAB30, 0xAB6F},                       /* Extended-D, Extended-E */
    {0xFB00, 0xFB06},   {0xFE20, 0xFE2F},                       /* ligatures, half marks */
    {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},                       /* wide */
    {0x10780, 0x107BF}, {0x1D400, 0x1D7FF},                     /* Extended-F, mathematical */
    {0x1DF00, 0x1DFFF}, {0x1F100, 0x1F1FF},                     /* Extended-G, enclosed */
};

static bool is_stand_in(uint32_t c) {
  for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
    if (c < stand_ins[i].first) return false;
    if (c <= stand_ins[i].last) return true;
  }
  return false;
}

bool cp_may_stand_for_latin(const char *text, size_t length) {
  const uint8_t *at = (const uint8_t *)text, *end = at + length;
  while (at < end) {
    uint64_t eight;
    if (end - at >= 8 && (memcpy(&eight, at, 8), (eight & 0x8080808080808080u) == 0)) {
      at += 8;
      continue;
    }
    uint8_t lead = *at;
    int more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
    if (end - at <= more) more = 0;
    /* Most of Hangul and of Han. */
    bool is_far = lead >= 0xE4 && lead <= 0xED && lead != 0xEA;
    if (more > 0 && !is_far) {
      uint32_t c = lead & (0x3F >> more);
      for (int i = 1; i <= more; i++) c = c << 6 | (at[i] & 0x3F);
      if (is_stand_in(c)) return true;
    }
    at += more + 1;
  }
  return false;
}
