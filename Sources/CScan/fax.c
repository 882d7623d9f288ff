#include "area.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <tiffio.h>

// What libtiff reads as a file: a header that says of the fax what the PDF says of it, and the fax.

enum { ENTRIES = 9, HEADER = 8 + 2 + 12 * ENTRIES + 4 };

struct file {
  uint8_t header[HEADER];
  const uint8_t *bytes;
  size_t count, place;
};

static void put(uint8_t *to, uint32_t value, int size) {
  for (int i = 0; i < size; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static void describe(struct file *file, uint32_t width, uint32_t height) {
  const uint32_t entries[ENTRIES][2] = {
    {TIFFTAG_IMAGEWIDTH, width},
    {TIFFTAG_IMAGELENGTH, height},
    {TIFFTAG_BITSPERSAMPLE, 1},
    {TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX4},
    {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE},
    {TIFFTAG_STRIPOFFSETS, HEADER},
    {TIFFTAG_SAMPLESPERPIXEL, 1},
    {TIFFTAG_ROWSPERSTRIP, height},
    {TIFFTAG_STRIPBYTECOUNTS, (uint32_t)file->count},
  };
  memcpy(file->header, "II*\0\x08\0\0\0", 8);
  put(file->header + 8, ENTRIES, 2);
  for (int i = 0; i < ENTRIES; i++) {
    uint8_t *entry = file->header + 10 + 12 * i;
    put(entry, entries[i][0], 2);
    put(entry + 2, TIFF_LONG, 2);
    put(entry + 4, 1, 4);
    put(entry + 8, entries[i][1], 4);
  }
}

static tmsize_t read_file(thandle_t handle, void *buffer, tmsize_t size) {
  struct file *file = handle;
  size_t done = 0;
  while (done < (size_t)size && file->place < HEADER + file->count) {
    bool is_header = file->place < HEADER;
    const uint8_t *from = is_header ? file->header + file->place : file->bytes + (file->place - HEADER);
    size_t rest = (is_header ? (size_t)HEADER : HEADER + file->count) - file->place;
    size_t part = rest < (size_t)size - done ? rest : (size_t)size - done;
    memcpy((uint8_t *)buffer + done, from, part);
    done += part;
    file->place += part;
  }
  return (tmsize_t)done;
}

static tmsize_t write_file(thandle_t handle, void *buffer, tmsize_t size) {
  (void)handle, (void)buffer, (void)size;
  return -1;
}

static toff_t seek_file(thandle_t handle, toff_t offset, int from) {
  struct file *file = handle;
  toff_t start = from == SEEK_CUR ? file->place : from == SEEK_END ? HEADER + file->count : 0;
  file->place = (size_t)(start + offset);
  return file->place;
}

static int close_file(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size_of_file(thandle_t handle) {
  return HEADER + ((struct file *)handle)->count;
}

// One thread only, as all of the worker.
static unsigned complaints;

static void count_complaint(const char *module, const char *format, va_list list) {
  (void)module, (void)format, (void)list;
  complaints++;
}

// Means of areas, from the places where a row changes its colour: most rows have few. A black run up to `t` covers of each
// pixel of the picture what lies below `t`: all of those before the one that `t` is in, and of that one a part.
struct runs {
  const scan_target *target;
  /// For each place in a row, the pixel that it is in, and the part of it that lies before.
  uint32_t *pixel;
  float *part;
  /// For each pixel, what is to be added to it, and what to all before it.
  float *here, *before;
};

static bool begin_runs(struct runs *runs, const scan_target *target) {
  uint32_t width = target->width;
  runs->target = target;
  runs->pixel = malloc((width + 1) * sizeof(uint32_t));
  runs->part = malloc((width + 1) * sizeof(float));
  runs->here = calloc(target->x.count + 1, sizeof(float));
  runs->before = calloc(target->x.count + 1, sizeof(float));
  if (!runs->pixel || !runs->part || !runs->here || !runs->before) return false;
  for (uint32_t t = 0; t <= width; t++) {
    double place = (t - target->x.start) / target->x.step;
    place = place < 0 ? 0 : place > target->x.count ? target->x.count : place;
    runs->pixel[t] = (uint32_t)place;
    runs->part[t] = (float)(place - runs->pixel[t]);
  }
  return true;
}

static void end_runs(struct runs *runs) {
  free(runs->pixel);
  free(runs->part);
  free(runs->here);
  free(runs->before);
}

static void add_row(struct runs *runs, const uint8_t *row, float weight) {
  uint32_t width = runs->target->width;
  uint64_t carry = 0;
  float sign = -weight;
  for (uint32_t at = 0; at < width; at += 64) {
    uint64_t word;
    memcpy(&word, row + at / 8, 8);
    word = __builtin_bswap64(word);
    // Ones where a pixel differs from the one before.
    uint64_t changes = word ^ (word >> 1 | carry << 63);
    carry = word & 1;
    while (changes) {
      uint32_t bit = (uint32_t)__builtin_clzll(changes);
      changes &= ~(UINT64_C(1) << 63 >> bit);
      uint32_t t = at + bit;
      if (t > width) break;
      runs->before[runs->pixel[t]] += sign;
      runs->here[runs->pixel[t]] += sign * runs->part[t];
      sign = -sign;
    }
  }
  // A run up to the end.
  if (sign > 0) {
    runs->before[runs->pixel[width]] += sign;
    runs->here[runs->pixel[width]] += sign * runs->part[width];
  }
}

/// By how much a share of a pixel that reaches beyond the image is less than that of its part within.
static float inside(double from, double to, double width) {
  double part = (to < width ? to : width) - (from > 0 ? from : 0);
  return part > 0 ? (float)((to - from) / part) : 1;
}

/// Writes the row of which all was added, and begins a new one.
static void put_row(struct runs *runs, uint8_t black, uint8_t *to) {
  float sum = runs->before[runs->target->x.count];
  const scan_side *side = &runs->target->x;
  for (uint32_t i = side->count; i-- > 0;) {
    float share = sum + runs->here[i];
    double from = side->start + i * side->step, end = from + side->step;
    if (from < 0 || end > runs->target->width) share *= inside(from, end, runs->target->width);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    uint8_t value = (uint8_t)(255 * share + 0.5f);
    to[i] = black ? value : 255 - value;
    sum += runs->before[i];
  }
  memset(runs->here, 0, (runs->target->x.count + 1) * sizeof(float));
  memset(runs->before, 0, (runs->target->x.count + 1) * sizeof(float));
}

static bool decode_runs(TIFF *tiff, uint8_t *row, uint8_t black, const scan_target *target) {
  struct runs runs = {0};
  const scan_side *side = &target->y;
  bool is_whole = begin_runs(&runs, target);
  uint32_t next = 0;
  for (uint32_t at = 0; is_whole && at < target->height && next < side->count; at++) {
    is_whole = TIFFReadScanline(tiff, row, at, 0) == 1;
    while (is_whole && next < side->count) {
      // What this row of the picture shows of the image, and what of that this row is.
      double from = side->start + next * side->step, to = from + side->step;
      if (from < 0) from = 0;
      if (to > target->height) to = target->height;
      double above = from > at ? from : at, below = to < at + 1 ? to : at + 1;
      if (below > above) add_row(&runs, row, (float)((below - above) / (to - from)));
      if (to > at + 1) break;
      put_row(&runs, black, target->pixels + (size_t)next * target->x.count);
      next++;
    }
  }
  end_runs(&runs);
  return is_whole && next == side->count;
}

static bool decode_pixels(TIFF *tiff, uint8_t *row, uint8_t black, const scan_target *target) {
  area area = {0};
  uint8_t *pixels = malloc(target->width);
  bool is_whole = area_begin(&area, target, target->width, target->height) && pixels;
  for (uint32_t at = 0; is_whole && at < area.end; at++) {
    is_whole = TIFFReadScanline(tiff, row, at, 0) == 1;
    if (at < area.first) continue;
    for (uint32_t i = 0; i < target->width; i++) pixels[i] = row[i / 8] << i % 8 & 0x80 ? black : 255 - black;
    area_take(&area, at, pixels);
  }
  free(pixels);
  return area_end(&area) && is_whole;
}

bool scan_fax(const uint8_t *bytes, size_t count, uint8_t black, const scan_target *target) {
  if (!area_is_sound(target) || target->channels != 1 || count > INT32_MAX) return false;
  struct file file = {.bytes = bytes, .count = count};
  describe(&file, target->width, target->height);
  complaints = 0;
  TIFFErrorHandler errors = TIFFSetErrorHandler(count_complaint);
  TIFFErrorHandler warnings = TIFFSetWarningHandler(count_complaint);
  bool is_whole = false;
  TIFF *tiff =
    TIFFClientOpen("fax", "rm", &file, read_file, write_file, seek_file, close_file, size_of_file, NULL, NULL);
  if (tiff) {
    // Whole words, for what looks at eight bytes at a time.
    uint8_t *row = calloc((size_t)TIFFScanlineSize(tiff) + 8, 1);
    if (row)
      is_whole = area_is_mean(&target->x) && area_is_mean(&target->y) ? decode_runs(tiff, row, black, target)
                                                                      : decode_pixels(tiff, row, black, target);
    free(row);
    TIFFClose(tiff);
  }
  TIFFSetErrorHandler(errors);
  TIFFSetWarningHandler(warnings);
  return is_whole && complaints == 0;
}
