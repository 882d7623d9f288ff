import Contract
import Kit
import Store
import Wire

/// The common parameters of `toggleHighlight` and `addHighlight`.
struct HighlightParams: Payload {
  var id: DocumentID
  var page: Int
  var from: MarkedText.Point?
  var to: MarkedText.Point?
  var lines: [String]?
  var quads: [[Double]]?
  var kind: MarkedText.Kind?
  var color: String?
  var note: String?
  var highlight: HighlightID?

  static let example = HighlightParams(
    id: "0192", page: 2, from: nil, to: nil, lines: ["a line of text"], quads: nil, kind: nil, color: "#ffd60a",
    note: nil, highlight: nil)
  static let fields = MarkedText.notes.merging([
    "id": "The document.", "page": "The page, from 0.", "kind": "How the text is marked. Default `highlight`.",
    "color": "`#rrggbb`. Default `#ffd60a`.",
    "note": "The user's note.", "highlight": "An id chosen by the client for a new highlight.",
  ]) { $1 }
  static let exactlyOne = MarkedText.exactlyOne
  static let limits = HighlightRecord.fields.limits("color", "note")
    .merging(MarkedText.limits) { $1 }

  var look: Highlighting.Look {
    Highlighting.Look(kind: (kind ?? .highlight).ofMark, color: color ?? HighlightRecord.defaultColor, note: note)
  }

  var text: MarkedText { MarkedText(from: from, to: to, lines: lines, quads: quads) }
}

enum ToggleHighlight: WriteMethod {
  static let name = "documents/toggleHighlight"
  static let summary =
    "Highlights or underlines the selection; lines that are already marked that way are unmarked instead. One undo step."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .ambiguous, .busy, .corrupt, .exists, .passwordRequired,
  ]
  typealias Params = HighlightParams

  struct Result: Payload {
    var added: [Highlight]
    var removed: [Highlighting.Removal]
    var consumed: Bool
    static let example = Result(added: [.example], removed: [], consumed: true)
    static let fields = [
      "added": "The new highlight; absent if every line was already marked.",
      "removed": "The lines unmarked, by highlight.",
      "consumed": "True: the front end clears its selection.",
    ]
  }

  static func run(_ params: HighlightParams, in transaction: Transaction) throws -> Result {
    let highlighting = try Highlighting(params.id.text, page: params.page, in: transaction)
    // A repeated toggle, after a lost reply: it must not be reverted.
    if let known = try highlighting.known(params.highlight) {
      return Result(added: [known], removed: [], consumed: true)
    }
    let result = try highlighting.toggle(
      params.text, id: params.highlight?.text ?? transaction.services.newID(), as: params.look)
    return Result(added: result.added, removed: result.removed, consumed: true)
  }
}

enum AddHighlight: WriteMethod {
  static let name = "documents/addHighlight"
  static let summary = "Highlights, underlines or strikes out the selection, whatever is already marked there."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .ambiguous, .busy, .corrupt, .exists, .passwordRequired,
  ]
  typealias Params = HighlightParams
  typealias Result = Highlight

  static func run(_ params: HighlightParams, in transaction: Transaction) throws -> Highlight {
    let highlighting = try Highlighting(params.id.text, page: params.page, in: transaction)
    if let known = try highlighting.known(params.highlight) { return known }
    return try highlighting.add(
      params.text, id: params.highlight?.text ?? transaction.services.newID(), as: params.look)
  }
}

enum UpdateHighlight: WriteMethod, ManyItemsMethod {
  static let name = "documents/updateHighlight"
  static let summary = "Changes a mark's color or note, or how its text is marked."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .conflict, .passwordRequired]

  typealias Params = ItemUpdate<ShownHighlight>
  typealias Result = Highlight

  static func run(_ params: Params, in transaction: Transaction) throws -> Highlight {
    let record = try params.change(in: transaction).after
    let document = try transaction.snapshot.get(DocumentRecord.self, id: record.document)
    return try Highlight(record, of: document, in: transaction.snapshot)
  }
}

enum RemoveHighlight: RemoveItemMethod {
  static let name = "documents/removeHighlight"
  static let summary = "Removes a highlight or another mark with its note."
  typealias Item = HighlightRecord
}
