/* Libraries that are loaded when they are first used: most commands need none of them, and each would make all of them
 * start later. The functions used are listed once, and the table of pointers and their names follow from the list:
 *
 *     #define FUNCTIONS(each) each(DigestInit_ex) each(sha256)
 *     #define SYMBOL(name) EVP_##name
 *     static struct { FUNCTIONS(CLOAD_MEMBER) } evp;
 *     static char failure[CLOAD_FAILURE];
 *
 *     CLOAD("libcrypto.so.3", FUNCTIONS, &evp, failure);
 *     evp.sha256();
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The room for the reason of a failure. */
#define CLOAD_FAILURE 300

/* A pointer of the type that the library's header declares. */
#define CLOAD_MEMBER(name) __typeof__(&SYMBOL(name)) name;
#define CLOAD_NAME(name) CLOAD_QUOTED(SYMBOL(name)),
#define CLOAD_QUOTED(symbol) CLOAD_QUOTED_(symbol)
#define CLOAD_QUOTED_(symbol) #symbol

/* Fills the table that `table` points to, which must be listed by `functions`. */
#define CLOAD(file, functions, table, failure)                                                                         \
  cload(file, "", (const char *const[]){functions(CLOAD_NAME)}, table, sizeof *(table) / sizeof(void *), failure)

/* Loads the library `file`, for this caller alone, and looks up `count` functions by their names, to each of which
 * `suffix` is appended. False if the library or a function is missing; `failure` then states the reason. */
bool cload(const char *file, const char *suffix, const char *const *names, void *table, size_t count, char *failure);
