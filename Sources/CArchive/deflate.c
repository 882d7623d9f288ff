#include "CArchive.h"

#include "CLoad.h"

#include <limits.h>
#include <pthread.h>
#include <zlib.h>

#define FUNCTIONS(each)                                                                                                \
  each(deflate) each(deflateBound) each(deflateEnd) each(deflateInit2_) each(inflate) each(inflateEnd)                 \
  each(inflateInit2_)
#define SYMBOL(name) name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} zlib;

static char load_failure[CLOAD_FAILURE];

static void load_once(void) { CLOAD("libz.so.1", FUNCTIONS, &zlib, load_failure); }

const char *carchive_load_deflate(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

size_t carchive_deflate_bound(size_t count) { return zlib.deflateBound(NULL, count); }

// zlib reads only, but declares its input as writable.
static z_stream stream(const void *bytes, size_t count, void *result, size_t room) {
  return (z_stream){.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = result, .avail_out = (uInt)room};
}

ssize_t carchive_deflate(const void *bytes, size_t count, void *result, size_t room) {
  z_stream it = stream(bytes, count, result, room);
  // Negative: without a header and a check sum, which the encryption around it makes needless.
  if (count > UINT_MAX || room > UINT_MAX ||
      zlib.deflateInit2_(&it, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof it) !=
          Z_OK)
    return -1;
  const int code = zlib.deflate(&it, Z_FINISH);
  zlib.deflateEnd(&it);
  return code == Z_STREAM_END ? (ssize_t)it.total_out : -1;
}

ssize_t carchive_inflate(const void *bytes, size_t count, void *result, size_t room) {
  z_stream it = stream(bytes, count, result, room);
  if (count > UINT_MAX || room > UINT_MAX || zlib.inflateInit2_(&it, -15, ZLIB_VERSION, sizeof it) != Z_OK) return -1;
  const int code = zlib.inflate(&it, Z_FINISH);
  zlib.inflateEnd(&it);
  return code == Z_STREAM_END && it.avail_in == 0 ? (ssize_t)it.total_out : -1;
}
