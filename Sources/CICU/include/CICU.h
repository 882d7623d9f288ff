/* What CLDR and Unicode know of locales, by ICU, which is loaded when the first of these functions is called: it and its
 * data are megabytes that a daemon whose clients show no dates never needs. Its symbols carry the version of the library
 * (udat_open_72), so whichever is installed is used.
 *
 * Every function may be called without it: it then answers what its comment says. Locales are BCP 47 tags, texts UTF-8
 * that ends with a NUL. A text that does not fit into its room counts as none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes dates of the proleptic Gregorian calendar, as UTC. Not safe to share between threads. */
typedef struct cicu_writer cicu_writer;

typedef enum { CICU_NONE, CICU_SHORT, CICU_MEDIUM } cicu_length;

/* By CLDR's pattern for a skeleton (`yMMMd`). NULL without ICU or memory. */
cicu_writer *cicu_writer_open_skeleton(const char *locale, const char *skeleton);
/* By the locale's own patterns for dates and times. NULL without ICU or memory. */
cicu_writer *cicu_writer_open(const char *locale, cicu_length date, cicu_length time);
void cicu_writer_close(cicu_writer *writer);
/* `milliseconds` since 1970. False if it cannot be written. */
bool cicu_write(cicu_writer *writer, double milliseconds, char *text, size_t room);

/* CLDR's pattern for a skeleton: `d.M.y` of `yMd` for `de`. False without ICU. */
bool cicu_pattern(const char *locale, const char *skeleton, char *pattern, size_t room);

/* The day on which weeks begin, 0 is Sunday; −1 without ICU. */
int cicu_first_weekday(const char *locale);
/* The short name of a weekday that stands alone, 0 is Sunday. False without ICU. */
bool cicu_weekday(const char *locale, int weekday, char *name, size_t room);

/* Whether the tz database of ICU has this zone by this name. False without ICU. */
bool cicu_has_zone(const char *zone);
/* Seconds east of UTC; 0 without ICU. */
int cicu_zone_offset(const char *zone, double milliseconds);

/* Whether ISO 639 has a language of this code of three letters. False without ICU. */
bool cicu_is_language(const char *code);

/* The form of an international host name that DNS knows (`xn--…`), by UTS 46. False for what is no name, and without
 * ICU. */
bool cicu_ascii_name(const char *name, char *ascii, size_t room);
