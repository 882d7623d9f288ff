import Contract
import Exchange
import Kit
import Wire

/// A book in an imported file.
struct ImportedBook: Codable, Sendable {
  /// Its id in the other program, `goodreads/2767052`: the same in every file that has it.
  var origin: String
  var facts: BookFacts
  var content: ShelfContent
  /// When it was added to the shelf there.
  var addedAt: Instant?
  var citationKey: String?
  var sameAs: [String] = []
  /// The path of its cover on this machine. It is not stored with the row, which an archive or another device may have
  /// written.
  var cover: String?
  /// For a file of our own: the state of the book at its export. See `ExportedBook`.
  var revision: String?
  /// The row itself, so that nothing of it is lost.
  var row: JSONObject
  /// For the row that a book stores: the last rows of other files. See `BookRecord.importedRows`.
  var others: [ImportedBook]?

  private enum CodingKeys: String, CodingKey {
    case origin, facts, content, addedAt, citationKey, sameAs, revision, row, others
  }
}

extension ImportedBook {
  /// - Throws: `StoreError.broken` or `RPCError.invalidParams` for a value that no shelf has.
  func check() throws {
    try BookFacts.fields.check(facts)
    try ShelfContent.fields.check(content)
  }

  /// Whether its origin is an id from the other program; otherwise the origin is its ISBN or its title.
  var hasName: Bool {
    // A Kindle has only titles, from which the series has been split.
    program.map { $0 != .kindle && !sameBytes(origin, BookCells.origin($0, facts)) } ?? true
  }

  var isNamedByTitle: Bool { !hasName && facts.isbns.isEmpty }
}

/// The content of an imported file.
struct BookFile: Sendable {
  struct Row: Sendable {
    var book: ImportedBook
    var place: ImportNote.Place
    /// The paths of the book's files on this machine.
    var files: [String] = []
  }

  var rows: [Row] = []
  /// Notes on rows.
  var notes: [ImportNote] = []
}

/// A format of book files for import.
enum BookFormat: String, Choice {
  case goodreads, storygraph, csv, jsonl, bibtex, ris, csl, kindle, koreader, kobo, calibre

  /// Whether all its rows have ids of the program that wrote them, which distinguish its books.
  var hasIDs: Bool { self == .goodreads || self == .jsonl || self == .kobo || self == .calibre }
}

/// The columns and words that table formats share.
enum BookCells {
  /// A day as spreadsheets and programs write it, year first: `2019/07/14`, `2019-7-4`, `2019.07.14`.
  static func day(_ text: String) -> CalendarDay? {
    let parts = text.split(whereSeparator: { "/-.".contains($0) || $0 == "T" || $0 == " " }).prefix(3).map(String.init)
    guard parts.count == 3, parts[0].utf8.count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  /// Noon UTC of a day without a time: it is that day nearly everywhere.
  static func instant(_ day: CalendarDay) -> Instant {
    Instant(milliseconds: Int64(day.daysSince1970) * 86_400_000 + 43_200_000)
  }

  /// Parses the status words of all these programs.
  static func status(_ text: String) -> BookStatus? {
    switch text.lowercased().filter({ $0.isLetter }) {
    case "read", "finished", "읽음", "완독": .read
    case "currentlyreading", "reading", "paused", "onhold", "읽는중": .reading
    case "toread", "want", "wanttoread", "wishlist", "읽고싶은책": .want
    case "didnotfinish", "dnf", "abandoned", "givenup", "gaveup", "unfinished", "중단": .abandoned
    default: nil
    }
  }

  /// Whether a cell says yes, as a word or as a number of copies.
  static func isYes(_ text: String?) -> Bool {
    guard let text = text?.lowercased() else { return false }
    return ["yes", "true", "y", "x"].contains(text) || Int(text) ?? 0 > 0
  }

  /// A text on one line, shortened to its limit.
  static func line(_ text: String?) -> String? {
    text?.shortened(to: BookFacts.longestLine).text.readable
  }

  /// The plain text of a web editor's HTML: `<br/>` is a line end; of other tags the content stays.
  static func note(_ html: String) -> String { CatalogueText(html: html).text }

  /// The earlier reads of a book that another program counts: those with a day, and as many without one as are missing
  /// from its count.
  static func reads(_ count: String?, beside content: ShelfContent) -> [EarlierRead] {
    let known = content.earlierReads.count + (content.status == .read ? 1 : 0)
    let missing = min(max((count.flatMap { Int($0) } ?? 0) - known, 0), mostReads)
    return EarlierRead.inOrder(
      content.earlierReads + (0..<missing).map { _ in EarlierRead(status: .read) })
  }

  /// The most reads without a day: a greater count is no count of reads.
  private static let mostReads = 100

  static func list(_ text: String?, by separator: Character) -> [String] {
    (text ?? "").split(separator: separator).compactMap { String($0).readable }
  }

  /// An origin for a row without an id: its ISBN, else its title and author.
  static func origin(_ format: BookFormat, _ facts: BookFacts) -> String {
    if let isbn = facts.isbns.first { return "\(format.rawValue)/isbn/\(isbn)" }
    let words = ([facts.title ?? ""] + facts.authors.prefix(1)).map(BookLikeness.letters).joined(separator: "/")
    return "\(format.rawValue)/\(words)"
  }
}
