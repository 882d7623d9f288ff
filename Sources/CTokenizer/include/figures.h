/* What texts are ranked by beside their words, in memory: by the rows of the index.
 *
 * A rare word stands in some hundred of a million texts, and each of these lies on another page of the library: to fetch
 * what it is ranked by takes twenty times as long as to find that it has the word. Sixteen bytes a text say it.
 *
 * One thread at a time writes, any number read meanwhile and wait for nobody. A row that is written just then may be read
 * half old and half new, which is a rank that is somewhat wrong once. */

#ifndef CTOKENIZER_FIGURES_H
#define CTOKENIZER_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t at;         /* UTC milliseconds; what lies thousands of years away is brought to the border */
  uint32_t item;      /* tells texts of one item from those of others, but for one in four thousand million */
  uint16_t body;      /* tokens; the greatest number is that many or more, here and in the next two */
  uint8_t title, tags;
  uint8_t collection; /* a number of the caller's */
  bool is_page, lists, may_fold;
} cp_figures;

#define CP_MOST_BODY UINT16_MAX
#define CP_MOST_TITLE UINT8_MAX

/* The figures of one library, shared by its connections: none, until somebody has read them. */
typedef struct cp_figure_table cp_figure_table;

/* NULL if memory is short. */
cp_figure_table *cp_figure_table_make(void);
cp_figure_table *cp_figure_table_retain(cp_figure_table *table);
void cp_figure_table_release(cp_figure_table *table);

/* Whether `row` is known; NULL as `figures` only asks. */
bool cp_figures_get(const cp_figure_table *table, int64_t row, cp_figures *figures);
/* NULL makes the row one that is not known, as it is where memory is short. */
void cp_figures_set(cp_figure_table *table, int64_t row, const cp_figures *figures);
/* No row is known any more. */
void cp_figures_forget(cp_figure_table *table);

/* The figures of a row from what FTS5 keeps of it: how many tokens its columns title, body and tags have, as varints. */
void cp_figures_read_sizes(cp_figures *figures, const void *sizes, size_t length);
/* The mark of an item by which its texts are distinguished from others'. */
uint32_t cp_figures_mark(const char *item, size_t length);

#endif
