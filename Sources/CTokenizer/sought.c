/* The units of a text that are looked for: most are not, and are told apart by their first byte. */

#include "CTokenizer.h"

#include <string.h>

typedef struct {
  const cp_sought *sought;
  size_t count;
  const char *forms;
  bool first[256]; /* the bytes with which these begin */
  void *context;
  cp_unit_callback callback;
} filter;

static bool has(const char *form, size_t length, const char *sought, const cp_sought *s) {
  bool fits = s->goes_on ? length >= s->length : length == s->length;
  return fits && memcmp(form, sought, s->length) == 0;
}

static bool is_sought(const filter *f, const cp_unit *unit) {
  const char *whole = unit->plain - unit->article;
  if (!f->first[(uint8_t)*unit->plain] && !f->first[(uint8_t)*whole]) return false;
  for (size_t i = 0; i < f->count; i++) {
    const cp_sought *s = &f->sought[i];
    const char *form = f->forms + s->offset;
    if (s->kind != unit->kind) continue;
    if (has(unit->plain, unit->plain_length, form, s)) return true;
    if (s->goes_on && has(whole, unit->plain_length + unit->article, form, s)) return true;
  }
  return false;
}

static int take(void *context, const cp_unit *unit) {
  const filter *f = context;
  return unit->broken || is_sought(f, unit) ? f->callback(f->context, unit) : 0;
}

int cp_scan_for(const char *text, size_t length, const cp_sought *sought, size_t count, const char *forms, void *context,
                cp_unit_callback callback) {
  filter f = {.sought = sought, .count = count, .forms = forms, .context = context, .callback = callback};
  for (size_t i = 0; i < count; i++) f.first[(uint8_t)forms[sought[i].offset]] = true;
  return cp_scan(text, length, &f, take);
}
