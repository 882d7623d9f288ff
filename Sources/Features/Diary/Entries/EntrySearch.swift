import Contract
import GRDB
import Store
import Wire

/// What search finds of an entry.
enum EntrySearch {
  static let source = SearchSource(
    collection: EntryRecord.collectionName, label: Text("diary.collection"),
    since: { day in
      func entries(_ condition: String) -> SearchRows {
        .items(
          of: EntryRecord.collectionName, "SELECT id FROM diaryEntry WHERE \(condition) ORDER BY day DESC",
          [.text(day.description)])
      }
      return SearchCondition(
        "EXISTS (SELECT 1 FROM diaryEntry WHERE id = entry.item AND day >= ?)", [.text(day.description)],
        rows: entries("day >= ?"), others: entries("day < ?"))
    },
    lead: { found, snapshot in
      let day = try snapshot.db.first("SELECT day FROM diaryEntry WHERE id = ?", [.text(found.item)]) { $0.text(0) }
      return SearchLead(found, of: EntryRecord.collectionName, day: day.flatMap { CalendarDay($0) })
    })

  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    try EntryRecord.find(id, in: db).map(entries) ?? []
  }

  static func entries(of record: EntryRecord) -> [SearchEntry] {
    let text = EntryText(record.text)
    return [
      SearchEntry(
        collection: EntryRecord.collectionName, item: record.id, part: 0, at: record.writtenAt.milliseconds,
        title: text.title, body: text.body, tags: "")
    ]
  }
}
