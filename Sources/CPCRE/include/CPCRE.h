/* Regular expressions: the part of PCRE2 that finding needs, with limits on everything.
 *
 * The library is loaded when it is first used. Texts and expressions are UTF-8; a text must be valid. */

#ifndef CPCRE_H
#define CPCRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cpcre_pattern cpcre_pattern;

typedef enum {
  CPCRE_NONE,
  CPCRE_FOUND,
  /* The expression tries more ways, deeper, or with more memory than it may. */
  CPCRE_TOO_HARD,
  CPCRE_FAILED,
} cpcre_result;

/* Loads the library if it was not loaded before. NULL, or what is missing. Safe from any thread. */
const char *cpcre_load(void);

/* NULL if it is no expression, with PCRE2's number of the error and the byte where it is. Only after cpcre_load.
 * `^` and `$` are the ends of lines, U+000A; classes such as \w know all of Unicode. */
cpcre_pattern *cpcre_compile(const char *text, size_t length, bool ignores_case, int *error, size_t *offset);

/* PCRE2's sentence for a number, in English. */
void cpcre_message(int error, char *text, size_t room);

/* The first occurrence at or after `from` that is not empty. One pattern serves one thread at a time. */
cpcre_result cpcre_match(
    cpcre_pattern *pattern, const char *text, size_t length, size_t from, size_t *start, size_t *end);

void cpcre_free(cpcre_pattern *pattern);

#endif
