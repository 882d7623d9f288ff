import GRDB
import Store

/// What search finds of a card.
enum ProjectSearch {
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try ProjectRecord.find(id, in: db) else { return [] }
    return [
      SearchEntry(
        collection: ProjectRecord.collectionName, item: id, part: 0, at: record.writtenAt.milliseconds,
        title: record.title, body: record.body, tags: try record.tagList.joined(separator: "\n"))
    ]
  }
}
