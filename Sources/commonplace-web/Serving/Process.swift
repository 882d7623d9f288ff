import Glibc

/// Other programs that the bridge starts.
enum Process {
  /// Starts a program of the PATH that needs no attention.
  static func start(_ program: String, _ arguments: [String]) {
    signal(SIGCHLD, SIG_IGN)
    _ = spawn(program, arguments, output: nil)
  }

  /// Runs a program and waits for its end: what it wrote to its output and to its error output, and its exit status.
  ///
  /// Nil if it cannot be started. Blocks its thread.
  static func run(_ program: String, _ arguments: [String]) -> (output: String, errors: String, status: Int32)? {
    // Its status has to be seen.
    signal(SIGCHLD, SIG_DFL)
    var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&output) == 0 else { return nil }
    guard pipe(&errors) == 0 else {
      for end in output { close(end) }
      return nil
    }
    for end in output + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = spawn(program, arguments, output: (output[1], errors[1]))
    close(output[1])
    close(errors[1])
    defer {
      close(output[0])
      close(errors[0])
    }
    guard let process else { return nil }
    // Each is a line, which fits into a pipe.
    let (written, said) = (text(from: output[0]), text(from: errors[0]))
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (written, said, status & 0x7F == 0 ? status >> 8 & 0xFF : 1)
  }

  private static func spawn(_ program: String, _ arguments: [String], output: (Int32, Int32)?) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0)
    for (target, source) in [(STDOUT_FILENO, output?.0), (STDERR_FILENO, output?.1)] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ, SIGCHLD] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    return posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ) == 0 ? process : nil
  }

  private static func text(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 64 << 10 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
