import Synchronization
import Threads

/// Starts a reindex as soon as the writer detects that one is needed, not only at the next start: until then searches
/// may match texts that no longer exist. The writer is created before its store, so the store is set later.
final class PendingReindex: Sendable {
  private struct Served {
    weak var store: Store?
    /// One is enough: damage detected during a rebuild is repaired by that rebuild, and a rebuild that failed would
    /// fail again.
    var hasBegun = false
  }

  private let served = Mutex(Served())

  func serve(_ store: Store) {
    served.withLock { $0.store = store }
  }

  /// Starts the rebuild on its own thread. Does nothing while no store is set: the daemon checks for itself when it
  /// starts.
  @Sendable func begin() {
    let store = served.withLock { served -> Store? in
      guard let store = served.store, !served.hasBegun else { return nil }
      served.hasBegun = true
      return store
    }
    guard let store else { return }
    store.log("texts of the search index were lost, but their words are still in it: it is rebuilt", as: .warning)
    // A rebuild that already runs repairs this too; a failure is logged by `rebuildIndex`.
    startThread { [self] in
      // Texts that are lost later start another rebuild.
      if (try? store.rebuildIndex { _ in }) != nil { served.withLock { $0.hasBegun = false } }
    }
  }
}
