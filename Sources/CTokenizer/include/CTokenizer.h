/* What the library's search understands as the letters and words of a text.
 *
 * One scan serves all: the FTS5 tokenizer `commonplace`, which builds the index and reads queries,
 * and the search for ranges in an original text. So what the index finds and what is marked agree.
 *
 * Folding is NFKC with full case folding, without default-ignorable characters (soft hyphens,
 * joiners, variation selectors). Every folded character knows the bytes of the original that it
 * came from; a range never splits a character or a combining sequence. A scan also takes katakana for
 * hiragana and traditional Chinese letters for simplified ones; `cp_fold` and `cp_compare` do not. */

#ifndef CTOKENIZER_H
#define CTOKENIZER_H

#include "figures.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raise it with every change of what a text is cut into, or of what is kept beside it (SearchTables.swift): an index of
 * another version is rebuilt. */
#define CP_TOKENIZER_VERSION 9

/* The longest word or letter kept, in bytes of its folded form; what follows is left out, of texts
 * and of queries alike, so that a word longer than this is still found. */
#define CP_UNIT_CAPACITY 128

/* First characters that say how a text is to be cut. They are never a user's: the content view of
 * the index puts one before every column, and a query is stripped of control characters. */
#define CP_MODE_EXACT 0x02 /* query: only exact forms of words, only beginnings of runs of letters */
#define CP_MODE_TITLE 0x03 /* text: each token also as a token of titles; query: only those */
#define CP_MODE_NAME 0x04  /* text and query: all the rest is one token, as it stands */
#define CP_MODE_TEXT 0x05  /* text: nothing particular */
#define CP_MODE_TYPED 0x06 /* query: as CP_MODE_TITLE, and half-typed ends too */

typedef enum {
  CP_KIND_WORD = 1,   /* letters, digits and marks of a script that writes spaces */
  CP_KIND_LETTER = 2, /* one letter, with its marks, of a script that writes none, or of Hangul */
  CP_KIND_SYMBOL = 3, /* a pictograph */
} cp_kind;

/* A word, a letter or a pictograph. The pointers hold until the callback returns. */
typedef struct {
  cp_kind kind;
  bool glued;  /* a letter that directly follows the letter before: both are of one run */
  bool plains; /* a word with letters that could carry diacritics */
  bool part;   /* a part of the word before it, which a hyphen at a line end breaks: both stand at one place */
  bool broken; /* a word that a hyphen breaks: its parts follow */
  size_t place; /* how many units stand before it; of a part, before its word */
  size_t start, end; /* the bytes of the original text */
  const char *exact; /* folded */
  size_t exact_length;
  const char *plain; /* folded, without diacritics and Arabic article; the same bytes where there are none */
  size_t plain_length;
  size_t article; /* how many bytes right before `plain` are the article, without diacritics; 0 where there is none */
} cp_unit;

/* Anything but zero ends the scan, which then answers it. */
typedef int (*cp_unit_callback)(void *context, const cp_unit *unit);

/* Cuts `text` into units, in order. Any bytes will do: what is not UTF-8 separates.
 *
 * A word that a hyphen (- U+2010 U+00AD) after a letter breaks at a line end goes on with the first letter of the next
 * line, as it does for `cp_compare`; but not with a capital, which no broken word goes on with. It may have been a word
 * with a hyphen, or two: so its parts follow it.
 *
 *     the exam-⏎ple of     the, example (exam, ple), of */
int cp_scan(const char *text, size_t length, void *context, cp_unit_callback callback);

/* A word or letter to look for: its form without diacritics is bytes of `forms`. */
typedef struct {
  cp_kind kind;
  bool goes_on; /* whether a word that begins so will do */
  size_t offset, length;
} cp_query_unit;

/* Cuts `text` as `cp_scan` does, and gives the units that are one of these, and words that are broken. */
int cp_scan_for(const char *text, size_t length, const cp_query_unit *query, size_t count, const char *forms, void *context,
                cp_unit_callback callback);

/* The folded form of a whole text, for comparison: every character is kept, blanks at the ends are
 * dropped and others become one space, bytes that are not UTF-8 become U+FFFD. The result ends with
 * a NUL that `folded_length` does not count; free it with `cp_free`. NULL if memory is short. */
char *cp_fold(const char *text, size_t length, size_t *folded_length);
void cp_free(void *memory);

/* A text as it is compared with another whose lines end elsewhere:
 *
 *   characters   NFKC, case folded unless `keeps_case`, without ignorable ones
 *   blanks       a run of them is one space; with `keeps_lines` a run with a line end is one U+000A
 *   line ends    a hyphen (or a soft one) between a letter and a line end before a letter goes, and the
 *                line end with it; so does a line end between two letters of scripts without spaces
 *
 * Where one went is a join. Blanks at the ends are kept. */
typedef struct {
  uint8_t *bytes; /* UTF-8 */
  size_t length;
  uint32_t *joins; /* places in `bytes`, ascending */
  size_t join_count;
  /* Of each byte: the range of characters (Unicode scalars) of the original that it is from. NULL unless asked for. */
  uint32_t *starts, *ends;
} cp_comparable;

typedef struct {
  bool keeps_case, keeps_lines, is_mapped;
} cp_comparing;

/* The text must be UTF-8 and shorter than 1 GiB. False if memory is short. Free the result either way. */
bool cp_compare(const char *text, size_t length, cp_comparing how, cp_comparable *result);
void cp_compare_free(cp_comparable *comparable);

/* Whether a letter may stand in a text that is none of ASCII and that the index may take for one that is, or a mark upon one.
 * False only where there is surely none: of Hangul, Han and kana none is such, nor of the usual quotation marks. */
bool cp_may_stand_for_latin(const char *text, size_t length);

/* The first place of `part` in `bytes`, or −1. */
ptrdiff_t cp_find(const void *bytes, size_t length, const void *part, size_t part_length);

/* Makes a connection able to use the index: the tokenizer `commonplace`, the rank function
 * `cp_rank` and the SQL functions `fold(text)`, `cp_begins(words, text…)`, `cp_figures(row)`,
 * `cp_literal(word, goes_on, text…)` and `cp_last_term(block)`. Call it for every connection,
 * readers too. `figures` are those of its library, which it keeps; NULL is none. Answers a result
 * code of SQLite. */
int cp_tokenizer_register(sqlite3 *connection, cp_figure_table *figures);

#endif
