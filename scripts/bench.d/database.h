/* What the bench's programs that write to a library's file share. */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>

#include "../../Sources/CTokenizer/include/CTokenizer.h"
#include "common.h"

static sqlite3 *db;

static inline void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  errno = 0;
  fail(sqlite3_errmsg(db));
}

static inline void execute(const char *sql) { check(sqlite3_exec(db, sql, NULL, NULL, NULL)); }

static inline sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

static inline void text(sqlite3_stmt *statement, int place, const char *text) {
  check(sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT));
}

static inline void number(sqlite3_stmt *statement, int place, sqlite3_int64 number) {
  check(sqlite3_bind_int64(statement, place, number));
}

static inline void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static inline void open_library(const char *path) {
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL));
  check(cp_tokenizer_register(db, NULL));
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
}

static inline FILE *open_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  return file;
}

#endif
