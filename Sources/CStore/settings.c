#include "CStore.h"
#include "files.h"

#include <sqlite3.h>

int cp_sqlite_configure(void) {
  /* Nobody asks how much memory SQLite has, and counting it costs a lock at every allocation. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* What a savepoint would roll back stays in memory up to so many bytes: the pages that one write touches, with room.
   * Usually it is 64 KiB, and a group of 64 writes then wrote eight times as many pages to a file that is never read as
   * to the log. */
  sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 256 << 10);
  return cp_files_register();
}

int cp_sqlite_defend(void *connection, int is_on) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
}
