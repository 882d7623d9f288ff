#define _GNU_SOURCE
#include "library.h"

#include <pthread.h>

struct cxml_library cxml_library;

static char load_failure[CLOAD_FAILURE];

static void load_once(void) {
  if (CLOAD("libxml2.so.2", CXML_FUNCTIONS, &cxml_library, load_failure)) cxml_library.xmlInitParser();
}

const char *cxml_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

uint32_t cxml_html_entity(const char *name) {
  const htmlEntityDesc *entity = cxml_library.htmlEntityLookup((const xmlChar *)name);
  return entity ? entity->value : 0;
}
