/* The sentences that people read, a file for each language: see Sources/Display/Languages. */
#pragma once

#include <stddef.h>

/* The bytes of the file `code`.txt, which stay where they are as long as the program runs, and their number; NULL if
 * there is no such file. */
const unsigned char *clanguages_file(const char *code, size_t *count);
