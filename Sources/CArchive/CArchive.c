#define _GNU_SOURCE
#include "CArchive.h"

#include "CLoad.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

#define FUNCTIONS(each)                                                                                               \
  each(entry_filetype) each(entry_hardlink) each(entry_is_encrypted) each(entry_pathname) each(entry_pathname_utf8)    \
  each(error_string) each(read_data) each(read_free) each(read_new) each(read_next_header) each(read_open_fd)          \
  each(read_open_memory) each(read_support_format_zip_seekable) each(version_number)

#define SYMBOL(name) archive_##name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} lib;

static char load_failure[CLOAD_FAILURE];

// libarchive hands on a name only if the thread's locale can write it, and the process has none but C.
static locale_t utf8;

static void load_once(void) {
  if (!CLOAD("libarchive.so.13", FUNCTIONS, &lib, load_failure)) return;
  utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!utf8) snprintf(load_failure, sizeof load_failure, "locale C.UTF-8");
}

const char *carchive_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

struct archive *carchive_new(void) {
  struct archive *archive = lib.read_new();
  // Only what the directory at the end says is read: a zip that was cut off has none, and is refused.
  if (archive) lib.read_support_format_zip_seekable(archive);
  return archive;
}

void carchive_free(struct archive *archive) { lib.read_free(archive); }

int carchive_open_descriptor(struct archive *archive, int descriptor) {
  return lib.read_open_fd(archive, descriptor, 1 << 16) == ARCHIVE_OK ? 0 : -1;
}

int carchive_open_memory(struct archive *archive, const void *bytes, size_t count) {
  return lib.read_open_memory(archive, bytes, count) == ARCHIVE_OK ? 0 : -1;
}

int carchive_next(struct archive *archive, struct archive_entry **entry) {
  locale_t before = uselocale(utf8);
  int code = lib.read_next_header(archive, entry);
  uselocale(before);
  if (code == ARCHIVE_EOF) return 0;
  // A warning is of the name's encoding in the process's locale, which is not asked for.
  return code == ARCHIVE_OK || code == ARCHIVE_WARN ? 1 : -1;
}

ssize_t carchive_read(struct archive *archive, void *buffer, size_t count) {
  return lib.read_data(archive, buffer, count);
}

const char *carchive_failure(struct archive *archive) {
  const char *text = lib.error_string(archive);
  return text ? text : "unknown";
}

const char *carchive_name(struct archive_entry *entry) {
  const char *name = lib.entry_pathname_utf8(entry);
  return name ? name : lib.entry_pathname(entry);
}

bool carchive_is_encrypted(struct archive_entry *entry) { return lib.entry_is_encrypted(entry); }

bool carchive_is_folder(struct archive_entry *entry) { return lib.entry_filetype(entry) == AE_IFDIR; }

bool carchive_is_file(struct archive_entry *entry) {
  return lib.entry_filetype(entry) == AE_IFREG && !lib.entry_hardlink(entry);
}
