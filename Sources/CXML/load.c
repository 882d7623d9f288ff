#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct cxml_library cxml_library;

static char load_failure[300];

static void load_once(void) {
  // RTLD_LOCAL: nobody else in the process resolves a symbol from libxml2's libraries by accident.
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(load_failure, sizeof load_failure, "libxml2: %s", dlerror());
    return;
  }
#define FIND(name)                                                                                                    \
  if (!(cxml_library.name = (__typeof__(cxml_library.name))dlsym(library, #name))) {                                  \
    snprintf(load_failure, sizeof load_failure, "libxml2: " #name);                                                   \
    return;                                                                                                           \
  }
  CXML_FUNCTIONS(FIND)
#undef FIND
  cxml_library.xmlInitParser();
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
