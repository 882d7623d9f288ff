import Synchronization
import Threads

/// Makes the index of a library anew as soon as the writer finds that it must be, and not only at the next start: until then
/// a search may find what is not there. The writer is there before its store is.
final class DueRebuild: Sendable {
  private struct Served {
    weak var store: Store?
    /// Once is enough: whoever finds it while that one runs finds what it makes good, and one that fails would fail again.
    var hasBegun = false
  }

  private let served = Mutex(Served())

  func serve(_ store: Store) {
    served.withLock { $0.store = store }
  }

  /// On a thread of its own. Nothing where no store is served yet: the daemon looks for itself when it starts.
  @Sendable func begin() {
    let store = served.withLock { served -> Store? in
      guard let store = served.store, !served.hasBegun else { return nil }
      served.hasBegun = true
      return store
    }
    guard let store else { return }
    store.log("texts of the search index were lost, and their words are still in it: it is made anew", as: .warning)
    // One that runs already makes this good as well; that one fails is told by itself.
    startThread { [self] in
      // Those that are lost later are made good as well.
      if (try? store.rebuildIndex { _ in }) != nil { served.withLock { $0.hasBegun = false } }
    }
  }
}
