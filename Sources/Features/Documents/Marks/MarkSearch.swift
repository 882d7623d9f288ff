import GRDB
import Store

/// What search finds of marks: what was marked and what the reader wrote.
enum MarkSearch {
  static func highlight(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard
      let record = try HighlightRecord.fetchOne(
        db.cachedStatement(sql: "SELECT * FROM highlight WHERE id = ?"), arguments: [id])
    else { return [] }
    return [
      SearchEntry(
        collection: HighlightRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds,
        title: record.note ?? "", body: record.lines.map(\.text).joined(separator: "\n"), tags: "")
    ]
  }

  static func memo(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard
      let record = try MemoRecord.fetchOne(
        db.cachedStatement(sql: "SELECT * FROM memo WHERE id = ?"), arguments: [id])
    else { return [] }
    return [
      SearchEntry(
        collection: MemoRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds, title: "",
        body: record.text, tags: "")
    ]
  }
}
