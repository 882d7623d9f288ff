#ifndef JOURNAL_FILE_H
#define JOURNAL_FILE_H

#include <sqlite3.h>

/* Opens the file of a statement journal. */
int cp_journal_file_open(sqlite3_vfs *usual, const char *name, sqlite3_file *file, int flags, int *granted);

#endif
