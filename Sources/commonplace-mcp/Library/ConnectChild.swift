import Glibc

/// `commonplace connect` as a child: it finds the daemon, starts one if none runs, and carries bytes to it and back.
enum ConnectChild {
  struct NotStarted: Error, CustomStringConvertible {
    var path: String
    var errno: Int32

    var description: String { "\(path) cannot be started (\(String(cString: strerror(errno))))" }
  }

  /// Starts it.
  ///
  /// - Returns: the ends of its pipes that are ours: one to read from, one to write to.
  /// - Throws: `NotStarted`.
  static func start(_ options: Options) throws(NotStarted) -> (input: Int32, output: Int32) {
    var arguments = [options.program, "connect"]
    if let library = options.library { arguments += ["--library", library] }
    if let socket = options.socket { arguments += ["--socket", socket] }
    let toChild = try pipe(for: options)
    let fromChild: (read: Int32, write: Int32)
    do throws(NotStarted) {
      fromChild = try pipe(for: options)
    } catch {
      close(toChild.read)
      close(toChild.write)
      throw error
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.read, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.write, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that are ignored here must not be ignored there.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGCHLD] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, options.program, &actions, &attributes, words + [nil], environ)
    close(toChild.read)
    close(fromChild.write)
    guard result == 0 else {
      close(toChild.write)
      close(fromChild.read)
      throw NotStarted(path: options.program, errno: result)
    }
    return (fromChild.read, toChild.write)
  }

  /// A pipe that only the child for which it is made inherits.
  private static func pipe(for options: Options) throws(NotStarted) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw NotStarted(path: options.program, errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
