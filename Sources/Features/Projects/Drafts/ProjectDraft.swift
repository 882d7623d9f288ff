import Contract
import Store
import Wire

extension DraftTable {
  static let projects = DraftTable("projectDraft", item: "card", content: "content")
}

extension DraftTable {
  /// Lets go of the drafts that have become this card, which had the revision `old`, or was none.
  func settle(
    saving card: ProjectRecord, over old: Int64?, setting fields: Set<ProjectDraftContent.Field>,
    in transaction: Transaction
  ) throws {
    let saved = try ProjectDraftContent(card)
    let revisions = (old: old, new: card.revision)
    try settle(card.id, saving: StoredJSON(saved).json, revisions: revisions, in: transaction) { draft in
      try StoredJSON(StoredJSON<ProjectDraftContent>(stored: draft).value().taking(fields, from: saved)).json
    }
  }
}

/// What stands in an editor of a card, as its draft keeps it.
struct ProjectDraftContent: Codable, Sendable {
  var title = ""
  var body = ""
  var deadline: CalendarDay?
  var time: String?
  var tags: [String] = []

  /// A card that is opened for writing.
  init(_ record: ProjectRecord) throws {
    title = record.title
    body = record.body
    deadline = record.deadline
    time = record.time
    tags = try record.tagList
  }

  /// A new card, due today.
  init(deadline: CalendarDay) {
    self.deadline = deadline
  }

  /// What a save may set of it.
  enum Field {
    case title, body, deadline, time, tags
  }

  func taking(_ fields: Set<Field>, from other: ProjectDraftContent) -> ProjectDraftContent {
    var content = self
    if fields.contains(.title) { content.title = other.title }
    if fields.contains(.body) { content.body = other.body }
    if fields.contains(.deadline) { content.deadline = other.deadline }
    if fields.contains(.time) || content.deadline == nil { content.time = other.time }
    if fields.contains(.tags) { content.tags = other.tags }
    return content
  }

  /// Whether there is nothing that anybody wrote.
  var isBlank: Bool {
    [title, body].allSatisfy(\.isBlank) && tags.isEmpty
  }
}

/// A card that was not saved, as clients see it.
struct ProjectDraft: Payload {
  var id: ProjectID
  var connection: String
  var client: String
  var startedAt: Instant
  var updatedAt: Instant
  var isNew: Bool
  var isOutdated: Bool
  var editable: Bool
  var revision: Int64?
  var title: String
  var body: String
  var deadline: CalendarDay?
  var time: String?
  var tags: [String]
  var display: Display

  struct Display: Payload {
    var heading: String
    var title: String
    var due: String?
    static let example = Display(heading: "TODO", title: "Return the book", due: "Nov 21, 2026")
    static let fields = [
      "heading": "What stands above the card: the title of its column.", "title": "The title that it would have.",
      "due": "The deadline in the locale's medium style, with its time if it has one.",
    ]
  }

  static let example = ProjectDraft(
    id: "0192", connection: "0193", client: "nvim", startedAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), isNew: false, isOutdated: false, editable: true, revision: 42,
    title: "Return the book", body: "To the library.", deadline: CalendarDay(year: 2026, month: 11, day: 21), time: nil,
    tags: ["errands"], display: .example)
  static let fields = [
    "id": "The card; of a new one the id to add it by.", "connection": "The connection that wrote the draft.",
    "client": "The name of the client that wrote it.", "startedAt": "When it was begun.",
    "updatedAt": "When it was last kept.", "isNew": "There is no such card yet, or no longer.",
    "isOutdated": "The card has changed since the draft was begun.",
    "editable": "Always true: who keeps a draft is writing.",
    "revision": "The card's revision when the draft was begun, for `ifRevision`; absent for a new one.",
    "title": "What was not saved, as the other fields.", "body": "What else is said.", "deadline": "The day.",
    "time": "The time of that day.", "tags": "The tags.", "display": "Strings for people.",
  ]
}

extension ProjectDraft {
  init(_ row: KeptDraft, in view: ProjectView) throws {
    let record = try view.snapshot.find(ProjectRecord.self, id: row.item)
    let content = try StoredJSON<ProjectDraftContent>(stored: row.content).value()
    id = ProjectID(unchecked: row.item)
    connection = row.connection
    client = row.client
    startedAt = row.startedAt
    updatedAt = row.updatedAt
    isNew = record == nil
    isOutdated = record?.revision != row.revision
    editable = true
    revision = row.revision
    title = content.title
    body = content.body
    deadline = content.deadline
    time = content.time
    tags = content.tags
    let snapshot = view.snapshot
    let hasTitle = !title.isBlank
    display = Display(
      heading: view.title(of: record.flatMap { view.columns[$0.state] } ?? view.columns.first),
      title: hasTitle
        ? title
        : snapshot.services.catalogue.string(for: Text("projects.noTitle"), language: snapshot.reader.language),
      due: view.due(content.deadline, content.time))
  }
}
