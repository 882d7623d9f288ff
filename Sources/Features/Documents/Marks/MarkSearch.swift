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
    // Not the whole record: its anchor is JSON, and decoding that costs more than all the rest.
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT updatedAt, text FROM memo WHERE id = ?"), arguments: [id])
    guard let row else { return [] }
    return [
      SearchEntry(
        collection: MemoRecord.collectionName, item: id, part: 0, at: row[0], title: "", body: row[1], tags: "")
    ]
  }
}
