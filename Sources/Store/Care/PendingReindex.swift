import Synchronization
import Threads
import Wire

/// Starts a reindex as soon as the writer detects that one is needed, not only at the next start: until then searches
/// may match texts that no longer exist. The writer is created before its store, so the store is set later.
///
/// Damage detected while a rebuild fills the new index is repaired by that rebuild. What is detected between its end
/// and its last line is not, and starts nothing; so whatever ends looks once more.
final class PendingReindex: Sendable {
  private struct Served {
    weak var store: Store?
    /// One is enough. It stays true after a failure: the next rebuild would fail again.
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
    startThread { [self] in
      // Another one that already runs looks again at its end; a failure is logged by `rebuildIndex`.
      do {
        try store.rebuildIndex { _ in }
      } catch {
        guard (error as? RPCError)?.kind == .busy else { return }
      }
      served.withLock { $0.hasBegun = false }
      lookAgain()
    }
  }

  /// Starts another rebuild if one is needed and none runs. For the end of one, successful ones only.
  func lookAgain() {
    guard let store = served.withLock({ $0.store }), !store.isRebuilding.load(ordering: .acquiring),
      store.needsIndexRebuild
    else { return }
    begin()
  }
}
