import Exchange
import Kit
import PDF
import SQLite
import SearchEngine
import Store

/// Documents without a file, and the files that turn out to be theirs.
extension Incoming {
  /// The DOI of a paper is on its first pages. It is that of a paper that it cites if it has none of its own, so the
  /// paper must have the title as well, where a title is: a review or a corrigendum names both.
  private static let mostPages = 3
  /// The most lines before a title: the name of a journal, a number.
  private static let mostLinesBefore = 5
  /// The most lines of a title.
  private static let mostTitleLines = 6
  /// The most letters and digits of a line before a title. Running text has more.
  private static let longestLineBefore = 40

  /// Gives the file to the document that waits for it, if there is one.
  ///
  /// - Returns: the document with the file; nil if none waits for it.
  /// - Throws: `DatabaseError`, `StoreError`.
  func attach(from source: GivenSource, in transaction: Transaction) throws -> DocumentRecord? {
    guard let document = try waiting(in: transaction.snapshot) else { return nil }
    let changed = try replaceBytes(of: document, source: source, in: transaction)
    return try DocumentRules.arrive(
      changed, isComplete: !changed.keepsText || texts.count == info.pages.count, hasGivenTitle: true,
      in: transaction)
  }

  /// The document that an entry of a bibliography with this file was added as, else the one whose DOI is the first of
  /// the file, and whose title is the file's.
  private func waiting(in snapshot: Snapshot) throws -> DocumentRecord? {
    if let known = try DocumentRecord.holding(blob.hash, in: snapshot) { return known.hasFile ? nil : known }
    // Text of a protected file is not compared with what others may read.
    guard !isProtected, try DocumentRecord.isAnyWithoutFile(in: snapshot.db) else { return nil }
    let words = [info.title ?? ""] + texts.prefix(Self.mostPages).map(\.text)
    let dois = words.lazy.flatMap { IdentifierScan.all(in: $0) }.compactMap { identifier in
      if case .doi(let doi) = identifier { doi } else { nil }
    }
    guard let doi = dois.first else { return nil }
    return try DocumentRecord.withoutFile(doi: doi.text, in: snapshot).first { document in
      let title = DocumentRecord.letters(document.title)
      return !title.isEmpty && (DocumentRecord.letters(info.title ?? "") == title || isAtHead(title))
    }
  }

  /// Whether whole lines at the head of the first page are the title. A line with an identifier is the publisher's,
  /// however long it is.
  private func isAtHead(_ title: String) -> Bool {
    guard let page = texts.first, page.page == 0 else { return false }
    let head = page.text.split(whereSeparator: \.isNewline).prefix(Self.mostLinesBefore + Self.mostTitleLines)
    let lines = head.map { (letters: DocumentRecord.letters(String($0)), text: String($0)) }
    for start in lines.indices.prefix(Self.mostLinesBefore + 1) {
      var joined = ""
      for line in lines[start...].prefix(Self.mostTitleLines) {
        joined += line.letters
        if joined == title { return true }
        guard title.hasPrefix(joined) else { break }
      }
      let isShort = lines[start].letters.count <= Self.longestLineBefore
      guard isShort || !IdentifierScan.all(in: lines[start].text).isEmpty else { return false }
    }
    return false
  }
}

extension DocumentRecord {
  private static let isWithoutFile = "hash >= '\(BlobsElsewhere.noFile)'"

  fileprivate static func isAnyWithoutFile(in db: Database) throws -> Bool {
    try db.first("SELECT EXISTS (SELECT 1 FROM document WHERE \(isWithoutFile))") { $0.bool(0) } ?? false
  }

  fileprivate static func withoutFile(doi: String, in snapshot: Snapshot) throws -> [DocumentRecord] {
    let ids = try snapshot.db.texts(
      """
      SELECT id FROM document
      WHERE \(isWithoutFile) AND lower(json_extract(bibliography, '$.DOI')) = lower(?) ORDER BY id LIMIT 20
      """, [.text(doi)])
    return try ids.compactMap { try snapshot.find(DocumentRecord.self, id: $0) }
  }

  /// By which titles are compared.
  static func letters(_ text: String) -> String { foldedText(text).filter { $0.isLetter || $0.isNumber } }
}
