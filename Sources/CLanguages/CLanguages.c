#include "CLanguages.h"

#include <string.h>

/* The compiler embeds the files as they are and compiles this one again when one of them has changed. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "../Display/Languages/en.txt"
};

static const unsigned char ja[] = {
#embed "../Display/Languages/ja.txt"
};

static const unsigned char ko[] = {
#embed "../Display/Languages/ko.txt"
};

static const unsigned char zh[] = {
#embed "../Display/Languages/zh.txt"
};

static const struct {
  const char *code;
  const unsigned char *bytes;
  size_t count;
} files[] = {
#define FILE(code) {#code, code, sizeof code}
    FILE(en),
    FILE(ja),
    FILE(ko),
    FILE(zh),
};

const unsigned char *clanguages_file(const char *code, size_t *count) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].code, code) != 0) continue;
    *count = files[i].count;
    return files[i].bytes;
  }
  *count = 0;
  return NULL;
}
