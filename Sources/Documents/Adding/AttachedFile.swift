import Exchange
import Kit
import PDF
import SQLite
import SearchEngine
import Store

/// Documents without a file, and the files that turn out to be theirs.
extension Incoming {
  /// DOIs of a paper are on its first pages. A DOI alone may be that of a paper that it cites, so the title must be
  /// there as well.
  private static let mostPages = 3
  private static let mostIdentifiers = 20

  /// Gives the file to the document that waits for it, if there is one.
  ///
  /// - Returns: the document with the file; nil if none waits for it.
  /// - Throws: `DatabaseError`, `StoreError`.
  func attach(from source: AddDocument.Source, in transaction: Transaction) throws -> DocumentRecord? {
    guard let document = try waiting(in: transaction.snapshot) else { return nil }
    let changed = try replaceBytes(of: document, source: source, in: transaction)
    return try DocumentRules.arrive(
      changed, isComplete: !changed.keepsText || texts.count == info.pages.count, hasGivenTitle: true,
      in: transaction)
  }

  /// The document that an entry of a bibliography with this file was added as, else the one whose DOI and title are on
  /// the first pages.
  private func waiting(in snapshot: Snapshot) throws -> DocumentRecord? {
    if let known = try DocumentRecord.holding(blob.hash, in: snapshot) { return known.hasFile ? nil : known }
    // Text of a protected file is not compared with what others may read.
    guard !isProtected, try DocumentRecord.isAnyWithoutFile(in: snapshot.db) else { return nil }
    let words = [info.title ?? ""] + texts.prefix(Self.mostPages).map(\.text)
    let identifiers = words.flatMap { IdentifierScan.all(in: $0) }.prefix(Self.mostIdentifiers)
    let letters = DocumentRecord.letters(words.joined(separator: " "))
    for case .doi(let doi) in identifiers {
      let documents = try DocumentRecord.withoutFile(doi: doi.text, in: snapshot)
      let named = documents.first { document in
        let title = DocumentRecord.letters(document.title)
        return !title.isEmpty && letters.contains(title)
      }
      if let named { return named }
    }
    return nil
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
