// What Swift cannot say to the kernel: Landlock, seccomp, limits, and passing descriptors between processes.
// Every function returns a negative errno on failure, so that no caller has to read errno across the language border.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Protections, called once by the worker before it sees a document

/// Gives up setuid and file capabilities for good; Landlock and seccomp demand it of an ordinary user.
int sandbox_no_new_privileges(void);

/// Limits memory (bytes of address space), the size of files written, open files, core dumps, and, as a backstop
/// beyond the daemon's own deadlines, processor time (seconds of the worker's life).
int sandbox_limit(uint64_t memory, uint64_t file_size, uint64_t processor_seconds);

/// The Landlock version of this kernel, or a negative errno.
int sandbox_landlock_version(void);

/// Leaves the calling thread nothing of the file system but reading below `paths`; no network from version 4 on, no
/// signals and abstract sockets from version 6 on. Paths that do not exist are skipped. Returns the version.
int sandbox_landlock(const char *const *paths, size_t count);

/// Allows the system calls that drawing a page takes, and answers EPERM to all others.
int sandbox_seccomp(void);

/// Ends this process when the thread that started it ends; exits at once if `parent` has ended already.
int sandbox_die_with(pid_t parent);

// MARK: Starting a worker and talking to it

/// A pair of connected SOCK_SEQPACKET sockets, both close-on-exec: message borders for free, and end of file when the
/// other side is gone.
int process_socket_pair(int sockets[2]);

/// A pipe for a worker's stderr; its writing end never blocks, so a flood of warnings is dropped by the kernel.
int process_bounded_pipe(int ends[2], int capacity);

/// Starts a daemon that outlives its starter: in a session of its own and in "/", with stdin and stdout on /dev/null,
/// stderr on `error_output`, no other descriptor, no environment apart from `environment`, and default signals.
/// Returns the process id.
int process_spawn_detached(
  const char *path, char *const arguments[], char *const environment[], int error_output);

/// Starts `path` with stdin and stdout on /dev/null, stderr on `error_output`, `socket` as descriptor 3 and no other
/// descriptor, an empty environment apart from `environment`, default signals, and a process group of its own.
/// Returns the process id.
int process_spawn(
  const char *path, char *const arguments[], char *const environment[], int socket, int error_output);

/// A descriptor that becomes readable when the process ends.
int process_descriptor(pid_t process);

/// Collects an ended process without waiting. Returns 1 and its wait status, or 0 while it still runs.
int process_collect(pid_t process, int *status);

/// An anonymous file in memory.
int process_memory_file(const char *name);

/// Empties such a file for good, also for who still has it open: a worker that keeps what it was handed holds no memory.
void process_retire_memory_file(int file);

/// Takes the room for a file's first bytes; its length stays. Where it cannot, nothing happens.
void process_make_ready(int file, off_t length);

/// A descriptor that is readable from `process_ring_bell` to `process_silence_bell`.
int process_bell(void);
void process_ring_bell(int bell);
void process_silence_bell(int bell);

/// Sends one message with at most 4 descriptors.
int process_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives one message. `descriptor_count` is the room for descriptors on entry and their number on return; those
/// beyond the room are closed. Returns the message's length, 0 at the end, -EMSGSIZE for one longer than `capacity`.
long process_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int wait);

// MARK: For the self-test, which shows that the sandbox refuses what it must

/// Makes a child that ends at once. Returns 0 or a negative errno.
int probe_fork(void);
/// Runs /bin/true, in a child where a child can be made. Returns 0 or a negative errno.
int probe_exec(void);
/// Asks to be traced, in a child where a child can be made. Returns 0 or a negative errno.
int probe_trace(void);

// MARK: The daemon's own memory

/// Says once, at the start, how much freed memory each of the allocator's arenas may keep at its end. By itself the
/// allocator raises that to twice the largest piece it ever gave back, up to 64 MiB, and neither `free` nor `malloc_trim`
/// then takes the end of any arena but the first.
void memory_configure(void);

/// The name under which `top` and `pgrep` show this process, which otherwise is `exe` where it was started as such.
void process_present(const char *name);

/// As many open files as the user may have. The usual 1,024 are for programs that use `select`.
void process_open_many(void);

/// Gives the pages of all freed memory back to the kernel. Takes milliseconds, so never on a thread that others wait for.
void memory_give_back(void);
/// Lets go of the program's code, which stays in the kernel's cache: what is needed is there again when it is. A start runs
/// through most of it once, and every page that it touched would count as the process's for good.
void memory_give_code_back(void);
