import HTTP
import Kit
import PDF
import SQLite
import Store
import Wire

extension Incoming {
  /// Writes all rows of a new document.
  func write(as plan: AddDocument.Plan, in transaction: Transaction) throws -> DocumentRecord {
    try keepBytes(in: transaction)
    let keepsText = !isProtected || plan.keepsText
    try writePDF(in: transaction, keepsText: keepsText)
    if !keepsText { transaction.services.documents.store(texts, of: blob.hash) }
    let record = try transaction.insert(
      DocumentRecord(
        id: plan.id, title: title(asked: plan.title, keepsText: keepsText),
        // A protected file's metadata is part of the content that its password protects.
        author: plan.author ?? (keepsText ? info.author.flatMap(DocumentRecord.line) : nil), tags: plan.tags,
        url: plan.source.url, hash: blob.hash,
        size: blob.size, pageCount: info.pages.count, isProtected: isProtected, keepsText: keepsText,
        origins: JSONList.json(plan.source.origin.map { [$0] } ?? []),
        credential: isProtected ? plan.credential : nil))
    try DocumentBytes.note(blob.hash, of: record.id, validators: validators, in: transaction)
    indexRest(keepsText: keepsText, in: transaction)
    return try DocumentRules.arrive(
      record, isComplete: !keepsText || texts.count == info.pages.count, hasGivenTitle: plan.title != nil,
      in: transaction)
  }

  /// Extracts the text of the pages that were not read yet.
  func indexRest(keepsText: Bool, in transaction: Transaction) {
    guard keepsText else { return }
    let services = transaction.services
    transaction.afterCommit {
      if texts.count < info.pages.count {
        services.indexer.index(blob.hash, ahead: ahead, with: services)
      } else {
        services.thumbnails.prepare(blob.hash, with: services)
      }
    }
  }

  private static let insertPage = CachedStatement(
    """
    INSERT INTO pdfPage (hash, page, width, height, rotation, label, isBroken) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (hash, page) DO NOTHING
    """)

  /// Stores the facts about the bytes under their hash; a document that was removed and is added again finds them
  /// there.
  func writePDF(in transaction: Transaction, keepsText: Bool) throws {
    let db = transaction.db
    try db.run(
      """
      INSERT INTO pdf (hash, permanentID, updateID, title, author, permissions, signatures, pageCount,
        extractorVersion)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING
      """,
      [
        .text(blob.hash), .text(info.identifier?.permanent), .text(info.identifier?.update),
        .text(isProtected ? nil : info.title), .text(isProtected ? nil : info.author),
        .integer(Int64(info.permissions.rawValue)), .integer(info.signatures), .integer(info.pages.count),
        .integer(PageText.extractorVersion),
      ])
    for (number, info) in info.pages.enumerated() {
      try db.run(Self.insertPage) {
        $0.add(blob.hash)
        $0.add(number)
        $0.add(info.width)
        $0.add(info.height)
        $0.add(info.rotation)
        $0.add(info.label)
        $0.add(info.isBroken)
      }
    }
    guard keepsText else {
      // An earlier document may have had these bytes with `index`; this one does not.
      try db.run(
        "UPDATE pdfPage SET text = NULL, length = NULL, placement = NULL, unit = NULL, boxes = NULL WHERE hash = ?",
        [.text(blob.hash)])
      try db.run("DELETE FROM pdfPrint WHERE hash = ?", [.text(blob.hash)])
      try WorkerContents.forget(blob.hash, in: db)
      return
    }
    for text in texts { try PageTextCoding.write(text, of: blob.hash, in: db) }
  }

  private func title(asked: String?, keepsText: Bool) -> String {
    if let asked { return asked }
    // A protected file's own title is part of the content that its password protects.
    let own = keepsText ? info.title.flatMap(DocumentRecord.line).flatMap(DocumentRecord.meaningful) : nil
    return own ?? DocumentRecord.line(fileName) ?? String(blob.hash.prefix(8))
  }
}

extension DocumentRecord {
  /// A title or an author from a file or its name: at most 1,000 characters without control characters; nil if
  /// nothing remains.
  static func line(_ text: String) -> String? {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(1_000))
    let line = String(scalars).trimmingBlanks()
    return line.isEmpty ? nil : line
  }

  /// A file's own title; nil for one that a program put in and that says less than the name of the file, such as
  /// `untitled`, `Microsoft Word - my thesis.doc` or `paper.dvi`. A sentence that ends with the name of a file is a title.
  static func meaningful(_ title: String) -> String? {
    let folded = title.lowercased()
    guard !["untitled", "untitled document", "no title", "title", "document"].contains(folded) else { return nil }
    let programs = ["microsoft word - ", "microsoft excel - ", "microsoft powerpoint - "]
    guard !folded.contains(where: \.isWhitespace) || programs.contains(where: folded.hasPrefix) else { return title }
    let sources = [
      ".doc", ".docx", ".odt", ".rtf", ".tex", ".dvi", ".ps", ".indd", ".qxd", ".pdf", ".ppt", ".pptx", ".xls", ".xlsx",
    ]
    return sources.contains(where: folded.hasSuffix) ? nil : title
  }
}

extension String {
  func trimmingBlanks() -> String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
