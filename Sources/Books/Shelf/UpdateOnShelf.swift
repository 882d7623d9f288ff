import Contract
import Exchange
import Kit
import Store
import Wire

enum UpdateOnShelf: WriteMethod, ManyItemsMethod {
  static let name = "books/updateOnShelf"
  static let summary =
    "Changes the given fields of a book on the shelf; others stay. A new status also sets its day, unless that is "
    + "given."
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
          "Passages to add to the existing ones or to `quotes`; an existing one is not repeated."),
        .param(
          "removeQuotes", [BookQuote].self, .optional, limits: .length(0...ShelfContent.most),
          "Passages to remove: those with this text, and with this page and note if given. Removed before `addQuotes`."
        ),
      ] + BookFacts.fields.updated.filter { $0.name != "description" } + [
        .param(
          "citationKey", String.self, .optional, limits: .length(1...100, notBlank: true),
          "A new key, unique on the shelf."),
        .ifRevision,
      ]
    private static let quotes =
      "All passages, replacing the existing ones. A list that omits an existing one fails with `conflict` unless "
      + "`ifRevision` shows that the client has seen it; `null` removes all."
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
  static let summary = "Removes a book from the shelf, without confirmation. `changes/undo` restores it."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: BookID
    var ifRevision: Int64?
    static let example = Params(id: "0192", ifRevision: nil)
    static let fields = [
      "id": "The book on the shelf.", "ifRevision": "Fails with `conflict` if the book has another revision.",
    ]
  }

  struct Result: Payload {
    var removed: BookID
    static let example = Result(removed: "0192")
    static let fields = ["removed": "The removed book."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(BookRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    try transaction.remove(record)
    return Result(removed: params.id)
  }
}
