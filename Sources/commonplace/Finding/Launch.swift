import CSandbox
import Daemon
import Glibc
import Store
import Wire

/// Starts a daemon that outlives its starter: in a session of its own, inheriting only what it needs.
///
/// Its error output is a pipe to us until it serves. An error that prevents it from serving is thus shown to the
/// waiting user, in one sentence and with the daemon's own exit status; then the daemon redirects its error output to
/// its log. If we are killed meanwhile, it writes into a pipe without a reader, and continues.
struct Launch {
  /// The byte that the daemon writes when it serves (ACK).
  static let ready: UInt8 = 6

  let place: Place
  let untilIdle: Bool
  /// Nil for the usual socket of the library.
  let socket: String?

  /// Returns when the daemon serves, or when another one was quicker.
  ///
  /// - Throws: `Failure` with the daemon's own error output.
  func run(until end: ContinuousClock.Instant) throws(Failure) {
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw failed(errno) }
    defer { close(pipe[0]) }
    let process: pid_t
    do throws(Failure) {
      process = try spawn(errors: pipe[1])
    } catch {
      close(pipe[1])
      throw error
    }
    close(pipe[1])
    let output = read(pipe[0], until: end)
    guard output.last != Self.ready else {
      // It is our child as long as we live; if it exits before us, its status is not needed.
      signal(SIGCHLD, SIG_IGN)
      return
    }
    guard let status = ExitStatus.of(process) else { throw failed(ETIMEDOUT) }
    if status == .libraryInUse { return }
    let sentence = Self.sentence(output)
    guard status != .success, !sentence.isEmpty else {
      throw place.voice.failure(.noDaemon, Text("command.daemonDied", ["log": place.paths.log]))
    }
    throw Failure(status, sentence)
  }

  private func failed(_ number: Int32) -> Failure {
    place.voice.failure(.noDaemon, Text("command.notStarted", ["reason": String(cString: strerror(number))]))
  }

  /// Without the program's name that the daemon put before it, as we add it ourselves.
  private static func sentence(_ output: [UInt8]) -> String {
    let text = String(decoding: output, as: UTF8.self).trimmingWhitespace()
    return text.hasPrefix("commonplace: ") ? String(text.dropFirst("commonplace: ".count)) : text
  }

  // MARK: - Starting

  /// Starts this program's own executable, even if its file was replaced meanwhile.
  private func spawn(errors: Int32) throws(Failure) -> pid_t {
    // Its exit has to be seen, whatever was set for earlier children.
    signal(SIGCHLD, SIG_DFL)
    let environment = Self.environment(from: place.environment, variables: try credentialVariables())
    let result = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        process_spawn_detached("/proc/self/exe", arguments, environment, errors)
      }
    }
    guard result > 0 else { throw failed(-result) }
    return result
  }

  private var arguments: [String] {
    var arguments = ["commonplace", "serve", "--detached", "--library", place.paths.library]
    if untilIdle { arguments.append("--until-idle") }
    if let socket { arguments += ["--socket", socket] }
    return arguments
  }

  /// A daemon that outlives its starter must not depend on the environment of the starter's shell.
  static func environment(from environment: [String: String], variables: Set<String>) -> [String] {
    let inherited: Set<String> = ["HOME", "LANG", "PATH", "TZ"]
    return environment.filter { name, _ in
      inherited.contains(name) || name.hasPrefix("LC_") || name.hasPrefix("XDG_") || variables.contains(name)
    }.map { "\($0.key)=\($0.value)" }.sorted()
  }

  /// The environment variables that `config.toml` names as the places of secrets.
  private func credentialVariables() throws(Failure) -> Set<String> {
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(place.paths.configuration)
      return Set(
        configuration.credentials.values.compactMap { credential in
          if case .environment(let name) = credential.source { name } else { nil }
        })
    } catch {
      throw place.voice.failure(error)
    }
  }

  // MARK: - Waiting

  /// Its output until it closes the pipe, or until the time is over.
  private func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while output.last != Self.ready {
      let rest = end - .now
      guard rest > .zero else { break }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    return output
  }
}

extension ExitStatus {
  /// The exit status of a child; nil if it has not exited. A child that has closed its error output is about to exit.
  fileprivate static func of(_ process: pid_t) -> ExitStatus? {
    var status: Int32 = 0
    for _ in 0..<200 {
      let result = waitpid(process, &status, WNOHANG)
      if result < 0, errno != EINTR { return .noDaemon }
      if result == process { return ExitStatus(rawValue: status >> 8 & 0xFF) ?? .noDaemon }
      poll(nil, 0, 5)
    }
    return nil
  }
}

private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
