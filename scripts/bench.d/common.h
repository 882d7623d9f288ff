/* What the bench's C programs share: time, percentiles, lines over a socket. */
#ifndef COMMON_H
#define COMMON_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline _Noreturn void fail(const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, errno ? strerror(errno) : "failed");
  exit(1);
}

/* Microseconds. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the median, the time that so large a share stays below, and the maximum. Sorts `times`. */
static inline void report_at(double *times, int count, double share) {
  qsort(times, count, sizeof *times, ascending);
  printf("%.2f %.2f %.2f\n", times[count / 2], times[(int)(count * share)], times[count - 1]);
}

static inline void report(double *times, int count) { report_at(times, count, 0.99); }

#endif
