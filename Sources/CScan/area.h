#pragma once

#include "CScan.h"

/// How one pixel of a picture is mixed from those of an image.
typedef struct {
  uint32_t first, count, weights;
} taps;

/// One side of a picture, as a list of such mixtures.
typedef struct {
  taps *taps;
  float *weights;
  uint32_t count;
} mixture;

/// Makes an image smaller, or a little larger, while its rows come from the top: each pixel is the mean of the area that it
/// shows; where that is less than 4/3 pixels, what lies between the two nearest. cairo draws images so.
typedef struct {
  const scan_target *target;
  mixture x, y;
  uint32_t width, height;
  /// The rows that are looked at.
  uint32_t first, end;
  /// The last two of them, as wide as the picture, and the sum of those that the next row of the picture is mixed from.
  float *last, *before, *sum;
  uint32_t next;
} area;

/// Whether a target is one that can be drawn on at all: its numbers are numbers, and nothing of it is empty.
bool area_is_sound(const scan_target *target);
/// Whether pixels of this side are means of an area.
bool area_is_mean(const scan_side *side);

/// `width` and `height` are those of the rows that will come, which may be a smaller version of the image already.
bool area_begin(area *area, const scan_target *target, uint32_t width, uint32_t height);
/// Takes a row from `first` on, in order.
void area_take(area *area, uint32_t row, const uint8_t *pixels);
/// Whether the picture is complete. Frees the rest in any case.
bool area_end(area *area);
