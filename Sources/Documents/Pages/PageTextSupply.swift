import Kit
import PDF
import Store
import Wire

/// The text of any pages of a document: from the library or from memory, and from a worker if it was not extracted
/// yet. Newly extracted text is stored.
struct PageTextSupply: Sendable {
  var document: DocumentRecord
  var password: Password
  var caller: FeatureCaller

  static func plan(_ id: String, password: String?, in snapshot: Snapshot) throws -> PageTextSupply {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    try document.requireFile(in: snapshot)
    return PageTextSupply(
      document: document, password: snapshot.password(for: document, given: password), caller: snapshot.feature)
  }

  struct Texts: Sendable {
    /// In the order of the pages.
    var texts: [PageText] = []
    /// Pages whose text is unavailable.
    var unread: [Int] = []
  }

  /// The text of a run of pages. An unreadable page does not prevent the others.
  func texts(of pages: Range<Int>, with services: Services) async throws -> Texts {
    var known = isOpen(with: services) ? try await stored(Array(pages), with: services) : [:]
    var result = Texts()
    for run in runs(of: pages.filter { known[$0] == nil }) {
      for text in try await take(run, &result, services) { known[text.page] = text }
    }
    result.texts = pages.compactMap { known[$0] }
    return result
  }

  /// Whether stored text may be returned: if a password is needed, a worker has shown meanwhile that it is right.
  private func isOpen(with services: Services) -> Bool {
    if password.isProven { return true }
    guard let given = password.text, let known = services.documents.password(of: document.hash) else { return false }
    return sameBytes(given, known)
  }

  /// The available texts, by page.
  func stored(_ pages: [Int], with services: Services) async throws -> [Int: PageText] {
    guard document.keepsText else {
      return Dictionary(
        uniqueKeysWithValues: pages.compactMap { page in
          services.documents.page(page, of: document.hash).map { (page, $0) }
        })
    }
    let hash = document.hash
    return try await services.library.read(as: caller) { snapshot in
      var texts: [Int: PageText] = [:]
      for page in pages { texts[page] = try PageTextCoding.find(page, of: hash, in: snapshot.db) }
      return texts
    }
  }

  /// Extracts the text of these pages from the file, all or none, so that the next read of the library finds it.
  func take(_ pages: [Int], with services: Services) async throws {
    for run in runs(of: pages) {
      try Task.checkCancellation()
      _ = try await document.takeText(of: run, password: password, with: services)
    }
  }

  /// Extracts the text of a run of pages, together and, if that fails, one by one.
  private func take(_ run: Range<Int>, _ result: inout Texts, _ services: Services) async throws -> [PageText] {
    do {
      let texts = try await document.takeText(of: run, password: password, with: services)
      result.unread += texts.filter { $0.placement == .unavailable }.map(\.page)
      return texts.filter { $0.placement != .unavailable }
    } catch let failure as WorkerFailure {
      guard failure.isOfPage else { throw RPCError(failure, source: document.title) }
      guard run.count > 1 else {
        result.unread.append(run.lowerBound)
        return []
      }
    }
    var texts: [PageText] = []
    for page in run {
      try Task.checkCancellation()
      texts += try await take(page..<page + 1, &result, services)
    }
    return texts
  }

  private func runs(of pages: [Int]) -> [Range<Int>] {
    pages.reduce(into: []) { runs, page in
      if let last = runs.last, last.upperBound == page {
        runs[runs.count - 1] = last.lowerBound..<page + 1
      } else {
        runs.append(page..<page + 1)
      }
    }
  }
}

extension WorkerFailure {
  /// Whether other pages of the document may still be read.
  fileprivate var isOfPage: Bool {
    switch self {
    case .crashed, .outOfMemory, .badReply, .timedOut, .pageUnavailable, .textTooLarge: true
    case .markedDangerous(let part, _): part != .document
    default: false
    }
  }
}

extension DocumentRecord {
  /// Extracts the text of pages from the file and stores it, in memory or in the library as the document allows.
  func takeText(
    of pages: Range<Int>, password: Password, with services: Services
  ) async throws -> [PageText] {
    let (source, password) = try await services.source(of: self, opening: password)
    let texts = try await services.workers.extract(source, pages: pages)
    try await services.requireUnchanged(hash)
    services.unlock(self, with: password)
    let read = texts.filter { $0.placement != .unavailable }
    if read.isEmpty { return texts }
    guard keepsText else {
      services.documents.store(read, of: hash)
      return texts
    }
    let hash = hash
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      try Indexer.keep(read, of: hash, in: transaction)
    }
    return texts
  }
}
