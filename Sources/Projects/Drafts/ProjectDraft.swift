import Contract
import Kit
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
struct ShownProjectDraft: ShownDraft {
  static let name = "ProjectDraft"
  static let example = ShownProject.example

  /// What was written.
  let item: ProjectRecord
  let row: StoredDraft
  /// The card as it is saved.
  let card: ProjectRecord?
  let view: ProjectView

  init(_ row: StoredDraft, in view: ProjectView) throws {
    item = try ProjectRecord(draftContent: row.content)
    card = try view.snapshot.find(ProjectRecord.self, id: row.item)
    (self.row, self.view) = (row, view)
  }

  var savedRevision: Int64? { card?.revision }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("editable", "Always true: who keeps a draft is writing.", example: true) { _ in true },
    DerivedMember("display", of: "ProjectDraft.Display", "Strings for people.") {
      DerivedMember("heading", "What stands above the card: the title of its column.", example: "TODO") {
        shown -> String in
        let view = shown.view
        return view.title(of: shown.card.flatMap { view.columns[$0.state] } ?? view.columns.first)
      }
      DerivedMember("title", "The title that it would have.", example: "Return the book") { shown in
        shown.item.title.isBlank ? shown.view.words(Text("day.noTitle")) : shown.item.title
      }
      DerivedMember(
        "due", "The deadline in the locale's medium style, with its time if it has one.", example: "Nov 21, 2026"
      ) { $0.view.due($0.item.deadline, $0.item.time) }
    },
  ]
}
