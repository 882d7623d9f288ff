import PDF
import SearchEngine
import Store
import Wire

extension Anchor {
  /// Characters of context on each side.
  static let context = 32
  /// Characters of a page's beginning that a bookmark or memo stores.
  static let beginning = 200

  /// The anchor of a range of a page's text.
  static func of(
    _ range: Range<Int>, in layout: PageLayout, page: StoredPage, document: DocumentRecord, snapshot: Snapshot
  ) throws -> Anchor {
    of(
      range, in: layout, page: page, document: document, fileID: try fileID(of: document.hash, in: snapshot),
      pageOffset: try PageTextCoding.offset(of: page.page, in: document.hash, db: snapshot.db))
  }

  /// The same, if the file's id and the page's offset in it are already available.
  static func of(
    _ range: Range<Int>, in layout: PageLayout, page: StoredPage, document: DocumentRecord, fileID: String?,
    pageOffset: Int?
  ) -> Anchor {
    // Text that may not be stored on disk is not quoted either; the place alone must do.
    let quotes = document.keepsText
    let before = max(0, range.lowerBound - context)..<range.lowerBound
    let after = range.upperBound..<min(layout.scalars.count, range.upperBound + context)
    return Anchor(
      hash: document.hash, fileID: fileID, pageLabel: page.label, quote: quotes ? layout.string(range) : "",
      prefix: quotes ? layout.string(before) : "", suffix: quotes ? layout.string(after) : "",
      offset: range.lowerBound, length: range.count, documentOffset: pageOffset.map { $0 + range.lowerBound })
  }

  /// The anchor of a whole page. A page whose text is not there yet, or that has none, is identified by its number.
  static func of(_ page: StoredPage, document: DocumentRecord, snapshot: Snapshot) throws -> Anchor {
    of(
      page, text: document.keepsText ? try snapshot.text(of: page.page, in: document)?.text : nil, document: document,
      fileID: try fileID(of: document.hash, in: snapshot),
      pageOffset: try PageTextCoding.offset(of: page.page, in: document.hash, db: snapshot.db))
  }

  static func of(
    _ page: StoredPage, text: String?, document: DocumentRecord, fileID: String?, pageOffset: Int?
  ) -> Anchor {
    let text = document.keepsText ? text : nil
    let beginning = text.map(Self.beginning) ?? ""
    return Anchor(
      hash: document.hash, fileID: fileID, pageLabel: page.label, quote: beginning, prefix: "", suffix: "", offset: 0,
      length: beginning.unicodeScalars.count, documentOffset: pageOffset, pageHash: text.map(pageHash))
  }

  /// The part of a page's text that a bookmark or memo stores.
  static func beginning(of text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(beginning)))
  }

  /// SHA-256 of a page's folded text.
  static func pageHash(of text: String) -> String {
    Blobs.hash(of: Array(foldedText(text).utf8))
  }

  /// Gives bookmarks and memos their anchors that were made before the text of their page was there. Clients are not
  /// notified: nothing that they see changes.
  ///
  /// - Parameter renewing: replaces the anchors that bookmarks and memos have already, for a text extracted again.
  static func complete(
    _ document: DocumentRecord, pages: [PageText], renewing: Bool = false, in transaction: Transaction
  ) throws {
    guard document.keepsText else { return }
    for text in pages {
      try complete(BookmarkRecord.self, of: document, page: text.page, renewing, in: transaction)
      try complete(MemoRecord.self, of: document, page: text.page, renewing, in: transaction)
    }
  }

  private static func complete<M: Mark>(
    _ type: M.Type, of document: DocumentRecord, page: Int, _ renewing: Bool, in transaction: Transaction
  ) throws {
    let snapshot = transaction.snapshot
    for mark in try M.all(of: document.id, page: page, in: snapshot)
    where try renewing || mark.anchor.value().pageHash == nil {
      let page = try StoredPage.get(page, of: document, in: snapshot)
      let anchor = try StoredJSON(of(page, document: document, snapshot: snapshot))
      try snapshot.db.run(
        "UPDATE \(M.tableName) SET anchor = ? WHERE id = ?", [.text(anchor.json), .text(mark.id)])
    }
  }

  static func fileID(of hash: String, in snapshot: Snapshot) throws -> String? {
    try snapshot.db.first("SELECT permanentID FROM pdf WHERE hash = ?", [.text(hash)]) { $0.optionalText(0) } ?? nil
  }
}
