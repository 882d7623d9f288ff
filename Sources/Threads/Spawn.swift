import Glibc

/// Starts other programs, in the caller's environment, folder and terminal.
package enum Spawn {
  /// A standard stream of a started program.
  package enum Stream: Sendable {
    case inherited
    /// `/dev/null`.
    case none
    /// A copy of a descriptor, which still belongs to the caller.
    case descriptor(Int32)
  }

  package struct Failure: Error, CustomStringConvertible {
    package var program: String
    package var errno: Int32

    package var description: String { "\(program) cannot be started (\(String(cString: strerror(errno))))" }
  }

  /// Signals that this process ignores are the program's to handle; those of the terminal only if the caller names them.
  /// None is blocked, whichever this thread blocks.
  private static let signals = [SIGPIPE, SIGXFSZ, SIGCHLD, SIGTERM]

  /// Starts a program and does not wait for it.
  ///
  /// - Parameters:
  ///   - program: its path; a name without a slash is looked up in `PATH`.
  ///   - arguments: those after its name.
  ///   - terminal: signals of the terminal, which the program handles even if this process ignores them.
  /// - Returns: its process, for `status(of:)`.
  /// - Throws: `Failure` if it cannot be started.
  package static func start(
    _ program: String, _ arguments: [String], input: Stream = .inherited, output: Stream = .inherited,
    errors: Stream = .inherited, terminal: [Int32] = []
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      switch stream {
      case .inherited: break
      case .none: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var handled = sigset_t()
    sigemptyset(&handled)
    for number in signals + terminal { sigaddset(&handled, number) }
    posix_spawnattr_setsigdefault(&attributes, &handled)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ)
    guard result == 0 else { throw Failure(program: program, errno: result) }
    return process
  }

  /// Waits for a program. Blocks the thread.
  ///
  /// - Returns: its exit status; 128 plus the signal's number if a signal ended it; 127 if it is not a child.
  package static func status(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return 127 }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// A pipe whose ends belong to the caller; a program inherits only the end that is one of its streams.
  ///
  /// - Throws: `Failure`, such as without free descriptors.
  package static func pipe(for program: String) throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(program: program, errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
