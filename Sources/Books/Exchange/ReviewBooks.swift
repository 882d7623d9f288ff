import Contract
import Exchange
import Kit
import Store
import Wire

/// A row of a file that waits for a decision, in replies.
typealias BookReview = ItemJSON<ShownReview>

/// A row of a file that waits for a decision, as one client sees it.
struct ShownReview: ShownItem {
  static let name = "BookReview"

  let item: BookReviewRecord
  let book: ImportedBook
  let candidates: [ShownCandidate]
  let view: BookView

  init(_ record: BookReviewRecord, _ view: BookView) throws {
    (item, book, self.view) = (record, try record.book.value(), view)
    candidates = try ShownCandidate.all(of: record, view)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("origin", "The other program's id for it.", example: "goodreads/30091914") { $0.book.origin },
    DerivedMember("title", "The title, if any.", example: "Human Acts") { $0.book.facts.title },
    DerivedMember("authors", "Its authors.", example: ["Han Kang"]) { $0.book.facts.authors },
    DerivedMember("isbn13", "Its ISBN.", example: "9781101906729") { $0.book.facts.isbns.first },
    DerivedMember("status", "The user's status in the file.", example: "read") {
      $0.book.content.status
    },
    DerivedMember("row", "The row as in the file.", example: ["Title": "Human Acts"]) {
      $0.book.row
    },
    DerivedMember("candidates", "Books that it may be, most similar first.", example: []) {
      try $0.candidates.map { try ItemJSON($0, isListed: true) }
    },
    DerivedMember("choices", "The choices that `books/decide` accepts for it.", example: ["same", "new", "skip"]) {
      shown in
      DecideBook.Choice.allCases.filter { $0 != .same || !shown.candidates.isEmpty }
    },
    DerivedMember("display", of: "BookReview.Display", "Strings for people.") {
      DerivedMember("title", "The title, or a note that it has none.", example: "Human Acts") {
        $0.book.facts.title ?? $0.view.words("books.noTitle")
      }
      DerivedMember("authors", "The authors, or a note that there are none.", example: "Han Kang") {
        $0.view.authors($0.book.facts).short
      }
      DerivedMember("reason", "Why it needs a decision, for people.", example: "It is much like an existing book.") {
        $0.view.words("books.review.\($0.item.reason.rawValue)")
      }
      DerivedMember(
        "candidates",
        "A line for each candidate: a description, the `book` to pass to `books/decide`, and their similarity.",
        example: ["Human Acts, Han Kang and 1 other, 2017, Hogarth, 9781101906729 (book=0192, 87 % alike)"]
      ) { shown in shown.candidates.map { $0.line(shown.view) } }
      DerivedMember(
        "differences",
        "For a `changed` row: a line for each field in which the file differs from the shelf.", example: []
      ) { try $0.differences }
    },
  ]

  static let example: BookReviewRecord = {
    var record = BookReviewRecord()
    (record.id, record.revision, record.line) = ("0195", 44, 3)
    record.createdAt = Instant(milliseconds: 1_795_225_445_678)
    record.updatedAt = record.createdAt
    return record
  }()

  private var differences: [String] {
    get throws {
      guard item.reason == .changed, let known = candidates.first?.book, let record = known.record else { return [] }
      let (own, file) = (known.facts, book.facts)
      // The fields that identify a book; not texts and links.
      let identifying = ["title", "subtitle", "authors", "publisher", "published", "isbns", "pageCount"]
      let lines = try BookFacts.fields.differing(own, file, empty: BookFacts()).filter { identifying.contains($0.name) }
        .map { field in
          view.words(
            "books.review.differs",
            [
              "field": field.input?.name ?? field.name, "own": try field.words(of: own),
              "file": try field.words(of: file),
            ])
        }
      let place = ImportNote.Place(number: item.line)
      return try lines
        + ContentDifferences.notes(record.content, against: book.content, at: place, title: "")
        .compactMap { $0.text.map(view.words) }
    }
  }
}

/// A book that a row may be.
struct ShownCandidate: ShownObject {
  static let name = "BookReview.Candidate"
  let book: ShownBook
  let score: Double

  static let members = Members<Self> {
    DerivedMember("book", "A book on the shelf.", example: try? Book.example.value) {
      try Book($0.book, isListed: true)
    }
    DerivedMember("score", "The similarity of the two, 0 to 1.", example: 0.87) { $0.score }
  }

  /// The candidates of a row that are still on the shelf, the most similar first.
  static func all(of record: BookReviewRecord, _ view: BookView) throws -> [Self] {
    try record.candidates.value().compactMap { candidate in
      guard let known = try view.snapshot.find(BookRecord.self, id: candidate.book) else { return nil }
      return Self(book: try view.shown(known), score: (candidate.score * 100).rounded() / 100)
    }
  }

  /// A line for people, with the id that `books/decide` accepts.
  func line(_ view: BookView) -> String {
    let parts = [book.title, book.authors.short, book.edition].compactMap(\.self)
    return view.words(
      "books.review.candidate",
      ["book": parts.joined(separator: ", "), "id": book.id, "percent": String(Int((score * 100).rounded()))])
  }
}

enum ReviewBooks: ArrivalList {
  static let name = "books/review"
  static let summary = "Rows of imported files that need a decision, oldest first; decide with `books/decide`."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 500
  }

  static let condition = "decision IS NULL"

  static func show(in snapshot: Snapshot) -> (BookReviewRecord) throws -> BookReview {
    let view = BookView(in: snapshot)
    return { try BookReview(ShownReview($0, view)) }
  }
}
