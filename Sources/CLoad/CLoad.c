#include "CLoad.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool cload(const char *file, const char *suffix, const char *const *names, void *table, size_t count, char *failure) {
  const int length = (int)strcspn(file, ".");
  // RTLD_LOCAL: nobody else in the process resolves a symbol from the library, or from one that it needs, by accident.
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(failure, CLOAD_FAILURE, "%.*s: %s", length, file, dlerror());
    return false;
  }
  for (size_t place = 0; place < count; place++) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", names[place], suffix);
    void *function = dlsym(library, name);
    if (!function) {
      snprintf(failure, CLOAD_FAILURE, "%.*s: %s", length, file, name);
      return false;
    }
    memcpy((char *)table + place * sizeof function, &function, sizeof function);
  }
  return true;
}
