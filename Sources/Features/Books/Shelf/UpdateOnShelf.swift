import Contract
import Store
import Wire

enum UpdateOnShelf: WriteMethod {
  static let name = "books/updateOnShelf"
  static let summary =
    "Changes what the shelf says of a book, and what it knows of it. Fields that are not given stay. Another status sets "
    + "the day that goes with it, unless that is given too."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: BookID
    var status: BookStatus?
    var started: Patch<GivenDay> = .absent
    var finished: Patch<GivenDay> = .absent
    var progress: Patch<BookProgress> = .absent
    var rating: Patch<Double> = .absent
    var note: Patch<String> = .absent
    var quotes: Patch<[BookQuote]> = .absent
    var addQuotes: [BookQuote]?
    var removeQuotes: [BookQuote]?
    var documents: Patch<[ItemID]> = .absent
    var tags: Patch<[String]> = .absent
    var title: Patch<String> = .absent
    var subtitle: Patch<String> = .absent
    var authors: Patch<[String]> = .absent
    var publisher: Patch<String> = .absent
    var published: Patch<String> = .absent
    var isbn: Patch<String> = .absent
    var pageCount: Patch<Int> = .absent
    var language: Patch<String> = .absent
    var citationKey: String?
    var ifRevision: Int64?
    static let example = Params(
      id: "0192", status: .read, finished: .value("yesterday"), rating: .value(4.5), note: .null, ifRevision: 42)
    static let fields = [
      "id": "The book on the shelf.", "status": "What the reader does with it.",
      "started": "The day on which reading began, also in words.", "finished": "The day on which it ended.",
      "progress": "How far the reader has come.", "rating": "0.5 to 5, in halves.", "note": "What to say of it.",
      "quotes":
        "All passages written out, in place of those that there are. A list that leaves one of them out is a `conflict` "
        + "unless `ifRevision` says that the client has seen them; `null` leaves out all.",
      "addQuotes": "Passages that come to those that there are, or to `quotes`; one that is there does not come twice.",
      "removeQuotes":
        "Passages that go: those with this text, and with this page and note where these are given. Before `addQuotes`.",
      "documents": "All documents that are this book.",
      "tags": "All of its tags.",
      "title": "The title; a book keeps one.", "subtitle": "The subtitle.", "authors": "All authors.",
      "publisher": "Who published it.", "published": "When it came out.", "isbn": "Its number.",
      "pageCount": "How many pages it has.", "language": "Its language.",
      "citationKey": "Another key, which no other book has.",
      "ifRevision": "Refuse if the book has changed since this revision.",
    ]
    static let limits = ShelfContent.limits.merging([
      "addQuotes": .length(0...ShelfContent.most), "removeQuotes": .length(0...ShelfContent.most),
      "title": .length(1...BookFacts.longestLine, notBlank: true), "subtitle": .length(0...BookFacts.longestLine),
      "authors": FieldLimits(minimumLength: 0, maximumLength: BookFacts.mostNames, notBlank: true),
      "publisher": .length(0...BookFacts.longestLine), "published": .length(0...64), "isbn": .length(1...64),
      "pageCount": .range(1...1_000_000), "language": .length(0...35), "citationKey": .length(1...100, notBlank: true),
    ]) { _, new in new }
  }
  typealias Result = Book

  static func run(_ params: Params, in transaction: Transaction) throws -> Book {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(BookRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    var wanted = record
    var facts = try record.facts.value()
    try change(&facts, by: params)
    if try facts != record.facts.value() { try wanted.take(facts) }
    var content = try ShelfContent(record)
    try requireKnown(content.quotes, of: record, by: params, in: snapshot)
    try change(&content, by: params, in: snapshot)
    try content.requireSense(pageCount: facts.pageCount)
    try content.put(into: &wanted)
    if let key = params.citationKey { wanted.citationKey = try CitationKey.given(key, for: record.id, in: snapshot) }
    let changed = try transaction.change(record) { $0 = wanted }
    return try BookView(in: snapshot).book(changed)
  }

  private static func change(_ content: inout ShelfContent, by params: Params, in snapshot: Snapshot) throws {
    if let status = params.status { content.turn(to: status, on: snapshot.services.today(for: snapshot.reader)) }
    content.started = try day(params.started, "started", in: snapshot).applied(to: content.started)
    content.finished = try day(params.finished, "finished", in: snapshot).applied(to: content.finished)
    if !params.progress.isAbsent {
      let progress = params.progress.applied(to: nil)
      (content.page, content.percent) = (progress?.page, progress?.percent)
    }
    content.rating = params.rating.applied(to: content.rating)
    content.note = params.note.applied(to: content.note) ?? ""
    content.quotes = (params.quotes.applied(to: content.quotes) ?? []).filter { quote in
      !(params.removeQuotes ?? []).contains { $0.means(quote) }
    }
    try content.add(quotes: params.addQuotes ?? [], "addQuotes")
    if !params.tags.isAbsent { content.tags = try TagList.kept(params.tags.applied(to: nil) ?? []) }
    if !params.documents.isAbsent {
      content.documents = try ShelfContent.kept(
        documents: params.documents.applied(to: nil) ?? [], known: content.documents, in: snapshot)
    }
  }

  /// A list that a client has put together from what it read some time ago must not take away what another has written
  /// out since.
  private static func requireKnown(
    _ quotes: [BookQuote], of record: BookRecord, by params: Params, in snapshot: Snapshot
  ) throws {
    guard case .value(let given) = params.quotes, params.ifRevision == nil else { return }
    let lost = quotes.filter { quote in
      !given.contains(quote) && !(params.removeQuotes ?? []).contains { $0.means(quote) }
    }
    guard !lost.isEmpty else { return }
    throw RPCError(
      .conflict, text: Text("books.quotesLeftOut", ["count": String(lost.count)]),
      data: [
        "collection": .string(BookRecord.collectionName), "id": .string(record.id),
        "current": try JSONEncoding.value(of: try BookView(in: snapshot).book(record)),
      ])
  }

  private static func day(_ given: Patch<GivenDay>, _ field: String, in snapshot: Snapshot) throws -> Patch<CalendarDay>
  {
    switch given {
    case .absent: .absent
    case .null: .null
    case .value(let day): .value(try day.dayOfReading(field, in: snapshot))
    }
  }

  private static func change(_ facts: inout BookFacts, by params: Params) throws {
    switch params.title {
    case .absent: break
    case .null: throw RPCError.invalidParams(field: "title", reason: Text("param.blank"))
    case .value(let title): facts.title = title.readable
    }
    facts.subtitle = params.subtitle.applied(to: facts.subtitle)?.readable
    facts.publisher = params.publisher.applied(to: facts.publisher)?.readable
    facts.published = params.published.applied(to: facts.published)?.readable
    facts.language = params.language.applied(to: facts.language)?.readable
    facts.pageCount = params.pageCount.applied(to: facts.pageCount)
    if !params.authors.isAbsent { facts.authors = try GivenBook.kept(params.authors.applied(to: nil) ?? [], "authors") }
    switch params.isbn {
    case .absent: break
    case .null: facts.isbns = []
    case .value(let isbn):
      let number = try GivenBook.number(isbn, "isbn")
      // The book's own comes first; those of other printings stay.
      facts.isbns = [number] + facts.isbns.filter { $0 != number }
    }
  }
}

enum RemoveFromShelf: WriteMethod {
  static let name = "books/removeFromShelf"
  static let summary = "Takes a book off the shelf, without a question. `changes/undo` puts it back."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: BookID
    var ifRevision: Int64?
    static let example = Params(id: "0192", ifRevision: nil)
    static let fields = [
      "id": "The book on the shelf.", "ifRevision": "Refuse if the book has changed since this revision.",
    ]
  }

  struct Result: Payload {
    var removed: BookID
    static let example = Result(removed: "0192")
    static let fields = ["removed": "The book that was."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(BookRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    try transaction.remove(record)
    return Result(removed: params.id)
  }
}
