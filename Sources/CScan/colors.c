#include "CScan.h"

#include <lcms2.h>
#include <stdlib.h>

/// How far a middle grey may be from where it was.
enum { MOST_SHIFT = 8 };

/// Of curves and a matrix alone, for which it makes no difference what the colours are wanted for.
static bool is_plain(cmsHPROFILE profile) {
  return cmsIsMatrixShaper(profile) && !cmsIsTag(profile, cmsSigAToB0Tag) && !cmsIsTag(profile, cmsSigAToB1Tag)
         && !cmsIsTag(profile, cmsSigAToB2Tag) && !cmsIsTag(profile, cmsSigDToB0Tag)
         && !cmsIsTag(profile, cmsSigDToB1Tag) && !cmsIsTag(profile, cmsSigDToB2Tag);
}

static bool keeps_middle_tones(cmsHTRANSFORM transform, uint32_t channels) {
  for (int grey = 0; grey <= 255; grey += 51) {
    uint8_t from[3] = {(uint8_t)grey, (uint8_t)grey, (uint8_t)grey}, to[3] = {0};
    cmsDoTransform(transform, from, to, 1);
    for (uint32_t i = 0; i < channels; i++)
      if (abs(to[i] - grey) > MOST_SHIFT) return false;
  }
  return true;
}

bool scan_colors(const uint8_t *profile, size_t size, uint32_t channels, uint8_t *pixels, size_t count) {
  if (size > UINT32_MAX || count > UINT32_MAX) return false;
  cmsHPROFILE from = cmsOpenProfileFromMem(profile, (cmsUInt32Number)size);
  cmsHPROFILE to = cmsCreate_sRGBProfile();
  cmsHTRANSFORM transform = NULL;
  bool is_done = false;
  cmsColorSpaceSignature space = channels == 3 ? cmsSigRgbData : cmsSigGrayData;
  if (from && to && cmsGetColorSpace(from) == space && is_plain(from)) {
    // The intent that poppler takes where a page names none. Greys stay greys: the paper of sRGB is as white as they are.
    transform = cmsCreateTransform(
      from, channels == 3 ? TYPE_RGB_8 : TYPE_GRAY_8, to, TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
      cmsFLAGS_BLACKPOINTCOMPENSATION);
  }
  if (transform && keeps_middle_tones(transform, channels)) {
    if (channels == 3) {
      cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)count);
    } else {
      uint8_t greys[256], colors[256][3];
      for (int grey = 0; grey < 256; grey++) greys[grey] = (uint8_t)grey;
      cmsDoTransform(transform, greys, colors, 256);
      for (size_t i = 0; i < count; i++) pixels[i] = colors[pixels[i]][1];
    }
    is_done = true;
  }
  if (transform) cmsDeleteTransform(transform);
  if (from) cmsCloseProfile(from);
  if (to) cmsCloseProfile(to);
  return is_done;
}
