#include "area.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_sound(const scan_side *side) {
  return side->count > 0 && isfinite(side->start) && isfinite(side->step) && side->step > 0;
}

bool area_is_sound(const scan_target *target) {
  return target->width > 0 && target->height > 0 && is_sound(&target->x) && is_sound(&target->y);
}

bool area_is_mean(const scan_side *side) {
  return side->step >= 4.0 / 3;
}

static double within(double value, double most) {
  return value < 0 ? 0 : value > most ? most : value;
}

/// `size` is the side of the rows that come, `scale` how large they are beside the image.
static bool mix(mixture *mixture, const scan_side *side, uint32_t size, double scale) {
  double step = side->step * scale;
  size_t room = (size_t)ceil(step) + 2;
  mixture->count = side->count;
  mixture->taps = calloc(side->count, sizeof *mixture->taps);
  mixture->weights = calloc(side->count * room, sizeof *mixture->weights);
  if (!mixture->taps || !mixture->weights) return false;
  for (uint32_t i = 0; i < side->count; i++) {
    taps *taps = &mixture->taps[i];
    taps->weights = (uint32_t)(i * room);
    float *weights = mixture->weights + taps->weights;
    double start = (side->start + i * side->step) * scale;
    if (area_is_mean(side)) {
      double from = within(start, size), to = within(start + step, size);
      if (to - from < 1e-6) {
        taps->first = from > 0 ? size - 1 : 0;
        taps->count = 1;
        weights[0] = 1;
        continue;
      }
      taps->first = (uint32_t)from;
      if (taps->first > size - 1) taps->first = size - 1;
      for (uint32_t at = taps->first; at < size && at < to && taps->count < room; at++) {
        double left = at > from ? at : from, right = at + 1 < to ? at + 1 : to;
        weights[taps->count++] = (float)((right - left) / (to - from));
      }
    } else {
      double middle = within(start + step / 2 - 0.5, size - 1);
      taps->first = (uint32_t)middle;
      taps->count = taps->first + 1 < size ? 2 : 1;
      weights[0] = taps->count == 2 ? (float)(taps->first + 1 - middle) : 1;
      weights[1] = 1 - weights[0];
    }
  }
  return true;
}

bool area_begin(area *area, const scan_target *target, uint32_t width, uint32_t height) {
  memset(area, 0, sizeof *area);
  area->target = target;
  area->width = width;
  area->height = height;
  if (!mix(&area->x, &target->x, width, (double)width / target->width)) return false;
  if (!mix(&area->y, &target->y, height, (double)height / target->height)) return false;
  size_t length = (size_t)target->x.count * target->channels;
  area->last = calloc(length, sizeof(float));
  area->before = calloc(length, sizeof(float));
  area->sum = calloc(length, sizeof(float));
  if (!area->last || !area->before || !area->sum) return false;
  const taps *last = &area->y.taps[area->y.count - 1];
  area->first = area->y.taps[0].first;
  area->end = last->first + last->count;
  return true;
}

static void narrow(const mixture *mixture, uint32_t channels, const uint8_t *restrict row, float *restrict result) {
  for (uint32_t i = 0; i < mixture->count; i++) {
    const taps *taps = &mixture->taps[i];
    const float *weights = mixture->weights + taps->weights;
    if (channels == 1) {
      const uint8_t *at = row + taps->first;
      float sum = 0;
      for (uint32_t tap = 0; tap < taps->count; tap++) sum += weights[tap] * at[tap];
      result[i] = sum;
    } else {
      const uint8_t *at = row + 3 * (size_t)taps->first;
      float red = 0, green = 0, blue = 0;
      for (uint32_t tap = 0; tap < taps->count; tap++, at += 3) {
        red += weights[tap] * at[0];
        green += weights[tap] * at[1];
        blue += weights[tap] * at[2];
      }
      result[3 * i] = red;
      result[3 * i + 1] = green;
      result[3 * i + 2] = blue;
    }
  }
}

static void add(float *restrict sum, const float *restrict row, float weight, size_t length) {
  for (size_t i = 0; i < length; i++) sum[i] += weight * row[i];
}

static void put(uint8_t *restrict to, float *restrict sum, size_t length) {
  for (size_t i = 0; i < length; i++) {
    float value = sum[i] + 0.5f;
    to[i] = value > 255 ? 255 : (uint8_t)value;
    sum[i] = 0;
  }
}

void area_take(area *area, uint32_t row, const uint8_t *pixels) {
  if (row < area->first) return;
  const scan_target *target = area->target;
  size_t length = (size_t)target->x.count * target->channels;
  float *narrowed = area->before;
  area->before = area->last;
  area->last = narrowed;
  narrow(&area->x, target->channels, pixels, narrowed);
  bool is_mean = area_is_mean(&target->y);
  while (area->next < area->y.count) {
    const taps *taps = &area->y.taps[area->next];
    const float *weights = area->y.weights + taps->weights;
    if (row < taps->first) return;
    bool is_last = row + 1 >= taps->first + taps->count;
    if (!is_mean && !is_last) return;
    // Between two rows both are at hand, for they may serve several rows of the picture.
    if (!is_mean && taps->count == 2) add(area->sum, area->before, weights[0], length);
    add(area->sum, narrowed, weights[row - taps->first], length);
    if (!is_last) return;
    put(target->pixels + area->next * length, area->sum, length);
    area->next++;
  }
}

bool area_end(area *area) {
  bool is_whole = area->target && area->y.count > 0 && area->next == area->y.count;
  free(area->x.taps);
  free(area->x.weights);
  free(area->y.taps);
  free(area->y.weights);
  free(area->last);
  free(area->before);
  free(area->sum);
  return is_whole;
}
