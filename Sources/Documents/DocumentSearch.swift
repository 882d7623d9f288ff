import Kit
import PDF
import SQLite
import SearchEngine
import Store
import Wire

/// The searchable text of documents: the title as part 0, each page as its number from 1.
enum DocumentSearch {
  static let tags = TagTable("documentTag", of: DocumentRecord.self, item: "document")

  static let source = SearchSource(
    collection: DocumentRecord.collectionName, label: Text("documents.collection"),
    tagged: tags.tagged, tags: tags.tags,
    from: { name, _ in
      SearchCondition(
        "EXISTS (SELECT 1 FROM document WHERE id = entry.item AND instr(fold(author), ?))", [.text(name)],
        rows: .items(
          of: DocumentRecord.collectionName, "SELECT id FROM document WHERE instr(fold(author), ?)", [.text(name)]))
    },
    // A title is as old as its last change, a page as old as the document.
    moments: ItemMoments(
      since: "SELECT id FROM document WHERE max(createdAt, updatedAt) >= ? ORDER BY createdAt DESC",
      before: "SELECT id FROM document WHERE createdAt < ? ORDER BY createdAt DESC"),
    lead: { found, snapshot in
      guard let document = try FoundDocument.find(found.item, in: snapshot.db) else { return nil }
      return document.lead(to: found.hit.part, quads: [])
    },
    page: { hit, words, snapshot in
      // A page whose text is not stored is shown by the text in the index.
      guard hit.part > 0, let document = try FoundDocument.find(hit.item, in: snapshot.db),
        let found = try PageTextCoding.read(
          hit.part - 1, of: document.hash, in: snapshot, { PageMatches(of: words, on: $0) })
      else { return nil }
      return SearchedPage(lead: document.lead(to: hit.part, quads: found.quads), text: found.text)
    })

  static func entries(of id: String, isWhole: Bool, in db: Database) throws -> [SearchEntry] {
    guard let document = try DocumentRecord.find(id, in: db) else { return [] }
    let title = SearchEntry(
      collection: DocumentRecord.collectionName, item: id, part: 0, at: document.updatedAt.milliseconds,
      title: document.title,
      body: words(of: document), tags: document.tags.joined(separator: "\n")
    )
    guard isWhole, document.keepsText else { return [title] }
    var entries = [title]
    try db.each(
      """
      SELECT page, text FROM pdfPage WHERE hash = ? AND text IS NOT NULL AND page >= 0 AND page < ? ORDER BY page
      """, [.text(document.hash), .integer(document.pageCount)]
    ) { entries.append(entry(of: document, page: $0.int(0), text: $0.text(1))) }
    return entries
  }

  /// The words by which a document is found besides its title and its pages.
  static func words(of document: DocumentRecord) -> String {
    [DocumentBibliography.words(of: document), DocumentProperties.words(of: document.properties)].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  static func entries(of document: DocumentRecord, pages: [PageText]) -> [SearchEntry] {
    guard document.keepsText else { return [] }
    return pages.map { entry(of: document, page: $0.page, text: $0.text) }
  }

  private static func entry(of document: DocumentRecord, page: Int, text: String) -> SearchEntry {
    SearchEntry(
      collection: DocumentRecord.collectionName, item: document.id, part: page + 1,
      at: document.createdAt.milliseconds, title: "", body: WrappedLetters.joined(text), tags: "")
  }
}

/// The displayed data of a document in which something was found.
private struct FoundDocument {
  var id: String
  var title: String
  var hash: String
  var createdAt: Int64

  private static let select = CachedStatement("SELECT title, hash, createdAt FROM document WHERE id = ?")

  static func find(_ id: String, in db: Database) throws -> FoundDocument? {
    try db.first(
      select, { $0.add(id) },
      { FoundDocument(id: id, title: $0.text(0), hash: $0.text(1), createdAt: $0.integer(2)) })
  }

  /// - Parameter part: the page from 1; 0 is the document itself.
  func lead(to part: Int, quads: [[Double]]) -> SearchLead {
    let page = part > 0 ? part - 1 : nil
    return SearchLead(
      id: id, title: title, page: page, quads: page == nil ? nil : quads,
      link: DocumentLink(DocumentID(unchecked: id), page.map { .page($0) }).text, at: createdAt)
  }
}
