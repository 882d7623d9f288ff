#include "files.h"
#include "journal_file.h"
#include "log_file.h"

#include <stddef.h>

static sqlite3_vfs *usual;

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *granted) {
  (void)vfs;
  if (flags & SQLITE_OPEN_WAL) return cp_log_file_open(usual, name, file, flags, granted);
  if (flags & SQLITE_OPEN_SUBJOURNAL) return cp_journal_file_open(usual, name, file, flags, granted);
  return usual->xOpen(usual, name, file, flags, granted);
}

int cp_files_register(void) {
  static sqlite3_vfs layer;
  if (usual != NULL) return SQLITE_OK;
  usual = sqlite3_vfs_find(NULL);
  if (usual == NULL) return SQLITE_ERROR;
  layer = *usual;
  layer.szOsFile = usual->szOsFile + cp_log_file_size();
  layer.zName = "commonplace";
  layer.pNext = NULL;
  layer.xOpen = open_file;
  return sqlite3_vfs_register(&layer, 1);
}
