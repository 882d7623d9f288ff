import PDF
import Synchronization

/// Writes a lane's texts while it extracts more: one write at a time, of all texts since the last write began. So a
/// lane whose worker is faster than the library does not wait for each write, and there are fewer writes.
struct TextWrites {
  /// When so many pages wait, or so many bytes of their text, the lane waits for the library.
  private static let mostWaiting = 2 * PageLanes.step
  private static let mostBytes = 2 << 20

  private let write: @Sendable ([PageText]) async throws -> Void
  private var waiting: [PageText] = []
  private var running: Running?

  private final class Running: Sendable {
    let isOver = Atomic(false)
  }

  init(_ write: @escaping @Sendable ([PageText]) async throws -> Void) {
    self.write = write
  }

  /// - Throws: the error of an earlier write; nothing more is to be written then.
  mutating func add(_ texts: [PageText], in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
    waiting += texts
    guard !waiting.isEmpty else { return }
    if let running {
      guard running.isOver.load(ordering: .acquiring) || isFull else { return }
      do {
        try await group.next()
      } catch {
        waiting = []
        throw error
      }
    }
    begin(in: &group)
  }

  private var isFull: Bool {
    waiting.count >= Self.mostWaiting || waiting.reduce(0) { $0 + $1.text.utf8.count } >= Self.mostBytes
  }

  /// Returns when all is written.
  mutating func finish(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
    try await group.waitForAll()
    running = nil
    guard !waiting.isEmpty else { return }
    begin(in: &group)
    try await group.waitForAll()
  }

  private mutating func begin(in group: inout ThrowingTaskGroup<Void, any Error>) {
    let (texts, write, running) = (waiting, write, Running())
    waiting = []
    self.running = running
    group.addTask {
      defer { running.isOver.store(true, ordering: .releasing) }
      try await write(texts)
    }
  }
}
