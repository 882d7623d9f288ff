#include "CTokenizer.h"
#include "tokenizer.h"

#include <string.h>

/* fold(text): NULL for NULL. */
static void fold(sqlite3_context *result, int count, sqlite3_value **arguments) {
  (void)count;
  const char *text = (const char *)sqlite3_value_text(arguments[0]);
  if (text == NULL) return;
  size_t length = 0;
  char *folded = cp_fold(text, (size_t)sqlite3_value_bytes(arguments[0]), &length);
  if (folded == NULL) {
    sqlite3_result_error_nomem(result);
  } else {
    sqlite3_result_text64(result, folded, length, cp_free, SQLITE_UTF8);
  }
}

/* FTS5 gives its interface away only by a pointer bound to a query. */
static int find_fts5(sqlite3 *connection, fts5_api **api) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_pointer(statement, 1, api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  code = sqlite3_finalize(statement);
  return code == SQLITE_OK && *api == NULL ? SQLITE_ERROR : code;
}

/* cp_figures(row): a `cp_figures` as it lies in memory; NULL of a row that has none. */
static void figures_of(sqlite3_context *result, int count, sqlite3_value **arguments) {
  (void)count;
  const cp_figure_table *table = sqlite3_user_data(result);
  cp_figures figures;
  memset(&figures, 0, sizeof figures);
  if (table == NULL || !cp_figures_get(table, sqlite3_value_int64(arguments[0]), &figures)) return;
  sqlite3_result_blob(result, &figures, sizeof figures, SQLITE_TRANSIENT);
}

static void let_go(void *table) { cp_figure_table_release(table); }

int cp_tokenizer_register(sqlite3 *connection, cp_figure_table *figures) {
  fts5_api *api = NULL;
  int code = find_fts5(connection, &api);
  if (code == SQLITE_OK) code = api->xCreateTokenizer(api, "commonplace", NULL, &cp_fts5_tokenizer, NULL);
  if (code == SQLITE_OK)
    code = api->xCreateFunction(api, "cp_rank", cp_figure_table_retain(figures), cp_rank, let_go);
  /* Another write, and it says something else: not deterministic. SQLite lets go of the figures of one that it refuses. */
  if (code == SQLITE_OK)
    code = sqlite3_create_function_v2(connection, "cp_figures", 1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                                      cp_figure_table_retain(figures), figures_of, NULL, NULL, let_go);
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  if (code == SQLITE_OK) code = sqlite3_create_function_v2(connection, "fold", 1, flags, NULL, fold, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_create_function_v2(connection, "cp_begins", -1, flags, NULL, cp_begins, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_create_function_v2(connection, "cp_literal", -1, flags, NULL, cp_literal, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_create_function_v2(connection, "cp_last_term", 1, flags, NULL, cp_last_term, NULL, NULL, NULL);
  return code;
}
