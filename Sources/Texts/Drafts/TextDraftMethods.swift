import Contract
import Kit
import Store
import Wire

/// The unsaved text of a client.
struct UnsavedText: Payload {
  var uri: String
  var path: String
  var connection: String
  var client: String
  var startedAt: Instant
  var updatedAt: Instant
  var text: String

  static let example = UnsavedText(
    uri: "commonplace:///text/projects/board.md", path: "projects/board.md", connection: "0193", client: "Neovim",
    startedAt: Instant(milliseconds: 1_795_225_445_678), updatedAt: Instant(milliseconds: 1_795_225_445_678),
    text: "## DOING\n\n- [ ] Return the book ^k3f2\n")
  static let fields = [
    "uri": "The text.", "path": "Its path, for `text/path`.", "connection": "The connection that wrote it.",
    "client": "The name of that client.", "startedAt": "When it was first stored.",
    "updatedAt": "When it was last stored.", "text": "The whole text, as it was in the editor.",
  ]
  static let limits: [String: FieldLimits] = ["uri": .form(.namingFiles)]
}

extension UnsavedText {
  init(_ draft: StoredDraft) {
    self.init(
      uri: TextPath(parsing: draft.item)?.uri ?? "", path: draft.item, connection: draft.connection,
      client: draft.client, startedAt: draft.startedAt, updatedAt: draft.updatedAt, text: draft.content)
  }
}

enum ListTextDrafts: ReadMethod {
  static let name = "text/drafts"
  static let summary = "The unsaved texts of all editors, newest first, for a client to offer when it starts."
  static let effects: Effects = .reads

  typealias Params = DraftListParams
  typealias Result = Page<UnsavedText>

  static func run(_ params: DraftListParams, in snapshot: Snapshot) throws -> Page<UnsavedText> {
    try DraftTable.texts.page(params, in: snapshot) { UnsavedText($0) }
  }
}

enum DiscardTextDraft: WriteMethod {
  static let name = "text/discardDraft"
  static let summary = "Deletes an unsaved text permanently. The library does not change."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var uri: String
    var connection: String?
    static let example = Params(uri: "commonplace:///text/projects/board.md", connection: "0193")
    static let fields = [
      "uri": "The text.", "connection": "Only that of this connection. Default: every unsaved version of the text.",
    ]
    static let limits: [String: FieldLimits] = ["uri": .length(1...8_192), "connection": .length(1...64)]
  }

  struct Result: Payload {
    var removed: String
    static let example = Result(removed: "commonplace:///text/projects/board.md")
    static let fields = ["removed": "The text whose unsaved versions were deleted."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let path = TextPlaces(transaction.snapshot).canonical(
      try transaction.snapshot.textPath(params.uri, field: "uri"))
    guard try TextDrafts.discard(path, of: params.connection, in: transaction) else {
      throw RPCError.noText(at: path)
    }
    return Result(removed: path.uri)
  }
}
