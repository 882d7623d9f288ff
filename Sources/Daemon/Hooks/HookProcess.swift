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
    let pipe = try Spawn.pipe(for: program)
    defer { close(pipe.read) }
    do throws(Spawn.Failure) {
      process = try Spawn.start(
        program, arguments, input: .descriptor(pipe.read), output: .none, errors: .none,
        isolation: .init(environment: environment))
    } catch {
      close(pipe.write)
      throw error
    }
    // A program that reads nothing fills the pipe: writing ends with it at the latest.
    startThread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(pipe.write, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(pipe.write)
    }
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
