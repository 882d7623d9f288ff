import PDF
import Synchronization

/// The text of the first pages that a document's indexing will need, extracted while its file is made durable and its
/// rows are written: the workers would be idle meanwhile.
///
///     worker 1   inspects it, first pages ══► next pages ═════►═════►
///     worker 2                  starts, opens it ═► from the middle ════►═════►
///     disk                                    sync, rename, commit │
///                                                                  └─► the indexer finds this text ready
///
/// The indexer repeats whatever fails here. Releasing this object cancels it.
final class ReadAhead: Sendable {
  typealias Extract = @Sendable (_ source: DocumentSource, _ pages: Range<Int>) async throws -> [PageText]

  private let tasks: Mutex<[Range<Int>: Task<[PageText], any Error>]>

  /// The file stays open: when a worker becomes free, the file's name may be gone, and another download of the same
  /// URL may have put other bytes there.
  ///
  /// - Parameters:
  ///   - pages: the pages without text; it extracts those that the lanes start with.
  ///   - extract: receives the source that keeps the file open.
  /// - Returns: nil if there is no file.
  init?(_ source: DocumentSource, pages: Range<Int>, extract: @escaping Extract) {
    guard let held = try? source.holdingFile() else { return nil }
    let beginnings = PageLanes.beginnings(of: pages).map { run in
      // Immediate, so that they are requested in this order.
      let task = Task.immediate { try await extract(held, run) }
      return (run, task)
    }
    tasks = Mutex(Dictionary(uniqueKeysWithValues: beginnings))
  }

  deinit {
    for task in tasks.withLock(\.values) { task.cancel() }
  }

  /// Hands over the text of exactly these pages; nil if they were not read ahead, or if that failed.
  func texts(of run: Range<Int>) async -> [PageText]? {
    try? await tasks.withLock { $0.removeValue(forKey: run) }?.value
  }
}
