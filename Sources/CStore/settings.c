#include "CStore.h"
#include "files.h"

int cp_sqlite_configure(void) {
  /* Nobody asks how much memory SQLite has, and counting it costs a lock at every allocation. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* What a savepoint would roll back stays in memory up to so many bytes: the pages that one write touches, with room.
   * Usually it is 64 KiB, and a group of 64 writes then wrote eight times as many pages to a file that is never read as
   * to the log. */
  sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 256 << 10);
  return cp_files_register();
}

int cp_sqlite_defend(sqlite3 *connection, int is_on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
}

void cp_sqlite_forbid_quoted_strings(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}
