import GRDB
import PDF
import Store
import Synchronization
import Wire

/// Takes the text out of the pages that were not read when a document was added, a few pages at a time, and puts it
/// into the library. One document after the other; what a killed daemon left is taken up again at the start.
final class Indexer: Sendable {
  private let waiting = Mutex<(queue: [String], isRunning: Bool)>(([], false))

  /// Pages of one request to a worker, and of one write: some 60 ms of work.
  private static let step = 24

  func index(_ hash: String, with services: Services) {
    let isFirst = waiting.withLock { waiting in
      if !waiting.queue.contains(hash) { waiting.queue.append(hash) }
      defer { waiting.isRunning = true }
      return !waiting.isRunning
    }
    guard isFirst else { return }
    Task { await work(with: services) }
  }

  /// Takes up what was left.
  func resume(with services: Services) async {
    let hashes = try? await services.library.read(as: DaemonCaller()) { snapshot in
      try String.fetchAll(
        snapshot.db, sql: "SELECT DISTINCT hash FROM document WHERE state = 'indexing' ORDER BY id")
    }
    for hash in hashes ?? [] { index(hash, with: services) }
  }

  private func work(with services: Services) async {
    while let hash = next() {
      do {
        try await index(whole: hash, services)
      } catch let error as RPCError where error == .shuttingDown {
        return
      } catch {
        services.log("the text of \(hash.prefix(8)) was not taken out: \(error)")
      }
    }
  }

  private func next() -> String? {
    waiting.withLock { waiting in
      guard !waiting.queue.isEmpty else {
        waiting.isRunning = false
        return nil
      }
      return waiting.queue.removeFirst()
    }
  }

  private func index(whole hash: String, _ services: Services) async throws {
    let source = DocumentSource(key: hash, path: services.blobs.path(hash))
    while true {
      let pages = try await services.library.read(as: DaemonCaller()) { snapshot in
        try KeptText.missing(in: hash, limit: Self.step, db: snapshot.db)
      }
      guard let first = pages.first else { break }
      // A run without gaps: pages that somebody asked for meanwhile are there already.
      let end = zip(pages, first...).prefix { $0 == $1 }.count + first
      do {
        let texts = try await services.workers.extract(source, pages: first..<end)
        try await write(texts, of: hash, services)
      } catch let failure as WorkerFailure {
        if failure == .shutDown { return }
        try await giveUp(on: first..<end, of: hash, because: failure, source: source, services)
      }
    }
    try await finish(hash, services)
  }

  /// One page that hangs or crashes a worker must not cost its neighbours their text: they are tried one by one.
  private func giveUp(
    on pages: Range<Int>, of hash: String, because failure: WorkerFailure, source: DocumentSource, _ services: Services
  ) async throws {
    guard pages.count > 1 else {
      services.log("page \(pages.lowerBound) of \(hash.prefix(8)) has no text: \(failure)")
      let empty = PageText(page: pages.lowerBound, text: "", placement: .unavailable, boxes: [], unit: 0.0625)
      try await write([empty], of: hash, services)
      try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
        transaction.keepSilent()
        try transaction.db.execute(
          sql: "UPDATE pdf SET failure = ? WHERE hash = ?", arguments: ["page \(pages.lowerBound): \(failure)", hash])
      }
      return
    }
    if failure == .markedDangerous { await services.workers.forget(hash) }
    for page in pages {
      do {
        try await write(services.workers.extract(source, pages: page..<page + 1), of: hash, services)
      } catch let failure as WorkerFailure {
        if failure == .shutDown { throw RPCError.shuttingDown }
        try await giveUp(on: page..<page + 1, of: hash, because: failure, source: source, services)
      }
    }
  }

  private func write(_ texts: [PageText], of hash: String, _ services: Services) async throws {
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      transaction.keepSilent()
      for text in texts { try KeptText.write(text, of: hash, in: transaction.db) }
      for document in try DocumentRecord.all(with: hash, in: transaction.snapshot) {
        transaction.index(DocumentSearch.entries(of: document, pages: texts))
      }
    }
  }

  private func finish(_ hash: String, _ services: Services) async throws {
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      transaction.isUndoable = false
      let failure = try String.fetchOne(
        transaction.db, sql: "SELECT failure FROM pdf WHERE hash = ?", arguments: [hash])
      let state: DocumentState = failure == nil ? .ready : .failed
      for document in try DocumentRecord.all(with: hash, in: transaction.snapshot) where document.state == .indexing {
        try transaction.db.execute(
          sql: "UPDATE document SET state = ? WHERE id = ?", arguments: [state, document.id])
        transaction.touch(
          collection: DocumentRecord.collectionName, id: document.id, revision: document.revision, fields: ["state"])
      }
    }
  }
}

extension DocumentRecord {
  static func all(with hash: String, in snapshot: Snapshot) throws -> [DocumentRecord] {
    try DocumentRecord.fetchAll(
      snapshot.db.cachedStatement(sql: "SELECT * FROM document WHERE hash = ? ORDER BY id"), arguments: [hash])
  }
}

extension Services {
  var indexer: Indexer { memory.object(Indexer.self) { Indexer() } }
}
