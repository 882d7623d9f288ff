#ifndef LOG_FILE_H
#define LOG_FILE_H

/* Makes a layer over SQLite's usual files the default: the write-ahead log of a connection is written in large pieces.
 * Answers a result code of SQLite. */
int cp_log_file_register(void);

#endif
