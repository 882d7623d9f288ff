import Contract
import Kit
import Store
import Wire

enum DecideBook: WriteMethod {
  static let name = "books/decide"
  static let summary =
    "Decides what a row of an imported file is: an existing book, a new one, or nothing. Importing the file again does "
    + "not ask again."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  enum Choice: String, Contract.Choice {
    case same, new, skip
  }

  struct Params: Payload {
    var id: BookReviewID
    var choice: Choice?
    var book: BookID?
    var title: String?
    var ifRevision: Int64?
    static let example = Params(id: "0195", choice: .same, book: "0192", title: nil, ifRevision: nil)
    static let fields = [
      "id": "The row.",
      "choice":
        "`same`: it is `book`, whose missing fields it fills; for a `changed` row, the file's values replace the "
        + "library's, and other fields stay. `new`: it is a new book. `skip`: it is not imported. Default: `same` with "
        + "`book`, `new` with `title`.",
      "book": "With `same`: the book. Default: the only candidate.",
      "title": "With `new`: its title, required if the row has none.",
      "ifRevision": "Fails with `conflict` if the row has another revision.",
    ]
    static let limits: [String: FieldLimits] = ["title": .length(1...BookFacts.longestLine, notBlank: true)]
  }

  struct Result: Payload {
    var id: BookReviewID
    var choice: Choice
    var book: Book?
    static let example = Result(id: "0195", choice: .same, book: .example)
    static let fields = ["id": "The row.", "choice": "The decision made.", "book": "The book on the shelf."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(BookReviewRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    guard record.decision == nil else { throw RPCError.notFound(BookReviewRecord.collectionName, id: record.id) }
    let view = BookView(in: snapshot)
    guard let choice = params.choice ?? (params.book != nil ? .same : params.title != nil ? .new : nil) else {
      throw try refusal("choice", record, view)
    }
    var book = try record.book.value()
    let decided: BookRecord? =
      switch choice {
      case .skip: nil
      case .new: try place(&book, record, params, in: transaction)
      case .same: try join(book, record, params, view, in: transaction)
      }
    try transaction.change(record) { $0.decision = choice.rawValue }
    return Result(id: params.id, choice: choice, book: try decided.map { try view.book($0) })
  }

  /// The error for a missing choice of a book or an action, with the candidates for the row.
  private static func refusal(_ field: String, _ record: BookReviewRecord, _ view: BookView) throws -> RPCError {
    let candidates = try ShownCandidate.all(of: record, view)
    let lines = candidates.map { $0.line(view) }.joined(separator: "; ")
    let text =
      candidates.isEmpty
      ? Text("books.review.noCandidates") : Text("books.review.undecided", ["candidates": lines])
    var error = RPCError.invalidParams(field: field, reason: text)
    error.data["candidates"] = .array(try candidates.map { try ItemJSON($0, isListed: true).value })
    return error
  }

  private static func place(
    _ book: inout ImportedBook, _ record: BookReviewRecord, _ params: Params, in transaction: Transaction
  ) throws -> BookRecord {
    if let title = params.title { book.facts.title = title.readable }
    guard book.facts.title != nil else {
      throw RPCError.invalidParams(field: "title", reason: Text("books.review.titleNeeded"))
    }
    // A second row for an existing book is another book, and gets another origin.
    let named = try transaction.snapshot.db.first(
      "SELECT 1 FROM bookName WHERE kind = 'origin' AND name = ? LIMIT 1", [.text(book.origin)]
    ) { $0.int(0) }
    let isThere = try transaction.snapshot.find(BookRecord.self, id: record.id) != nil
    let isTaken = record.reason == .repeated || record.reason == .changed || named != nil || isThere
    if isTaken { book.origin += "/\(record.id)" }
    return try BookImport.place(book, isTaken ? transaction.services.newID() : record.id, in: transaction)
  }

  private static func join(
    _ book: ImportedBook, _ record: BookReviewRecord, _ params: Params, _ view: BookView, in transaction: Transaction
  ) throws -> BookRecord {
    let candidates = try record.candidates.value().filter {
      try transaction.snapshot.find(BookRecord.self, id: $0.book) != nil
    }
    guard let id = params.book?.text ?? (candidates.count == 1 ? candidates[0].book : nil),
      let known = try transaction.snapshot.find(BookRecord.self, id: id)
    else { throw try refusal("book", record, view) }
    return record.reason == .changed
      ? try BookImport.follow(book, known, in: transaction) : try BookImport.join(book, to: known, in: transaction)
  }
}
