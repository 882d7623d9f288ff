import Contract
import Exchange
import Kit
import Store
import Wire

enum AddToShelf: ExternalWriteMethod {
  static let name = "books/addToShelf"
  static let summary =
    "Adds a book to the shelf: from a catalogue, by id or ISBN (`isbn.9788936434120`), or as described. If it is there "
    + "already, which `existing: true` reports, the given fields are set as by `books/updateOnShelf`, and quotes, "
    + "documents and tags are added to its own; other fields stay."
  static let effects: Effects = [.reads, .writes, .network]
  static let canRehearse = true
  static let doing = Text("doing.addToShelf")
  static let errors: [ErrorKind] = [
    .badResponse, .exists, .httpStatus, .notFound, .rateLimited, .refusedAddress, .timedOut, .tooLarge, .unauthorized,
    .unreachable,
  ]

  struct Params: FieldParams {
    let given: JSONObject
    static let typeName = "AddToShelf.Params"
    static let members: [ObjectShape.Field] =
      [
        .param(
          "book", BookID.self, .optional,
          "A catalogue's book: an id from a search, such as `google.zyTCAlFPjgYC`, or `isbn.` and its number in ten or "
            + "thirteen digits, such as `isbn.9788936434120`, which the catalogues look up."),
        ObjectShape.Field(
          name: "byHand", shape: .object(.described("GivenBook", BookFacts.fields.added)), presence: .optional,
          note:
            "A book described by the user. It equals an existing one with the same ISBN or, without an ISBN, with the "
            + "same title and first author, unless an `id` is given."),
      ] + ShelfContent.fields.added + [
        .param(
          "id", BookID.self, .optional,
          "An id chosen by the client, such as `winter-1`. A described book with a new id is added even if an equal "
            + "one exists.")
      ]
    static let exactlyOne = [["book", "byHand"]]
    static let example = Params(given: [
      "book": "google.zyTCAlFPjgYC", "status": "reading", "started": "today", "tags": ["korean"],
    ])

    /// The book of a catalogue, or one on the shelf.
    var book: BookID? { given["book"]?.stringValue.map(BookID.init(unchecked:)) }

    /// The book as the user describes it.
    ///
    /// - Throws: `invalidParams` with a field inside of `byHand`.
    func facts(in snapshot: Snapshot) throws -> BookFacts? {
      guard let byHand = given["byHand"]?.objectValue else { return nil }
      var facts = BookFacts()
      do {
        try BookFacts.fields.set(byHand, of: &facts, cleared: BookFacts(), in: snapshot)
      } catch let error as RPCError {
        throw error.inside("byHand")
      }
      return facts
    }
  }
  typealias Result = Book

  struct Plan: Sendable {
    var params: Params
    /// The content of a book that is new on the shelf.
    var content: ShelfContent
    /// nil for a book by hand, and for one on the shelf.
    var reference: CatalogueReference?
    var isThere = false
    var facts: BookFacts?
  }
  typealias Fetched = CatalogueBook?

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var plan = Plan(params: params, content: try content(params, in: snapshot))
    plan.facts = try params.facts(in: snapshot)
    guard let book = params.book else { return plan }
    do {
      plan.reference = try CatalogueReference(book, in: snapshot.services.settings().books)
    } catch {
      throw RPCError.invalidParams(field: "book", reason: error.text)
    }
    guard let reference = plan.reference else {
      // An id of the shelf itself: it exists, or names nothing.
      _ = try snapshot.get(BookRecord.self, id: book.text)
      plan.isThere = true
      return plan
    }
    plan.isThere = try known(reference, in: snapshot) != nil
    return plan
  }

  /// The given content, on top of the content of an existing book.
  private static func content(
    _ params: Params, of known: ShelfContent? = nil, in snapshot: Snapshot
  ) throws -> ShelfContent {
    var content = known ?? ShelfContent()
    var values = params.values
    func set(_ names: [String]) throws {
      let chosen = JSONObject(values.members.filter { names.contains($0.key) })
      try ShelfContent.fields.set(chosen, of: &content, cleared: ShelfContent(), in: snapshot)
      for name in names { values[name] = nil }
    }
    // For an existing book the status is set first, since reading it again sets new days; given days override these.
    try set(known == nil ? ["started", "finished"] : ["status", "started", "finished"])
    if known == nil {
      content.turn(to: try params.value("status") ?? .want, on: snapshot.services.today(for: snapshot.reader))
    }
    // Lists are added to existing ones.
    try content.add(quotes: params.value("quotes") ?? [], "quotes")
    content.tags = try TagList.normalized(content.tags + (params.value("tags") ?? []))
    content.documents = try ShelfContent.checked(
      documents: content.documents.map(ItemID.init(unchecked:)) + (params.value("documents") ?? []),
      known: content.documents, in: snapshot)
    for name in ["status", "quotes", "tags", "documents"] { values[name] = nil }
    try set(values.keys)
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
      let content = try content(plan.params, of: known.content, in: snapshot)
      try content.requireSense(pageCount: known.facts.value().pageCount)
      return try view.book(transaction.change(known) { $0.content = content }, existing: true)
    }
    var record = BookRecord()
    record.id = plan.params.id ?? transaction.services.newID()
    if let other = try snapshot.find(BookRecord.self, id: record.id) {
      throw RPCError(
        .exists, text: Text("books.exists", ["id": record.id]),
        data: ["current": try view.book(other).value])
    }
    let facts = plan.facts ?? found?.facts ?? BookFacts()
    try plan.content.requireSense(pageCount: facts.pageCount)
    if let found {
      record.sameAs = try StoredJSON([found.id] + found.sameAs)
      record.raw = String(decoding: try JSONEncoding.bytes(of: found.raw), as: UTF8.self)
    }
    record.content = plan.content
    return try view.book(transaction.place(record, facts))
  }

  /// The same book on the shelf. For a book by hand with an id of the client, only that id counts: the client may mean
  /// another printing with the same description.
  private static func alreadyThere(
    _ found: CatalogueBook?, _ plan: Plan, _ view: BookView, in snapshot: Snapshot
  ) throws -> BookRecord? {
    if let found { return try view.onShelf(ids: [found.id] + found.sameAs, isbns: Array(found.facts.isbns.prefix(1))) }
    if let reference = plan.reference { return try known(reference, in: snapshot) }
    if plan.isThere, let book = plan.params.book { return try snapshot.get(BookRecord.self, id: book.text) }
    guard let facts = plan.facts else { return nil }
    guard let id = plan.params.id else { return try view.onShelf(described: facts) }
    guard let known = try snapshot.find(BookRecord.self, id: id), try known.facts.value() == facts else {
      return nil
    }
    return known
  }
}

extension Transaction {
  /// Inserts a new book into the shelf, with its title, its citation key and the time of adding.
  func place(_ record: BookRecord, _ facts: BookFacts) throws -> BookRecord {
    var record = record
    try record.take(facts)
    if record.addedAt.milliseconds == 0 { record.addedAt = now }
    if record.citationKey.isEmpty { record.citationKey = try CitationKey.new(for: facts.item(), in: snapshot) }
    return try insert(record)
  }
}
