import Contract
import Exchange
import Wire

/// The table that Goodreads and StoryGraph import. Goodreads has whole stars and one day of reading for a book.
///
/// A book that was imported from Goodreads has its other columns again. Its private notes, which follow the review in the
/// note, are never part of the review, since Goodreads publishes that.
extension GoodreadsFormat {
  private static let columns = [
    "Book Id", "Title", "Author", "Additional Authors", "ISBN", "ISBN13", "My Rating", "Publisher", "Number of Pages",
    "Year Published", "Date Read", "Date Added", "Bookshelves", "Exclusive Shelf", "My Review", "Private Notes",
    "Read Count", "Owned Copies",
  ]

  static func text(of books: [ExportedBook]) -> String {
    let rows = books.map(\.goodreads)
    var others: [String] = []
    // Positions on shelves belong to shelves that may be others now.
    var known = Set((columns + ["Bookshelves with positions"]).map { $0.lowercased() })
    for name in rows.lazy.flatMap(\.keys) where others.count < mostOthers && known.insert(name.lowercased()).inserted {
      others.append(name)
    }
    let lines = zip(books, rows).map { book, row in
      DelimitedText.line(cells(of: book, row) + others.map { row[$0]?.stringValue ?? "" })
    }
    return DelimitedText.line(columns + others) + lines.joined()
  }

  /// The most columns of imported rows. Goodreads has some thirty.
  private static let mostOthers = 100

  private static func cells(of book: ExportedBook, _ row: JSONObject) -> [String] {
    let (facts, content) = (book.facts, book.content)
    let origins = (try? book.record.origins.value()) ?? []
    let id = origins.lazy.compactMap { $0.split(separator: "/", maxSplits: 1) }.first {
      $0.count == 2 && $0[0] == "goodreads" && $0[1].allSatisfy(\.isNumber)
    }
    let shelf = shelf(content.status)
    // Shelves are separated by commas.
    let shelves = [shelf] + content.tags.map { $0.replacing(",", with: " ") }
    let added = CalendarDay(daysSince1970: Int(book.record.addedAt.milliseconds / 86_400_000))
    let times = content.earlierReads.count { $0.isWhole } + (content.status == .read ? 1 : 0)
    let name: [String] = [
      id.map { String($0[1]) } ?? "", facts.title.map { BookSeries.joined($0, facts.series) } ?? "",
      facts.authors.first ?? "",
      facts.authors.dropFirst().joined(separator: ", "),
    ]
    let printing: [String] = [
      facts.isbns.first.flatMap { ISBN(stored: $0)?.ten } ?? "", facts.isbns.first ?? "",
      content.wholeStars, facts.publisher ?? "",
      facts.pageCount.map(String.init) ?? "", facts.year.map(String.init) ?? "",
    ]
    let (review, notes) = split(content.note, by: row["Private Notes"]?.stringValue)
    let copies = row["Owned Copies"]?.stringValue.flatMap { Int($0) } ?? 0
    let reading: [String] = [
      day(content.finished), day(added), shelves.joined(separator: ", "), shelf, html(review), html(notes),
      String(times), content.owned ? String(max(copies, 1)) : "0",
    ]
    return name + printing + reading
  }

  /// The review and the private notes of a note. If it was changed so that they cannot be told apart, all of it is
  /// private.
  private static func split(_ note: String, by html: String?) -> (review: String, notes: String) {
    let notes = html.map(BookCells.note) ?? ""
    if notes.isEmpty { return (note, "") }
    let end = Array("\n\n\(notes)".utf8)
    guard note.utf8.count > end.count, note.utf8.suffix(end.count).elementsEqual(end) else { return ("", note) }
    return (String(decoding: note.utf8.dropLast(end.count), as: UTF8.self), notes)
  }

  private static func shelf(_ status: BookStatus) -> String {
    switch status {
    case .want: "to-read"
    case .reading: "currently-reading"
    case .read: "read"
    case .abandoned: "did-not-finish"
    }
  }

  /// `2019/07/14`
  private static func day(_ day: CalendarDay?) -> String {
    day?.description.replacing("-", with: "/") ?? ""
  }

  /// A review is HTML there.
  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\r\n", with: "<br/>").replacing("\n", with: "<br/>")
  }
}

extension ExportedBook {
  /// Its row in Goodreads' table at the last import; empty for a book that Goodreads never had.
  fileprivate var goodreads: JSONObject {
    record.importedRows.first { $0.origin.utf8.starts(with: "goodreads/".utf8) }?.row ?? [:]
  }
}
