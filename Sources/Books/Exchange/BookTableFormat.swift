import Contract
import Exchange
import Kit
import Wire

/// Our own table, and any other with a column of titles. Unknown columns stay in the stored row.
enum BookTableFormat {
  private static let table = [
    BookColumn("id") { $0.record.id }, BookColumn("title") { $0.facts.title },
    BookColumn("subtitle") { $0.facts.subtitle }, BookColumn("authors") { $0.facts.authors.joined(separator: "; ") },
    BookColumn("publisher") { $0.facts.publisher }, BookColumn("published") { $0.facts.published },
    BookColumn("isbn") { $0.facts.isbns.joined(separator: "; ") },
    BookColumn("pages") { $0.facts.pageCount.map(String.init) }, BookColumn("language") { $0.facts.language },
    BookColumn("status") { $0.content.status.rawValue },
    BookColumn("started") { $0.content.started?.description },
    BookColumn("finished") { $0.content.finished?.description },
    BookColumn("added") { $0.record.addedAt.description }, BookColumn("page") { $0.content.page.map(String.init) },
    BookColumn("percent") { $0.content.percent.map { String($0) } }, BookColumn(Stars.name) { $0.content.stars },
    BookColumn("note") { $0.content.note }, BookColumn("quotes") { try json($0.content.quotes) },
    BookColumn("tags") { $0.content.tags.joined(separator: "; ") },
    BookColumn("citation key") { $0.record.citationKey },
    BookColumn("catalogue ids") { $0.sameAs.joined(separator: "; ") },
    BookColumn("description") { $0.facts.description }, BookColumn("link") { $0.facts.infoLink },
    BookColumn("series") { BookSeries.cell($0.facts.series) },
    BookColumn("earlier reads") { try json($0.content.earlierReads) },
    BookColumn("read count") { readCount($0.content) },
    BookColumn("owned") { $0.content.owned ? "yes" : nil }, BookColumn("place") { $0.content.place },
    BookColumn("lent to") { $0.content.lentTo }, BookColumn("rank") { $0.content.rank },
    BookColumn("revision") { $0.revision },
  ]
  static let columns = table.map(\.name)

  static func isIts(_ table: NamedRows) -> Bool { table.has("title") }

  static func read(_ table: NamedRows) -> BookFile {
    var file = BookFile()
    for row in table.rows.lazy.map(GuardedCells.opened) where !row.isBlank {
      let place = ImportNote.Place(number: row.number, line: row.line)
      var facts = BookFacts()
      facts.title = row["title"]
      facts.subtitle = row["subtitle"]
      facts.authors = BookCells.list(row["authors"] ?? row["author"], by: ";")
      facts.publisher = row["publisher"]
      facts.published = row["published"] ?? row["year"] ?? row["publication year"]
      var cells = CellParser(at: place, title: row["title"])
      facts.isbns = cells.isbns(BookCells.list(row["isbn"] ?? row["isbn13"] ?? row["isbn10"], by: ";"))
      facts.pageCount = (row["pages"] ?? row["number of pages"]).flatMap { Int($0) }
      facts.language = row["language"]
      facts.description = row.exact("description")
      facts.infoLink = row["link"]
      facts.series = series(row)
      facts.bound()
      var content = content(row, place, &file)
      content.status = cells.status(row["status"] ?? row["shelf"])
      cells.take(stars: row[Stars.name], into: &content)
      content.earlierReads = earlierReads(row, content)
      file.notes += cells.notes
      let added = row["added"] ?? row["date added"]
      file.rows.append(
        BookFile.Row(
          book: ImportedBook(
            origin: row["id"].map { "csv/\($0)" } ?? BookCells.origin(.csv, facts), facts: facts, content: content,
            addedAt: added.flatMap { Instant($0) ?? BookCells.day($0).map(BookCells.instant) },
            citationKey: row["citation key"], sameAs: BookCells.list(row["catalogue ids"], by: ";"),
            revision: row["revision"], row: row.members),
          place: place))
    }
    return file
  }

  /// Our own cell, or calibre's two columns.
  private static func series(_ row: NamedRows.Row) -> [BookSeries]? {
    if let number = row["series_index"] ?? row["series index"] ?? row["series number"] {
      return BookSeries(row["series"], number).map { [$0] }
    }
    return BookSeries.read(cell: row["series"])
  }

  private static func earlierReads(_ row: NamedRows.Row, _ content: ShelfContent) -> [EarlierRead] {
    var content = content
    if let json = row["earlier reads"],
      let reads = try? JSONDecoding.decode([EarlierRead].self, from: JSONParser.parse(json))
    {
      content.earlierReads = Array(reads.prefix(ShelfContent.most))
    }
    return BookCells.reads(row["read count"], beside: content)
  }

  private static func content(
    _ row: NamedRows.Row, _ place: ImportNote.Place, _ file: inout BookFile
  ) -> ShelfContent {
    var content = ShelfContent()
    var isBad = false
    func day(_ names: String...) -> CalendarDay? {
      guard let text = names.lazy.compactMap({ row[$0] }).first else { return nil }
      let day = BookCells.day(text)
      if day == nil { isBad = true }
      return day
    }
    content.started = day("started", "date started")
    content.finished = day("finished", "date finished", "date read")
    if let started = content.started, let finished = content.finished, finished.daysSince1970 < started.daysSince1970 {
      content.started = nil
      isBad = true
    }
    if isBad { file.notes.append(ImportNote(.badDate, at: place, title: row["title"] ?? "", isSkipped: false)) }
    content.page = row["page"].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
    content.percent = row["percent"].flatMap { Double($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    content.note = row.exact("note") ?? row.exact("notes") ?? row.exact("review") ?? ""
    if let json = row["quotes"], let quotes = try? JSONDecoding.decode([BookQuote].self, from: JSONParser.parse(json)) {
      content.quotes = Array(quotes.prefix(ShelfContent.most))
    }
    content.tags = TagList.possible(BookCells.list(row["tags"], by: ";"))
    content.owned = BookCells.isYes(row["owned"])
    content.place = BookCells.line(row["place"] ?? row["location"])
    content.lentTo = BookCells.line(row["lent to"] ?? row["loaned to"])
    content.rank = row["rank"].flatMap { Rank.isSound($0) ? $0 : nil }
    return content
  }

  /// The facts as they are read back from a line: a cell cannot hold a name with a semicolon.
  static func facts(in line: String) throws -> BookFacts? {
    try read(NamedRows(DelimitedText(Array((head() + line).utf8)))).rows.first?.book.facts
  }

  /// The table as a text; `guarded` protects cells with `GuardedCells`.
  static func text(of books: [ExportedBook], guarded: Bool) throws -> String {
    guard guarded else { return try head() + books.map(line).joined() }
    let lines = try books.map { GuardedCells.line(try table.cells(of: $0), of: columns) }
    return DelimitedText.line(columns + [GuardedCells.column]) + lines.joined()
  }

  private static func head() -> String { DelimitedText.line(columns) }

  static func line(_ book: ExportedBook) throws -> String { DelimitedText.line(try table.cells(of: book)) }

  private static func json(_ list: [some Encodable]) throws -> String? {
    list.isEmpty ? nil : String(decoding: try JSONEncoding.bytes(of: list), as: UTF8.self)
  }

  private static func readCount(_ content: ShelfContent) -> String? {
    let times = content.earlierReads.count + (content.status == .read ? 1 : 0)
    return times > 0 ? String(times) : nil
  }
}
