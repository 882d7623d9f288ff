import PDF
import Synchronization

/// The text of the pages with which a document's indexing will begin, taken out while its file is made durable and its
/// rows are written: its workers would wait meanwhile.
///
///     worker 1   looks at it, first pages ══► next pages ═════►
///     worker 2                  starts, opens it ═► from the middle ════►
///     disk                                    sync, rename, commit │
///                                                                  └─► the indexer finds this text ready
///
/// Whatever fails here is tried again by the indexer, as if nobody had tried. Who lets it go gives it up.
final class ReadAhead: Sendable {
  typealias Extract = @Sendable (Range<Int>) async throws -> [PageText]

  let hash: String
  private let tasks: Mutex<[Range<Int>: Task<[PageText], any Error>]>

  /// - Parameter pages: those that have no text, of which it takes what the lanes begin with.
  init(_ hash: String, pages: Range<Int>, extract: @escaping Extract) {
    self.hash = hash
    let beginnings = PageLanes.beginnings(of: pages).map { run in (run, Task { try await extract(run) }) }
    tasks = Mutex(Dictionary(uniqueKeysWithValues: beginnings))
  }

  deinit {
    for task in tasks.withLock(\.values) { task.cancel() }
  }

  /// Gives the text away that was taken out of just these pages; nil if they were not among them, or if that failed.
  func texts(of run: Range<Int>) async -> [PageText]? {
    try? await tasks.withLock { $0.removeValue(forKey: run) }?.value
  }
}
