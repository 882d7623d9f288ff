#pragma once

// Images of scanned pages, made as small as they are shown while they are decoded.
//
// Nothing here guesses: whatever is damaged, or not what was said of it, is refused, and nothing is drawn then.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One side of the part of a picture that an image covers, in the direction in which the image is stored.
typedef struct {
  /// Pixels of the picture.
  uint32_t count;
  /// The first one shows the image from `start` to `start + step`, the next one goes on there: in the image's pixels. It may
  /// reach beyond the image, where the pixels at its edge are taken to go on.
  double start, step;
} scan_side;

/// Where an image comes to lie, and where its pixels are written, `channels` bytes each, without gaps.
typedef struct {
  /// What is said of the image: another one is refused.
  uint32_t width, height;
  /// 1 for grey, 3 for red, green and blue.
  uint32_t channels;
  scan_side x, y;
  uint8_t *pixels;
} scan_target;

/// Decodes a JPEG of eight bits a channel, at a half, a quarter or an eighth of its size where so many pixels of it become one
/// that this cannot be seen: from 2, 16 and 32 on.
bool scan_jpeg(const uint8_t *bytes, size_t count, const scan_target *target);

/// Decodes a fax of group 4. `black` is the grey of its black pixels, and its white ones have the other end of the scale.
bool scan_fax(const uint8_t *bytes, size_t count, uint8_t black, const scan_target *target);

/// Turns pixels of a profile's colours to sRGB, in their place. Refused are profiles whose middle tones lie elsewhere: there
/// it matters that they are converted before pixels are mixed.
bool scan_colors(const uint8_t *profile, size_t size, uint32_t channels, uint8_t *pixels, size_t count);

/// Lays the decoded pixels on a picture: how much of each column and row is covered is said from 0 to 256, in the direction
/// of the image. `place` is where the first one goes, `across` and `down` lead to the next one in a row and in a column.
void scan_lay(
  const scan_target *target, const uint16_t *columns, const uint16_t *rows, uint32_t *place, ptrdiff_t across,
  ptrdiff_t down);
