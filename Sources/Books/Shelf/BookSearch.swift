import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search source of books on the shelf.
enum BookSearch {
  static let tags = TagTable(
    "bookName", of: BookRecord.self, item: "book", tag: "name", where: "kind = 'tag'")

  static let source = SearchSource(
    collection: BookRecord.collectionName, label: Text("books.collection"), scope: .books,
    states: BookStatus.allCases.map { status in
      SearchState(
        status.rawValue, where: "EXISTS (SELECT 1 FROM book WHERE id = entry.item AND status = ?)",
        [.text(status.rawValue)],
        rows: books("SELECT id FROM book WHERE status = ? ORDER BY addedAt DESC", [.text(status.rawValue)]))
    },
    tagged: tags.tagged, tags: tags.tags,
    from: { name, _ in
      let written = "FROM json_each(book.facts, '$.authors') AS author WHERE instr(fold(author.value), ?)"
      return SearchCondition(
        "EXISTS (SELECT 1 FROM book WHERE id = entry.item AND EXISTS (SELECT 1 \(written)))", [.text(name)],
        rows: books("SELECT id FROM book WHERE EXISTS (SELECT 1 \(written)) ORDER BY addedAt DESC", [.text(name)]))
    },
    lead: { found, _ in SearchLead(found, of: BookRecord.collectionName) },
    passages: PassageSource(table: BookRecord.tableName, where: "quotes <> '[]' OR note <> ''") { item, snapshot in
      guard let book = try snapshot.find(BookRecord.self, id: item)?.content else { return [] }
      return (book.quotes.map { Passage($0.text, note: $0.note) } + [Passage(book.note)]).compactMap(\.self)
    })

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
        record.content.place, record.content.lentTo,
      ].compactMap(\.self) + (facts.series ?? []).map(\.name) + quotes.compactMap(\.self) + facts.isbns.prefix(10)
    return [
      SearchEntry(
        collection: BookRecord.collectionName, item: id, part: 0, at: record.addedAt.milliseconds, title: record.title,
        body: body.filter { !$0.isEmpty }.joined(separator: "\n"),
        tags: record.content.tags.joined(separator: "\n"))
    ]
  }
}
