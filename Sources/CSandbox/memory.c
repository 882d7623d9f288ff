#define _GNU_SOURCE
#include "CSandbox.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

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

// The first that is handed out is the program itself; its libraries are shared with others.
static int give_code_back(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int place = 0; place < info->dlpi_phnum; place++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[place];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || part->p_flags & PF_W) continue;
    const uintptr_t start = (info->dlpi_addr + part->p_vaddr) & ~(page - 1);
    const uintptr_t end = (info->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 1;
}

void memory_give_code_back(void) {
  dl_iterate_phdr(give_code_back, NULL);
}
