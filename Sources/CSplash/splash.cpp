#include "CSplash.h"

#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include <poppler-document.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>

static splash_result draw(
  const char *bytes, size_t length, const char *password, int index, double scale, int left, int top, int width,
  int height, uint32_t *pixels) {
  if (length > INT_MAX) return SPLASH_REFUSED;
  const std::string key = password ? password : "";
  const std::unique_ptr<poppler::document> document(
    poppler::document::load_from_raw_data(bytes, (int)length, key, key));
  if (!document || document->is_locked()) return SPLASH_REFUSED;
  // Of a page that is not there no picture is made.
  const std::unique_ptr<poppler::page> page(document->create_page(index));

  poppler::page_renderer renderer;
  renderer.set_paper_color(0xffffffff);
  renderer.set_image_format(poppler::image::format_argb32);
  renderer.set_render_hint(poppler::page_renderer::antialiasing);
  renderer.set_render_hint(poppler::page_renderer::text_antialiasing);
  const poppler::image image =
    renderer.render_page(page.get(), 72 * scale, 72 * scale, left, top, width, height);
  if (!image.is_valid() || image.width() != width || image.height() != height) return SPLASH_REFUSED;
  for (int row = 0; row < height; row++) {
    const char *line = image.const_data() + (size_t)row * (size_t)image.bytes_per_row();
    memcpy(pixels + (size_t)row * (size_t)width, line, 4 * (size_t)width);
  }
  return SPLASH_DRAWN;
}

splash_result splash_draw(
  const char *document, size_t length, const char *password, int page, double scale, int left, int top, int width,
  int height, uint32_t *pixels) {
  try {
    return draw(document, length, password, page, scale, left, top, width, height, pixels);
  } catch (const std::bad_alloc &) {
    return SPLASH_NO_MEMORY;
  } catch (...) {
    return SPLASH_REFUSED;
  }
}
