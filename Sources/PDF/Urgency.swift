import Synchronization

/// How soon a request is served; it may be raised while the request waits.
package final class Urgency: Sendable {
  /// In order of precedence.
  package enum Rank: Int, Sendable, Comparable, CaseIterable {
    /// Somebody waits for the result.
    case asked
    /// Work that will be needed: the text of a document that was added. Uses any worker but the last.
    case later
    /// Speculative work. Runs only on an idle worker that has the document open, yields as soon as that is needed, and
    /// is never counted against the document.
    case ahead

    package static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  private let state: Mutex<Rank>

  package init(_ rank: Rank) {
    state = Mutex(rank)
  }

  package var rank: Rank {
    state.withLock(\.self)
  }

  /// Returns false if it already has the highest rank. See ``WorkerPool/hurry(_:)``, which also notifies the pool.
  func hurry() -> Bool {
    state.withLock { rank in
      defer { rank = .asked }
      return rank != .asked
    }
  }
}
