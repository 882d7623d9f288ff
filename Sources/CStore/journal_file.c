/* Statement journals that grow beyond what stays of them in memory.
 *
 * SQLite keeps such a journal in one piece of SQLITE_CONFIG_STMTJRNL_SPILL bytes, and when it is full writes that piece
 * into a file by one call. The unix VFS of SQLite 3.40 writes a length of 128 KiB and more modulo 128 KiB, and takes what
 * is left over for a full disk: with a larger piece, whatever touches more pages than it holds fails, such as dropping the
 * index that a rebuild replaces. So these files are written in parts. */

#include "journal_file.h"

#include <pthread.h>

enum { PART = 64 << 10 };

static const sqlite3_io_methods *usual_methods;
static sqlite3_io_methods journal_methods;

static int write_in_parts(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  int code = SQLITE_OK;
  for (int done = 0; done < length && code == SQLITE_OK; done += PART) {
    int part = length - done < PART ? length - done : PART;
    code = usual_methods->xWrite(file, (const char *)bytes + done, part, offset + done);
  }
  return code;
}

/* The files of one kind have the same methods, which only an open file tells. */
static void learn(const sqlite3_io_methods *methods) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  if (usual_methods == NULL) {
    journal_methods = *methods;
    journal_methods.xWrite = write_in_parts;
    usual_methods = methods;
  }
  pthread_mutex_unlock(&mutex);
}

int cp_journal_file_open(sqlite3_vfs *usual, const char *name, sqlite3_file *file, int flags, int *granted) {
  int code = usual->xOpen(usual, name, file, flags, granted);
  if (code != SQLITE_OK) return code;
  learn(file->pMethods);
  if (file->pMethods == usual_methods) file->pMethods = &journal_methods;
  return code;
}
