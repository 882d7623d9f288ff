#define _GNU_SOURCE
#define PCRE2_CODE_UNIT_WIDTH 8
#include "CPCRE.h"

#include "CLoad.h"

#include <pcre2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What one look for a match may cost: some 50 ms, and 16 MiB.
#define MATCH_LIMIT 1000000
#define DEPTH_LIMIT 20000
#define HEAP_LIMIT_KIB (16 << 10)
#define LONGEST_PATTERN (64 << 10)

#define FUNCTIONS(each)                                                                                               \
  each(code_free) each(compile) each(compile_context_create) each(compile_context_free) each(get_error_message)        \
  each(get_ovector_pointer) each(jit_compile) each(match) each(match_context_create)                                   \
  each(match_context_free) each(match_data_create_from_pattern) each(match_data_free) each(set_depth_limit)            \
  each(set_heap_limit) each(set_match_limit) each(set_max_pattern_length) each(set_newline)

#define SYMBOL(name) pcre2_##name##_8
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} pcre;

struct cpcre_pattern {
  pcre2_code *code;
  pcre2_match_data *data;
  pcre2_match_context *context;
};

static char load_failure[CLOAD_FAILURE];

static void load_once(void) { CLOAD("libpcre2-8.so.0", FUNCTIONS, &pcre, load_failure); }

const char *cpcre_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

static cpcre_pattern *prepare(pcre2_code *code) {
  cpcre_pattern *pattern = calloc(1, sizeof *pattern);
  if (!pattern) {
    pcre.code_free(code);
    return NULL;
  }
  pattern->code = code;
  pattern->data = pcre.match_data_create_from_pattern(code, NULL);
  pattern->context = pcre.match_context_create(NULL);
  if (!pattern->data || !pattern->context) {
    cpcre_free(pattern);
    return NULL;
  }
  pcre.set_match_limit(pattern->context, MATCH_LIMIT);
  pcre.set_depth_limit(pattern->context, DEPTH_LIMIT);
  pcre.set_heap_limit(pattern->context, HEAP_LIMIT_KIB);
  // Machine code is several times faster. Where there can be none, pcre2_match interprets the expression by itself.
  (void)pcre.jit_compile(code, PCRE2_JIT_COMPLETE);
  return pattern;
}

cpcre_pattern *cpcre_compile(const char *text, size_t length, bool ignores_case, int *error, size_t *offset) {
  *error = PCRE2_ERROR_NOMEMORY;
  *offset = 0;
  pcre2_compile_context *context = pcre.compile_context_create(NULL);
  if (!context) return NULL;
  pcre.set_newline(context, PCRE2_NEWLINE_LF);
  pcre.set_max_pattern_length(context, LONGEST_PATTERN);
  // \C would cut a character in two.
  uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  if (ignores_case) options |= PCRE2_CASELESS;
  PCRE2_SIZE place = 0;
  pcre2_code *code = pcre.compile((PCRE2_SPTR)text, length, options, error, &place, context);
  pcre.compile_context_free(context);
  *offset = place;
  return code ? prepare(code) : NULL;
}

void cpcre_message(int error, char *text, size_t room) {
  if (pcre.get_error_message(error, (PCRE2_UCHAR *)text, room) < 0) snprintf(text, room, "%d", error);
}

cpcre_result cpcre_match(
    cpcre_pattern *pattern, const char *text, size_t length, size_t from, size_t *start, size_t *end) {
  uint32_t options = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY;
  int count =
      pcre.match(pattern->code, (PCRE2_SPTR)text, length, from, options, pattern->data, pattern->context);
  // Machine code has 32 KiB of stack; the interpreter has the heap, up to its limit.
  if (count == PCRE2_ERROR_JIT_STACKLIMIT) {
    options |= PCRE2_NO_JIT;
    count = pcre.match(pattern->code, (PCRE2_SPTR)text, length, from, options, pattern->data, pattern->context);
  }
  switch (count) {
  case PCRE2_ERROR_NOMATCH: return CPCRE_NONE;
  case PCRE2_ERROR_MATCHLIMIT:
  case PCRE2_ERROR_DEPTHLIMIT:
  case PCRE2_ERROR_HEAPLIMIT:
  case PCRE2_ERROR_NOMEMORY:
    return CPCRE_TOO_HARD;
  default: break;
  }
  if (count < 0) return CPCRE_FAILED;
  PCRE2_SIZE *places = pcre.get_ovector_pointer(pattern->data);
  *start = places[0];
  *end = places[1];
  // \K may put the start after the end.
  return *start < *end && *end <= length ? CPCRE_FOUND : CPCRE_FAILED;
}

void cpcre_free(cpcre_pattern *pattern) {
  if (!pattern) return;
  if (pattern->data) pcre.match_data_free(pattern->data);
  if (pattern->context) pcre.match_context_free(pattern->context);
  if (pattern->code) pcre.code_free(pattern->code);
  free(pattern);
}
