import Foundation
import Synchronization

/// A program that a test runs: with its input, output and errors as pipes, and nothing of ours beside them.
package final class ChildProcess: Sendable {
  package struct Result: Sendable {
    /// The exit status; of one that a signal ended, 128 and its number, as a shell has it.
    package var status: Int32
    package var output: String
    package var errors: String
  }

  package struct NotStarted: Error {
    package var path: String
    package var errno: Int32
  }

  package let pid: pid_t
  private let input: Mutex<Int32>
  private let output: PipeReader
  private let errors: PipeReader
  private let exit = Awaited<Int32?>(nil)

  /// Starts a program in a folder, with these variables and no others.
  package init(_ path: String, _ arguments: [String], environment: [String: String], folder: String) throws {
    // Writing to one that has ended is an error to see, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    let pipes = try (0..<3).map { _ in try Self.pipe() }
    let started = Self.spawn(
      ["/usr/bin/env", "-C", folder, path] + arguments, environment: environment,
      descriptors: [pipes[0].read, pipes[1].write, pipes[2].write])
    for descriptor in [pipes[0].read, pipes[1].write, pipes[2].write] { close(descriptor) }
    guard started > 0 else {
      for descriptor in [pipes[0].write, pipes[1].read, pipes[2].read] { close(descriptor) }
      throw NotStarted(path: path, errno: -started)
    }
    pid = started
    input = Mutex(pipes[0].write)
    output = PipeReader(pipes[1].read)
    errors = PipeReader(pipes[2].read)
    Thread.detachNewThread { [exit] in
      var information = siginfo_t()
      while waitid(P_PID, id_t(started), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      // Its number is another's from here on.
      exit.change {
        var status: Int32 = 0
        waitpid(started, &status, 0)
        let signal = status & 0x7F
        $0 = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
    }
  }

  package func write(_ text: String) {
    let bytes = Array(text.utf8)
    input.withLock { descriptor in
      guard descriptor >= 0 else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  package func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// The next line of the output, without its end; nil when there is no more.
  package func line() async -> String? { await output.line() }
  /// Waits for a part of the output, such as a prompt, which is no line; false if it never comes.
  package func says(_ text: String) async -> Bool { await output.holds(text) }
  /// The next line of the errors.
  package func errorLine() async -> String? { await errors.line() }

  /// Sends it a signal, if it has not ended.
  package func kill(_ number: Int32) {
    exit.change { if $0 == nil { Foundation.kill(pid, number) } }
  }

  package var hasEnded: Bool { exit.now != nil }

  /// Closes the input and waits until it has ended. Lines that were taken are not in the output.
  package func end() async -> Result {
    closeInput()
    return await ended()
  }

  /// Waits until it has ended by itself.
  package func ended() async -> Result {
    let status = await exit.value { $0 }
    return Result(status: status, output: await output.rest(), errors: await errors.rest())
  }

  deinit {
    kill(SIGKILL)
    closeInput()
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard PipeEnds.make(&ends) else { throw NotStarted(path: "pipe", errno: errno) }
    return (ends[0], ends[1])
  }

  /// Gives the process, or a negative errno.
  private static func spawn(_ words: [String], environment: [String: String], descriptors: [Int32]) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Ours are all above, so that none is overwritten before it is moved; the tests' own are close-on-exec.
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests ignore signals that a program of its own is to be ended by, and some of their threads block them.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let result = withCStrings(words) { words in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        PipeEnds.whileNoneIsMade { posix_spawn(&process, words[0]!, &actions, &attributes, words, variables) }
      }
    }
    return result == 0 ? process : -result
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
