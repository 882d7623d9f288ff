// Symbols are looked up by their plain names with the version of the library that is found, not of these headers.
#define U_DISABLE_RENAMING 1
#include "CICU.h"

#include "CLoad.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/udatpg.h>
#include <unicode/uidna.h>
#include <unicode/uloc.h>
#include <unicode/ustring.h>

#define FUNCTIONS(each)                                                                                                \
  each(u_strFromUTF8) each(u_strToUTF8) each(ucal_close) each(ucal_get) each(ucal_getAttribute)                        \
  each(ucal_getCanonicalTimeZoneID) each(ucal_open) each(ucal_setGregorianChange) each(ucal_setMillis)                 \
  each(udat_close) each(udat_format) each(udat_getCalendar) each(udat_getSymbols) each(udat_open)                      \
  each(udatpg_close) each(udatpg_getBestPattern) each(udatpg_open) each(uidna_close) each(uidna_nameToASCII_UTF8)      \
  each(uidna_openUTS46) each(uloc_forLanguageTag) each(uloc_getISOLanguages)

#define SYMBOL(name) name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} icu;

// Longer than any pattern or name that CLDR has.
#define ROOM 256

static bool is_loaded;

static void load_once(void) {
  static const char *const names[] = {FUNCTIONS(CLOAD_NAME)};
  // No library carries a name without its version where there are no headers. A machine has one version; Debian 12 has
  // 72. libicui18n brings along the others.
  for (int version = 99; version >= 67 && !is_loaded; version--) {
    char file[32], suffix[8], failure[CLOAD_FAILURE];
    snprintf(file, sizeof file, "libicui18n.so.%d", version);
    snprintf(suffix, sizeof suffix, "_%d", version);
    is_loaded = cload(file, suffix, names, &icu, sizeof names / sizeof *names, failure);
  }
}

static bool load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return is_loaded;
}

// ICU's own form of a locale's name, with its keywords (`th_TH@calendar=buddhist`).
static bool get_locale(const char *tag, char *name) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = icu.uloc_forLanguageTag(tag, name, ROOM, NULL, &status);
  return U_SUCCESS(status) && count < ROOM;
}

static bool get_utf8(const UChar *text, int32_t count, char *result, size_t room) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  icu.u_strToUTF8(result, (int32_t)room, &length, text, count, &status);
  return U_SUCCESS(status) && (size_t)length < room;
}

static const UChar gmt[] = {'G', 'M', 'T', 0};

// MARK: Dates

static UDateFormat *open_writer(UDateFormatStyle time, UDateFormatStyle date, const char *locale, const UChar *pattern) {
  UErrorCode status = U_ZERO_ERROR;
  UDateFormat *writer = icu.udat_open(time, date, locale, gmt, -1, pattern, pattern ? -1 : 0, &status);
  if (U_FAILURE(status)) return NULL;
  // Days are counted in the Gregorian calendar throughout, as ISO 8601 does; ICU's own is Julian before 1582. Locales with
  // another calendar refuse it, and need no such thing.
  icu.ucal_setGregorianChange((UCalendar *)icu.udat_getCalendar(writer), -8.64e15, &status);
  return writer;
}

static bool get_pattern(const char *locale, const char *skeleton, UChar *pattern) {
  UChar wide[ROOM];
  UErrorCode status = U_ZERO_ERROR;
  icu.u_strFromUTF8(wide, ROOM, NULL, skeleton, -1, &status);
  UDateTimePatternGenerator *generator = icu.udatpg_open(locale, &status);
  int32_t count = icu.udatpg_getBestPattern(generator, wide, -1, pattern, ROOM, &status);
  icu.udatpg_close(generator);
  return U_SUCCESS(status) && count < ROOM;
}

cicu_writer *cicu_writer_open_skeleton(const char *locale, const char *skeleton) {
  char name[ROOM];
  UChar pattern[ROOM];
  if (!load() || !get_locale(locale, name) || !get_pattern(name, skeleton, pattern)) return NULL;
  return (cicu_writer *)open_writer(UDAT_PATTERN, UDAT_PATTERN, name, pattern);
}

static UDateFormatStyle style(cicu_length length) {
  switch (length) {
    case CICU_NONE: return UDAT_NONE;
    case CICU_SHORT: return UDAT_SHORT;
    case CICU_MEDIUM: return UDAT_MEDIUM;
  }
}

cicu_writer *cicu_writer_open(const char *locale, cicu_length date, cicu_length time) {
  char name[ROOM];
  if (!load() || !get_locale(locale, name)) return NULL;
  return (cicu_writer *)open_writer(style(time), style(date), name, NULL);
}

void cicu_writer_close(cicu_writer *writer) { icu.udat_close((UDateFormat *)writer); }

bool cicu_write(cicu_writer *writer, double milliseconds, char *text, size_t room) {
  UChar wide[ROOM];
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = icu.udat_format((UDateFormat *)writer, milliseconds, wide, ROOM, NULL, &status);
  return U_SUCCESS(status) && count < ROOM && get_utf8(wide, count, text, room);
}

bool cicu_pattern(const char *locale, const char *skeleton, char *pattern, size_t room) {
  char name[ROOM];
  UChar wide[ROOM];
  return load() && get_locale(locale, name) && get_pattern(name, skeleton, wide) && get_utf8(wide, -1, pattern, room);
}

// MARK: Weeks

int cicu_first_weekday(const char *locale) {
  char name[ROOM];
  if (!load() || !get_locale(locale, name)) return -1;
  UErrorCode status = U_ZERO_ERROR;
  UCalendar *calendar = icu.ucal_open(gmt, -1, name, UCAL_GREGORIAN, &status);
  if (U_FAILURE(status)) return -1;
  int first = icu.ucal_getAttribute(calendar, UCAL_FIRST_DAY_OF_WEEK) - UCAL_SUNDAY;
  icu.ucal_close(calendar);
  return first;
}

bool cicu_weekday(const char *locale, int weekday, char *text, size_t room) {
  char name[ROOM];
  if (!load() || !get_locale(locale, name)) return false;
  UErrorCode status = U_ZERO_ERROR;
  UDateFormat *writer = icu.udat_open(UDAT_MEDIUM, UDAT_MEDIUM, name, gmt, -1, NULL, 0, &status);
  if (U_FAILURE(status)) return false;
  UChar wide[ROOM];
  // The first of the symbols stands for no day.
  int32_t count =
    icu.udat_getSymbols(writer, UDAT_STANDALONE_SHORT_WEEKDAYS, UCAL_SUNDAY + weekday, wide, ROOM, &status);
  icu.udat_close(writer);
  return U_SUCCESS(status) && count < ROOM && get_utf8(wide, count, text, room);
}

// MARK: Zones

bool cicu_has_zone(const char *zone) {
  UChar wide[ROOM], canonical[ROOM];
  UErrorCode status = U_ZERO_ERROR;
  if (!load()) return false;
  icu.u_strFromUTF8(wide, ROOM, NULL, zone, -1, &status);
  UBool is_system = false;
  icu.ucal_getCanonicalTimeZoneID(wide, -1, canonical, ROOM, &is_system, &status);
  return U_SUCCESS(status) && is_system;
}

int cicu_zone_offset(const char *zone, double milliseconds) {
  UChar wide[ROOM];
  UErrorCode status = U_ZERO_ERROR;
  if (!load()) return 0;
  icu.u_strFromUTF8(wide, ROOM, NULL, zone, -1, &status);
  UCalendar *calendar = icu.ucal_open(wide, -1, "en", UCAL_GREGORIAN, &status);
  if (U_FAILURE(status)) return 0;
  icu.ucal_setMillis(calendar, milliseconds, &status);
  int32_t offset =
    icu.ucal_get(calendar, UCAL_ZONE_OFFSET, &status) + icu.ucal_get(calendar, UCAL_DST_OFFSET, &status);
  icu.ucal_close(calendar);
  return U_SUCCESS(status) ? offset / 1000 : 0;
}

// MARK: Names

bool cicu_is_language(const char *code) {
  if (!load()) return false;
  for (const char *const *known = icu.uloc_getISOLanguages(); *known; known++)
    if (!strcmp(*known, code)) return true;
  return false;
}

bool cicu_ascii_name(const char *name, char *ascii, size_t room) {
  if (!load()) return false;
  UErrorCode status = U_ZERO_ERROR;
  UIDNA *idna = icu.uidna_openUTS46(
    UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
    &status);
  if (U_FAILURE(status)) return false;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  int32_t count = icu.uidna_nameToASCII_UTF8(idna, name, -1, ascii, (int32_t)room, &info, &status);
  icu.uidna_close(idna);
  // As browsers do (WHATWG URL): what is only too long, empty or oddly hyphenated is left to the server of names.
  const uint32_t harmless = UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_HYPHEN_3_4 |
                            UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN;
  return U_SUCCESS(status) && (size_t)count < room && !(info.errors & ~harmless);
}
