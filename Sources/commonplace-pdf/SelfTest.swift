import CSandbox
import Glibc

/// Tries what a hijacked worker would try, and prints a line for each attempt: its name and its errno, 0 for success.
///
/// A test runs this within the sandbox, where all must be refused, and without, where all must succeed: else the
/// attempts themselves would be at fault.
enum SelfTest {
  /// - Parameter folder: holds a readable file `secret`; `written` is made there if the sandbox lets it be.
  static func run(isProtected: Bool, in folder: String) {
    let home = getenv("HOME").map { String(cString: $0) } ?? "/root"
    if isProtected {
      let protections = Sandbox.enter(memory: 1_024)
      print("landlock", protections.landlock)
      print("seccomp", protections.seccomp ? 1 : 0)
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
    ]
    for (name, attempt) in attempts {
      print(name, attempt())
    }
    fflush(nil)
    exit(0)
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
