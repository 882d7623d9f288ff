import Contract
import Kit
import Store
import Wire

/// The unsaved text of a note, in replies.
typealias NoteDraft = ItemJSON<ShownNoteDraft>

/// The unsaved text of a note by one client.
struct ShownNoteDraft: ShownDraft {
  static let name = "NoteDraft"
  static let example = ShownNote.example

  /// The note as the client wrote it.
  let item: NoteRecord
  let row: StoredDraft
  let savedRevision: Int64?
  let snapshot: Snapshot

  init(_ row: StoredDraft, in snapshot: Snapshot) throws {
    savedRevision = try snapshot.find(NoteRecord.self, id: row.item)?.revision
    var item = NoteRecord()
    item.text = row.content
    (self.item, self.row, self.snapshot) = (item, row, snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("text", "The unsaved text; absent in the reply of `notes/draft`.", example: "Dune") {
      $0.item.text
    }.omittedInLists,
    DerivedMember("display", of: "NoteDraft.Display", "Strings for people.") {
      DerivedMember("title", "The title that it would have.", example: "Dune") {
        $0.snapshot.name(of: TitledText($0.item.text))
      }
    },
  ]
}

enum KeepNoteDraft: WriteMethod {
  static let name = "notes/draft"
  static let summary =
    "Stores unsaved text, so that a crash of the editor loses nothing. Not notified, not undoable. The draft is "
    + "removed when its client saves the note; a new note's draft, when any client adds the same text."
  static let effects: Effects = .writes
  /// It replaces the unsaved text of an item, which no undo brings back.
  static let paramEffects: [String: Effects] = ["id": .destroys]

  struct Params: Payload {
    var id: ItemID?
    var text: String
    static let example = Params(id: "0192", text: "Dune")
    static let fields = [
      "id":
        "The note; absent for a new one, whose id is returned. Pass that with every further draft, and to `notes/add`.",
      "text": "The text in the editor. White space only discards the draft.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(0...TitledText.maximumLength)]
  }
  typealias Result = NoteDraft

  static func run(_ params: Params, in transaction: Transaction) throws -> NoteDraft {
    let row = try NoteRecord.drafts.keep(params.text, of: params.id?.text, as: NoteRecord.self, in: transaction)
    return try NoteDraft(ShownNoteDraft(row, in: transaction.snapshot), isListed: true)
  }
}

enum ListNoteDrafts: ReadMethod {
  static let name = "notes/drafts"
  static let summary = "The unsaved drafts, newest first, for a client to offer when it starts."
  static let effects: Effects = .reads

  typealias Params = DraftListParams
  typealias Result = Page<NoteDraft>

  static func run(_ params: DraftListParams, in snapshot: Snapshot) throws -> Page<NoteDraft> {
    try NoteRecord.drafts.page(params, in: snapshot) { try NoteDraft(ShownNoteDraft($0, in: snapshot)) }
  }
}

enum DiscardNoteDraft: DiscardDraftMethod {
  static let name = "notes/discardDraft"
  static let summary = "Deletes unsaved text permanently."
  static let table = NoteRecord.drafts
}
