/* The files of the page that commonplace-web serves: see Sources/commonplace-web/Page. */
#pragma once

#include <stddef.h>

/* The bytes of the file at `path`, such as "kernel/list.js", which stay where they are as long as the program runs, and
 * their number; NULL if there is no such file. */
const unsigned char *cpage_file(const char *path, size_t *count);

/* The path of the file with this number, from 0; NULL after the last. */
const char *cpage_path(size_t number);
