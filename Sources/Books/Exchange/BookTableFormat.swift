import Contract
import Exchange
import Kit
import Wire

/// Our own table, and any other with a column of titles. Unknown columns stay in the stored row.
enum BookTableFormat {
  static let columns = [
    "id", "title", "subtitle", "authors", "publisher", "published", "isbn", "pages", "language", "status", "started",
    "finished", "added", "page", "percent", "rating", "note", "quotes", "tags", "citation key", "catalogue ids",
    "description", "link", "series", "earlier reads", "read count", "owned",
    "place", "lent to", "rank", "revision",
  ]

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
      cells.take(stars: row["rating"], into: &content)
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
    let lines = try books.map { GuardedCells.line(try cells(of: $0), of: columns) }
    return DelimitedText.line(columns + [GuardedCells.column]) + lines.joined()
  }

  private static func head() -> String { DelimitedText.line(columns) }

  static func line(_ book: ExportedBook) throws -> String { DelimitedText.line(try cells(of: book)) }

  private static func cells(of book: ExportedBook) throws -> [String] {
    let (facts, content) = (book.facts, book.content)
    let quotes =
      content.quotes.isEmpty ? "" : String(decoding: try JSONEncoding.bytes(of: content.quotes), as: UTF8.self)
    let reads =
      content.earlierReads.isEmpty
      ? "" : String(decoding: try JSONEncoding.bytes(of: content.earlierReads), as: UTF8.self)
    let times = content.earlierReads.count + (content.status == .read ? 1 : 0)
    let count = times > 0 ? String(times) : ""
    let published = facts.published ?? ""
    let numbers: [String] = [
      content.started?.description ?? "", content.finished?.description ?? "", book.record.addedAt.description,
      content.page.map(String.init) ?? "", content.percent.map { String($0) } ?? "",
      content.rating.map { String($0) } ?? "",
    ]
    let head: [String] = [
      book.record.id, facts.title ?? "", facts.subtitle ?? "", facts.authors.joined(separator: "; "),
      facts.publisher ?? "", published, facts.isbns.joined(separator: "; "), facts.pageCount.map(String.init) ?? "",
      facts.language ?? "", content.status.rawValue,
    ]
    let tail: [String] = [
      content.note, quotes, content.tags.joined(separator: "; "), book.record.citationKey,
      book.sameAs.joined(separator: "; "), facts.description ?? "", facts.infoLink ?? "",
      BookSeries.cell(facts.series), reads, count,
    ]
    let copy: [String] = [
      content.owned ? "yes" : "", content.place ?? "", content.lentTo ?? "", content.rank ?? "", book.revision,
    ]
    return head + numbers + tail + copy
  }
}
