import PDF
import Store
import Wire

/// Where the text of one page is to come from: from the library, or from a worker when it has not been taken out yet,
/// or may only be in memory.
struct PageTextSource: Sendable {
  var document: DocumentRecord
  var page: Int
  var kept: PageText?
  var password: Password
  var detail = ReadText.Detail.plain

  static func plan(_ id: String, page: Int, password: String?, in snapshot: Snapshot) throws -> PageTextSource {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    _ = try KeptPage.get(page, of: document, in: snapshot.db)
    let password = snapshot.password(for: document, given: password)
    return PageTextSource(
      document: document, page: page, kept: password.isProven ? try snapshot.text(of: page, in: document) : nil,
      password: password)
  }

  /// The text; one that was just taken out is kept, in memory or in the library as the document allows.
  func fetch(with services: Services) async throws -> PageText {
    if let kept { return kept }
    let password = try await services.complete(password, of: document)
    let source = DocumentSource(key: document.hash, path: services.blobs.path(document.hash), password: password.text)
    let texts: [PageText]
    do {
      texts = try await services.workers.extract(source, pages: page..<page + 1)
    } catch {
      throw RPCError(error, source: document.title)
    }
    services.unlock(document, with: password)
    guard let text = texts.first, text.placement != .unavailable else {
      throw RPCError(.pageUnavailable(page: page), source: document.title)
    }
    guard document.keepsText else {
      services.documents.keep(texts, of: document.hash)
      return text
    }
    let hash = document.hash
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      try Indexer.keep([text], of: hash, in: transaction)
    }
    return text
  }
}
