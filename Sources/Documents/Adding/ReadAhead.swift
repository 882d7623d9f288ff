import PDF
import Synchronization

/// The text of the pages with which a document's indexing will begin, taken out while its file is made durable and its
/// rows are written: its workers would wait meanwhile.
///
///     worker 1   looks at it, first pages ══► next pages ═════►═════►
///     worker 2                  starts, opens it ═► from the middle ════►═════►
///     disk                                    sync, rename, commit │
///                                                                  └─► the indexer finds this text ready
///
/// Whatever fails here is tried again by the indexer, as if nobody had tried. Who lets it go gives it up.
final class ReadAhead: Sendable {
  typealias Extract = @Sendable (_ source: DocumentSource, _ pages: Range<Int>) async throws -> [PageText]

  private let tasks: Mutex<[Range<Int>: Task<[PageText], any Error>]>

  /// The file is held open: a worker may come free when its name is gone already, and another download of the same URL
  /// has put other bytes there.
  ///
  /// - Parameters:
  ///   - pages: those that have no text, of which it takes what the lanes begin with.
  ///   - extract: is given the source that holds the file open.
  /// - Returns: nil if there is no file.
  init?(_ source: DocumentSource, pages: Range<Int>, extract: @escaping Extract) {
    guard let held = try? source.holdingFile() else { return nil }
    let beginnings = PageLanes.beginnings(of: pages).map { run in
      // At once, so that they are asked for in their order.
      let task = Task.immediate { try await extract(held, run) }
      return (run, task)
    }
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
