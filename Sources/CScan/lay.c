#include "CScan.h"

static uint32_t blend(uint32_t value, uint32_t cover) {
  return 255 - ((255 - value) * cover + 32768) / 65536;
}

void scan_lay(
  const scan_target *target, const uint16_t *columns, const uint16_t *rows, uint32_t *place, ptrdiff_t across,
  ptrdiff_t down) {
  const uint8_t *from = target->pixels;
  for (uint32_t y = 0; y < target->y.count; y++) {
    uint32_t *to = place + y * down;
    for (uint32_t x = 0; x < target->x.count; x++, to += across, from += target->channels) {
      uint32_t red = from[0];
      uint32_t green = target->channels == 3 ? from[1] : red;
      uint32_t blue = target->channels == 3 ? from[2] : red;
      uint32_t cover = (uint32_t)columns[x] * rows[y];
      if (cover < 65536) {
        red = blend(red, cover);
        green = blend(green, cover);
        blue = blend(blue, cover);
      }
      *to = 0xff000000 | red << 16 | green << 8 | blue;
    }
  }
}
