#include "CCurl.h"

#include "CLoad.h"

#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

#define FUNCTIONS(each) each(inflate) each(inflateEnd) each(inflateInit2_) each(inflateReset)
#define SYMBOL(name) name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} zlib;

static bool is_loaded;

static void load_once(void) {
  char failure[CLOAD_FAILURE];
  is_loaded = CLOAD("libz.so.1", FUNCTIONS, &zlib, failure);
}

bool ccurl_can_inflate(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return is_loaded;
}

struct ccurl_inflater {
  z_stream stream;
  bool at_end, has_more;
  unsigned char output[64 << 10];
};

struct ccurl_inflater *ccurl_inflater_open(void) {
  if (!ccurl_can_inflate()) return NULL;
  struct ccurl_inflater *inflater = calloc(1, sizeof *inflater);
  // 16 more than the largest window: gzip and nothing else, with its check sum.
  if (inflater && zlib.inflateInit2_(&inflater->stream, 15 + 16, ZLIB_VERSION, sizeof inflater->stream) != Z_OK) {
    free(inflater);
    return NULL;
  }
  return inflater;
}

void ccurl_inflater_close(struct ccurl_inflater *inflater) {
  if (!inflater) return;
  zlib.inflateEnd(&inflater->stream);
  free(inflater);
}

bool ccurl_inflater_is_at_end(const struct ccurl_inflater *inflater) { return inflater->at_end; }

void ccurl_inflate_feed(struct ccurl_inflater *inflater, const void *bytes, size_t count) {
  // zlib reads only, but declares its input as writable.
  inflater->stream.next_in = (unsigned char *)bytes;
  inflater->stream.avail_in = (unsigned)count;
  inflater->has_more = true;
}

enum ccurl_inflate_result ccurl_inflate(struct ccurl_inflater *inflater, const void **piece, size_t *count) {
  z_stream *stream = &inflater->stream;
  while (inflater->has_more) {
    if (inflater->at_end) {
      // A gzip file may be several, one after the other. What is none is padding, which all readers ignore.
      if (stream->avail_in == 0 || *stream->next_in != 0x1f) break;
      if (zlib.inflateReset(stream) != Z_OK) return CCURL_INFLATE_BROKEN;
      inflater->at_end = false;
    }
    stream->next_out = inflater->output;
    stream->avail_out = sizeof inflater->output;
    int result = zlib.inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
      inflater->at_end = true;
    else if (result == Z_BUF_ERROR)
      break;
    else if (result != Z_OK)
      return CCURL_INFLATE_BROKEN;
    inflater->has_more = stream->avail_in > 0 || stream->avail_out == 0;
    *piece = inflater->output;
    *count = sizeof inflater->output - stream->avail_out;
    if (*count > 0) return CCURL_INFLATE_PIECE;
  }
  inflater->has_more = false;
  return CCURL_INFLATE_HUNGRY;
}
