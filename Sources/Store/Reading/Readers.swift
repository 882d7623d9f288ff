import SQLite
import Synchronization

/// A pool of reading connections, as many as there are concurrent reads. The most recently used connection is used
/// next: its page cache is likely to contain the pages of the next query.
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

  /// Interrupts all running statements.
  func interrupt() {
    for reader in state.withLock(\.all) { reader.interrupt() }
  }

  /// Closes the idle connections.
  func close() {
    let closed = state.withLock { state in
      defer { state = State() }
      return state.all
    }
    withExtendedLifetime(closed) {}
  }
}
