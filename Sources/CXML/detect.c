#define _GNU_SOURCE
#include "CXML.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <uchardet/uchardet.h>

#define UCHARDET_FUNCTIONS(each)                                                                                      \
  each(uchardet_new) each(uchardet_delete) each(uchardet_handle_data) each(uchardet_data_end)                          \
  each(uchardet_get_charset)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  UCHARDET_FUNCTIONS(DECLARE)
#undef DECLARE
} detector;

static bool is_loaded;

static void load_once(void) {
  void *library = dlopen("libuchardet.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                                    \
  if (!(detector.name = (__typeof__(detector.name))dlsym(library, #name))) return;
  UCHARDET_FUNCTIONS(FIND)
#undef FIND
  is_loaded = true;
}

bool cxml_detect(const char *bytes, size_t count, char *name, size_t room) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  if (!is_loaded || room == 0) return false;
  uchardet_t guess = detector.uchardet_new();
  if (!guess) return false;
  bool is_sure = detector.uchardet_handle_data(guess, bytes, count) == 0;
  detector.uchardet_data_end(guess);
  if (is_sure) snprintf(name, room, "%s", detector.uchardet_get_charset(guess));
  detector.uchardet_delete(guess);
  return is_sure && name[0] != 0;
}
