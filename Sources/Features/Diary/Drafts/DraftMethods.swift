import Contract
import Store
import Wire

enum KeepDraft: WriteMethod {
  static let name = "diary/draft"
  static let summary =
    "Keeps text that is not saved yet, so that an editor that dies loses nothing of it. Told to nobody, not undoable; "
    + "the draft goes when its client saves the entry. Without a text worth keeping it begins a new entry: an id and a heading."
  static let since = 1
  static let effects: Effects = .writes

  struct Params: Payload {
    var id: EntryID?
    var text: String
    static let example = Params(id: "0192", text: "A walk")
    static let fields = [
      "id":
        "The entry; without it a new one, whose id is answered. Give that with every further draft, and to `diary/add`.",
      "text": "What stands in the editor. White space only lets the draft go.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(0...EntryText.maximumLength)]
  }
  typealias Result = Draft

  static func run(_ params: Params, in transaction: Transaction) throws -> Draft {
    let snapshot = transaction.snapshot
    let entry = params.id?.text ?? transaction.services.newID()
    let connection = transaction.caller.connectionID
    let known = try DraftRow.find(entry, of: connection, in: transaction.db)
    let row = DraftRow(
      entry: entry, connection: connection, client: transaction.caller.clientName, text: params.text,
      revision: try known.map(\.revision) ?? snapshot.find(EntryRecord.self, id: entry)?.revision,
      startedAt: known?.startedAt ?? transaction.now, updatedAt: transaction.now)
    transaction.keepSilent()
    if !EntryText(params.text).isBlank {
      try row.keep(in: transaction.db)
    } else if known != nil {
      try transaction.db.run(
        "DELETE FROM diaryDraft WHERE entry = ? AND connection = ?", [.text(entry), .text(connection)])
    }
    return try Draft(row, withText: false, in: snapshot)
  }
}

enum ListDrafts: ReadMethod {
  static let name = "diary/drafts"
  static let summary = "What was written and not saved, the last first: a client that begins offers it."
  static let since = 1
  static let effects: Effects = .reads

  struct Params: Payload {
    var after: String?
    var limit: Int?
    static let example = Params(after: nil, limit: 20)
    static let fields = ["after": "`next` of the part before.", "limit": "How many at most. Default 20."]
    static let limits: [String: FieldLimits] = ["after": .length(1...256), "limit": .range(1...100)]
  }
  typealias Result = Page<Draft>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Draft> {
    let limit = params.limit ?? 20
    let cursor = try params.after.map(cursor)
    let rows = try DraftRow.all(in: snapshot.db, behind: cursor, limit: limit + 1)
    let items = try rows.prefix(limit).map { try Draft($0, withText: true, in: snapshot) }
    return Page(
      items: items, offset: try cursor.map { try count(upTo: $0, in: snapshot) } ?? 0, limit: limit,
      total: try snapshot.db.first("SELECT count(*) FROM diaryDraft") { $0.int(0) } ?? 0,
      next: rows.count > limit
        ? items.last.map { "\($0.updatedAt.milliseconds)/\($0.id)/\($0.connection)" } : nil)
  }

  private static func count(upTo cursor: [SQLValue], in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first(
      "SELECT count(*) FROM diaryDraft WHERE (updatedAt, entry, connection) >= (?, ?, ?)", cursor
    ) { $0.int(0) } ?? 0
  }

  private static func cursor(_ text: String) throws(RPCError) -> [SQLValue] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let instant = Int64(parts[0]) else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    }
    return [.integer(instant), .text(parts[1]), .text(parts[2])]
  }
}

enum DiscardDraft: WriteMethod {
  static let name = "diary/discardDraft"
  static let summary = "Lets go of unsaved text for good."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: EntryID
    var connection: String?
    static let example = Params(id: "0192", connection: "0193")
    static let fields = [
      "id": "The entry of the draft.",
      "connection": "Only the draft of this connection. Default: every draft of the entry.",
    ]
    static let limits: [String: FieldLimits] = ["connection": .length(1...64)]
  }

  struct Result: Payload {
    var removed: EntryID
    static let example = Result(removed: "0192")
    static let fields = ["removed": "The entry whose draft it was."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let condition = "entry = ? AND connection = ifnull(?, connection)"
    let values: [SQLValue] = [.text(params.id.text), .text(params.connection)]
    let isThere = try transaction.db.first("SELECT 1 FROM diaryDraft WHERE \(condition)", values) { $0.bool(0) }
    guard isThere == true else { throw RPCError.notFound("drafts", id: params.id.text) }
    transaction.keepSilent()
    try transaction.db.run("DELETE FROM diaryDraft WHERE \(condition)", values)
    return Result(removed: params.id)
  }
}
