#include "CSandbox.h"

#include <malloc.h>

enum { MOST_KEPT = 4 << 20 };

void memory_configure(void) {
  mallopt(M_MMAP_THRESHOLD, MOST_KEPT);
  mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
}

void memory_give_back(void) {
  malloc_trim(0);
}
