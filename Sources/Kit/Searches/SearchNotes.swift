import Contract
import Store
import Synchronization
import Wire

/// Searches that are not yet recorded in the library.
///
///     search ──► reply            no reply waits for the sync of a history entry
///        └─► note ──► waits ──►   one commit for all waiting entries: after `delay`, at `most` entries, before the
///                                 history is shown, and when the daemon exits
///
/// A daemon that is killed loses only the entries of its last seconds.
package final class SearchNotes: Sendable {
  private struct Note {
    var search: RecordedSearch
    var at: Instant
  }

  private struct State {
    var waiting: [Note] = []
    /// Whether a task is scheduled to write the waiting entries.
    var isAwaited = false
    /// The number of commits in progress.
    var underWay = 0
  }

  /// How long the first of them waits.
  package static let delay: Duration = .seconds(10)
  /// The number of entries that are written without waiting.
  package static let most = 64

  private let state = Mutex(State())

  /// Whether all entries are in the library.
  package var isEmpty: Bool { state.withLock { $0.waiting.isEmpty && $0.underWay == 0 } }

  package func add(_ search: RecordedSearch, with services: Services) {
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
    // Both references are weak during the wait, so that the daemon can exit.
    Task { [weak self, weak services] in
      await pause(Self.delay)
      guard let self, let services else { return }
      state.withLock { $0.isAwaited = false }
      write(with: services)
    }
  }

  /// Writes the waiting entries to the library. Later writes of the caller run after them.
  package func write(with services: Services) {
    write(with: services) {}
  }

  /// Returns when the library contains all earlier searches, or could not store them.
  package func settle(with services: Services) async {
    await withCheckedContinuation { settled in
      // A commit in progress precedes this one in the queue, which may have nothing to write.
      write(with: services, evenNone: true) { settled.resume() }
    }
  }

  /// Drops entries that are forgotten before they are written.
  package func drop(where isDropped: (RecordedSearch) -> Bool) {
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
      if let error { log("\(notes.count) searches were not recorded: \(error)", as: .warning) }
      end()
    }
  }
}

extension Services {
  package var searchNotes: SearchNotes { memory.object(SearchNotes.self) { SearchNotes() } }
}
