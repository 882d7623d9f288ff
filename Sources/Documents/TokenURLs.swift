import HTTP
import Kit
import SQLite
import Store
import Wire

/// The columns that contain a document's URLs. A library and an archive of an earlier version may have tokens in
/// them.
enum TokenURLs {
  /// How the text of each column is stored.
  private static let forms: [String: @Sendable (String) -> String] = ["url": url, "origins": origins]

  @Sendable static func url(_ text: String) -> String { WebURL.storable(text) }

  @Sendable static func origins(_ json: String) -> String {
    JSONList.json(JSONList.strings(json).map(WebURL.storable))
  }

  /// Removes the tokens from all documents and from the stored versions of documents.
  static func remove(in db: Database) throws {
    // Overwritten data must be erased from the file, also if SQLite was built without this default.
    let isSecure = try db.first("PRAGMA secure_delete") { $0.int(0) } ?? 0
    try db.execute("PRAGMA secure_delete = ON")
    defer { try? db.execute("PRAGMA secure_delete = \(isSecure == 2 ? "FAST" : isSecure == 1 ? "ON" : "OFF")") }
    for (column, form) in forms {
      try rewrite(in: db, "SELECT id, \(column) FROM document WHERE \(column) IS NOT NULL") { row in
        let text = row.text(1)
        let stored = form(text)
        guard !sameBytes(text, stored) else { return nil }
        return ("UPDATE document SET \(column) = ? WHERE id = ?", [.text(stored), .text(row.text(0))])
      }
    }
    try rewrite(
      in: db,
      "SELECT clock, place, before FROM changes WHERE collection = 'documents' AND before LIKE '%://%'"
    ) { row in
      guard var before = try? JSONParser.parse(row.bytes(2)).objectValue else { return nil }
      var isChanged = false
      for (column, form) in forms {
        guard let text = before[column]?.stringValue else { continue }
        let stored = form(text)
        if sameBytes(text, stored) { continue }
        before[column] = .string(stored)
        isChanged = true
      }
      guard isChanged else { return nil }
      return (
        "UPDATE changes SET before = ? WHERE clock = ? AND place = ?",
        [.text(JSONValue.object(before).description), .integer(row.integer(0)), .integer(row.integer(1))]
      )
    }
  }

  /// Runs the writes that `body` returns for the rows, after all rows were read.
  private static func rewrite(
    in db: Database, _ select: String, _ body: (Columns) -> (sql: String, values: [SQLValue])?
  ) throws {
    var writes: [(sql: String, values: [SQLValue])] = []
    try db.each(select) { row in if let write = body(row) { writes.append(write) } }
    for write in writes { try db.run(write.sql, write.values) }
  }
}
