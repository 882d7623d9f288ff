#ifndef FILES_H
#define FILES_H

/* Makes a layer over SQLite's usual files the default, in which two kinds of them are written in another way: `log_file.c`
 * and `journal_file.c`. Answers a result code of SQLite. */
int cp_files_register(void);

#endif
