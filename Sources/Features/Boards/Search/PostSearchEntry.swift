import GRDB
import Store

/// What search finds of a post: its title, its text, and under the tags who wrote it, unless that is not to be known.
enum PostSearchEntry {
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try PostRecord.find(id, in: db) else { return [] }
    return [
      SearchEntry(
        collection: PostRecord.collectionName, item: id, part: 0, at: record.head.at.milliseconds,
        title: record.head.title, body: record.text,
        tags: record.head.isAnonymous ? "" : record.head.writer ?? record.head.address ?? "")
    ]
  }
}
