import Contract
import Exchange
import Kit
import SQLite
import Wire

/// `statistics.sqlite3` of KOReader: when each of its books was begun. It has no passages and no status.
enum KOReaderStatistics {
  /// A page that was read is a row; ten years of reading are some hundred thousand.
  private static let mostRows = 2_000_000
  /// What its origins begin with: a sidecar of the same book is another file, with an origin of its own.
  static let origin = "koreader-statistics/"

  /// - Parameter day: the day of an instant in milliseconds, in the library's time zone.
  /// - Returns: nil for the database of another program.
  /// - Throws: `DatabaseError` for a damaged file, or the error of `checkCancelled`.
  static func read(
    _ database: borrowing ForeignDatabase, day: (Int64) -> CalendarDay, checkCancelled: () throws -> Void
  ) throws -> BookFile? {
    var starts: [Int64: Int64] = [:]
    var count = 0
    let isIts = try database.each(of: "page_stat_data", ["id_book", "start_time"], most: mostRows) { row in
      count += 1
      if count.isMultiple(of: 4_096) { try checkCancelled() }
      // Seconds, until the year 9999.
      guard case .integer(let book)? = row["id_book"], case .integer(let time)? = row["start_time"],
        (1...253_402_300_799).contains(time)
      else { return }
      starts[book] = min(starts[book] ?? time, time)
    }
    guard isIts else { return nil }
    var file = BookFile()
    let columns = ["id", "title", "authors", "series", "language", "md5"]
    _ = try database.each(of: "book", columns, most: mostRows) { row in
      try checkCancelled()
      func text(_ name: String) -> String? {
        guard case .text(let text)? = row[name], let text = text.readable, text != "N/A" else { return nil }
        return text
      }
      guard case .integer(let id)? = row["id"], let start = starts[id] else { return }
      var facts = BookFacts()
      facts.title = text("title")
      facts.authors = (text("authors") ?? "").split(whereSeparator: \.isNewline).compactMap { String($0).readable }
      facts.language = text("language")
      facts.series = BookSeries.read(cell: text("series"))
      facts.bound()
      var content = ShelfContent()
      content.started = day(start * 1_000)
      let members = columns.compactMap { name in
        text(name).map { JSONObject.Member(key: name, value: .string($0)) }
      }
      file.rows.append(
        BookFile.Row(
          book: ImportedBook(
            origin: origin + (text("md5") ?? String(BookCells.origin(.koreader, facts).dropFirst("koreader/".count))),
            facts: facts, content: content,
            row: JSONObject(members + [.init(key: "started", value: .integer(start))])),
          place: .init(number: file.rows.count + 1)))
    }
    return file
  }
}
