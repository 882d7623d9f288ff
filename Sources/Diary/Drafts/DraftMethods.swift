import Contract
import Kit
import Store
import Wire

enum KeepDraft: WriteMethod {
  static let name = "diary/draft"
  static let summary =
    "Stores unsaved text, so that a crash of the editor loses nothing. Not notified, not undoable. The draft is "
    + "removed when its client saves the entry; a new entry's draft, when any client adds the same text. Without text, "
    + "begins a new entry: an id and a heading."
  static let effects: Effects = .writes
  /// It replaces the unsaved text of an item, which no undo brings back.
  static let paramEffects: [String: Effects] = ["id": .destroys]

  struct Params: Payload {
    var id: EntryID?
    var text: String
    static let example = Params(id: "0192", text: "A walk")
    static let fields = [
      "id":
        "The entry; absent for a new one, whose id is returned. Pass that with every further draft, and to "
        + "`diary/add`.",
      "text": "The text in the editor. White space only discards the draft.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(0...TitledText.maximumLength)]
  }
  typealias Result = Draft

  static func run(_ params: Params, in transaction: Transaction) throws -> Draft {
    let row = try EntryRecord.drafts.keep(params.text, of: params.id?.text, as: EntryRecord.self, in: transaction)
    return try Draft(ShownEntryDraft(row, in: transaction.snapshot), isListed: true)
  }
}

enum ListDrafts: ReadMethod {
  static let name = "diary/drafts"
  static let summary = "The unsaved drafts, newest first, for a client to offer when it starts."
  static let effects: Effects = .reads

  typealias Params = DraftListParams
  typealias Result = Page<Draft>

  static func run(_ params: DraftListParams, in snapshot: Snapshot) throws -> Page<Draft> {
    try EntryRecord.drafts.page(params, in: snapshot) { try Draft(ShownEntryDraft($0, in: snapshot)) }
  }
}

enum DiscardDraft: DiscardDraftMethod {
  static let name = "diary/discardDraft"
  static let summary = "Deletes unsaved text permanently."
  static let table = EntryRecord.drafts
}
