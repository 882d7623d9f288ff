import Glibc

/// Starts other programs, in the caller's folder and, unless they are isolated, in its environment and terminal.
package enum Spawn {
  /// A standard stream of a started program.
  package enum Stream: Sendable {
    case inherited
    /// `/dev/null`.
    case none
    /// A copy of a descriptor, which still belongs to the caller.
    case descriptor(Int32)
  }

  /// For a program that shares nothing with this process but the folder: it is in a process group of its own, inherits
  /// no descriptor but its streams, and no handler of a signal.
  package struct Isolation: Sendable {
    package var environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }
  }

  package struct Failure: Error, CustomStringConvertible {
    package var program: String
    package var errno: Int32

    package init(program: String, errno: Int32) { (self.program, self.errno) = (program, errno) }

    package var description: String { "\(program) cannot be started (\(String(cString: strerror(errno))))" }
  }

  /// Signals that this process ignores are the program's to handle; those of the terminal only if the caller names
  /// them. None is blocked, whichever this thread blocks.
  private static let signals = [SIGPIPE, SIGXFSZ, SIGCHLD, SIGTERM]

  /// Starts a program and does not wait for it.
  ///
  /// - Parameters:
  ///   - program: its path; a name without a slash is looked up in `PATH`.
  ///   - arguments: those after its name.
  ///   - terminal: signals of the terminal, which the program handles even if this process ignores them.
  ///   - isolation: nil for a program that inherits what this process has.
  /// - Returns: its process, for `status(of:)`.
  /// - Throws: `Failure` if it cannot be started.
  package static func start(
    _ program: String, _ arguments: [String], input: Stream = .inherited, output: Stream = .inherited,
    errors: Stream = .inherited, terminal: [Int32] = [], isolation: Isolation? = nil
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
    if isolation != nil { closeOthers(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var handled = sigset_t()
    if isolation != nil { sigfillset(&handled) } else { sigemptyset(&handled) }
    for number in signals + terminal { sigaddset(&handled, number) }
    posix_spawnattr_setsigdefault(&attributes, &handled)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if isolation != nil {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = ([program] + arguments).map { strdup($0) }
    let variables = isolation?.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for word in words + (variables ?? []) { free(word) } }
    var process: pid_t = 0
    let result =
      if let variables {
        posix_spawnp(&process, program, &actions, &attributes, words + [nil], variables + [nil])
      } else {
        posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ)
      }
    guard result == 0 else { throw Failure(program: program, errno: result) }
    return process
  }

  /// Most descriptors of this process are close-on-exec; those that it inherited may not be. One that is closed by the
  /// time of the start is no error.
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
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
