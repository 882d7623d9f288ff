import Contract
import Kit
import Store
import Wire

enum UpdateOnShelf: WriteMethod, ManyItemsMethod {
  static let name = "books/updateOnShelf"
  static let summary =
    "Changes what the shelf says of a book, and what it knows of it. Fields that are not given stay. Another status sets "
    + "the day that goes with it, unless that is given too."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: FieldParams {
    let given: JSONObject
    static let typeName = "UpdateOnShelf.Params"
    static let members: [ObjectShape.Field] =
      [.param("id", BookID.self, .required, "The book on the shelf.")]
      + ShelfContent.fields.updated.map { member in
        var member = member
        if member.name == "quotes" { member.note = quotes }
        return member
      } + [
        .param(
          "addQuotes", [BookQuote].self, .optional, limits: .length(0...ShelfContent.most),
          "Passages that come to those that there are, or to `quotes`; one that is there does not come twice."),
        .param(
          "removeQuotes", [BookQuote].self, .optional, limits: .length(0...ShelfContent.most),
          "Passages that go: those with this text, and with this page and note where these are given. Before `addQuotes`."
        ),
      ] + BookFacts.fields.updated.filter { $0.name != "description" } + [
        .param(
          "citationKey", String.self, .optional, limits: .length(1...100, notBlank: true),
          "Another key, which no other book has."),
        .ifRevision,
      ]
    private static let quotes =
      "All passages written out, in place of those that there are. A list that leaves one of them out is a `conflict` "
      + "unless `ifRevision` says that the client has seen them; `null` leaves out all."
    static let example = Params(given: [
      "id": "0192", "status": "read", "finished": "yesterday", "note": nil, "ifRevision": 42,
    ])
  }
  typealias Result = Book

  static func run(_ params: Params, in transaction: Transaction) throws -> Book {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(BookRecord.self, id: params.id ?? "")
    try transaction.require(record, at: params.ifRevision)
    var wanted = record
    var facts = try record.facts.value()
    try BookFacts.fields.set(params.given, of: &facts, cleared: BookFacts(), in: snapshot)
    if try facts != record.facts.value() { try wanted.take(facts) }
    let removed: [BookQuote] = try params.value("removeQuotes") ?? []
    try requireKnown(record, by: params, removing: removed, in: snapshot)
    try ShelfContent.fields.set(params.given, of: &wanted.content, cleared: ShelfContent(), in: snapshot)
    wanted.content.quotes.removeAll { quote in removed.contains { $0.means(quote) } }
    try wanted.content.add(quotes: params.value("addQuotes") ?? [], "addQuotes")
    try wanted.content.requireSense(pageCount: facts.pageCount)
    if let key: String = try params.value("citationKey") {
      wanted.citationKey = try CitationKey.given(key, for: record.id, in: snapshot)
    }
    let changed = try transaction.change(record) { $0 = wanted }
    return try BookView(in: snapshot).book(changed)
  }

  /// A list that a client made from older data must not remove quotes that another client has added since.
  private static func requireKnown(
    _ record: BookRecord, by params: Params, removing removed: [BookQuote], in snapshot: Snapshot
  ) throws {
    guard let given: [BookQuote] = try params.value("quotes"), params.ifRevision == nil else { return }
    let lost = record.content.quotes.filter { quote in
      !given.contains(quote) && !removed.contains { $0.means(quote) }
    }
    guard !lost.isEmpty else { return }
    throw RPCError(
      .conflict, text: Text("books.quotesLeftOut", ["count": String(lost.count)]),
      data: [
        "collection": .string(BookRecord.collectionName), "id": .string(record.id),
        "current": try BookView(in: snapshot).book(record).value,
      ])
  }
}

enum RemoveFromShelf: WriteMethod, ManyItemsMethod {
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
