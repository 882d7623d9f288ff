#pragma once

// Draws pages by Splash, poppler's other way of drawing, which takes what cairo refuses.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SPLASH_DRAWN, SPLASH_REFUSED, SPLASH_NO_MEMORY } splash_result;

/// Draws a part of a page, in pixels as the page is displayed at `scale` pixels a point, over `pixels`: `width` times
/// `height` of them without gaps, each 0xXXRRGGBB. On failure they may be drawn in part.
///
/// `password` may be null. The document is opened for this call alone. For the thread that uses poppler.
splash_result splash_draw(
  const char *document, size_t length, const char *password, int page, double scale, int left, int top, int width,
  int height, uint32_t *pixels);

#ifdef __cplusplus
}
#endif
