/* The write-ahead log, written in large pieces.
 *
 * SQLite writes each page of a commit by two calls, 24 bytes of head and then the page, one after the other in the file.
 * Each call is a way through the file system, and a group of writes has a hundred pages. Here they are gathered:
 *
 *     head page head page … head page     one write, when the gathered bytes are many
 *     … head(commit) page                 one write, at once: others may read up to here from now on
 *
 * Nothing else is different. What is gathered is always in the file before anything that could see the file goes on: a
 * read, a sync, a question for its size, the last page of a commit. That a write fails is reported where the bytes are
 * written, by the call that made it so; SQLite takes a failure of any of them as that of the commit.
 *
 * The layout of a head: https://www.sqlite.org/fileformat2.html#wal_file_format */

#include "log_file.h"

#include <stdbool.h>
#include <string.h>

/* SQLite's unix VFS cannot write 128 KiB at once: see journal_file.c. */
enum { HEAD = 24, MOST_GATHERED = 120 << 10 };

typedef struct {
  sqlite3_file file; /* first, for SQLite */
  char *gathered;    /* NULL before the first write: most connections only read */
  int length;
  sqlite3_int64 start; /* where in the file `gathered` belongs */
  bool ends_commit;    /* the page that follows is the last of a commit */
  sqlite3_file *real;
} log_file;

/* The real file follows, and may hold anything. */
#define OWN_SIZE ((int)((sizeof(log_file) + 15) & ~(size_t)15))

static log_file *of(sqlite3_file *file) { return (log_file *)file; }

static int put(log_file *log) {
  if (log->length == 0) return SQLITE_OK;
  int length = log->length;
  log->length = 0;
  return log->real->pMethods->xWrite(log->real, log->gathered, length, log->start);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *log = of(file);
  bool is_last = log->ends_commit && count > HEAD;
  /* Bytes 4 to 7 of a head: the size of the library after the commit; zero in all but the last of one. */
  log->ends_commit = count == HEAD && memcmp((const char *)bytes + 4, "\0\0\0\0", 4) != 0;
  if (log->gathered == NULL) log->gathered = sqlite3_malloc(MOST_GATHERED);
  bool follows = log->length > 0 && offset == log->start + log->length;
  if (!follows || log->length + count > MOST_GATHERED) {
    int code = put(log);
    if (code != SQLITE_OK) return code;
    log->start = offset;
  }
  if (log->gathered == NULL || count > MOST_GATHERED) {
    return log->real->pMethods->xWrite(log->real, bytes, count, offset);
  }
  memcpy(log->gathered + log->length, bytes, (size_t)count);
  log->length += count;
  return is_last ? put(log) : SQLITE_OK;
}

static int log_close(sqlite3_file *file) {
  log_file *log = of(file);
  int code = put(log);
  int closed = log->real->pMethods->xClose(log->real);
  sqlite3_free(log->gathered);
  log->gathered = NULL;
  return code != SQLITE_OK ? code : closed;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = put(of(file));
  if (code != SQLITE_OK) return code;
  return of(file)->real->pMethods->xRead(of(file)->real, bytes, count, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = put(of(file));
  if (code != SQLITE_OK) return code;
  return of(file)->real->pMethods->xTruncate(of(file)->real, size);
}

static int log_sync(sqlite3_file *file, int flags) {
  int code = put(of(file));
  if (code != SQLITE_OK) return code;
  return of(file)->real->pMethods->xSync(of(file)->real, flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = put(of(file));
  if (code != SQLITE_OK) return code;
  return of(file)->real->pMethods->xFileSize(of(file)->real, size);
}

static int log_lock(sqlite3_file *file, int level) { return of(file)->real->pMethods->xLock(of(file)->real, level); }

static int log_unlock(sqlite3_file *file, int level) { return of(file)->real->pMethods->xUnlock(of(file)->real, level); }

static int log_is_reserved(sqlite3_file *file, int *answer) {
  return of(file)->real->pMethods->xCheckReservedLock(of(file)->real, answer);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
  return of(file)->real->pMethods->xFileControl(of(file)->real, operation, argument);
}

static int log_sector(sqlite3_file *file) { return of(file)->real->pMethods->xSectorSize(of(file)->real); }

static int log_characteristics(sqlite3_file *file) {
  return of(file)->real->pMethods->xDeviceCharacteristics(of(file)->real);
}

/* Version 1: shared memory and mapped pages are the library's own, never the log's. */
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_characteristics,
};

int cp_log_file_size(void) { return OWN_SIZE; }

int cp_log_file_open(sqlite3_vfs *usual, const char *name, sqlite3_file *file, int flags, int *granted) {
  log_file *log = of(file);
  memset(log, 0, sizeof *log);
  log->real = (sqlite3_file *)((char *)file + OWN_SIZE);
  int code = usual->xOpen(usual, name, log->real, flags, granted);
  if (code == SQLITE_OK) {
    log->file.pMethods = &log_methods;
  } else if (log->real->pMethods != NULL) {
    log->real->pMethods->xClose(log->real);
  }
  return code;
}
