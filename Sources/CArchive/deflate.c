#include "CArchive.h"

#include "CLoad.h"

#include <limits.h>
#include <pthread.h>
#include <zlib.h>

#define FUNCTIONS(each)                                                                                                \
  each(crc32) each(deflate) each(deflateBound) each(deflateEnd) each(deflateInit2_) each(inflate) each(inflateEnd)                 \
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

// zlib reads only, but declares its input as writable.
static z_stream stream(const void *bytes, size_t count, void *result, size_t room) {
  return (z_stream){.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = result, .avail_out = (uInt)room};
}

// Beyond what zlib bounds, the empty block at whose end the next part begins with a whole byte.
size_t carchive_deflate_bound(size_t count) { return zlib.deflateBound(NULL, count) + 16; }

static ssize_t deflated(const void *bytes, size_t count, void *result, size_t room, int flush) {
  z_stream it = stream(bytes, count, result, room);
  // Negative: without a header and a check sum, which the encryption around it makes needless.
  if (count > UINT_MAX || room > UINT_MAX ||
      zlib.deflateInit2_(&it, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof it) !=
          Z_OK)
    return -1;
  const int code = zlib.deflate(&it, flush);
  // Of a stream that goes on nothing waits in zlib if there was room for more.
  const bool is_whole = flush == Z_FINISH ? code == Z_STREAM_END : code == Z_OK && !it.avail_in && it.avail_out;
  zlib.deflateEnd(&it);
  return is_whole ? (ssize_t)it.total_out : -1;
}

ssize_t carchive_deflate(const void *bytes, size_t count, void *result, size_t room) {
  return deflated(bytes, count, result, room, Z_FINISH);
}

ssize_t carchive_deflate_part(const void *bytes, size_t count, void *result, size_t room) {
  return deflated(bytes, count, result, room, Z_SYNC_FLUSH);
}

uint32_t carchive_crc32(uint32_t sum, const void *bytes, size_t count) {
  const Bytef *next = bytes;
  for (; count > UINT_MAX; next += UINT_MAX, count -= UINT_MAX) sum = (uint32_t)zlib.crc32(sum, next, UINT_MAX);
  return count ? (uint32_t)zlib.crc32(sum, next, (uInt)count) : sum;
}

ssize_t carchive_inflate(const void *bytes, size_t count, void *result, size_t room) {
  z_stream it = stream(bytes, count, result, room);
  if (count > UINT_MAX || room > UINT_MAX || zlib.inflateInit2_(&it, -15, ZLIB_VERSION, sizeof it) != Z_OK) return -1;
  const int code = zlib.inflate(&it, Z_FINISH);
  zlib.inflateEnd(&it);
  return code == Z_STREAM_END && it.avail_in == 0 ? (ssize_t)it.total_out : -1;
}
