import Contract
import Exchange

/// The table that Goodreads and StoryGraph import. Goodreads has whole stars and one day of reading for a book.
extension GoodreadsFormat {
  private static let columns = [
    "Book Id", "Title", "Author", "Additional Authors", "ISBN", "ISBN13", "My Rating", "Publisher", "Number of Pages",
    "Year Published", "Date Read", "Date Added", "Bookshelves", "Exclusive Shelf", "My Review", "Read Count",
    "Owned Copies",
  ]

  static func text(of books: [ExportedBook]) -> String {
    DelimitedText.line(columns) + books.map { DelimitedText.line(cells(of: $0)) }.joined()
  }

  private static func cells(of book: ExportedBook) -> [String] {
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
    let reading: [String] = [
      day(content.finished), day(added), shelves.joined(separator: ", "), shelf, html(content.note), String(times),
      content.owned ? "1" : "0",
    ]
    return name + printing + reading
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
