import Contract
import Kit
import Store
import Wire

enum QuotePost: WriteMethod {
  static let name = "boards/quote"
  static let summary =
    "Marks a passage of a post, or sets the note of a marked one. `boards/post` has the passages with their places. Works "
    + "offline."
  static let effects: Effects = [.reads, .writes]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: PostID
    var text: String
    var note: String?
    static let example = Params(id: "0193", text: "At noon, as always.", note: nil)
    static let fields = ["id": "The post.", "text": "The words of its text.", "note": "A note on them."]
    static let limits = PostQuote.limits
  }
  typealias Result = Post

  static func run(_ params: Params, in transaction: Transaction) throws -> Post {
    let record = try transaction.snapshot.get(PostRecord.self, id: params.id.text)
    let known = try transaction.snapshot.find(PostMarkRecord.self, id: record.id)?.quotes.value() ?? []
    let quotes = try PostQuote.adding(
      PostQuote(text: params.text, note: params.note), to: known, at: transaction.now, field: "text")
    try PostMarks.set(record.id, in: transaction) { $0.quotes = quotes }
    return try Post(ShownPost.single(record, in: transaction.snapshot))
  }
}

enum UnquotePost: WriteMethod {
  static let name = "boards/unquote"
  static let summary = "Removes the mark of a passage of a post, with its note. Works offline."
  static let effects: Effects = [.reads, .writes]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: PostID
    var text: String
    static let example = Params(id: "0193", text: "At noon, as always.")
    static let fields = ["id": "The post.", "text": "The words as they were marked."]
    static let limits: [String: FieldLimits] = ["text": PostQuote.limits["text"]!]
  }
  typealias Result = Post

  static func run(_ params: Params, in transaction: Transaction) throws -> Post {
    let record = try transaction.snapshot.get(PostRecord.self, id: params.id.text)
    var quotes = try transaction.snapshot.find(PostMarkRecord.self, id: record.id)?.quotes.value() ?? []
    quotes.removeAll { sameBytes($0.text, params.text) }
    let left = try StoredJSON(quotes)
    try PostMarks.set(record.id, in: transaction) { $0.quotes = left }
    return try Post(ShownPost.single(record, in: transaction.snapshot))
  }
}
