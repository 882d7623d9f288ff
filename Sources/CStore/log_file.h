#ifndef LOG_FILE_H
#define LOG_FILE_H

#include <sqlite3.h>

/* How many bytes an open log needs beside those of the usual file. */
int cp_log_file_size(void);

/* Opens a write-ahead log. */
int cp_log_file_open(sqlite3_vfs *usual, const char *name, sqlite3_file *file, int flags, int *granted);

#endif
