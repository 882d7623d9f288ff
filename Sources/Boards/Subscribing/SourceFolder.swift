import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// A folder of sources, such as a category of an OPML file: the sources in it and in the folders below it.
struct SourceFolder {
  /// In no order.
  let sources: [String]

  static let limits = FieldLimits.length(1...32)

  /// - Parameter path: the folder's names, outermost first, in any case and width.
  /// - Throws: `notFound` if no source is in it; `DatabaseError`.
  init(_ path: [String], in snapshot: Snapshot) throws {
    let names = path.map(foldedText)
    var sources: [String] = []
    try snapshot.db.each("SELECT id, folder FROM boardSource WHERE folder IS NOT NULL") { row in
      let folder = JSONList.strings(row.text(1)).prefix(names.count).map(foldedText)
      if folder == names { sources.append(row.text(0)) }
    }
    guard !sources.isEmpty else {
      let title = path.joined(separator: " / ")
      throw RPCError(.notFound, text: Text("boards.noFolder", ["title": title]), data: ["folder": .string(title)])
    }
    self.sources = sources
  }

  init(sources: [String]) { self.sources = sources }

  /// A condition on `board.source`.
  var condition: (sql: String, values: [SQLValue]) {
    ("board.source IN (SELECT value FROM json_each(?))", [.text(JSONList.json(sources))])
  }

  /// The ids of its boards, in order.
  ///
  /// - Throws: `DatabaseError`.
  func boards(in db: Database) throws -> [String] {
    try db.texts("SELECT id FROM board WHERE \(condition.sql) ORDER BY id", condition.values)
  }
}
