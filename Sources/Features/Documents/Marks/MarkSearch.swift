import GRDB
import Store

/// What search finds of marks: what was marked and what the reader wrote.
enum MarkSearch {
  static func highlight(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try HighlightRecord.find(id, in: db) else { return [] }
    return [
      SearchEntry(
        collection: HighlightRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds,
        title: record.note ?? "", body: record.lines.map(\.text).joined(separator: "\n"), tags: "")
    ]
  }

  private static let selectMemo = KeptStatement("SELECT updatedAt, text FROM memo WHERE id = ?")

  static func memo(_ id: String, in db: Database) throws -> [SearchEntry] {
    let entry = try db.first(
      selectMemo, { $0.add(id) },
      { row in
        SearchEntry(
          collection: MemoRecord.collectionName, item: id, part: 0, at: row.integer(0), title: "", body: row.text(1),
          tags: "")
      })
    return entry.map { [$0] } ?? []
  }
}
