import GRDB
import PDF
import Store
import Wire

extension Incoming {
  /// Writes all rows of a new document.
  func write(as plan: AddDocument.Plan, in transaction: Transaction) throws -> DocumentRecord {
    try transaction.keep(blob)
    let keepsText = !isProtected || plan.keepsText
    try writePDF(in: transaction, keepsText: keepsText)
    if !keepsText { transaction.services.documents.keep(texts, of: blob.hash) }
    let isComplete = texts.count == info.pages.count
    let record = try transaction.insert(
      DocumentRecord(
        id: plan.id, title: title(asked: plan.title, keepsText: keepsText), url: plan.source.url, hash: blob.hash,
        size: blob.size, pageCount: info.pages.count, isProtected: isProtected, keepsText: keepsText,
        state: isComplete || !keepsText ? .ready : .indexing, origins: JSONList.json(plan.source.origin.map { [$0] } ?? [])))
    try transaction.db.cachedStatement(sql: "INSERT OR IGNORE INTO documentBytes (hash, document) VALUES (?, ?)")
      .execute(arguments: [blob.hash, record.id])
    if record.state == .indexing {
      let services = transaction.services
      transaction.afterCommit { services.indexer.index(record.hash, with: services) }
    }
    return record
  }

  /// What the bytes say is kept under their hash; a document that was removed and comes again finds it there.
  private func writePDF(in transaction: Transaction, keepsText: Bool) throws {
    let db = transaction.db
    try db.cachedStatement(
      sql: """
        INSERT INTO pdf (hash, permanentID, updateID, title, author, permissions, signatures, pageCount)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING
        """
    ).execute(arguments: [
      blob.hash, info.identifier?.permanent, info.identifier?.update, isProtected ? nil : info.title,
      isProtected ? nil : info.author, info.permissions.rawValue, info.signatures, info.pages.count,
    ])
    let page = try db.cachedStatement(
      sql: """
        INSERT INTO pdfPage (hash, page, width, height, rotation, label, isBroken) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (hash, page) DO NOTHING
        """)
    for (number, info) in info.pages.enumerated() {
      try page.execute(arguments: [
        blob.hash, number, info.width, info.height, info.rotation, info.label, info.isBroken,
      ])
    }
    guard keepsText else { return }
    for text in texts { try KeptText.write(text, of: blob.hash, in: db) }
  }

  private func title(asked: String?, keepsText: Bool) -> String {
    if let asked { return asked }
    // A protected file's own title is part of what its password protects.
    let own = keepsText ? info.title?.trimmingBlanks() ?? "" : ""
    if !own.isEmpty { return String(own.prefix(1_000)) }
    return fileName.isEmpty ? String(blob.hash.prefix(8)) : fileName
  }
}

extension AddDocument.Source {
  /// Where it could be fetched again.
  var url: String? {
    if case .web(let url) = self { url } else { nil }
  }
}

extension String {
  func trimmingBlanks() -> String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
