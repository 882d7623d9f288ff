#include "area.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// A file of many scans is decoded as often as it has some.
enum { MOST_SCANS = 50 };

struct decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf end;
  area area;
  uint8_t *row;
};

static void stop(j_common_ptr jpeg) {
  longjmp(((struct decoder *)jpeg->client_data)->end, 1);
}

/// What is only warned of is damage, too.
static void note(j_common_ptr jpeg, int level) {
  if (level < 0) stop(jpeg);
}

static void be_silent(j_common_ptr jpeg) {
  (void)jpeg;
}

static void go_on(j_common_ptr jpeg) {
  if (((j_decompress_ptr)jpeg)->input_scan_number > MOST_SCANS) stop(jpeg);
}

/// In eighths. Others than halves of halves are slow. A quarter moves letters by a pixel of the image: it is for pictures in
/// which that is nothing.
static unsigned scale(const scan_target *target) {
  double step = target->x.step < target->y.step ? target->x.step : target->y.step;
  return step >= 32 ? 1 : step >= 16 ? 2 : step >= 2 ? 4 : 8;
}

static bool decode(struct decoder *decoder, const uint8_t *bytes, size_t count, const scan_target *target) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  if (setjmp(decoder->end)) return false;
  jpeg_create_decompress(jpeg);
  jpeg->progress = &decoder->progress;
  jpeg_mem_src(jpeg, bytes, count);
  if (jpeg_read_header(jpeg, TRUE) != JPEG_HEADER_OK) return false;
  if (jpeg->image_width != target->width || jpeg->image_height != target->height || jpeg->data_precision != 8
      || jpeg->num_components != (int)target->channels)
    return false;
  // What Adobe's marker says counts more than what the others say, here as in poppler.
  if (target->channels == 3 && jpeg->saw_Adobe_marker)
    jpeg->jpeg_color_space = jpeg->Adobe_transform ? JCS_YCbCr : JCS_RGB;
  if (target->channels == 3 && jpeg->jpeg_color_space != JCS_YCbCr && jpeg->jpeg_color_space != JCS_RGB) return false;
  jpeg->out_color_space = target->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg->scale_num = scale(target);
  jpeg->scale_denom = 8;
  jpeg_start_decompress(jpeg);
  if (jpeg->output_components != (int)target->channels) return false;
  if (!area_begin(&decoder->area, target, jpeg->output_width, jpeg->output_height)) return false;
  decoder->row = malloc((size_t)jpeg->output_width * target->channels);
  if (!decoder->row) return false;
  while (jpeg->output_scanline < decoder->area.end) {
    uint32_t row = jpeg->output_scanline;
    if (jpeg_read_scanlines(jpeg, &decoder->row, 1) != 1) return false;
    area_take(&decoder->area, row, decoder->row);
  }
  return true;
}

bool scan_jpeg(const uint8_t *bytes, size_t count, const scan_target *target) {
  if (!area_is_sound(target)) return false;
  struct decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return false;
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->jpeg.client_data = decoder;
  decoder->errors.error_exit = stop;
  decoder->errors.emit_message = note;
  decoder->errors.output_message = be_silent;
  decoder->progress.progress_monitor = go_on;
  bool is_decoded = decode(decoder, bytes, count, target);
  bool is_whole = area_end(&decoder->area) && is_decoded;
  jpeg_destroy_decompress(&decoder->jpeg);
  free(decoder->row);
  free(decoder);
  return is_whole;
}
