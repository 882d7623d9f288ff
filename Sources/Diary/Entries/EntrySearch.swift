import Contract
import Kit
import SQLite
import SearchEngine
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
      var lead = SearchLead(found, of: EntryRecord.collectionName)
      try snapshot.db.each("SELECT day, writtenAt FROM diaryEntry WHERE id = ?", [.text(found.item)]) { row in
        (lead.day, lead.at) = (CalendarDay(row.text(0)), row.integer(1))
      }
      return lead
    })

  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    try EntryRecord.find(id, in: db).map(entries) ?? []
  }

  static func entries(of record: EntryRecord) -> [SearchEntry] {
    let text = EntryText(record.text)
    let beginning = text.titleBeginning
    return [
      SearchEntry(
        collection: EntryRecord.collectionName, item: record.id, part: 0, at: moment(of: record),
        title: beginning ?? text.title, body: beginning == nil ? text.body : text.text, tags: "")
    ]
  }
}

extension EntrySearch {
  /// As old as the day that it is about, and not as the writing: an old diary is typed in some evening. Days are those of
  /// UTC here, which no zone has to be read for: a later day comes first, and of one day what was written later.
  private static func moment(of record: EntryRecord) -> Int64 {
    let length: Int64 = 86_400_000
    let start = Int64(record.day.daysSince1970) * length
    return min(max(record.writtenAt.milliseconds, start), start + length - 1)
  }
}

extension EntryText {
  /// More letters than a title has: the line is a paragraph.
  private static let longestTitle = 100

  /// What search and links take for the title where somebody wrote a paragraph and no title: its beginning, cut between
  /// words if there are any. Words in a title count for eight, and are offered to whoever types them. For search the whole
  /// text is then the body, so that no words are torn apart. Nil of a line that may be a title.
  var titleBeginning: String? {
    let title = title
    guard title.utf8.count > Self.longestTitle,
      let end = title.index(title.startIndex, offsetBy: Self.longestTitle, limitedBy: title.endIndex),
      end < title.endIndex
    else { return nil }
    let middle = title.index(title.startIndex, offsetBy: Self.longestTitle / 2)
    return title[..<(title[middle..<end].lastIndex(where: \.isWhitespace) ?? end)] + "…"
  }
}
