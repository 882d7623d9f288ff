/* The parts that `cp_tokenizer_register` gives to FTS5. */

#ifndef CP_TOKENIZER_H
#define CP_TOKENIZER_H

#include <sqlite3.h>
#include <stdbool.h>

extern fts5_tokenizer cp_fts5_tokenizer;

/* cp_rank(table, strengths, weight of column 0, weight of column 1, …): see rank.c. */
void cp_rank(const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count,
             sqlite3_value **arguments);

/* cp_begins(words, text…): see begins.c. */
void cp_begins(sqlite3_context *result, int count, sqlite3_value **arguments);

/* cp_literal(word, goes_on, text…): see literal.c. */
void cp_literal(sqlite3_context *result, int count, sqlite3_value **arguments);

/* cp_last_term(block): see leaf.c. */
void cp_last_term(sqlite3_context *result, int count, sqlite3_value **arguments);

#endif
