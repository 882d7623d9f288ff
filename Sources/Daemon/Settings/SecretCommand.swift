import CSandbox
import FoundationEssentials
import Glibc
import Wire

/// A program that prints a secret, such as a password manager. It runs without a shell, so its arguments are not
/// interpreted.
struct SecretCommand {
  let arguments: [String]
  let environment: [String: String]

  enum Failure: Error, Equatable {
    case notStarted(errno: Int32)
    /// It exited with this status, or was terminated by a signal (nil).
    case failed(status: Int32?)
    case tooLong
    case timedOut

    func text(program: String) -> Text {
      switch self {
      case .notStarted(let number):
        Text("credential.notStarted", ["program": program, "reason": String(cString: strerror(number))])
      case .failed(.some(let status)):
        Text("credential.commandFailed", ["program": program, "status": String(status)])
      case .failed(nil): Text("credential.commandCrashed", ["program": program])
      case .tooLong: Text("credential.tooLong")
      case .timedOut: Text("credential.timedOut", ["program": program])
      }
    }
  }

  /// Blocks until the program has closed its output and exited, at most until the deadline.
  func run(deadline: Duration) -> Result<[UInt8], Failure> {
    let end = ContinuousClock.now + deadline
    var pipe: [Int32] = [-1, -1]
    // Larger than the longest secret, so that the program's writes never fail on a full non-blocking pipe.
    let result = process_bounded_pipe(&pipe, Int32(Credential.longest * 4))
    guard result == 0 else { return .failure(.notStarted(errno: -result)) }
    defer { close(pipe[0]) }
    let process: pid_t
    switch spawn(output: pipe[1]) {
    case .success(let started): process = started
    case .failure(let failure):
      close(pipe[1])
      return .failure(failure)
    }
    close(pipe[1])
    let output = read(pipe[0], until: end)
    if case .success = output, let status = wait(for: process, until: end) {
      return status == 0 ? output : .failure(.failed(status: status & 0x7F == 0 ? status >> 8 & 0xFF : nil))
    }
    // The whole group: processes that it started must not outlive it with the secret.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if case .failure = output { return output }
    return .failure(.timedOut)
  }

  /// Starts it in a process group of its own; with empty input, discarded error output (which may contain the secret),
  /// none of the daemon's descriptors, and default signal handlers.
  private func spawn(output: Int32) -> Result<pid_t, Failure> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Ours are close-on-exec; those inherited by the daemon may not be. A descriptor closed meanwhile is no error.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    let result = Self.withCStrings(arguments) { arguments in
      Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        guard let program = arguments[0] else { return ENOENT }
        return posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    return result == 0 ? .success(process) : .failure(.notStarted(errno: result))
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  private func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> Result<[UInt8], Failure> {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let rest = Self.milliseconds(until: end)
      guard rest > 0 else { return .failure(.timedOut) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, rest) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { return .failure(.failed(status: nil)) }
      guard count > 0 else { return .success(bytes) }
      bytes += buffer[..<count]
      guard bytes.count <= Credential.longest + 2 else { return .failure(.tooLong) }
    }
  }

  /// The wait status; nil if the process has not exited by then. A program that has closed its output usually exits at
  /// once, so polling every few milliseconds is enough.
  private func wait(for process: pid_t, until end: ContinuousClock.Instant) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, WNOHANG)
      if result == process { return status }
      if result < 0, errno != EINTR { return nil }
      guard Self.milliseconds(until: end) > 0 else { return nil }
      poll(nil, 0, 2)
    }
  }

  /// Rounded up, so that it is 0 only after the deadline.
  private static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
    let rest = end - .now
    guard rest > .zero else { return 0 }
    return Int32(clamping: Int(rest / .milliseconds(1)) + 1)
  }
}
