/* Texts of English and Korean that the program makes itself, written through the library's own tokenizer.
 *
 *   texts pages FILE DOCUMENT WORDS COUNT   copies a document COUNT times; each page of each copy has a text of its own,
 *                                           as long as the one it stands for
 *   texts cost FOLDER WORDS KIND COUNT      writes texts of up to 4 kB, one transaction each, into two new files in turns:
 *                                           one with the library's index, one with the same in FTS5's unicode61;
 *                                           prints the mean of each in microseconds. KIND: english, korean or mixed
 *
 * WORDS is a file of lines `english korean`, the most frequent first: that of rank n is met a n-th as often as the first. */
#include "database.h"

enum { MOST_WORDS = 100000 };

static struct {
  char *english, *korean;
} words[MOST_WORDS];
static double sums[MOST_WORDS];
static int word_count;

static void read_words(const char *path) {
  FILE *file = open_file(path);
  char english[128], korean[128];
  while (word_count < MOST_WORDS && fscanf(file, "%127s %127s", english, korean) == 2) {
    words[word_count].english = strdup(english), words[word_count].korean = strdup(korean);
    sums[word_count] = (word_count ? sums[word_count - 1] : 0) + 1.0 / (word_count + 1);
    word_count++;
  }
  fclose(file);
  errno = 0;
  if (!word_count) fail("there are no words");
}

/* From 0 to 1; always the same series. */
static double chance(void) {
  static uint64_t state = 0x9E3779B97F4A7C15;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (state >> 11) * 0x1p-53;
}

static int some_rank(void) {
  double wanted = chance() * sums[word_count - 1];
  int low = 0, high = word_count - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sums[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int characters(const char *text) {
  int count = 0;
  for (; *text; text++) count += (*text & 0xC0) != 0x80;
  return count;
}

/* Words up to so many characters, and points for what is left of them. Answers where the line ends. */
static char *write_line(char *to, int length, bool is_korean) {
  static const char *particles[] = {"", "", "은", "는", "이", "가", "을", "를", "의", "에서"};
  while (length > 0) {
    int rank = some_rank();
    const char *word = is_korean ? words[rank].korean : words[rank].english;
    const char *particle = is_korean ? particles[(int)(chance() * 10)] : "";
    int size = characters(word) + characters(particle);
    if (size > length) break;
    to = stpcpy(stpcpy(to, word), particle);
    length -= size;
    if (length > 0) *to++ = ' ', length--;
  }
  while (length-- > 0) *to++ = '.';
  *to = 0;
  return to;
}

/* Pages */

static const char *index_page =
    "INSERT INTO search_text (rowid, title, body, tags, collection)"
    " VALUES (?1, char(3) || ?2, char(5) || ?3, char(5) || '', char(4) || 'documents')";

enum { MOST_PAGE = 16384 };

/* Every other line is Korean: no two of them are neighbours, so search sees no word in two lines. Each page has as many
 * characters as its original, whose boxes are right for it as far as search can tell. */
static void make_page(char *to, const char *original) {
  for (int line = 0; *original; line++) {
    int length = strcspn(original, "\n");
    to = write_line(to, length, line % 2);
    original += length;
    if (*original) *to++ = *original++;
  }
  *to = 0;
}

/* What the daemon does when nobody writes, as SearchMerging.swift has it: no library of this size was written in one go. */
static void merge(void) {
  int before;
  do {
    before = sqlite3_total_changes(db);
    execute("INSERT INTO search_text (search_text, rank) VALUES ('merge', 4096)");
  } while (sqlite3_total_changes(db) - before >= 2);
}

static void write_pages(const char *document, int count) {
  /* As in rows.c: columns that are not named keep the original's values. */
  char *copy = sqlite3_mprintf(
      "CREATE TEMP TABLE one AS SELECT * FROM document WHERE id = %Q;"
      /* The last that come are the newest, a minute apart. */
      "UPDATE one SET createdAt = createdAt - 60000 * %d;"
      "CREATE TEMP TABLE file AS SELECT * FROM pdf WHERE hash = (SELECT hash FROM one);"
      "CREATE TEMP TABLE page AS SELECT * FROM pdfPage WHERE hash = (SELECT hash FROM one) ORDER BY page;"
      /* The original would stand among what it is copied to. */
      "CREATE TEMP TABLE original AS SELECT page, text FROM page;"
      /* Where the file has no row, all that it gave is swept away at the next start. */
      "CREATE TEMP TABLE kept AS SELECT * FROM blob WHERE hash = (SELECT hash FROM one);"
      "CREATE TEMP TRIGGER made AFTER INSERT ON document BEGIN"
      "  UPDATE kept SET hash = NEW.hash; INSERT INTO blob SELECT * FROM kept;"
      "  INSERT INTO documentBytes (hash, document) VALUES (NEW.hash, NEW.id);"
      "  INSERT INTO pdf SELECT * FROM file; INSERT INTO pdfPage SELECT * FROM page; END", document, count);
  execute(copy);
  sqlite3_stmt *select = prepare("SELECT text FROM original ORDER BY page");
  char **originals = NULL;
  int pages = 0;
  for (; sqlite3_step(select) == SQLITE_ROW; pages++) {
    originals = realloc(originals, (pages + 1) * sizeof *originals);
    originals[pages] = strdup((const char *)sqlite3_column_text(select, 0));
    if (strlen(originals[pages]) * 3 >= MOST_PAGE) fail("a page is too long");
  }
  check(sqlite3_reset(select));
  char (*texts)[MOST_PAGE] = malloc((size_t)pages * MOST_PAGE);
  sqlite3_stmt *begin = prepare("BEGIN"), *commit = prepare("COMMIT");
  sqlite3_stmt *rename = prepare("UPDATE one SET id = ?1, hash = ?2, title = ?3, createdAt = createdAt + 60000");
  sqlite3_stmt *file = prepare("UPDATE file SET hash = ?1");
  sqlite3_stmt *rehash = prepare("UPDATE page SET hash = ?1");
  sqlite3_stmt *rewrite = prepare("UPDATE page SET text = ?2 WHERE page = ?1");
  sqlite3_stmt *insert = prepare("INSERT INTO main.document SELECT * FROM one");
  sqlite3_stmt *entry = prepare(
      "INSERT INTO search_entry (collection, item, part, at, folds) SELECT 'documents', id, ?1, createdAt, 0 FROM one");
  sqlite3_stmt *body = prepare("INSERT INTO search_body (rowid, title, tags, body) VALUES (last_insert_rowid(), ?1, '', ?2)");
  sqlite3_stmt *index = prepare(index_page);
  execute("CREATE UNIQUE INDEX temp.pageByNumber ON page (page)");
  for (int i = 0; i < count; i++) {
    char id[40], hash[65], title[128], *end = title;
    sprintf(id, "0192f000-0000-7000-8000-%012x", i);
    sprintf(hash, "%064x", i + 1);
    end = write_line(end, 24, false);
    *end++ = ' ';
    write_line(end, 8, true);
    run(begin);
    text(rename, 1, id), text(rename, 2, hash), text(rename, 3, title), run(rename);
    text(file, 1, hash), run(file);
    text(rehash, 1, hash), run(rehash);
    for (int page = 0; page < pages; page++) {
      make_page(texts[page], originals[page]);
      number(rewrite, 1, page), text(rewrite, 2, texts[page]), run(rewrite);
    }
    run(insert);
    number(entry, 1, 0), run(entry);
    sqlite3_int64 first = sqlite3_last_insert_rowid(db);
    text(body, 1, title), text(body, 2, ""), run(body);
    for (int page = 0; page < pages; page++) {
      number(entry, 1, page + 1), run(entry);
      text(body, 1, ""), text(body, 2, texts[page]), run(body);
    }
    /* The rows first, then the index in one go: FTS5 writes out what it has collected at every savepoint between. */
    number(index, 1, first), text(index, 2, title), text(index, 3, ""), run(index);
    for (int page = 0; page < pages; page++) {
      number(index, 1, first + 1 + page), text(index, 2, ""), text(index, 3, texts[page]), run(index);
    }
    run(commit);
    if (i % 100 == 99) fprintf(stderr, "bench: %d pages\n", (i + 1) * pages);
  }
  merge();
  execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

/* What a write costs */

enum { MOST_TEXT = 4096 };

typedef struct {
  sqlite3 *file;
  sqlite3_stmt *begin, *entry, *body, *index, *commit;
  double total;
} side;

/* The tables of SearchTables.swift, with its index or with the other tokenizer, which needs no mode before a text. */
static side open_side(const char *folder, const char *tokenizer, const char *modes[3]) {
  char *path = sqlite3_mprintf("%s/%s.sqlite", folder, tokenizer);
  check(sqlite3_open(path, &db));
  check(cp_tokenizer_register(db, NULL));
  char *create = sqlite3_mprintf(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "CREATE TABLE search_entry (rowid INTEGER PRIMARY KEY, collection TEXT NOT NULL, item TEXT NOT NULL,"
      "  part INTEGER NOT NULL, at INTEGER NOT NULL, lists INTEGER NOT NULL DEFAULT 0,"
      "  folds INTEGER NOT NULL DEFAULT 1, UNIQUE (collection, item, part));"
      "CREATE TABLE search_body (rowid INTEGER PRIMARY KEY, title TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL);"
      "CREATE VIEW search_source AS SELECT entry.rowid AS id, title, body, tags, collection"
      "  FROM search_entry AS entry CROSS JOIN search_body AS texts ON texts.rowid = entry.rowid;"
      "CREATE VIRTUAL TABLE search_text USING fts5(title, body, tags, collection,"
      "  content = 'search_source', content_rowid = 'id', tokenize = '%s')", tokenizer);
  execute(create);
  /* Both as SearchMerging.swift has it. What it merges when nobody writes is not measured here: there is no pause. */
  execute("INSERT INTO search_text (search_text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('hashsize', 8 << 20)");
  char *insert = sqlite3_mprintf(
      "INSERT INTO search_text (rowid, title, body, tags, collection) VALUES (?1, %s'', %s?2, %s'', %s'diary')",
      modes[0], modes[1], modes[1], modes[2]);
  return (side){
      .file = db, .begin = prepare("BEGIN IMMEDIATE"),
      .entry = prepare("INSERT INTO search_entry VALUES (?1, 'diary', printf('%036d', ?1), 0, ?2, 0, 0)"),
      .body = prepare("INSERT INTO search_body VALUES (?1, '', '', ?2)"),
      .index = prepare(insert), .commit = prepare("COMMIT")};
}

static void write_to(side *side, int row, const char *body, bool is_measured) {
  db = side->file;
  double start = now();
  run(side->begin);
  number(side->entry, 1, row), number(side->entry, 2, 1795225445678 + row), run(side->entry);
  number(side->body, 1, row), text(side->body, 2, body), run(side->body);
  number(side->index, 1, row), text(side->index, 2, body), run(side->index);
  run(side->commit);
  if (is_measured) side->total += now() - start;
}

/* Of up to so many bytes. */
static void make_text(char *to, int most, const char *kind) {
  char *end = to;
  bool is_mixed = !strcmp(kind, "mixed");
  for (int line = 0; end - to < most - 200; line++) {
    bool is_korean = is_mixed ? line % 2 : !strcmp(kind, "korean");
    end = write_line(end, 40, is_korean);
    *end++ = '\n', *end = 0;
  }
}

static void compare_cost(const char *folder, const char *kind, int count) {
  side ours = open_side(folder, "commonplace", (const char *[]){"char(3) || ", "char(5) || ", "char(4) || "});
  side plain = open_side(folder, "unicode61", (const char *[]){"", "", ""});
  int warmup = count / 10 + 1;
  for (int i = -warmup; i < count; i++) {
    char body[MOST_TEXT + 200];
    make_text(body, 256 + (int)(chance() * (MOST_TEXT - 256)), kind);
    side *first = i % 2 ? &ours : &plain, *second = i % 2 ? &plain : &ours;
    write_to(first, i + warmup + 1, body, i >= 0);
    write_to(second, i + warmup + 1, body, i >= 0);
  }
  printf("%.2f %.2f\n", ours.total / count, plain.total / count);
}

int main(int argc, char **argv) {
  const char *what = argc == 6 ? argv[1] : "";
  if (!strcmp(what, "pages")) {
    read_words(argv[4]);
    open_library(argv[2]);
    write_pages(argv[3], atoi(argv[5]));
  } else if (!strcmp(what, "cost")) {
    read_words(argv[3]);
    compare_cost(argv[2], argv[4], atoi(argv[5]));
  } else {
    return fputs("bench: see the head of texts.c\n", stderr), 2;
  }
}
