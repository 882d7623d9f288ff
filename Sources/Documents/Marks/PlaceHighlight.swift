import Contract
import Kit
import Store
import Wire

enum PlaceHighlight: WriteMethod {
  static let name = "documents/placeHighlight"
  static let summary =
    "Moves a highlight to the selection, such as an orphan whose text has changed in the present file. Its id, color "
    + "and note stay."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .notFound, .conflict, .ambiguous, .busy, .passwordRequired]

  struct Params: Payload {
    var id: HighlightID
    var page: Int
    var from: MarkedText.Point?
    var to: MarkedText.Point?
    var lines: [String]?
    var quads: [[Double]]?
    var ifRevision: Int64?

    static let example = Params(
      id: "0193", page: 2, from: nil, to: nil, lines: ["a line of text"], quads: nil, ifRevision: nil)
    static let fields = MarkedText.notes.merging([
      "id": "The highlight.", "page": "The page of its document, from 0.",
      "ifRevision": "Fails with `conflict` if the highlight has another revision.",
    ]) { $1 }
    static let exactlyOne = MarkedText.exactlyOne
    static let limits = MarkedText.limits
  }
  typealias Result = Highlight

  static func run(_ params: Params, in transaction: Transaction) throws -> Highlight {
    let record = try transaction.snapshot.get(HighlightRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let text = MarkedText(from: params.from, to: params.to, lines: params.lines, quads: params.quads)
    return try Highlighting(record.document, page: params.page, in: transaction).place(record, on: text)
  }
}
