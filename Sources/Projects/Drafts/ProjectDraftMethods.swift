import Contract
import Kit
import Store
import Wire

enum KeepProjectDraft: WriteMethod {
  static let name = "projects/draft"
  static let summary =
    "Opens a card for editing, or begins a new one, and stores unsaved text. A crash of the editor loses nothing. Not "
    + "notified, not undoable. The draft is removed when its client saves the card or discards it; a new card's draft, "
    + "when any client adds the same text."
  static let effects: Effects = .writes
  /// It replaces the unsaved text of an item, which no undo brings back.
  static let paramEffects: [String: Effects] = ["id": .destroys]

  typealias Params = DraftParams<ShownProject>
  typealias Result = ProjectDraft

  static func run(_ params: Params, in transaction: Transaction) throws -> ProjectDraft {
    let snapshot = transaction.snapshot
    let id = params.id ?? transaction.services.newID()
    let card = try snapshot.find(ProjectRecord.self, id: id)
    let known = try DraftTable.projects.find(id, of: transaction.caller.connectionID, in: transaction.db)
    var draft = try known.map { try ProjectRecord(draftContent: $0.content) } ?? card ?? ProjectRecord()
    if known == nil, card == nil { draft.deadline = transaction.services.defaultDeadline(for: transaction.reader) }
    try draft.setDrafted(params.given, in: snapshot)
    if draft.deadline == nil { draft.time = nil }
    let row = StoredDraft(
      of: id, content: try draft.draftContent, known: known, revision: card?.revision, in: transaction)
    transaction.keepSilent()
    // A new card without any text is not worth offering to the next client.
    let isBlank = draft.tags.isEmpty && [draft.title, draft.body].allSatisfy(\.isBlank)
    if card != nil || !isBlank {
      try DraftTable.projects.keep(row, in: transaction)
    } else if known != nil {
      _ = try DraftTable.projects.discard(id, of: row.connection, in: transaction)
    }
    return try ProjectDraft(ShownProjectDraft(row, in: ProjectView(in: snapshot)))
  }
}

enum ListProjectDrafts: ReadMethod {
  static let name = "projects/drafts"
  static let summary = "The unsaved drafts, newest first, for a client to offer when it starts."
  static let effects: Effects = .reads

  typealias Params = DraftListParams
  typealias Result = Page<ProjectDraft>

  static func run(_ params: DraftListParams, in snapshot: Snapshot) throws -> Page<ProjectDraft> {
    let view = try ProjectView(in: snapshot)
    return try DraftTable.projects.page(params, in: snapshot) {
      try ProjectDraft(ShownProjectDraft($0, in: view))
    }
  }
}

enum DiscardProjectDraft: DiscardDraftMethod {
  static let name = "projects/discardDraft"
  static let summary = "Deletes unsaved text permanently. The card does not change. Always possible."
  static let table = DraftTable.projects
}
