import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search source of books on the shelf.
enum BookSearch {
  static let source = SearchSource(
    collection: BookRecord.collectionName, label: Text("books.collection"), scope: .books,
    states: BookStatus.allCases.map { status in
      SearchState(
        status.rawValue, where: "EXISTS (SELECT 1 FROM book WHERE id = entry.item AND status = ?)",
        [.text(status.rawValue)],
        rows: books("SELECT id FROM book WHERE status = ? ORDER BY addedAt DESC", [.text(status.rawValue)]))
    },
    tagged: { tag in
      SearchCondition(
        "EXISTS (SELECT 1 FROM bookName WHERE kind = 'tag' AND name = ? AND book = entry.item)", [.text(tag)],
        rows: books("SELECT book AS id FROM bookName WHERE kind = 'tag' AND name = ?", [.text(tag)]))
    },
    tags: { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT name, (SELECT value FROM book, json_each(book.tags) WHERE book.id = some AND fold(value) = name), count
        FROM (
          SELECT name, max(book) AS some, count(*) AS count FROM bookName
          WHERE kind = 'tag' AND name >= ? AND name < ? GROUP BY name ORDER BY count(*) DESC, name LIMIT ?)
        """)
    },
    lead: { found, _ in SearchLead(found, of: BookRecord.collectionName) })

  private static func books(_ sql: String, _ values: [SQLValue]) -> SearchRows {
    .items(of: BookRecord.collectionName, sql, values)
  }

  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try BookRecord.find(id, in: db) else { return [] }
    let facts = try record.facts.value()
    let quotes = record.content.quotes.flatMap { [$0.text, $0.note] }
    let body =
      [
        facts.subtitle, facts.authors.joined(separator: ", "), facts.publisher, record.content.note, facts.description,
      ].compactMap(\.self) + quotes.compactMap(\.self) + facts.isbns.prefix(10)
    return [
      SearchEntry(
        collection: BookRecord.collectionName, item: id, part: 0, at: record.addedAt.milliseconds, title: record.title,
        body: body.filter { !$0.isEmpty }.joined(separator: "\n"),
        tags: record.content.tags.joined(separator: "\n"))
    ]
  }
}
