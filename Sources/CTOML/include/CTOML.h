/* TOML by toml++, as a sequence of values with their lines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CTOML_TEXT,
  CTOML_INTEGER,
  CTOML_BOOLEAN,
  CTOML_LIST,
  CTOML_TABLE,
  /* The end of the list or table that began last. */
  CTOML_END,
  /* Of another kind. */
  CTOML_OTHER,
} ctoml_kind;

/* A value. The pointers hold until the callback returns; no text ends with a NUL. */
typedef struct {
  ctoml_kind kind;
  /* Of the key; of the value itself in a list. From 1. */
  uint32_t line;
  /* NULL in a list, at an end, and for the whole document. */
  const char *key;
  size_t key_length;
  const char *text;
  size_t text_length;
  int64_t integer;
  bool boolean;
} ctoml_value;

typedef void (*ctoml_visitor)(void *context, const ctoml_value *value);

typedef struct {
  uint32_t line;
  char reason[512];
} ctoml_failure;

/* Parses UTF-8 and hands out the document, which is a table, depth first. False if it is not TOML, or memory is short;
 * then nothing is handed out. */
bool ctoml_parse(const char *text, size_t length, void *context, ctoml_visitor visit, ctoml_failure *failure);

#ifdef __cplusplus
}
#endif
