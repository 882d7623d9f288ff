#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <signal.h>
#include <unistd.h>

// Debian 12's headers stop at version 1 of these structures, so they are written out here.
struct ruleset_attribute {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;  // version 4
  uint64_t scoped;              // version 6
};

struct path_attribute {
  uint64_t allowed_access;
  int32_t parent_fd;
} __attribute__((packed));

enum {
  SYSCALL_CREATE_RULESET = 444,
  SYSCALL_ADD_RULE = 445,
  SYSCALL_RESTRICT_SELF = 446,
  CREATE_RULESET_VERSION = 1,
  RULE_PATH_BENEATH = 1,
};

static const uint64_t READ_FILE = 1ULL << 2, READ_DIRECTORY = 1ULL << 3;

int sandbox_landlock_version(void) {
  long version = syscall(SYSCALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
  return version < 0 ? -errno : (int)version;
}

/// All rights a version knows: what is handled and not granted is refused.
static uint64_t file_rights(int version) {
  if (version >= 5) return (1ULL << 16) - 1;  // device ioctls
  if (version >= 3) return (1ULL << 15) - 1;  // truncation
  if (version >= 2) return (1ULL << 14) - 1;  // moving between folders
  return (1ULL << 13) - 1;
}

int sandbox_landlock(const char *const *paths, size_t count) {
  int version = sandbox_landlock_version();
  if (version < 0) return version;
  struct ruleset_attribute attribute = {
    .handled_access_fs = file_rights(version),
    .handled_access_net = version >= 4 ? 3 : 0,  // bind and connect
    .scoped = version >= 6 ? 3 : 0,              // abstract sockets and signals
  };
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYSCALL_CREATE_RULESET, &attribute, size, 0);
  if (ruleset < 0) return -errno;
  int result = version;
  for (size_t i = 0; i < count; i++) {
    int folder = open(paths[i], O_PATH | O_CLOEXEC);
    if (folder < 0) continue;
    struct path_attribute rule = {.allowed_access = READ_FILE | READ_DIRECTORY, .parent_fd = folder};
    if (syscall(SYSCALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0) {
      // A plain file takes no rights on folders.
      rule.allowed_access = READ_FILE;
      if (syscall(SYSCALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0) result = -errno;
    }
    close(folder);
  }
  if (result >= 0 && syscall(SYSCALL_RESTRICT_SELF, ruleset, 0) < 0) result = -errno;
  close(ruleset);
  return result;
}

int sandbox_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0; }

static int limit(int resource, uint64_t value) {
  struct rlimit wanted = {.rlim_cur = value, .rlim_max = value}, present;
  if (getrlimit(resource, &present) < 0) return -errno;
  // A limit that is lower already is kept: it cannot be raised, and need not be.
  if (present.rlim_max < value) wanted.rlim_cur = wanted.rlim_max = present.rlim_max;
  return setrlimit(resource, &wanted) < 0 ? -errno : 0;
}

/// Each file that is handed over and kept may grow to the limit of file sizes, beside the limit of memory. A worker has five
/// open, and fontconfig and poppler two or three more for a moment.
enum { MOST_FILES = 16 };

int sandbox_limit(uint64_t memory, uint64_t file_size, uint64_t processor_seconds) {
  int result = limit(RLIMIT_AS, memory);
  if (result == 0) result = limit(RLIMIT_FSIZE, file_size);
  if (result == 0) result = limit(RLIMIT_CPU, processor_seconds);
  if (result == 0) result = limit(RLIMIT_NOFILE, MOST_FILES);
  if (result == 0) result = limit(RLIMIT_CORE, 0);
  // A file that has grown too large is then an error of write, not a signal.
  signal(SIGXFSZ, SIG_IGN);
  return result;
}

int sandbox_die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return -errno;
  if (getppid() != parent) _exit(0);
  return 0;
}
