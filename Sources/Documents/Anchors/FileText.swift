import Kit
import PDF
import Store
import Wire

/// The text of a file's pages as far as it is available, with their labels.
struct FileText: Sendable {
  /// One for each page; nil if its text is not available.
  var pages: [PageText?]
  var labels: [String?]

  func anchorText(checkCancelled: () throws -> Void) rethrows -> AnchorText {
    try AnchorText(pages.map { $0?.text }, labels: labels, checkCancelled: checkCancelled)
  }
}

extension FileText {
  init(_ texts: [PageText], count: Int, labels: [String?] = []) {
    var pages = [PageText?](repeating: nil, count: count)
    // For a page that cannot be loaded, an empty text would mean that it has none.
    for text in texts where text.placement != .unavailable { pages[text.page] = text }
    self.init(pages: pages, labels: labels)
  }

  /// The stored text of a document's present bytes.
  init(of document: DocumentRecord, in snapshot: Snapshot) throws {
    var labels = [String?](repeating: nil, count: document.pageCount)
    try snapshot.db.each("SELECT page, label FROM pdfPage WHERE hash = ?", [.text(document.hash)]) { row in
      if labels.indices.contains(row.int(0)) { labels[row.int(0)] = row.optionalText(1) }
    }
    let pages = try (0..<document.pageCount).map { try snapshot.text(of: $0, in: document) }
    self.init(pages: pages, labels: labels)
  }
}

extension Services {
  /// The text of all pages of a document. Missing text is extracted now, and stored if the document allows it. Pages
  /// whose extraction failed before are not tried again.
  func wholeText(of document: DocumentRecord, password: String?, as caller: FeatureCaller) async throws -> FileText {
    let hash = document.hash
    var (text, missing) = try await library.read(as: caller) { snapshot in
      let text = try FileText(of: document, in: snapshot)
      let missing =
        document.keepsText
        ? try PageTextCoding.missing(in: hash, 0..<document.pageCount, limit: document.pageCount, db: snapshot.db)
        : text.pages.indices.filter { text.pages[$0] == nil }
      return (text, missing)
    }
    guard !missing.isEmpty else { return text }
    let source = try await source(of: hash, password: document.isProtected ? password : nil)
    let texts = try await extract(source, pages: missing, name: document.title)
    try await requireUnchanged(hash)
    if document.keepsText {
      try await library.write(as: DaemonCaller(), label: "documents/index") { transaction in
        try Indexer.keep(texts, of: hash, in: transaction)
      }
    } else {
      documents.store(texts, of: hash)
    }
    for page in texts where page.placement != .unavailable { text.pages[page.page] = page }
    return text
  }
}
