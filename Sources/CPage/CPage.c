#include "CPage.h"

#include <string.h>

struct file {
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/* The compiler embeds the files as they are and compiles this one again when one of them has changed. */
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "files.h"

static const size_t count_of_files = sizeof files / sizeof *files;

const unsigned char *cpage_file(const char *path, size_t *count) {
  for (size_t i = 0; i < count_of_files; i++) {
    if (strcmp(files[i].path, path) != 0) continue;
    *count = files[i].count;
    return files[i].bytes;
  }
  *count = 0;
  return NULL;
}

const char *cpage_path(size_t number) {
  return number < count_of_files ? files[number].path : NULL;
}
