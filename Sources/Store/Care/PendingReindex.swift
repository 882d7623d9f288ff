import Contract
import Synchronization
import Threads
import Wire

/// Starts a reindex as soon as the writer detects that one is needed, not only at the next start: until then searches
/// may match texts that no longer exist. The writer is created before its store, so the store is set later.
///
/// Damage detected while a rebuild fills the new index is repaired by that rebuild. What is detected between its end
/// and its last line is not, and starts nothing; so whatever ends looks once more.
final class PendingReindex: Sendable {
  /// The rebuild of a store's index.
  struct Rebuild: Sendable {
    /// Throws what `Store.rebuildIndex` throws.
    let run: @Sendable () throws -> Void
    /// Whether one is needed and none runs.
    let isDue: @Sendable () -> Bool
    let log: Log
  }

  private struct Served {
    var rebuild: Rebuild?
    /// One is enough. It stays true after a failure: the next rebuild would fail again.
    var hasBegun = false
  }

  private let served = Mutex(Served())

  func serve(_ rebuild: Rebuild) {
    served.withLock { $0.rebuild = rebuild }
  }

  /// Starts the rebuild on its own thread. Does nothing while no store is set: the daemon checks for itself when it
  /// starts.
  @Sendable func begin() {
    let rebuild = served.withLock { served -> Rebuild? in
      guard let rebuild = served.rebuild, !served.hasBegun else { return nil }
      served.hasBegun = true
      return rebuild
    }
    guard let rebuild else { return }
    rebuild.log("texts of the search index were lost, but their words are still in it: it is rebuilt", as: .warning)
    startThread { [self] in
      // Another one that already runs looks again at its end; a failure is logged by `rebuildIndex`.
      do {
        try rebuild.run()
      } catch {
        guard (error as? RPCError)?.kind == .busy else { return }
      }
      served.withLock { $0.hasBegun = false }
      lookAgain()
    }
  }

  /// Starts another rebuild if one is needed and none runs. For the end of one, successful ones only.
  func lookAgain() {
    guard let rebuild = served.withLock({ $0.rebuild }), rebuild.isDue() else { return }
    begin()
  }
}
