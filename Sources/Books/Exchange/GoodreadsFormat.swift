import Contract
import Exchange
import Kit

/// The library export of Goodreads: one row per book, its shelves as tags, its review and private notes as the note.
enum GoodreadsFormat {
  static func isIts(_ table: NamedRows) -> Bool { table.has("Book Id", "Title", "Exclusive Shelf") }

  static func read(_ table: NamedRows) -> BookFile {
    var file = BookFile()
    for row in table.rows where !row.isBlank {
      let place = ImportNote.Place(number: row.number, line: row.line)
      var facts = BookFacts()
      let split = BookSeries.split(row["Title"])
      (facts.title, facts.series) = (split?.title ?? row["Title"], split?.series)
      facts.authors = ([row["Author"]] + BookCells.list(row["Additional Authors"], by: ",")).compactMap(\.self)
      facts.publisher = row["Publisher"]
      facts.published = row["Year Published"] ?? row["Original Publication Year"]
      var cells = CellParser(at: place, title: row["Title"])
      facts.isbns = cells.isbns([row["ISBN13"], row["ISBN"]].compactMap(\.self))
      facts.pageCount = row["Number of Pages"].flatMap { Int($0) }
      // Goodreads writes 0.00 for a book without ratings.
      facts.averageRating = row["Average Rating"].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
      facts.bound()
      var content = ShelfContent()
      cells.take(stars: row["My Rating"], into: &content)
      file.notes += cells.notes
      let addedAt = read(row, into: &content, place, &file)
      file.rows.append(
        BookFile.Row(
          book: ImportedBook(
            origin: row["Book Id"].map { "goodreads/\($0)" } ?? BookCells.origin(.goodreads, facts), facts: facts,
            content: content, addedAt: addedAt, row: row.members),
          place: place))
    }
    return file
  }

  private static let ownShelves: Set = ["read", "currently-reading", "to-read"]

  private static func read(
    _ row: NamedRows.Row, into content: inout ShelfContent, _ place: ImportNote.Place, _ file: inout BookFile
  ) -> Instant? {
    let title = row["Title"] ?? ""
    let shelf = row["Exclusive Shelf"]
    let shelves = BookCells.list(row["Bookshelves"], by: ",")
    content.status = shelf.flatMap(BookCells.status) ?? .want
    // A shelf that the user created has no status.
    let own = shelf.flatMap { BookCells.status($0) == nil ? $0 : nil }
    // Goodreads lists its own three shelves too; `dnf` beside one of them is the user's.
    content.tags = TagList.possible(
      (own.map { [$0] } ?? []) + shelves.filter { $0 != shelf && !ownShelves.contains($0) })
    if let text = row["Date Read"] {
      content.finished = BookCells.day(text)
      if content.finished == nil { file.notes.append(ImportNote(.badDate, at: place, title: title, isSkipped: false)) }
    }
    content.earlierReads = BookCells.reads(row["Read Count"], beside: content)
    // Both are HTML there. The public review comes first, then the private notes.
    content.note = [row.exact("My Review"), row.exact("Private Notes")].compactMap { $0.map(BookCells.note) }
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
    if content.status == .read { content.percent = 100 }
    content.owned = BookCells.isYes(row["Owned Copies"])
    return row["Date Added"].flatMap(BookCells.day).map(BookCells.instant)
  }
}
