import Kit
import PDF
import Store
import Wire

/// The source of one page's text: the library, or a worker if it has not been extracted yet, or may only be in
/// memory.
struct PageTextSource: Sendable {
  var document: DocumentRecord
  var page: Int
  var stored: PageText?
  /// The page as it was laid out for a drag before.
  var rows: PageRows?
  var password: Password

  static func plan(_ id: String, page: Int, password: String?, in snapshot: Snapshot) throws -> PageTextSource {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    _ = try StoredPage.get(page, of: document, in: snapshot)
    let password = snapshot.password(for: document, given: password)
    return PageTextSource(
      document: document, page: page, stored: password.isProven ? try snapshot.text(of: page, in: document) : nil,
      password: password)
  }

  /// The same for a drag, which does not read a recently used page again.
  static func plan(dragging id: String, page: Int, password: String?, in snapshot: Snapshot) throws -> PageTextSource {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    let proof = snapshot.password(for: document, given: password)
    guard proof.isProven, let rows = snapshot.services.keptRows.rows(of: page, of: document.hash) else {
      return try plan(id, page: page, password: password, in: snapshot)
    }
    return PageTextSource(document: document, page: page, stored: nil, rows: rows, password: proof)
  }

  /// The page laid out for a drag, if `rows` does not have it yet.
  func fetchRows(with services: Services) async throws -> PageRows {
    let rows = PageRows(PageLayout(try await fetch(with: services)))
    services.keptRows.store(rows, of: page, of: document.hash)
    return rows
  }

  /// The text; newly extracted text is stored, in memory or in the library as the document allows.
  func fetch(with services: Services) async throws -> PageText {
    if let stored { return stored }
    let texts: [PageText]
    do {
      texts = try await document.takeText(of: page..<page + 1, password: password, with: services)
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    }
    guard let text = texts.first, text.placement != .unavailable else {
      throw RPCError(.pageUnavailable(page: page), source: document.title)
    }
    return text
  }
}
