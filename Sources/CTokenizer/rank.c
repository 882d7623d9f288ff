/* cp_rank(table, strengths, weight…): how well a row answers a query. More is better.
 *
 * How many tokens each column has is known of the row's figures. Of a row that has none xColumnSize() asks for it by a
 * statement of its own, whose beginning and end cost more than all else that is done here.
 *
 * `strengths` describes the query's phrases in their order: groups separated by `;`, one a word of
 * the query, and in a group the strengths of its forms separated by blanks, as in `1=1 .6;2=1 .6 .4`.
 * A group's forms are ways to say the same word: at one place the strongest counts. Before `=` stands
 * how many places the word takes in a text, in its first two forms, which say all of it. Phrases
 * beyond the description, such as a filter's, do not count.
 *
 * The first column is the title. It says a thing once: a long one that repeats a word is no better
 * than a short one, and one that has a few of the words counts for as many. One that is just the words
 * is what was asked for: neither tags nor a text come before it. Words that stand one
 * after another as they were asked count up to twice as much in every column.
 *
 * bm25() reads the whole posting list of every phrase before it ranks one row. This looks at the
 * row alone, and at no more than MAX_INSTANCES places of it: it is called for a bounded number of
 * candidates, and costs about half a microsecond each. */

#include "figures.h"
#include "tokenizer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 8
#define MAX_INSTANCES 256

/* How fast more places of one word stop to matter, and how much a long text counts against them. */
#define SATURATION 1.2
#define LENGTH_SHARE 0.4

/* Most entries may have no title or no tags at all, which says nothing of how long one should be;
 * and a text of a thousand times the usual length is still about what it says. */
#define LEAST_AVERAGE 10.0
#define MOST_LENGTHS 4.0

/* How many tokens may stand between two words that are neighbours: a Korean word carries particles. */
#define NEIGHBOURHOOD 3

/* The order of the index's columns; what follows them is a filter. */
enum { TITLE_COLUMN, BODY_COLUMN, TAGS_COLUMN, TEXT_COLUMNS };

/* More than part of a title, tags and a text have together, for a text of today. */
#define WHOLE_TITLE 3

/* The forms of a word that say all of it, and no more. */
#define WHOLE_FORMS 2

typedef struct {
  int group, size;
  double strength;
  bool whole;
} phrase;

typedef struct {
  int places, last_offset, last_end;
  /* Follows the word before it somewhere; is there as a whole. */
  bool follows, whole;
  double best;
} field;

/* What stays the same for all rows of one query; the fields are used again by each row. */
typedef struct {
  int phrases, groups, columns;
  int wanted; /* groups that count */
  int places; /* how many places these take where they are all that there is; 0 if that is not known */
  double weights[MAX_COLUMNS], average[MAX_COLUMNS];
  const cp_figure_table *figures; /* the connection has it */
  phrase *phrase;
  field *fields; /* groups × columns */
} plan;

static void forget(void *memory) {
  plan *p = memory;
  if (p == NULL) return;
  free(p->phrase);
  free(p->fields);
  free(p);
}

static bool read_strengths(plan *p, const Fts5ExtensionApi *api, Fts5Context *context, const char *text) {
  int phrases = api->xPhraseCount(context);
  p->phrase = calloc((size_t)(phrases > 0 ? phrases : 1), sizeof *p->phrase);
  if (p->phrase == NULL) return false;
  int group = 0, last_wanted = -1, forms = 0, places = 0;
  bool known = true;
  const char *at = text;
  while (at != NULL && *at != 0 && p->phrases < phrases) {
    if (*at == ';') {
      group++;
      forms = places = 0;
      at++;
      continue;
    }
    char *end;
    double strength = strtod(at, &end);
    if (end == at) {
      at++;
      continue;
    }
    if (*end == '=') {
      places = (int)strength;
      at = end + 1;
      continue;
    }
    bool whole = forms++ < WHOLE_FORMS && places > 0;
    p->phrase[p->phrases] = (phrase){group, api->xPhraseSize(context, p->phrases), strength, whole};
    p->phrases++;
    if (strength > 0 && group != last_wanted) {
      last_wanted = group;
      p->wanted++;
      p->places += places;
      known = known && places > 0;
    }
    at = end;
  }
  if (!known) p->places = 0;
  p->groups = group + 1;
  p->fields = calloc((size_t)p->groups * (size_t)p->columns, sizeof *p->fields);
  return p->fields != NULL;
}

static plan *make_plan(const Fts5ExtensionApi *api, Fts5Context *context, int count, sqlite3_value **arguments) {
  plan *p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->figures = api->xUserData(context);
  p->columns = api->xColumnCount(context);
  if (p->columns > MAX_COLUMNS) p->columns = MAX_COLUMNS;
  sqlite3_int64 rows = 0;
  api->xRowCount(context, &rows);
  for (int i = 0; i < p->columns; i++) {
    p->weights[i] = i + 1 < count ? sqlite3_value_double(arguments[i + 1]) : 1;
    sqlite3_int64 total = 0;
    api->xColumnTotalSize(context, i, &total);
    double average = rows > 0 ? (double)total / (double)rows : 0;
    p->average[i] = average > LEAST_AVERAGE ? average : LEAST_AVERAGE;
  }
  const char *strengths = (const char *)sqlite3_value_text(arguments[0]);
  if (!read_strengths(p, api, context, strengths)) {
    forget(p);
    return NULL;
  }
  return p;
}

/* Places come in the order of the text, so forms of a word at one place come one after another. */
static int collect(const Fts5ExtensionApi *api, Fts5Context *context, plan *p) {
  memset(p->fields, 0, (size_t)p->groups * (size_t)p->columns * sizeof *p->fields);
  int instances = 0;
  int code = api->xInstCount(context, &instances);
  if (instances > MAX_INSTANCES) instances = MAX_INSTANCES;
  for (int i = 0; i < instances && code == SQLITE_OK; i++) {
    int number, column, offset;
    code = api->xInst(context, i, &number, &column, &offset);
    if (code != SQLITE_OK || number >= p->phrases || column >= p->columns) continue;
    const phrase *found = &p->phrase[number];
    field *f = &p->fields[found->group * p->columns + column];
    if (f->places == 0 || f->last_offset != offset) f->places++;
    f->last_offset = offset;
    f->last_end = offset + found->size;
    if (found->strength > f->best) f->best = found->strength;
    f->whole = f->whole || found->whole;
    if (found->group == 0) continue;
    const field *before = f - p->columns;
    int between = offset - before->last_end;
    if (before->places > 0 && between >= 0 && between <= NEIGHBOURHOOD) f->follows = true;
  }
  return code;
}

static int read_sizes(const Fts5ExtensionApi *api, Fts5Context *context, const plan *p, int *sizes) {
  cp_figures figures;
  bool known = p->figures != NULL && cp_figures_get(p->figures, api->xRowid(context), &figures);
  if (known) {
    sizes[TITLE_COLUMN] = figures.title;
    sizes[BODY_COLUMN] = figures.body;
    sizes[TAGS_COLUMN] = figures.tags;
  }
  int code = SQLITE_OK;
  for (int i = known ? TEXT_COLUMNS : 0; i < p->columns && code == SQLITE_OK; i++) {
    /* All that stands beyond them is one name. */
    if (known) sizes[i] = 1;
    else code = api->xColumnSize(context, i, &sizes[i]);
  }
  return code;
}

void cp_rank(const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count,
             sqlite3_value **arguments) {
  if (count < 1) {
    sqlite3_result_error(result, "cp_rank: strengths are missing", -1);
    return;
  }
  plan *p = api->xGetAuxdata(context, 0);
  if (p == NULL) {
    p = make_plan(api, context, count, arguments);
    if (p == NULL || api->xSetAuxdata(context, p, forget) != SQLITE_OK) {
      sqlite3_result_error_nomem(result);
      return;
    }
  }
  int code = collect(api, context, p);
  int sizes[MAX_COLUMNS];
  if (code == SQLITE_OK) code = read_sizes(api, context, p, sizes);
  double score = 0;
  for (int column = 0; column < p->columns && code == SQLITE_OK; column++) {
    int found = 0, neighbours = 0, whole = 0;
    for (int group = 0; group < p->groups; group++) {
      const field *f = &p->fields[group * p->columns + column];
      if (f->places == 0 || f->best == 0) continue;
      found++;
      neighbours += f->follows;
      whole += f->whole;
    }
    if (found == 0) continue;
    int size = sizes[column];
    double lengths = size / p->average[column];
    double length = 1 - LENGTH_SHARE + LENGTH_SHARE * (lengths < MOST_LENGTHS ? lengths : MOST_LENGTHS);
    double weight = p->weights[column];
    if (column == TITLE_COLUMN) weight *= (double)found / p->wanted;
    if (column == TITLE_COLUMN && whole == p->wanted && size == p->places) weight *= WHOLE_TITLE;
    if (p->wanted > 1) weight *= 1 + (double)neighbours / (p->wanted - 1);
    for (int group = 0; group < p->groups; group++) {
      const field *f = &p->fields[group * p->columns + column];
      if (f->places == 0) continue;
      double places = column == TITLE_COLUMN ? 1 : f->places;
      score += weight * f->best * places * (SATURATION + 1) / (places + SATURATION * length);
    }
  }
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(result, code);
  } else {
    sqlite3_result_double(result, score);
  }
}
