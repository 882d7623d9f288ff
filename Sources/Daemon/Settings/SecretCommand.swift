import CSandbox
import Glibc
import Threads
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
    guard let program = arguments.first else { return .failure(.notStarted(errno: ENOENT)) }
    var pipe: [Int32] = [-1, -1]
    // Larger than the longest secret, so that the program's writes never fail on a full non-blocking pipe.
    let result = process_bounded_pipe(&pipe, Int32(Credential.longest * 4))
    guard result == 0 else { return .failure(.notStarted(errno: -result)) }
    defer { close(pipe[0]) }
    let process: pid_t
    do throws(Spawn.Failure) {
      // Its error output may contain the secret.
      process = try Spawn.start(
        program, Array(arguments.dropFirst()), input: .none, output: .descriptor(pipe[1]), errors: .none,
        isolation: .init(environment: environment))
    } catch {
      close(pipe[1])
      return .failure(.notStarted(errno: error.errno))
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
