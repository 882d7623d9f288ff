#define _GNU_SOURCE
#include "CXML.h"

#include "CLoad.h"

#include <pthread.h>
#include <stdio.h>
#include <uchardet/uchardet.h>

#define UCHARDET_FUNCTIONS(each)                                                                                      \
  each(uchardet_new) each(uchardet_delete) each(uchardet_handle_data) each(uchardet_data_end)                          \
  each(uchardet_get_charset)

#define SYMBOL(name) name
static struct {
  UCHARDET_FUNCTIONS(CLOAD_MEMBER)
} detector;

static bool is_loaded;

static void load_once(void) {
  char failure[CLOAD_FAILURE];
  is_loaded = CLOAD("libuchardet.so.0", UCHARDET_FUNCTIONS, &detector, failure);
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
