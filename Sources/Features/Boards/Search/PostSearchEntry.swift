import GRDB
import Store

/// What search finds of a post: its title, its text, and under the tags who wrote it, unless that is not to be known. What
/// each source says of it is an entry of its own, so that a board's search finds what the board shows.
enum PostSearchEntry {
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    try PostRecord.find(id, in: db).map { [entry(PostRecord.collectionName, id, $0)] } ?? []
  }

  static func accountEntries(of id: String, in db: Database) throws -> [SearchEntry] {
    try PostAccount.find(id, in: db).map { [entry(PostAccount.collectionName, id, $0)] } ?? []
  }

  private static func entry(_ collection: String, _ id: String, _ content: some PostContent) -> SearchEntry {
    let head = content.head
    return SearchEntry(
      collection: collection, item: id, part: 0, at: head.at.milliseconds, title: head.title, body: content.text,
      tags: head.isAnonymous ? "" : head.writer ?? head.address ?? "")
  }
}
