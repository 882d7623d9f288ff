import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search source of entries.
enum EntrySearch {
  static let tags = TagTable("diaryTag", of: EntryRecord.self, item: "entry")

  static let source: SearchSource = {
    var source = untagged
    (source.tagged, source.tags) = (tags.tagged, tags.tags)
    source.inJournal = { name, isPrefix in
      // Few journals are compared, instead of the entries.
      let names =
        "SELECT journal FROM diaryJournal WHERE \(isPrefix ? "fold(journal) >= ? AND fold(journal) < ?" : "fold(journal) = ?")"
      let condition = "journal <> '' AND journal IN (\(names))"
      let values: [SQLValue] = isPrefix ? [.text(name), .text(name + "\u{10FFFF}")] : [.text(name)]
      return SearchCondition(
        "EXISTS (SELECT 1 FROM diaryEntry WHERE id = entry.item AND \(condition))", values,
        rows: .items(
          of: EntryRecord.collectionName, "SELECT id FROM diaryEntry WHERE \(condition) ORDER BY day DESC", values))
    }
    return source
  }()

  private static let untagged = SearchSource(
    collection: EntryRecord.collectionName, label: Text("diary.collection"),
    states: [
      SearchState(
        "starred", where: "EXISTS (SELECT 1 FROM diaryEntry WHERE id = entry.item AND starred)",
        rows: .items(of: EntryRecord.collectionName, "SELECT id FROM diaryEntry WHERE starred ORDER BY day DESC"))
    ],
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
      var lead = SearchLead(found, of: EntryRecord.collectionName)
      // The same name as in lists; a text that begins with a picture is called by its first words.
      let beginning = found.title.hasPrefix("![") ? "substr(text, 1, 2000)" : "''"
      let sql = "SELECT day, writtenAt, \(beginning) FROM diaryEntry WHERE id = ?"
      try snapshot.db.each(sql, [.text(found.item)]) { row in
        (lead.day, lead.at) = (CalendarDay(row.text(0)), row.integer(1))
        lead.title = snapshot.name(of: TitledText(row.text(2).isEmpty ? found.title : row.text(2)))
      }
      return lead
    })

  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    try EntryRecord.find(id, in: db).map(entries) ?? []
  }

  static func entries(of record: EntryRecord) -> [SearchEntry] {
    let text = TitledText(record.text)
    let beginning = text.titleBeginning
    return [
      SearchEntry(
        collection: EntryRecord.collectionName, item: record.id, part: 0, at: moment(of: record),
        title: beginning ?? text.title, body: beginning == nil ? text.body : text.text,
        tags: (record.tags + record.details.words).joined(separator: "\n"))
    ]
  }
}

extension EntrySearch {
  /// The time for ranking: the day that the entry is about, not the time of writing, since an old diary may be typed in
  /// on one evening. Days are UTC days here, which needs no zone: a later day is first, and within a day the entry
  /// written later.
  private static func moment(of record: EntryRecord) -> Int64 {
    let length: Int64 = 86_400_000
    let start = Int64(record.day.daysSince1970) * length
    return min(max(record.writtenAt.milliseconds, start), start + length - 1)
  }
}
