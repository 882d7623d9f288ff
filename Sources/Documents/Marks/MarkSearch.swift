import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The searchable text of marks: the marked text, the user's notes and the names of bookmarks.
enum MarkSearch {
  static let highlights = source(
    HighlightRecord.collectionName, Text("documents.highlights"), .highlight,
    passages: PassageSource(table: HighlightRecord.tableName) { item, snapshot in
      let record = try snapshot.find(HighlightRecord.self, id: item)
      return [Passage(record?.keptWords, note: record?.note)].compactMap(\.self)
    })
  static let memos = source(
    MemoRecord.collectionName, Text("documents.memos"), .memo,
    passages: PassageSource(table: MemoRecord.tableName) { item, snapshot in
      [Passage(try snapshot.find(MemoRecord.self, id: item)?.text)].compactMap(\.self)
    })
  static let bookmarks = source(BookmarkRecord.collectionName, Text("documents.bookmarks"), .bookmark)

  private static func source(
    _ collection: String, _ label: Text, _ kind: ShownMark.Kind, passages: PassageSource? = nil
  ) -> SearchSource {
    SearchSource(
      collection: collection, label: label,
      states: [
        SearchState(kind.rawValue, where: "1"),
        SearchState(
          "orphan",
          where: """
            EXISTS (SELECT 1 FROM \(kind.rawValue) \
            WHERE id = entry.item AND state = '\(MarkState.orphan.rawValue)')
            """),
      ],
      lead: { found, snapshot in
        try ShownMark.find(kind, found.item, in: snapshot).map { mark in
          SearchLead(
            id: found.item, title: mark.item.title, isTitleOfOther: true, of: mark.document, page: mark.item.page,
            link: mark.item.link, at: found.hit.at)
        }
      }, passages: passages)
  }

  static func highlight(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try HighlightRecord.find(id, in: db) else { return [] }
    return [
      SearchEntry(
        collection: HighlightRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds,
        title: record.note ?? "", body: record.keptWords ?? "", tags: "")
    ]
  }

  private static let selectMemo = CachedStatement("SELECT updatedAt, text FROM memo WHERE id = ?")

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

  /// A bookmark without a name has no text.
  static func bookmark(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try BookmarkRecord.find(id, in: db), let title = record.title else { return [] }
    return [
      SearchEntry(
        collection: BookmarkRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds, title: "",
        body: title, tags: "")
    ]
  }
}
