#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The filter is written by hand: a list of some eighty calls needs no library.
// What is not listed is answered EPERM, not killed: a newer C library that tries a newer call first falls back then.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The sandbox knows x86-64 and AArch64."
#endif

static const uint32_t allowed[] = {
  // Descriptors that are open, or that Landlock lets open.
  SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_lseek, SYS_close,
  SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
  SYS_getdents64, SYS_dup, SYS_dup3, SYS_fadvise64, SYS_ftruncate, SYS_getcwd,
  // The one socket it was born with; no call makes another.
  SYS_recvmsg, SYS_sendmsg, SYS_ppoll,
  // Memory.
  SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_membarrier,
  // Threads of its own, time, and its end.
  SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
  SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_clock_gettime,
  SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_exit, SYS_exit_group,
  // What it may know about itself.
  SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo,
  SYS_getrusage, SYS_getrandom,
#if defined(__x86_64__)
  SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_dup2, SYS_time,
#endif
};

enum { CAPACITY = 256, NUMBER = offsetof(struct seccomp_data, nr) };

struct program {
  struct sock_filter code[CAPACITY];
  unsigned short count;
};

static void add(struct program *program, struct sock_filter instruction) {
  if (program->count < CAPACITY) program->code[program->count++] = instruction;
}

static uint32_t low_half(int argument) {
  return offsetof(struct seccomp_data, args) + 8 * (uint32_t)argument;  // both architectures are little-endian
}

#define LOAD(offset) ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset)))
#define RETURN(value) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (value)))
#define JUMP(test, operand, yes, no) ((struct sock_filter)BPF_JUMP(BPF_JMP | (test) | BPF_K, (operand), (yes), (no)))
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

/// The call `number` is answered `otherwise` unless its argument passes `test`; `match` says which outcome passes.
static void add_tested(
  struct program *program, uint32_t number, int argument, uint16_t test, uint32_t operand, int match,
  uint32_t otherwise) {
  add(program, JUMP(BPF_JEQ, number, 0, 4));
  add(program, LOAD(low_half(argument)));
  add(program, match ? JUMP(test, operand, 0, 1) : JUMP(test, operand, 1, 0));
  add(program, RETURN(SECCOMP_RET_ALLOW));
  add(program, RETURN(otherwise));
}

/// What the C library asks of a descriptor. Not its owner and its signal, by which the kernel would signal any process of
/// the user, nor the size of a pipe, leases and locks: Landlock leaves nothing to be written.
static void add_fcntl(struct program *program) {
  static const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
  enum { COUNT = sizeof commands / sizeof *commands };
  add(program, JUMP(BPF_JEQ, SYS_fcntl, 0, 2 * COUNT + 6));
  add(program, LOAD(low_half(1)));
  for (size_t i = 0; i < COUNT; i++) {
    add(program, JUMP(BPF_JEQ, commands[i], 0, 1));
    add(program, RETURN(SECCOMP_RET_ALLOW));
  }
  add(program, JUMP(BPF_JEQ, F_SETFL, 0, 3));
  add(program, LOAD(low_half(2)));
  add(program, JUMP(BPF_JSET, O_ASYNC, 1, 0));
  add(program, RETURN(SECCOMP_RET_ALLOW));
  add(program, RETURN(REFUSE(EPERM)));
}

int sandbox_seccomp(void) {
  struct program program = {.count = 0};
  add(&program, LOAD(offsetof(struct seccomp_data, arch)));
  add(&program, JUMP(BPF_JEQ, ARCHITECTURE, 1, 0));
  add(&program, RETURN(SECCOMP_RET_KILL_PROCESS));
  add(&program, LOAD(NUMBER));
#if defined(__x86_64__)
  add(&program, JUMP(BPF_JGE, 0x40000000, 0, 1));  // the x32 numbers
  add(&program, RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    add(&program, JUMP(BPF_JEQ, allowed[i], 0, 1));
    add(&program, RETURN(SECCOMP_RET_ALLOW));
  }
  // Opening is for reading, also where Landlock is missing.
  const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  add_tested(&program, SYS_openat, 2, BPF_JSET, writing, 0, REFUSE(EACCES));
#if defined(__x86_64__)
  add_tested(&program, SYS_open, 1, BPF_JSET, writing, 0, REFUSE(EACCES));
#endif
  // Threads, never processes. clone3 hides its flags in memory: ENOSYS makes the C library use clone.
  add_tested(&program, SYS_clone, 0, BPF_JSET, CLONE_THREAD, 1, REFUSE(EPERM));
  add(&program, JUMP(BPF_JEQ, SYS_clone3, 0, 1));
  add(&program, RETURN(REFUSE(ENOSYS)));
  add_fcntl(&program);
  // abort() signals itself, so that an abort is reported as one.
  add_tested(&program, SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), 1, REFUSE(EPERM));
  // Limits may be read, not set, not even by root: the pointer to new ones must be null in both halves.
  add(&program, JUMP(BPF_JEQ, SYS_prlimit64, 0, 5));
  add(&program, LOAD(low_half(2)));
  add(&program, JUMP(BPF_JEQ, 0, 0, 3));
  add(&program, LOAD(low_half(2) + 4));
  add(&program, JUMP(BPF_JEQ, 0, 0, 1));
  add(&program, RETURN(SECCOMP_RET_ALLOW));
  add(&program, RETURN(REFUSE(EPERM)));
  if (program.count == CAPACITY) return -E2BIG;

  struct sock_fprog filter = {.len = program.count, .filter = program.code};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  // With TSYNC a positive result is a thread that could not be brought under the filter.
  return result < 0 ? -errno : result > 0 ? -EAGAIN : 0;
}
