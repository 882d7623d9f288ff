import Contract
import Store
import Wire

enum KeepProjectDraft: WriteMethod {
  static let name = "projects/draft"
  static let summary =
    "Opens a card for writing, or begins a new one, and keeps what is not saved yet: an editor that dies loses nothing of "
    + "it. Told to nobody, not undoable; the draft goes when its client saves the card, or discards it, and that of a new one "
    + "when anybody adds just what it says."
  static let since = 1
  static let effects: Effects = .writes

  struct Params: Payload {
    var id: ProjectID?
    var title: String?
    var body: String?
    var deadline: Patch<GivenDay> = .absent
    var time: Patch<String> = .absent
    var tags: [String]?
    static let example = Params(id: "0192", title: "Return the", body: nil, tags: nil)
    static let fields = [
      "id":
        "The card; without it a new one, whose id is answered. Give that with every further draft, and to `projects/add`.",
      "title": "What stands in the editor, as the other fields; those that are not given stay. It may be blank.",
      "body": "What else is said.", "deadline": "The day on which it is due, also in words.",
      "time": "The time of that day: 18:30, or as it is said.",
      "tags": "All of its tags.",
    ]
    static let limits: [String: FieldLimits] = ProjectContent.limits.merging([
      "title": .length(0...ProjectContent.longestTitle)
    ]) { $1 }.filter { ["title", "body", "time", "tags"].contains($0.key) }
  }
  typealias Result = ProjectDraft

  static func run(_ params: Params, in transaction: Transaction) throws -> ProjectDraft {
    let snapshot = transaction.snapshot
    let card = params.id?.text ?? transaction.services.newID()
    let record = try snapshot.find(ProjectRecord.self, id: card)
    let known = try DraftTable.projects.find(card, of: transaction.caller.connectionID, in: transaction.db)
    var content =
      try known.map { try StoredJSON<ProjectDraftContent>(stored: $0.content).value() }
      ?? record.map(ProjectDraftContent.init)
      ?? ProjectDraftContent(deadline: transaction.services.usualDeadline(for: transaction.reader))
    content.title = params.title ?? content.title
    content.body = params.body ?? content.body
    content.deadline = try params.deadline.deadline(in: snapshot).applied(to: content.deadline)
    let time = try params.time.time().applied(to: content.time)
    content.time = content.deadline == nil ? nil : time
    if let tags = params.tags { content.tags = try TagList.kept(tags) }
    let row = KeptDraft(
      of: card, content: try StoredJSON(content).json, known: known, revision: record?.revision, in: transaction)
    transaction.keepSilent()
    // A new card in which nobody wrote yet is nothing to be offered to the next client.
    if record != nil || !content.isBlank {
      try DraftTable.projects.keep(row, in: transaction)
    } else if known != nil {
      _ = try DraftTable.projects.discard(card, of: row.connection, in: transaction)
    }
    return try ProjectDraft(row, in: ProjectView(in: snapshot))
  }
}

enum ListProjectDrafts: ReadMethod {
  static let name = "projects/drafts"
  static let summary = "What was written and not saved, the last first: a client that begins offers it."
  static let since = 1
  static let effects: Effects = .reads

  typealias Params = DraftListParams
  typealias Result = Page<ProjectDraft>

  static func run(_ params: DraftListParams, in snapshot: Snapshot) throws -> Page<ProjectDraft> {
    let view = try ProjectView(in: snapshot)
    return try DraftTable.projects.page(params, in: snapshot) {
      try ProjectDraft($0, in: view)
    }
  }
}

enum DiscardProjectDraft: DiscardDraftMethod {
  static let name = "projects/discardDraft"
  static let summary = "Lets go of what was not saved, for good. The card stays as it is; this is always possible."
  static let table = DraftTable.projects
}
