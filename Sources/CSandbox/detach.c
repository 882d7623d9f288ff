#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int process_spawn_detached(
  const char *path, char *const arguments[], char *const environment[], int error_output) {
  // A copy above the numbers that the child's own descriptors get, so that it is not overwritten before it is moved.
  int errors = fcntl(error_output, F_DUPFD_CLOEXEC, 10);
  if (errors < 0) return -errno;
  pid_t process = 0;
  int result = 0;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (!result) result = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!result) result = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!result) result = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (!result) result = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!result) result = posix_spawn_file_actions_addchdir_np(&actions, "/");
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (!result) result = posix_spawnattr_setsigmask(&attributes, &none);
  if (!result) result = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!result)
    result = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  if (!result) result = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(errors);
  return result ? -result : process;
}
