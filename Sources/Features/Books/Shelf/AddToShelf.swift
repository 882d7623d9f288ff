import Contract
import Store
import Wire

enum AddToShelf: ExternalWriteMethod {
  static let name = "books/addToShelf"
  static let summary =
    "Puts a book on the shelf: one of a catalogue, by the id that a search gave or by its ISBN (`isbn.9788936434120`), or "
    + "one that is described. Of a book that is there already, which `existing: true` says, what is given is set as by "
    + "`books/updateOnShelf`, and quotes, documents and tags come to those that it has; what is not given stays."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.addToShelf")
  static let errors: [ErrorKind] = [
    .badResponse, .exists, .httpStatus, .notFound, .rateLimited, .refusedAddress, .timedOut, .tooLarge, .unauthorized,
    .unreachable,
  ]

  struct Params: Payload {
    var book: BookID?
    var byHand: GivenBook?
    var status: BookStatus?
    var started: GivenDay?
    var finished: GivenDay?
    var progress: BookProgress?
    var rating: Double?
    var note: String?
    var quotes: [BookQuote]?
    var documents: [ItemID]?
    var tags: [String]?
    var id: BookID?
    static let example = Params(book: "google.zyTCAlFPjgYC", status: .reading, started: "today", tags: ["korean"])
    static let fields = [
      "book":
        "A book of a catalogue: the id that a search gave, such as `google.zyTCAlFPjgYC`, or `isbn.` and its number in ten "
        + "or thirteen digits, such as `isbn.9788936434120`, by which the catalogues are asked.",
      "byHand":
        "A book in the reader's own words. One that is there is the same if it has the same ISBN, or where none is given "
        + "the same title and first author, unless an `id` is given.",
      "status": "What the reader does with it. Default of a new one: `want`.",
      "started": "The day on which reading began, also in words. Default: today for a book that is being read.",
      "finished": "The day on which it ended. Default: today for a book that was read or given up.",
      "progress": "How far the reader has come.", "rating": "0.5 to 5, in halves.",
      "note": "What to say of it, kept byte for byte.", "quotes": "Passages written out.",
      "documents": "Documents that are this book.", "tags": "Tags.",
      "id":
        "An id of the client's own, such as `winter-1`: with it a book by hand is another than those that are there.",
    ]
    static let limits = ShelfContent.limits
    static let exactlyOne = [["book", "byHand"]]
  }
  typealias Result = Book

  struct Plan: Sendable {
    var params: Params
    /// Of a book that is new on the shelf.
    var content: ShelfContent
    /// nil for a book by hand, and for one that is there.
    var reference: CatalogueReference?
    var isThere = false
    var facts: BookFacts?
  }
  typealias Fetched = CatalogueBook?

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var plan = Plan(params: params, content: try content(params, in: snapshot))
    if let given = params.byHand {
      plan.facts = try given.facts()
      return plan
    }
    guard let book = params.book else { return plan }
    do {
      plan.reference = try CatalogueReference(book, in: snapshot.services.books())
    } catch {
      throw RPCError.invalidParams(field: "book", reason: error.text)
    }
    guard let reference = plan.reference else {
      // An id of the shelf itself: it is there, or names nothing.
      _ = try snapshot.get(BookRecord.self, id: book.text)
      plan.isThere = true
      return plan
    }
    plan.isThere = try known(reference, in: snapshot) != nil
    return plan
  }

  /// What is given, on top of what a book has that is there.
  private static func content(
    _ params: Params, of known: ShelfContent? = nil, in snapshot: Snapshot
  ) throws -> ShelfContent {
    var content = known ?? ShelfContent()
    let today = snapshot.services.today(for: snapshot.reader)
    // First, since a book that is read once more has new days; given days count in place of those that this sets.
    if known != nil, let status = params.status { content.turn(to: status, on: today) }
    if let started = params.started { content.started = try started.dayOfReading("started", in: snapshot) }
    if let finished = params.finished { content.finished = try finished.dayOfReading("finished", in: snapshot) }
    if known == nil { content.turn(to: params.status ?? .want, on: today) }
    if let progress = params.progress { (content.page, content.percent) = (progress.page, progress.percent) }
    content.rating = params.rating ?? content.rating
    content.note = params.note ?? content.note
    try content.add(quotes: params.quotes ?? [], "quotes")
    content.tags = try TagList.kept(content.tags + (params.tags ?? []))
    content.documents = try ShelfContent.kept(
      documents: content.documents.map(ItemID.init(unchecked:)) + (params.documents ?? []), known: content.documents,
      in: snapshot)
    return content
  }

  private static func known(_ reference: CatalogueReference, in snapshot: Snapshot) throws -> BookRecord? {
    let view = BookView(in: snapshot)
    switch reference {
    case .book: return try view.onShelf(ids: [reference.key], isbns: [])
    case .number(let isbn): return try view.onShelf(ids: [], isbns: [isbn])
    }
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> CatalogueBook? {
    guard let reference = plan.reference, !plan.isThere else { return nil }
    guard let book = try await services.bookDetails.book(reference, summaryWillDo: true, with: services) else {
      throw reference.unknown(with: services)
    }
    return book
  }

  static func finish(_ found: CatalogueBook?, of plan: Plan, in transaction: Transaction) throws -> Book {
    let snapshot = transaction.snapshot
    let view = BookView(in: snapshot)
    if let known = try alreadyThere(found, plan, view, in: snapshot) {
      let content = try content(plan.params, of: ShelfContent(known), in: snapshot)
      try content.requireSense(pageCount: known.facts.value().pageCount)
      var book = try view.book(transaction.change(known) { try content.put(into: &$0) })
      book.existing = true
      return book
    }
    var record = BookRecord()
    record.id = plan.params.id?.text ?? transaction.services.newID()
    if let other = try snapshot.find(BookRecord.self, id: record.id) {
      throw RPCError(
        .exists, text: Text("books.exists", ["id": record.id]),
        data: ["current": try JSONEncoding.value(of: try view.book(other))])
    }
    let facts = plan.facts ?? found?.facts ?? BookFacts()
    try plan.content.requireSense(pageCount: facts.pageCount)
    if let found {
      record.sameAs = try StoredJSON([found.id] + found.sameAs)
      record.raw = String(decoding: try JSONEncoding.bytes(of: found.raw), as: UTF8.self)
    }
    try plan.content.put(into: &record)
    return try view.book(transaction.place(record, facts))
  }

  /// The book that is this one. Of one by hand the client's own id says so, if there is one: whoever names it may mean
  /// another printing that is described alike.
  private static func alreadyThere(
    _ found: CatalogueBook?, _ plan: Plan, _ view: BookView, in snapshot: Snapshot
  ) throws -> BookRecord? {
    if let found { return try view.onShelf(ids: [found.id] + found.sameAs, isbns: Array(found.facts.isbns.prefix(1))) }
    if let reference = plan.reference { return try known(reference, in: snapshot) }
    if plan.isThere, let book = plan.params.book { return try snapshot.get(BookRecord.self, id: book.text) }
    guard let facts = plan.facts else { return nil }
    guard let id = plan.params.id else { return try view.onShelf(described: facts) }
    guard let known = try snapshot.find(BookRecord.self, id: id.text), try known.facts.value() == facts else {
      return nil
    }
    return known
  }
}

extension Transaction {
  /// Puts a new book on the shelf: with its title, its key and the day on which it came.
  func place(_ record: BookRecord, _ facts: BookFacts) throws -> BookRecord {
    var record = record
    try record.take(facts)
    if record.addedAt.milliseconds == 0 { record.addedAt = now }
    if record.citationKey.isEmpty { record.citationKey = try CitationKey.new(for: facts, in: snapshot) }
    return try insert(record)
  }
}
