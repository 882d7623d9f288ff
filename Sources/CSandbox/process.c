#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 4 };

int process_socket_pair(int sockets[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0) return -errno;
  // The kernel counts its own overhead too: room for the longest request, twice.
  int room = 192 * 1024;
  setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  return 0;
}

int process_bounded_pipe(int ends[2], int capacity) {
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
  fcntl(ends[1], F_SETPIPE_SZ, capacity);  // a larger pipe is as bounded
  return 0;
}

int process_spawn(
  const char *path, char *const arguments[], char *const environment[], int socket, int error_output) {
  // Copies above the numbers that the child's own descriptors get, so that none is overwritten before it is moved.
  int from = fcntl(socket, F_DUPFD_CLOEXEC, 10), errors = fcntl(error_output, F_DUPFD_CLOEXEC, 10);
  pid_t process = 0;
  int result = from < 0 || errors < 0 ? EMFILE : 0;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (!result) result = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!result) result = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!result) result = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (!result) result = posix_spawn_file_actions_adddup2(&actions, from, 3);
  if (!result) result = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (!result) result = posix_spawnattr_setsigmask(&attributes, &none);
  if (!result) result = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!result) result = posix_spawnattr_setpgroup(&attributes, 0);
  if (!result)
    result = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  // A program that is just being installed, or whose writer has just forked, is busy for a moment.
  for (int attempt = 0; !result && attempt < 50; attempt++) {
    result = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
    if (result != ETXTBSY) break;
    const struct timespec moment = {.tv_nsec = 2000000};
    nanosleep(&moment, NULL);
    if (attempt < 49) result = 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (from >= 0) close(from);
  if (errors >= 0) close(errors);
  return result ? -result : process;
}

int process_descriptor(pid_t process) {
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);  // close-on-exec by itself
  return descriptor < 0 ? -errno : descriptor;
}

int process_collect(pid_t process, int *status) {
  pid_t ended;
  do ended = waitpid(process, status, WNOHANG);
  while (ended < 0 && errno == EINTR);
  return ended < 0 ? -errno : ended == process;
}

int process_memory_file(const char *name) {
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return file < 0 ? -errno : file;
}

void process_retire_memory_file(int file) {
  // In this order: what is written in between goes with the second cut.
  int done = ftruncate(file, 0);
  done = fcntl(file, F_ADD_SEALS, F_SEAL_GROW);
  done = ftruncate(file, 0);
  (void)done;
}

void process_make_ready(int file, off_t length) {
  int done = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, length);
  (void)done;
}

int process_bell(void) {
  int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return bell < 0 ? -errno : bell;
}

void process_ring_bell(int bell) { eventfd_write(bell, 1); }

void process_silence_bell(int bell) {
  eventfd_t rings;
  eventfd_read(bell, &rings);
}

int process_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > MOST_DESCRIPTORS) return -E2BIG;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
  } control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

long process_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int wait) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  size_t room = *descriptor_count, received_descriptors = 0;
  if (room > 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
  }
  *descriptor_count = 0;
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  if (room > 0) {
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < count; i++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
        if (received_descriptors < room) descriptors[received_descriptors++] = descriptor;
        else close(descriptor);
      }
    }
  }
  *descriptor_count = received_descriptors;
  return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : received;
}

// MARK: Probes

/// Waits for a child and says how its attempt went: children end with the errno they met.
static int outcome(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -errno;
  return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

int probe_fork(void) {
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) _exit(0);
  return outcome(child);
}

int probe_exec(void) {
  char *arguments[] = {"true", NULL}, *environment[] = {NULL};
  pid_t child = fork();
  if (child > 0) return outcome(child);
  execve("/bin/true", arguments, environment);
  int error = errno;
  if (child == 0) _exit(error);
  return -error;
}

int probe_trace(void) {
  pid_t child = fork();
  if (child > 0) return outcome(child);
  int error = ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ? errno : 0;
  if (child == 0) _exit(error);
  return -error;
}
