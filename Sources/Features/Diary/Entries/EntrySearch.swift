import GRDB
import Store

/// What search finds of an entry.
enum EntrySearch {
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try EntryRecord.find(id, in: db) else { return [] }
    let text = EntryText(record.text)
    return [
      SearchEntry(
        collection: EntryRecord.collectionName, item: id, part: 0, at: record.writtenAt.milliseconds,
        title: text.title, body: text.body, tags: "")
    ]
  }
}
