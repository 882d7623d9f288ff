import Kit
import PDF
import Store
import Synchronization
import Wire

/// Extracts the text of the pages that were not read when a document was added, a few pages at a time, and writes it
/// into the library. Documents are processed one after the other, long ones by two workers. Work that a killed daemon
/// left is resumed at the start.
final class Indexer: Sendable {
  private struct Waiting {
    var queue: [String] = []
    /// Files whose stored text an earlier extractor version extracted. They wait until the queue is empty.
    var outdated: [String] = []
    var isRunning = false
    /// The text that was read ahead for these files, and the text that is being read ahead for a file that is being
    /// added.
    var ahead: [String: ReadAhead] = [:]
    weak var coming: ReadAhead?
  }

  private let waiting = Mutex(Waiting())
  /// Files whose documents are reported as changed once their text is complete, by whichever request.
  private let announced = Mutex<Set<String>>([])
  /// How many times in a row the text of a file could not be stored.
  private let failed = Mutex<[String: Int]>([:])

  /// Starts extracting the text of a file that is being inspected, unless other files wait for theirs: the text would
  /// occupy memory meanwhile.
  func readAhead(of source: DocumentSource, _ pages: Range<Int>, with services: Services) -> ReadAhead? {
    waiting.withLock { waiting in
      guard !waiting.isRunning, waiting.coming == nil, !pages.isEmpty else { return nil }
      let ahead = ReadAhead(source, pages: pages) { source, run in
        try await services.workers.extract(source, pages: run, urgency: Urgency(.later))
      }
      waiting.coming = ahead
      return ahead
    }
  }

  /// - Parameter telling: reports the documents as changed even if no text was missing, for text that was extracted
  ///   elsewhere.
  func index(_ hash: String, ahead: ReadAhead? = nil, telling: Bool = false, with services: Services) {
    if telling { announced.withLock { _ = $0.insert(hash) } }
    let isFirst = waiting.withLock { waiting in
      if !waiting.queue.contains(hash) { waiting.queue.append(hash) }
      if let ahead { waiting.ahead[hash] = ahead }
      defer { waiting.isRunning = true }
      return !waiting.isRunning
    }
    guard isFirst else { return }
    Task { await work(with: services) }
  }

  /// Resumes unfinished extractions, by the bytes, not by the documents: a removed document may be restored. Documents
  /// whose text was stored, but on which no rules were run, follow.
  func resume(with services: Services) async {
    let hashes = try? await services.library.read(as: DaemonCaller()) { snapshot in
      try snapshot.db.texts(
        """
        SELECT DISTINCT hash FROM pdfPage
        WHERE text IS NULL AND hash NOT IN (SELECT hash FROM document WHERE NOT keepsText)
        UNION SELECT hash FROM document WHERE id IN (SELECT document FROM documentArrival) ORDER BY hash
        """)
    }
    for hash in hashes ?? [] { index(hash, with: services) }
    let outdated = (try? await services.library.read(as: DaemonCaller()) { try OutdatedText.files(in: $0.db) }) ?? []
    guard !outdated.isEmpty else { return }
    let isFirst = waiting.withLock { waiting in
      waiting.outdated += outdated
      defer { waiting.isRunning = true }
      return !waiting.isRunning
    }
    if isFirst { Task { await work(with: services) } }
  }

  /// Writes the text of pages and their search entries, and completes the marks that were waiting for the text.
  ///
  /// - Parameter renewing: the pages had a text before.
  static func keep(
    _ texts: [PageText], of hash: String, renewing: Bool = false, in transaction: Transaction
  ) throws {
    transaction.keepSilent()
    let documents = try DocumentRecord.all(with: hash, in: transaction.snapshot)
    // The document may have been removed since the text was requested, and added again without permission to store
    // it.
    guard documents.allSatisfy(\.keepsText) else { return }
    for text in texts { try PageTextCoding.write(text, of: hash, in: transaction.db) }
    let known = texts.filter { $0.placement != .unavailable }
    for document in documents {
      transaction.index(DocumentSearch.entries(of: document, pages: known))
      try Anchor.complete(document, pages: known, renewing: renewing, in: transaction)
    }
  }

  private func work(with services: Services) async {
    while let (hash, ahead, isOutdated) = next() {
      do {
        if isOutdated {
          try await extractAgain(hash, services)
        } else {
          try await index(whole: hash, ahead, services)
        }
      } catch let error as RPCError where error.isOfEnd {
        return
      } catch {
        services.log("the text of \(hash.prefix(8)) could not be extracted; this is tried again later: \(error)")
        // An outdated text stays in use until the next start.
        if !isOutdated { tryAgain(hash, with: services) }
      }
    }
  }

  /// A full disk and the like pass. Ten seconds, then twice as long each time, up to ten minutes.
  private func tryAgain(_ hash: String, with services: Services) {
    let failures = failed.withLock { failed in
      failed[hash, default: 0] += 1
      return failed[hash]!
    }
    let delay = min(600, 10 << min(failures - 1, 6))
    Task {
      try? await Task.sleep(for: .seconds(delay))
      index(hash, with: services)
    }
  }

  private func next() -> (hash: String, ahead: ReadAhead?, isOutdated: Bool)? {
    waiting.withLock { waiting in
      if !waiting.queue.isEmpty {
        let hash = waiting.queue.removeFirst()
        return (hash, waiting.ahead.removeValue(forKey: hash), false)
      }
      guard let hash = waiting.outdated.popLast() else {
        waiting.isRunning = false
        return nil
      }
      return (hash, nil, true)
    }
  }

  /// Extracts all pages of a file again and replaces the texts that differ. A page that fails keeps its text.
  private func extractAgain(_ hash: String, _ services: Services) async throws {
    let count = try await services.library.read(as: DaemonCaller()) { try OutdatedText.pageCount(of: hash, in: $0.db) }
    guard let count else { return }
    let done = OutdatedText(pageCount: count)
    var steps = steps(of: hash, nil, services)
    steps.missing = { range, limit in done.missing(in: range, limit: limit) }
    let write: @Sendable ([PageText]) async throws -> Void = { texts in
      try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
        if try OutdatedText.replace(texts, of: hash, in: transaction) { done.noteChange() }
      }
      // Pages laid out for a drag are cached by the hash of a file, whose text has now changed.
      if done.hasChanged { services.keptRows.forget(hash) }
      done.finish(texts.map(\.page))
    }
    steps.write = write
    steps.giveUp = { page, _ in done.finish(page.map { [$0] } ?? Array(0..<count)) }
    guard try await TextExtraction(0..<count, steps: steps).run() else { return }
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      transaction.keepSilent()
      try OutdatedText.markCurrent(hash, in: transaction.db)
    }
    if done.hasChanged { try await notify(hash, services) }
  }

  private func index(whole hash: String, _ ahead: ReadAhead?, _ services: Services) async throws {
    var wasMissing = announced.withLock { $0.remove(hash) } != nil
    let (missing, isArriving) = try await services.library.read(as: DaemonCaller()) {
      (try PageTextCoding.missing(in: hash, db: $0.db), try DocumentRules.areAwaited(by: hash, in: $0.db))
    }
    // Others may have stored the text: a request for pages, a removed document of these bytes, a daemon that ended.
    if isArriving { wasMissing = true }
    if let missing {
      wasMissing = true
      guard try await TextExtraction(missing, steps: steps(of: hash, ahead, services)).run() else { return }
    }
    failed.withLock { $0[hash] = nil }
    guard wasMissing else { return }
    try await notify(hash, services)
    services.thumbnails.prepare(hash, with: services)
  }

  private func steps(of hash: String, _ ahead: ReadAhead?, _ services: Services) -> TextExtraction.Steps {
    TextExtraction.Steps(
      missing: { range, limit in
        try await services.library.read(as: DaemonCaller()) { snapshot in
          try PageTextCoding.missing(in: hash, range, limit: limit, db: snapshot.db)
        }
      },
      extract: { pages throws(WorkerFailure) in
        if let texts = await ahead?.texts(of: pages) { return texts }
        return try await self.extractLater(pages, of: hash, services)
      },
      write: { texts in
        try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
          try Self.keep(texts, of: hash, in: transaction)
        }
      },
      giveUp: { page, failure in try await self.giveUp(on: page, of: hash, because: failure, services) },
      forgetFailures: { await services.workers.forget(hash) },
      pause: { try await Task.sleep(for: .milliseconds(250)) })
  }

  /// A linked file that is gone or changed ends the extraction: what is missing is tried again after the next start.
  private func extractLater(
    _ pages: Range<Int>, of hash: String, _ services: Services
  ) async throws(WorkerFailure) -> [PageText] {
    guard BlobHash(hash) != nil else { throw .notPDF }
    do {
      let source = try await services.source(of: hash, password: services.documents.password(of: hash))
      let texts = try await services.workers.extract(source, pages: pages, urgency: Urgency(.later))
      try await services.requireUnchanged(hash)
      return texts
    } catch let failure as WorkerFailure {
      throw failure
    } catch {
      throw .cancelled
    }
  }

  /// Notes that one page has no text; with nil, that all remaining pages have none.
  private func giveUp(on page: Int?, of hash: String, because failure: WorkerFailure, _ services: Services) async throws
  {
    services.log(
      "\(page.map { "page \($0 + 1)" } ?? "the rest") of \(hash.prefix(8)) has no text: \(failure)", as: .warning)
    let reason = String(describing: failure)
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      transaction.keepSilent()
      try transaction.db.run(
        """
        UPDATE pdfPage SET text = '', length = 0, placement = 0, unit = 0.0625, boxes = x''
        WHERE hash = ? AND text IS NULL AND page = coalesce(?, page)
        """, [.text(hash), .integer(page.map(Int64.init))])
      try transaction.db.run("UPDATE pdf SET failure = ? WHERE hash = ?", [.text(reason), .text(hash)])
    }
  }

  /// Runs the rules on documents that have just arrived, and reports the documents whose state has changed.
  private func notify(_ hash: String, _ services: Services) async throws {
    try await services.library.write(as: FeatureCaller.daemon(services), label: "documents/index") { transaction in
      transaction.isUndoable = false
      for document in try DocumentRecord.all(with: hash, in: transaction.snapshot) {
        let completed = try DocumentRules.complete(document, in: transaction)
        transaction.touch(
          collection: DocumentRecord.collectionName, id: completed.id, revision: completed.revision, fields: ["state"])
      }
    }
  }
}

extension DocumentRecord {
  static func all(with hash: String, in snapshot: Snapshot) throws -> [DocumentRecord] {
    try all(in: snapshot.db, "WHERE hash = ? ORDER BY id", [.text(hash)])
  }
}

extension Services {
  var indexer: Indexer { memory.object(Indexer.self) { Indexer() } }
}
