import CSandbox
import Glibc

/// Tries what a hijacked worker would try, and prints a line for each attempt: its name and its errno, 0 for success.
///
/// A test runs this within the sandbox, where all attempts must be refused, and without, where all must succeed:
/// otherwise the attempts themselves would be wrong.
enum SelfTest {
  /// - Parameter folder: contains a readable file `secret`; `written` is created there if the sandbox allows it.
  static func run(isProtected: Bool, in folder: String) {
    // Created before the sandbox, like the worker's socket.
    var pipe: [Int32] = [0, 0]
    guard Glibc.pipe(&pipe) == 0 else { exit(1) }
    let home = getenv("HOME").map { String(cString: $0) } ?? "/root"
    if isProtected {
      let protections = Sandbox.enter(memory: 1_024)
      print("landlock", protections.landlock)
      print("seccomp", protections.seccomp ? 1 : 0)
      for (name, value) in limits() { print("limit-\(name)", value) }
    }
    let attempts: [(String, () -> Int32)] = [
      ("socket-inet", { errno(of: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }),
      ("socket-unix", { errno(of: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) }),
      ("read-passwd", { errno(of: open("/etc/passwd", O_RDONLY)) }),
      ("read-home", { errno(of: open(home, O_RDONLY | O_DIRECTORY)) }),
      ("read-secret", { errno(of: open("\(folder)/secret", O_RDONLY)) }),
      ("write", { errno(of: open("\(folder)/written", O_WRONLY | O_CREAT, 0o600)) }),
      ("truncate", { errno(of: truncate("\(folder)/secret", 0)) }),
      ("remove", { errno(of: unlink("\(folder)/secret")) }),
      ("signal-parent", { errno(of: kill(getppid(), 0)) }),
      ("map-4-GiB", { errnoOfMapping() }),
      ("fork", { -probe_fork() }),
      ("trace", { -probe_trace() }),
      ("exec", { -probe_exec() }),
      ("fcntl-setown", { errno(of: fcntl(pipe[0], F_SETOWN, getpid())) }),
      ("fcntl-setsig", { errno(of: fcntl(pipe[0], setSignal, SIGURG)) }),
      ("fcntl-async", { errno(of: fcntl(pipe[0], F_SETFL, O_ASYNC)) }),
      ("fcntl-setpipe", { errno(of: fcntl(pipe[1], setPipeSize, 1 << 16)) }),
      ("memfd", { min(0, process_memory_file("self-test")) * -1 }),
    ]
    for (name, attempt) in attempts {
      print(name, attempt())
    }
    // What the kernel answers does not matter: a command that is not refused has passed the filter.
    for command in Int32(0)..<1_100 where isProtected {
      if fcntl(pipe[0], command, 0) >= 0 || Glibc.errno != EPERM { print("fcntl-passes-\(command)", 0) }
    }
    fflush(nil)
    exit(0)
  }

  // GNU extensions, F_SETSIG and F_SETPIPE_SZ, which Glibc's module does not contain.
  private static let setSignal: Int32 = 10
  private static let setPipeSize: Int32 = 1_031

  /// Each resource limit, soft and hard, which are the same; 1 if SIGXFSZ is ignored.
  private static func limits() -> [(String, UInt64)] {
    let resources = [
      ("AS", RLIMIT_AS),
      ("FSIZE", RLIMIT_FSIZE),
      ("CPU", RLIMIT_CPU),
      ("NOFILE", RLIMIT_NOFILE),
      ("CORE", RLIMIT_CORE),
    ]
    var limits: [(String, UInt64)] = resources.map { name, resource in
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur == limit.rlim_max else {
        return (name, .max)
      }
      return (name, UInt64(limit.rlim_cur))
    }
    var action = sigaction()
    sigaction(SIGXFSZ, nil, &action)
    limits.append(("SIGXFSZ", unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1 ? 1 : 0))
    return limits
  }

  private static func errno(of result: Int32) -> Int32 {
    result < 0 ? Glibc.errno : 0
  }

  private static func errnoOfMapping() -> Int32 {
    let size = 4 * 1_024 * 1_024 * 1_024
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard memory != MAP_FAILED else { return Glibc.errno }
    munmap(memory, size)
    return 0
  }
}
