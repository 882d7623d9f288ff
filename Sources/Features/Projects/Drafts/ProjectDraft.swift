import Contract
import Store
import Wire

extension DraftTable {
  static let projects = DraftTable("projectDraft", item: "card", content: "content")
}

/// A card that was not saved, in replies.
typealias ProjectDraft = ItemJSON<ShownProjectDraft>

extension ProjectDraft {
  /// Lets go of the drafts that have become this card, which had the revision `old`, or was none.
  static func settle(
    saving card: ProjectRecord, over old: Int64?, setting isSet: (String) -> Bool, in transaction: Transaction
  ) throws {
    try DraftTable.projects.settle(saving: card, over: old, setting: isSet, in: transaction) { draft, saved in
      // A time is one of the day.
      if draft.deadline == nil { draft.time = saved.time }
    }
  }
}

/// What a client wrote of a card and did not save.
struct ShownProjectDraft: ShownItem {
  static let name = "ProjectDraft"
  static let example = ShownProject.example

  /// What was written.
  let item: ProjectRecord
  let row: KeptDraft
  /// The card as it is saved.
  let card: ProjectRecord?
  let view: ProjectView

  init(_ row: KeptDraft, in view: ProjectView) throws {
    item = try ProjectRecord(draftContent: row.content)
    card = try view.snapshot.find(ProjectRecord.self, id: row.item)
    (self.row, self.view) = (row, view)
  }

  static func shows(_ field: Field<ProjectRecord>) -> Bool { field.traits.contains(.isDrafted) }

  static let head: [DerivedMember<Self>] = [
    DerivedMember("id", "The card; of a new one the id to add it by.", example: "0192") {
      ProjectID(unchecked: $0.row.item)
    },
    DerivedMember("connection", "The connection that wrote the draft.", example: "0193") { $0.row.connection },
    DerivedMember("client", "The name of the client that wrote it.", example: "nvim") { $0.row.client },
    DerivedMember("startedAt", "When it was begun.", example: "2026-11-21T01:44:05.678Z") { $0.row.startedAt },
    DerivedMember("updatedAt", "When it was last kept.", example: "2026-11-21T01:44:05.678Z") { $0.row.updatedAt },
    DerivedMember("isNew", "There is no such card yet, or no longer.", example: false) { $0.card == nil },
    DerivedMember("isOutdated", "The card has changed since the draft was begun.", example: false) {
      $0.card?.revision != $0.row.revision
    },
    DerivedMember("editable", "Always true: who keeps a draft is writing.", example: true) { _ in true },
    DerivedMember(
      "revision", "The card's revision when the draft was begun, for `ifRevision`; absent for a new one.", example: 42
    ) { $0.row.revision },
  ]

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("display", "Strings for people.", example: Display.exampleValue) { $0.display }
  ]

  private var display: Display {
    let heading = view.title(of: card.flatMap { view.columns[$0.state] } ?? view.columns.first)
    return Display(
      heading: heading, title: item.title.isBlank ? view.words(Text("projects.noTitle")) : item.title,
      due: view.due(item.deadline, item.time))
  }

  struct Display: Payload {
    var heading: String
    var title: String
    var due: String?
    static let example = Display(heading: "TODO", title: "Return the book", due: "Nov 21, 2026")
    static let fields = [
      "heading": "What stands above the card: the title of its column.", "title": "The title that it would have.",
      "due": "The deadline in the locale's medium style, with its time if it has one.",
    ]
    fileprivate static let exampleValue = (try? JSONEncoding.value(of: example)) ?? .null
  }
}
