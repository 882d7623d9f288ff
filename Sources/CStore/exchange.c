/* glibc declares `renameat2` only for those who ask for all that is its own, which Swift's importer does not. */
#define _GNU_SOURCE
#include "CStore.h"

#include <stdio.h>

int cp_files_exchange(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}
