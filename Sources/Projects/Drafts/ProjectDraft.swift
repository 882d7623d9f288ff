import Contract
import Kit
import Store
import Wire

extension DraftTable {
  static let projects = DraftTable("projectDraft", item: "card", content: "content")
}

/// An unsaved card, in replies.
typealias ProjectDraft = ItemJSON<ShownProjectDraft>

extension ProjectDraft {
  /// Deletes the drafts that the saved card includes. `old` is its revision before; nil for a new card.
  static func settle(
    saving card: ProjectRecord, over old: Int64?, setting isSet: (String) -> Bool, in transaction: Transaction
  ) throws {
    try DraftTable.projects.settle(saving: card, over: old, setting: isSet, in: transaction) { draft, saved in
      // Without a day there is no time of day.
      if draft.deadline == nil { draft.time = saved.time }
    }
  }
}

/// The unsaved text of a card by one client.
struct ShownProjectDraft: ShownDraft {
  static let name = "ProjectDraft"
  static let example = ShownProject.example

  /// The card as the client wrote it.
  let item: ProjectRecord
  let row: StoredDraft
  /// The saved card; nil for a new one.
  let card: ProjectRecord?
  let view: ProjectView

  init(_ row: StoredDraft, in view: ProjectView) throws {
    item = try ProjectRecord(draftContent: row.content)
    card = try view.snapshot.find(ProjectRecord.self, id: row.item)
    (self.row, self.view) = (row, view)
  }

  var savedRevision: Int64? { card?.revision }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("editable", "Always true: a client with a draft is editing.", example: true) { _ in true },
    DerivedMember("display", of: "ProjectDraft.Display", "Strings for people.") {
      DerivedMember("heading", "The heading above the card: the title of its column.", example: "TODO") {
        shown -> String in
        let boards = shown.view.boards
        let column = shown.card.flatMap { boards.columns(of: $0.board)[$0.state] }
        return shown.view.title(of: column ?? boards.columns(of: shown.item.board).first)
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
