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

static bool begins(const char *form, size_t length, const char *sought, size_t sought_length) {
  return length >= sought_length && memcmp(form, sought, sought_length) == 0;
}

static bool is_sought(const filter *f, const cp_unit *unit) {
  const char *whole = unit->plain - unit->article;
  if (!f->first[(uint8_t)*unit->plain] && !f->first[(uint8_t)*whole]) return false;
  for (size_t i = 0; i < f->count; i++) {
    const cp_sought *s = &f->sought[i];
    const char *form = f->forms + s->offset;
    if (s->kind != unit->kind) continue;
    if ((s->goes_on || s->length == unit->plain_length) && begins(unit->plain, unit->plain_length, form, s->length)) return true;
    if (s->goes_on && begins(whole, unit->plain_length + unit->article, form, s->length)) return true;
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
