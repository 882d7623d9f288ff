import Contract
import Store
import Wire

/// A row of a file that waits for a decision, as clients see it.
struct BookReview: Payload {
  struct Candidate: Payload {
    var book: Book
    var score: Double
    static let example = Candidate(book: .example, score: 0.87)
    static let fields = ["book": "A book on the shelf.", "score": "How much the two are alike, 0 to 1."]
  }

  struct Display: Payload {
    var title: String
    var authors: String
    var reason: String
    var candidates: [String]
    var differences: [String]
    static let example = Display(
      title: "Human Acts", authors: "Han Kang", reason: "A book that is there is much like it.",
      candidates: ["Human Acts, Han Kang and 1 other, 2017, Hogarth, 9781101906729 (book=0192, 87 % alike)"],
      differences: [])
    static let fields = [
      "title": "The title, or that there is none.", "authors": "The authors, or that nobody is named.",
      "reason": "Why it waits, for people.",
      "candidates":
        "A line for each candidate: what it is, the `book` that `books/decide` takes, and how alike they are.",
      "differences": "Of a `changed` row: a line for each field of which the file says something else than the shelf.",
    ]
  }

  var id: BookReviewID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var origin: String
  var line: Int
  var title: String?
  var authors: [String]
  var isbn13: String?
  var status: BookStatus
  var row: JSONObject
  var reason: BookReviewRecord.Reason
  var candidates: [Candidate]
  var choices: [DecideBook.Choice]
  var display: Display

  static let example = BookReview(
    id: "0195", revision: 44, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), origin: "goodreads/30091914", line: 3, title: "Human Acts",
    authors: ["Han Kang"], isbn13: "9781101906729", status: .read, row: ["Title": "Human Acts"], reason: .similar,
    candidates: [.example], choices: [.same, .new, .skip], display: .example)
  static let fields = [
    "id": "The row, for `books/decide`.", "revision": "Changes with the decision. Compared for equality only.",
    "createdAt": "When it was imported.", "updatedAt": "When it last changed.",
    "origin": "What the other program calls it.", "line": "In which line of the file it begins.",
    "title": "The title, if it has one.", "authors": "Who wrote it.", "isbn13": "Its number.",
    "status": "What the file says that the reader does with it.", "row": "The row as it stands in the file.",
    "reason":
      "`changed`: the file and the library have changed the same book; `noTitle`; `numberOfAnother`: it has the number of "
      + "a book that is called otherwise; `repeated`: the file has it twice, with different words; `similar`: a book that "
      + "is there is much like it.",
    "candidates": "Books that it may be, the most alike first.", "choices": "What `books/decide` takes for it.",
    "display": "Strings for people.",
  ]
}

extension BookReview.Candidate {
  /// The candidates of a row that are still on the shelf, the most alike first.
  static func all(of record: BookReviewRecord, _ view: BookView) throws -> [Self] {
    try record.candidates.value().compactMap { candidate in
      guard let known = try view.snapshot.find(BookRecord.self, id: candidate.book) else { return nil }
      return Self(book: try view.book(known), score: (candidate.score * 100).rounded() / 100)
    }
  }

  /// One in words, with the id that `books/decide` takes.
  func line(_ view: BookView) -> String {
    let parts = [book.display.title, book.display.authors, book.display.edition].compactMap(\.self)
    return view.words(
      "books.review.candidate",
      [
        "book": parts.joined(separator: ", "), "id": book.id.text, "percent": String(Int((score * 100).rounded())),
      ])
  }
}

extension BookReview {
  init(_ record: BookReviewRecord, _ view: BookView) throws {
    let book = try record.book.value()
    let candidates = try Candidate.all(of: record, view)
    self.init(
      id: BookReviewID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, origin: book.origin, line: record.line, title: book.facts.title,
      authors: book.facts.authors, isbn13: book.facts.isbns.first, status: book.content.status, row: book.row,
      reason: record.reason, candidates: candidates,
      choices: DecideBook.Choice.allCases.filter { $0 != .same || !candidates.isEmpty },
      display: Display(
        title: book.facts.title ?? view.words("books.noTitle"), authors: view.authors(book.facts).short,
        reason: view.words("books.review.\(record.reason.rawValue)"), candidates: candidates.map { $0.line(view) },
        differences: try Self.differences(record, book, view)))
  }

  private static func differences(
    _ record: BookReviewRecord, _ book: ForeignBook, _ view: BookView
  ) throws -> [String] {
    guard record.reason == .changed, let candidate = try record.candidates.value().first,
      let known = try view.snapshot.find(BookRecord.self, id: candidate.book)
    else { return [] }
    let facts = try known.facts.value()
    let pairs: [(String, String?, String?)] = [
      ("title", facts.title, book.facts.title), ("subtitle", facts.subtitle, book.facts.subtitle),
      ("authors", list(facts.authors), list(book.facts.authors)),
      ("publisher", facts.publisher, book.facts.publisher), ("published", facts.published, book.facts.published),
      ("isbn", list(facts.isbns), list(book.facts.isbns)),
      ("pageCount", facts.pageCount.map(String.init), book.facts.pageCount.map(String.init)),
    ]
    let lines = pairs.compactMap { field, own, file -> String? in
      guard let own, let file, !sameBytes(own, file) else { return nil }
      return view.words("books.review.differs", ["field": field, "own": own, "file": file])
    }
    let place = ImportNote.Place(number: record.line)
    return lines
      + KeptBack.notes(try ShelfContent(known), against: book.content, at: place, title: "")
      .compactMap { $0.text.map(view.words) }
  }

  private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
}

enum ReviewBooks: ArrivalList {
  static let name = "books/review"
  static let summary = "Rows of imported files that want a decision, the oldest first; `books/decide` takes it."
  static let since = 1
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 500
  }

  static let condition = "decision IS NULL"

  static func show(in snapshot: Snapshot) -> (BookReviewRecord) throws -> BookReview {
    let view = BookView(in: snapshot)
    return { try BookReview($0, view) }
  }
}
