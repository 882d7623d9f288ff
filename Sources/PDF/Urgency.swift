import Synchronization

/// How soon a request is served; whoever asked may find meanwhile that it is wanted sooner.
package final class Urgency: Sendable {
  /// The first comes first.
  package enum Rank: Int, Sendable, Comparable, CaseIterable {
    /// Somebody waits for it.
    case asked
    /// What will be asked for: the text of a document that was added. Takes any worker but the last.
    case later
    /// What may be asked for. Runs only where a worker that has the document open has nothing else to do, makes room as
    /// soon as it has, and is never held against the document.
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

  /// Returns false if it was asked for already. See ``WorkerPool/hurry(_:)``, which also tells the pool.
  func hurry() -> Bool {
    state.withLock { rank in
      defer { rank = .asked }
      return rank != .asked
    }
  }
}
