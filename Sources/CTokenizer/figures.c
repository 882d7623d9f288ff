#define _GNU_SOURCE
#include "figures.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Rows lie in chunks that never move, so that nobody who reads has to wait for one that grows. */
#define CHUNK_BITS 17
#define CHUNK_ROWS ((size_t)1 << CHUNK_BITS)
#define CHUNK_SIZE (CHUNK_ROWS * sizeof(record))
#define CHUNKS ((size_t)1 << 11)

#define AT_BITS 48
#define MOST_AT (((int64_t)1 << (AT_BITS - 1)) - 1)

enum { KNOWN = 1, PAGE = 2, LISTS = 4, FOLDS = 8 };

/* first: at in 48 bits, body in 16. second: item in 32, title, tags, collection and flags in 8 each. */
typedef struct {
  _Atomic uint64_t first, second;
} record;

_Static_assert(CHUNK_SIZE == 2 << 20, "a chunk is one huge page");

struct cp_figure_table {
  atomic_int owners;
  _Atomic(record *) chunks[CHUNKS];
};

cp_figure_table *cp_figure_table_make(void) {
  cp_figure_table *table = calloc(1, sizeof *table);
  if (table != NULL) atomic_init(&table->owners, 1);
  return table;
}

cp_figure_table *cp_figure_table_retain(cp_figure_table *table) {
  if (table != NULL) atomic_fetch_add(&table->owners, 1);
  return table;
}

void cp_figure_table_release(cp_figure_table *table) {
  if (table == NULL || atomic_fetch_sub(&table->owners, 1) != 1) return;
  for (size_t i = 0; i < CHUNKS; i++) {
    record *chunk = atomic_load_explicit(&table->chunks[i], memory_order_relaxed);
    if (chunk != NULL) munmap(chunk, CHUNK_SIZE);
  }
  free(table);
}

/* NULL where there is none. */
static record *find(const cp_figure_table *table, int64_t row) {
  if (row < 0 || (uint64_t)row >= CHUNKS << CHUNK_BITS) return NULL;
  record *chunk = atomic_load_explicit(&table->chunks[(size_t)row >> CHUNK_BITS], memory_order_acquire);
  return chunk == NULL ? NULL : &chunk[(size_t)row & (CHUNK_ROWS - 1)];
}

/* The rows of one question lie all over a large table, and each would need an entry of the processor's for its page: so all
 * chunks but the first are huge pages, where the kernel has some, and take two megabytes each at once. Of the first only
 * what is used takes room. NULL if memory is short. */
static record *make_chunk(bool is_first) {
  char *wide = mmap(NULL, 2 * CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (wide == MAP_FAILED) return NULL;
  size_t before = -(uintptr_t)wide % CHUNK_SIZE;
  char *chunk = wide + before;
  if (before > 0) munmap(wide, before);
  munmap(chunk + CHUNK_SIZE, CHUNK_SIZE - before);
  madvise(chunk, CHUNK_SIZE, is_first ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
  return (record *)chunk;
}

bool cp_figures_get(const cp_figure_table *table, int64_t row, cp_figures *figures) {
  const record *r = find(table, row);
  if (r == NULL) return false;
  uint64_t second = atomic_load_explicit(&r->second, memory_order_acquire);
  if (!(second & KNOWN)) return false;
  if (figures == NULL) return true;
  uint64_t first = atomic_load_explicit(&r->first, memory_order_relaxed);
  *figures = (cp_figures){
      .at = (int64_t)first >> (64 - AT_BITS),
      .body = (uint16_t)first,
      .item = (uint32_t)(second >> 32),
      .title = (uint8_t)(second >> 24),
      .tags = (uint8_t)(second >> 16),
      .collection = (uint8_t)(second >> 8),
      .is_page = second & PAGE,
      .lists = second & LISTS,
      .may_fold = second & FOLDS,
  };
  return true;
}

void cp_figures_set(cp_figure_table *table, int64_t row, const cp_figures *f) {
  record *r = find(table, row);
  if (r == NULL) {
    if (f == NULL || row < 0 || (uint64_t)row >= CHUNKS << CHUNK_BITS) return;
    record *chunk = make_chunk(row < (int64_t)CHUNK_ROWS);
    if (chunk == NULL) return;
    atomic_store_explicit(&table->chunks[(size_t)row >> CHUNK_BITS], chunk, memory_order_release);
    r = &chunk[(size_t)row & (CHUNK_ROWS - 1)];
  }
  if (f == NULL) {
    atomic_store_explicit(&r->second, 0, memory_order_release);
    return;
  }
  int64_t at = f->at > MOST_AT ? MOST_AT : f->at < -MOST_AT ? -MOST_AT : f->at;
  atomic_store_explicit(&r->first, (uint64_t)at << (64 - AT_BITS) | f->body, memory_order_relaxed);
  uint64_t flags = KNOWN | (f->is_page ? PAGE : 0) | (f->lists ? LISTS : 0) | (f->may_fold ? FOLDS : 0);
  uint64_t second = (uint64_t)f->item << 32 | (uint64_t)f->title << 24 | (uint64_t)f->tags << 16 |
                    (uint64_t)f->collection << 8 | flags;
  atomic_store_explicit(&r->second, second, memory_order_release);
}

void cp_figures_forget(cp_figure_table *table) {
  for (size_t i = 0; i < CHUNKS; i++) {
    record *chunk = atomic_load_explicit(&table->chunks[i], memory_order_relaxed);
    if (chunk == NULL) continue;
    for (size_t j = 0; j < CHUNK_ROWS; j++) {
      /* What nobody has written takes no room, and is not to take any now. */
      if (atomic_load_explicit(&chunk[j].second, memory_order_relaxed) == 0) continue;
      atomic_store_explicit(&chunk[j].second, 0, memory_order_release);
    }
  }
}

/* One varint of SQLite's, of which no byte is missing; `most` for what is greater. */
static unsigned read_size(const uint8_t **at, const uint8_t *end, unsigned most) {
  uint64_t size = 0;
  bool more = true;
  for (; more && *at < end; (*at)++) {
    size = size > INT_MAX ? size : size << 7 | (**at & 0x7F);
    more = **at >= 0x80;
  }
  return size < most ? (unsigned)size : most;
}

void cp_figures_read_sizes(cp_figures *figures, const void *sizes, size_t length) {
  const uint8_t *at = sizes, *end = at == NULL ? at : at + length;
  figures->title = (uint8_t)read_size(&at, end, CP_MOST_TITLE);
  figures->body = (uint16_t)read_size(&at, end, CP_MOST_BODY);
  figures->tags = (uint8_t)read_size(&at, end, UINT8_MAX);
}

/* FNV-1a. */
uint32_t cp_figures_mark(const char *item, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)item[i]) * 16777619u;
  return hash;
}
