/* The units of a text that are looked for: most are not, and are distinguished by their first byte or letter. */

#include "reader.h"
#include "scan.h"

#include <string.h>

typedef struct {
  const cp_query_unit *query;
  size_t count;
  const char *forms;
  bool first[256]; /* the bytes with which these begin */
  void *context;
  cp_unit_callback callback;
} filter;

static bool has(const char *form, size_t length, const char *query, const cp_query_unit *s) {
  bool fits = s->goes_on ? length >= s->length : length == s->length;
  return fits && memcmp(form, query, s->length) == 0;
}

static bool is_queried(const filter *f, const cp_unit *unit) {
  const char *whole = unit->plain - unit->article;
  if (!f->first[(uint8_t)*unit->plain] && !f->first[(uint8_t)*whole]) return false;
  for (size_t i = 0; i < f->count; i++) {
    const cp_query_unit *s = &f->query[i];
    const char *form = f->forms + s->offset;
    if (s->kind != unit->kind) continue;
    if (has(unit->plain, unit->plain_length, form, s)) return true;
    if (s->goes_on && has(whole, unit->plain_length + unit->article, form, s)) return true;
  }
  return false;
}

static int take(void *context, const cp_unit *unit) {
  const filter *f = context;
  return unit->broken || is_queried(f, unit) ? f->callback(f->context, unit) : 0;
}

static void want(cp_wanted *wanted, const cp_query_unit *query, const uint8_t *form) {
  if (query->kind == CP_KIND_LETTER) {
    int32_t letter;
    cp_decode(form, form + query->length, &letter);
    wanted->letters[letter & 0xFF] = true;
  } else if (cp_in_ascii_word(*form)) {
    wanted->bytes[*form] = CP_BYTE_WANTED;
    if (*form >= 'a') wanted->bytes[*form - 'a' + 'A'] = CP_BYTE_WANTED;
  }
}

int cp_scan_for(const char *text, size_t length, const cp_query_unit *query, size_t count, const char *forms, void *context,
                cp_unit_callback callback) {
  filter f = {.query = query, .count = count, .forms = forms, .context = context, .callback = callback};
  cp_wanted wanted = {0};
  for (int byte = 0; byte < 0x80; byte++) wanted.bytes[byte] = cp_in_ascii_word(byte) ? CP_BYTE_UNWANTED : CP_BYTE_BETWEEN;
  memset(wanted.bytes + 0x80, CP_BYTE_OTHER, 0x80);
  for (size_t i = 0; i < count; i++) {
    const char *form = forms + query[i].offset;
    f.first[(uint8_t)*form] = true;
    want(&wanted, &query[i], (const uint8_t *)form);
  }
  return cp_scan_wanted(text, length, &wanted, &f, take);
}
