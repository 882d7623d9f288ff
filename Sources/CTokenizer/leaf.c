/* cp_last_term(block): the last term that begins on a leaf page of an FTS5 index, as `search_text_data` has it; NULL for
 * what is no such page. The places of that term are what lies between this page and the next on which a term begins.
 *
 *   0  two bytes, the place of the first row; two bytes, where the index of the page begins
 *   …  terms, each with its rows: of the first its length and bytes, of others how much they share with the one before
 *   …  the index: varints, the place of the first term and how far each is after the one before
 *
 * That is format 4 of FTS5 (fts5_index.c, "Segment leaf"); a page that is not like this is answered by NULL. */

#include "tokenizer.h"

#include <stdint.h>
#include <string.h>

#define MAX_TERM 1024

typedef struct {
  const uint8_t *bytes;
  int at, end;
} reader;

/* Big-endian, seven bits a byte; −1 after the end, and for more than four bytes, which no place on a page takes. */
static int varint(reader *r) {
  int value = 0;
  for (int i = 0; i < 4 && r->at < r->end; i++) {
    uint8_t byte = r->bytes[r->at++];
    value = value << 7 | (byte & 0x7F);
    if (byte < 0x80) return value;
  }
  return -1;
}

void cp_last_term(sqlite3_context *result, int count, sqlite3_value **arguments) {
  (void)count;
  const uint8_t *block = sqlite3_value_blob(arguments[0]);
  int size = sqlite3_value_bytes(arguments[0]);
  if (block == NULL || size < 4) return;
  int index = block[2] << 8 | block[3];
  if (index < 4 || index >= size) return;
  reader places = {block, index, size};
  char term[MAX_TERM];
  int length = 0, place = 0;
  for (bool first = true; places.at < places.end; first = false) {
    int step = varint(&places);
    if (step < 0 || (place += step) >= index) return;
    reader r = {block, place, index};
    int shared = first ? 0 : varint(&r);
    int more = varint(&r);
    if (shared < 0 || shared > length || more < 0 || more > index - r.at || shared + more > MAX_TERM) return;
    memcpy(term + shared, block + r.at, (size_t)more);
    length = shared + more;
  }
  if (length > 0) sqlite3_result_blob(result, term, length, SQLITE_TRANSIENT);
}
