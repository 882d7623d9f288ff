import Contract
import Kit
import Store
import Wire

enum OrderBooks: WriteMethod, ManyItemsMethod {
  static let name = "books/order"
  static let summary =
    "Sets the position of a book among the books to read next. Without `before`, `after` and `first` it comes to the "
    + "end. A book leaves them when its status becomes another than `want`."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: BookID
    var before: BookID?
    var after: BookID?
    var first: Bool?
    var remove: Bool?
    var ifRevision: Int64?
    static let example = Params(
      id: "0192", before: "0191", after: nil, first: nil, remove: nil, ifRevision: 42)
    static let fields = [
      "id": "The book on the shelf.",
      "before": "The book among those to read next to insert it before.",
      "after": "The book among those to read next to insert it after.",
      "first": "Puts it first.",
      "remove": "Removes it from the books to read next. It stays on the shelf.",
      "ifRevision": "Fails with `conflict` if the book has another revision.",
    ]
    static let atMostOne = [["before", "after", "first", "remove"]]
  }
  typealias Result = Book

  static func isReversed(_ params: Params) -> Bool { params.after != nil || params.first == true }

  static func run(_ params: Params, in transaction: Transaction) throws -> Book {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(BookRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    var rank: String?
    if params.remove != true {
      guard record.content.status == .want else {
        throw RPCError.invalidParams(field: "id", reason: Text("books.notWanted", ["title": record.title]))
      }
      let place: ReadingOrder.Place =
        if let other = params.before {
          .before(try neighbour(other, "before", in: snapshot))
        } else if let other = params.after {
          .after(try neighbour(other, "after", in: snapshot))
        } else {
          params.first == true ? .start : .end
        }
      rank = try ReadingOrder.rank(of: record, at: place, in: transaction)
    }
    let current = try snapshot.get(BookRecord.self, id: record.id)
    return try BookView(in: snapshot).book(transaction.change(current) { $0.content.rank = rank })
  }

  private static func neighbour(_ id: BookID, _ field: String, in snapshot: Snapshot) throws -> BookRecord {
    let record = try snapshot.get(BookRecord.self, id: id.text)
    guard record.content.rank != nil, record.content.status == .want else {
      throw RPCError.invalidParams(field: field, reason: Text("books.notNext", ["title": record.title]))
    }
    return record
  }
}
