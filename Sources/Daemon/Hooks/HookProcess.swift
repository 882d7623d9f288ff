import CSandbox
import Glibc
import Synchronization
import Threads

/// A program that reads its input from the daemon, in a process group of its own.
final class HookProcess: Sendable {
  private struct State {
    /// Its number may belong to another process once its status was taken.
    var isOver = false
    var isKilled = false
  }

  private let process: pid_t
  private let state = Mutex(State())

  /// - Throws: `Spawn.Failure` if it cannot be started.
  init(
    _ program: String, _ arguments: [String], input bytes: [UInt8], environment: [String: String]
  ) throws(Spawn.Failure) {
    let file = try Self.file(of: bytes, for: program)
    defer { close(file) }
    process = try Spawn.start(
      program, arguments, input: .descriptor(file), output: .none, errors: .none,
      isolation: .init(environment: environment))
  }

  /// A file in memory at its beginning. Unlike a pipe it waits for nobody: a program that reads nothing, or leaves
  /// another one behind that has the input open, holds neither a thread nor a descriptor of the daemon.
  private static func file(of bytes: [UInt8], for program: String) throws(Spawn.Failure) -> Int32 {
    let file = process_memory_file("changes")
    guard file >= 0 else { throw Spawn.Failure(program: program, errno: -file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = Spawn.Failure(program: program, errno: errno)
        close(file)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// Whether `kill` ended it.
  var isKilled: Bool { state.withLock(\.isKilled) }

  /// Its exit status, once it has ended; 128 plus the signal's number if a signal ended it.
  func status() async -> Int32 {
    await withCheckedContinuation { continuation in
      startThread { [self] in
        var information = siginfo_t()
        // Leaves the status, so that the number stays its own until the lock is held.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        continuation.resume(
          returning: state.withLock { state in
            state.isOver = true
            return Spawn.status(of: process)
          })
      }
    }
  }

  /// Kills it and the programs that it started.
  func kill() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isKilled = Glibc.kill(-process, SIGKILL) == 0
    }
  }
}
