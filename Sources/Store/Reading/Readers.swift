import SQLite
import Synchronization

/// Connections for whoever reads one state of the library, as many as there are reads at once. The one that was used last
/// is used next: it has the pages that the next question needs, too.
final class Readers: Sendable {
  private struct State {
    var all: [ReaderConnection] = []
    var idle: [ReaderConnection] = []
  }

  private let state = Mutex(State())
  private let open: @Sendable () throws -> ReaderConnection

  init(open: @escaping @Sendable () throws -> ReaderConnection) {
    self.open = open
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let reader = try take()
    defer { state.withLock { $0.idle.append(reader) } }
    return try reader.read(body)
  }

  private func take() throws -> ReaderConnection {
    if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
    let reader = try open()
    state.withLock { $0.all.append(reader) }
    return reader
  }

  /// Stops what any of them runs now.
  func interrupt() {
    for reader in state.withLock(\.all) { reader.interrupt() }
  }

  /// Closes those that nobody uses.
  func close() {
    let closed = state.withLock { state in
      defer { state = State() }
      return state.all
    }
    withExtendedLifetime(closed) {}
  }
}
