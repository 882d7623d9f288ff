import GRDB
import Store
import Wire

/// One way of going through the documents: which, in what order, and from where on.
///
/// A cursor is the sort key and the id of the last item, so that what is inserted meanwhile moves nothing.
struct Listing {
  typealias Cursor = (key: String, id: String)

  private let sort: ListDocuments.Sort
  private var condition = "1"
  private var values: [SQLValue] = []

  init(_ params: ListDocuments.Params) {
    sort = params.sort ?? .added
    let folded = foldedText(params.query ?? "")
    guard !folded.isEmpty else { return }
    switch params.match ?? .prefix {
    case .prefix:
      // Compared as bytes, which is how the index on fold(title) sorts; U+10FFFF comes behind every letter.
      condition = "fold(title) >= ? AND fold(title) < ?"
      values = [.text(folded), .text(folded + "\u{10FFFF}")]
    case .substring:
      condition = "instr(fold(title), ?) > 0"
      values = [.text(folded)]
    }
  }

  func count(in db: Database) throws -> Int {
    try db.first("SELECT count(*) FROM document WHERE \(condition)", values) { $0.int(0) } ?? 0
  }

  func records(behind cursor: Cursor?, offset: Int, limit: Int, in db: Database) throws -> [DocumentRecord] {
    var condition = condition
    var values = values
    if let cursor {
      condition += " AND (\(key), id) \(isDescending ? "<" : ">") (?, ?)"
      values += [keyValue(cursor.key), .text(cursor.id)]
    }
    values += [.integer(limit), .integer(offset)]
    let direction = isDescending ? "DESC" : "ASC"
    return try DocumentRecord.all(
      in: db, "WHERE \(condition) ORDER BY \(key) \(direction), id \(direction) LIMIT ? OFFSET ?", values)
  }

  /// How many items come before what follows the cursor.
  func place(behind cursor: Cursor, in db: Database) throws -> Int {
    let comparison = isDescending ? ">=" : "<="
    return try db.first(
      "SELECT count(*) FROM document WHERE \(condition) AND (\(key), id) \(comparison) (?, ?)",
      values + [keyValue(cursor.key), .text(cursor.id)]
    ) { $0.int(0) } ?? 0
  }

  /// `id/key`: an id has no slash.
  func cursor(of record: DocumentRecord) -> String {
    switch sort {
    case .added: "\(record.id)/\(record.createdAt.milliseconds)"
    case .recent: "\(record.id)/\(record.updatedAt.milliseconds)"
    case .title: "\(record.id)/\(foldedText(record.title))"
    }
  }

  func cursor(_ text: String) throws(RPCError) -> Cursor {
    guard let slash = text.firstIndex(of: "/"), sort == .title || Int64(text[text.index(after: slash)...]) != nil else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    }
    return (String(text[text.index(after: slash)...]), String(text[..<slash]))
  }

  private var key: String {
    switch sort {
    case .added: "createdAt"
    case .recent: "updatedAt"
    case .title: "fold(title)"
    }
  }

  private func keyValue(_ key: String) -> SQLValue {
    sort == .title ? .text(key) : .integer(Int64(key) ?? 0)
  }

  private var isDescending: Bool { sort == .recent }
}
