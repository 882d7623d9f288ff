/* glibc declares `syncfs` only for those who ask for all that is its own, which Swift's importer does not. */
#define _GNU_SOURCE
#include "CStore.h"

#include <unistd.h>

int cp_disk_sync(int descriptor) { return syncfs(descriptor); }
