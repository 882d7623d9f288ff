import Contract
import Store
import Synchronization
import Wire

/// Searches that were made and are not in the library yet.
///
///     search ──► reply            nobody waits for a sync because something was looked for
///        └─► note ──► waits ──►   one commit for all that wait: after `delay`, when they are `most`, before the history
///                                 is shown, and when the daemon ends
///
/// A daemon that is killed loses the notes of its last seconds, and nothing else.
package final class SearchNotes: Sendable {
  private struct Note {
    var search: MadeSearch
    var at: Instant
  }

  private struct State {
    var waiting: [Note] = []
    /// Somebody comes for those that wait.
    var isAwaited = false
    /// Commits that were asked for and have not ended.
    var underWay = 0
  }

  /// How long the first of them waits.
  package static let delay: Duration = .seconds(10)
  /// So many do not wait.
  package static let most = 64

  private let state = Mutex(State())

  /// Whether the library has all of them.
  package var isEmpty: Bool { state.withLock { $0.waiting.isEmpty && $0.underWay == 0 } }

  package func add(_ search: MadeSearch, with services: Services) {
    if search.text.isBlank { return }
    let note = Note(search: search, at: services.now())
    let (isFull, isFirst) = state.withLock { state in
      state.waiting.append(note)
      defer { state.isAwaited = true }
      return (state.waiting.count >= Self.most, !state.isAwaited)
    }
    if isFull { write(with: services) }
    guard isFirst else { return }
    let pause = services.pause
    // Neither is held while it waits: the daemon may end.
    Task { [weak self, weak services] in
      await pause(Self.delay)
      guard let self, let services else { return }
      state.withLock { $0.isAwaited = false }
      write(with: services)
    }
  }

  /// Puts those that wait into the library. What the caller writes afterwards comes behind them.
  package func write(with services: Services) {
    write(with: services) {}
  }

  /// Returns when the library has all that were made before, or could not take them.
  package func settle(with services: Services) async {
    await withCheckedContinuation { settled in
      // A commit that is under way already is before this one in the queue, which may have nothing to write.
      write(with: services, evenNone: true) { settled.resume() }
    }
  }

  /// Those that are forgotten before they came into the library.
  package func drop(where isDropped: (MadeSearch) -> Bool) {
    state.withLock { $0.waiting.removeAll { isDropped($0.search) } }
  }

  private func write(
    with services: Services, evenNone: Bool = false, _ end: @escaping @Sendable () -> Void
  ) {
    let notes = state.withLock { state -> [Note]? in
      if state.waiting.isEmpty, !evenNone { return nil }
      state.underWay += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let notes else { return end() }
    services.library.post(as: FeatureCaller.daemon(services), label: "search/history") { transaction in
      for note in notes { try SearchHistory.record(note.search, at: note.at, in: transaction) }
      transaction.isOnlyNoted()
    } then: { [self, log = services.log] error in
      state.withLock { $0.underWay -= 1 }
      if let error { log("\(notes.count) searches were not noted: \(error)", as: .warning) }
      end()
    }
  }
}

extension Services {
  package var searchNotes: SearchNotes { memory.object(SearchNotes.self) { SearchNotes() } }
}
