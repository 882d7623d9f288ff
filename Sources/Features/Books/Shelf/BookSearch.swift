import GRDB
import Store

/// What search finds of a book on the shelf.
enum BookSearch {
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try BookRecord.find(id, in: db) else { return [] }
    let facts = try record.facts.value()
    let quotes = try record.quotes.value().flatMap { [$0.text, $0.note] }
    let body =
      [
        facts.subtitle, facts.authors.joined(separator: ", "), facts.publisher, record.note, facts.description,
      ].compactMap(\.self) + quotes.compactMap(\.self) + facts.isbns.prefix(10)
    return [
      SearchEntry(
        collection: BookRecord.collectionName, item: id, part: 0, at: record.addedAt.milliseconds, title: record.title,
        body: body.filter { !$0.isEmpty }.joined(separator: "\n"),
        tags: try record.tags.value().joined(separator: "\n"))
    ]
  }
}
