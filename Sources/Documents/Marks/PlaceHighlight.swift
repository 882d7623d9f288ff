import Contract
import Kit
import Store
import Wire

enum PlaceHighlight: WriteMethod {
  static let name = "documents/placeHighlight"
  static let summary =
    "Moves a highlight to the selection, such as an orphan whose text has changed in the present file, or another mark "
    + "to a point. Its id, color and note stay."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .conflict, .ambiguous, .busy, .passwordRequired]

  struct Params: Payload {
    var id: HighlightID
    var page: Int
    var from: MarkedText.Point?
    var to: MarkedText.Point?
    var lines: [String]?
    var quads: [[Double]]?
    var point: MarkedText.Point?
    var ifRevision: Int64?

    static let example = Params(
      id: "0193", page: 2, from: nil, to: nil, lines: ["a line of text"], quads: nil, point: nil,
      ifRevision: nil)
    static let fields = MarkedText.notes.merging([
      "id": "The highlight or other mark.", "page": "The page of its document, from 0.",
      "point": "For a mark that is not of text: where the upper left corner of its `quad` goes. A picture stays.",
      "ifRevision": "Fails with `conflict` if the highlight has another revision.",
    ]) { $1 }
    static let exactlyOne = [MarkedText.exactlyOne[0] + ["point"]]
    static let limits = MarkedText.limits
  }
  typealias Result = Highlight

  static func run(_ params: Params, in transaction: Transaction) throws -> Highlight {
    let record = try transaction.snapshot.get(HighlightRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    if let shape = record.shape { return try place(record, shape, params, in: transaction) }
    guard params.point == nil else {
      throw RPCError.invalidParams(field: "point", reason: Text("documents.placedByText"))
    }
    let text = MarkedText(from: params.from, to: params.to, lines: params.lines, quads: params.quads)
    return try Highlighting(record.document, page: params.page, in: transaction).place(record, on: text)
  }

  private static func place(
    _ record: HighlightRecord, _ shape: PageShape, _ params: Params, in transaction: Transaction
  ) throws -> Highlight {
    guard let point = params.point else {
      let field = params.lines != nil ? "lines" : params.quads != nil ? "quads" : "from"
      throw RPCError.invalidParams(field: field, reason: Text("documents.placedByPoint"))
    }
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: record.document)
    let page = try StoredPage.get(params.page, of: document, in: transaction.snapshot)
    let moved = shape.moved(x: point.x - shape.box.left, y: point.y - shape.box.top)
    guard !page.isBroken, moved.isOn(page) else {
      throw RPCError.invalidParams(field: "point", reason: Text("documents.besidePage"))
    }
    let layout = try snapshot.text(of: page.page, in: document).map { PageLayout($0) }
    let placed = try moved.anchored(in: layout, page: page, of: document, snapshot: snapshot)
    let changed = try transaction.change(record) { record in
      record.page = page.page
      record.shape = placed.shape
      record.anchor = try StoredJSON(placed.anchor)
      record.isOrphan = false
    }
    return try Highlight(changed, of: document, in: snapshot)
  }
}
