#ifndef CSTORE_H
#define CSTORE_H

/* SQLite itself comes to Swift by this module. */
#include <sqlite3.h>

/* What the store sets and replaces in SQLite, for the whole process. Before SQLite's first use, or it is left as it is.
 * Answers a result code of SQLite. */
int cp_sqlite_configure(void);

/* Refuses SQL on a connection that could damage the file, such as writes to the schema and to the tables of an index, or
 * allows it again. Answers a result code of SQLite. */
int cp_sqlite_defend(sqlite3 *connection, int is_on);

/* Makes a name in double quotes that names no column an error. By itself SQLite takes it for a text. */
void cp_sqlite_forbid_quoted_strings(sqlite3 *connection);

/* Brings all that was written to the file system of a descriptor to its disk. 0, or -1 with errno. */
int cp_disk_sync(int descriptor);

/* Exchanges two files of a folder, in one step. 0, or -1 with errno: where one is missing, and on a file system that
 * cannot. */
int cp_files_exchange(int folder, const char *one, const char *other);

#endif
