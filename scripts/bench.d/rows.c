/* What plain C does with a library's file, through the library's own tokenizer and without a daemon.
 *
 *   rows seed FILE DOCUMENT COUNT [TITLES]   copies a document's row and its search rows; the copies' titles are the
 *                                            lines of a file, if there is one
 *   rows write FILE COUNT                    writes memos, one transaction each, the same rows as documents/setMemo
 *                                            does; prints median, 99th percentile and maximum in microseconds
 *
 * `write` wants a copy of a library whose first document has memos on 64 pages. */
#include "database.h"

/* A column as the index wants it: before the text, how it is to be cut. */
#define BOUND "char(3) || '', char(5) || ?2, char(5) || '', char(4) || 'memos'"
#define COLUMN(name, table, mode) "char(" #mode ") || (SELECT " name " FROM " table " WHERE rowid = ?1)"
#define TEXT(name, mode) COLUMN(name, "search_body", mode)
#define COLUMNS TEXT("title", 3) ", " TEXT("body", 5) ", " TEXT("tags", 5) ", " COLUMN("collection", "search_entry", 4)
static const char *index_row =
    "INSERT INTO search_text (rowid, title, body, tags, collection) VALUES (?1, " COLUMNS ")";

static void seed(const char *document, int count, FILE *titles) {
  /* Columns that are not named here keep the original's values, whatever the schema has come to hold. */
  char *copy = sqlite3_mprintf(
      "CREATE TEMP TABLE one AS SELECT * FROM document WHERE id = %Q;"
      "CREATE TEMP TRIGGER made AFTER INSERT ON document BEGIN"
      "  INSERT INTO documentBytes (hash, document) VALUES (NEW.hash, NEW.id); END", document);
  execute(copy);
  execute("BEGIN");
  sqlite3_stmt *change = prepare("UPDATE one SET id = ?1, hash = ?2, title = ?3");
  sqlite3_stmt *insert = prepare("INSERT INTO main.document SELECT * FROM one");
  sqlite3_stmt *entry = prepare(
      "INSERT INTO search_entry (collection, item, part, at) SELECT 'documents', id, 0, updatedAt FROM one");
  sqlite3_stmt *body = prepare(
      "INSERT INTO search_body (rowid, title, tags, body)"
      " SELECT last_insert_rowid(), title, '', 'A page about ' || title FROM one");
  for (int i = 0; i < count; i++) {
    char id[40], hash[65], title[512];
    sprintf(id, "0192f000-0000-7000-8000-%012x", i);
    sprintf(hash, "%064x", i + 1);
    if (!titles) sprintf(title, "Collected letters, part %d", i);
    else if (!fgets(title, sizeof title, titles)) fail("there are too few titles");
    title[strcspn(title, "\n")] = 0;
    text(change, 1, id), text(change, 2, hash), text(change, 3, title);
    run(change), run(insert), run(entry), run(body);
  }
  /* After all of those: their SELECTs and triggers open savepoints, at which FTS5 would write out its pending terms. */
  sqlite3_stmt *index = prepare(index_row);
  sqlite3_int64 last = sqlite3_last_insert_rowid(db);
  for (sqlite3_int64 row = last - count + 1; row <= last; row++)
    number(index, 1, row), run(index);
  execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

typedef struct {
  char id[64], text[256];
  sqlite3_int64 row;
} memo;

static void write_memos(int count) {
  memo memos[64];
  int known = 0;
  sqlite3_stmt *statement = prepare(
      "SELECT m.id, e.rowid, t.body FROM memo m JOIN search_entry e ON e.collection = 'memos' AND e.item = m.id"
      " JOIN search_body t ON t.rowid = e.rowid ORDER BY m.page");
  while (sqlite3_step(statement) == SQLITE_ROW && known < 64) {
    snprintf(memos[known].id, sizeof memos[known].id, "%s", sqlite3_column_text(statement, 0));
    snprintf(memos[known].text, sizeof memos[known].text, "%s", sqlite3_column_text(statement, 2));
    memos[known++].row = sqlite3_column_int64(statement, 1);
  }
  check(sqlite3_reset(statement));
  errno = 0;
  if (known < 64) fail("the library has too few memos");

  statement = prepare("SELECT clock FROM library");
  check(sqlite3_step(statement));
  sqlite3_int64 clock = sqlite3_column_int64(statement, 0);
  check(sqlite3_reset(statement));
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  sqlite3_stmt *update = prepare("UPDATE memo SET text = ?2, revision = ?3, updatedAt = ?4 WHERE id = ?1");
  sqlite3_stmt *log = prepare(
      "INSERT INTO commits (clock, client, connection, device, label, at, action, undoOf, undoable)"
      " VALUES (?1, '', '0192f000-0000-7000-8000-000000000000', '0192f000-0000-7000-8000-000000000001',"
      " 'documents/setMemo', ?2, 'write', NULL, 1)");
  sqlite3_stmt *change = prepare(
      "INSERT INTO changes (clock, place, collection, id, kind, revision, fields, before)"
      " VALUES (?1, 0, 'memos', ?2, 'updated', ?1, 'text', ?3)");
  sqlite3_stmt *unindex = prepare(
      "INSERT INTO search_text (search_text, rowid, title, body, tags, collection) VALUES ('delete', ?1, " BOUND ")");
  sqlite3_stmt *index = prepare(
      "INSERT INTO search_text (rowid, title, body, tags, collection) VALUES (?1, " BOUND ")");
  sqlite3_stmt *entry = prepare("UPDATE search_entry SET at = ?2, lists = 0, folds = 0 WHERE rowid = ?1");
  sqlite3_stmt *body = prepare("INSERT OR REPLACE INTO search_body (rowid, title, tags, body) VALUES (?1, '', '', ?2)");
  sqlite3_stmt *move = prepare("UPDATE library SET clock = ?1");

  double *times = malloc(count * sizeof *times);
  int warmup = count / 10 + 1;
  for (int i = -warmup; i < count; i++) {
    memo *memo = &memos[(i + warmup) % 64];
    char new[256], before[300];
    sprintf(new, "Compare this with what he wrote to his brother, letter %d.", i + warmup);
    snprintf(before, sizeof before, "{\"text\":\"%s\"}", memo->text);
    double start = now();
    sqlite3_int64 at = 1795225445678 + i;
    clock++;
    run(begin);
    text(update, 1, memo->id), text(update, 2, new), number(update, 3, clock), number(update, 4, at), run(update);
    number(log, 1, clock), number(log, 2, at), run(log);
    number(change, 1, clock), text(change, 2, memo->id), text(change, 3, before), run(change);
    /* The rows first, then the index in one go: FTS5 writes out what it has collected at every savepoint between. */
    number(entry, 1, memo->row), number(entry, 2, at), run(entry);
    number(body, 1, memo->row), text(body, 2, new), run(body);
    number(unindex, 1, memo->row), text(unindex, 2, memo->text), run(unindex);
    number(index, 1, memo->row), text(index, 2, new), run(index);
    number(move, 1, clock), run(move);
    run(commit);
    if (i >= 0) times[i] = now() - start;
    strcpy(memo->text, new);
  }
  report(times, count);
}

int main(int argc, char **argv) {
  const char *what = argc > 3 ? argv[1] : "";
  if (!strcmp(what, "seed") && (argc == 5 || argc == 6)) {
    open_library(argv[2]);
    seed(argv[3], atoi(argv[4]), argc == 6 ? open_file(argv[5]) : NULL);
  } else if (!strcmp(what, "write") && argc == 4) {
    open_library(argv[2]);
    write_memos(atoi(argv[3]));
  } else {
    return fputs("bench: see the head of rows.c\n", stderr), 2;
  }
}
