#include "CSandbox.h"

#include <malloc.h>

enum { MOST_KEPT = 4 << 20 };

void memory_configure(void) {
  mallopt(M_MMAP_THRESHOLD, MOST_KEPT);
  mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
  // Small freed pieces are joined with their neighbours at once. Otherwise malloc_trim joins them, the whole may so become
  // the end of its arena, and the ends of all arenas but the first are cut by a later large `free` in them alone.
  mallopt(M_MXFAST, 0);
}

void memory_give_back(void) {
  malloc_trim(0);
}
