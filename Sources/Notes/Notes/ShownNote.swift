import Contract
import Kit
import Store
import Wire

/// A note in replies.
typealias Note = ItemJSON<ShownNote>

/// A note as one client sees it.
struct ShownNote: SnapshotItem {
  static let name = "Note"

  let item: NoteRecord
  let text: TitledText
  let snapshot: Snapshot

  init(_ item: NoteRecord, in snapshot: Snapshot) {
    (self.item, text, self.snapshot) = (item, TitledText(item.text), snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("preview", "The beginning of the body, on one line.", example: "By Frank Herbert.") {
      $0.text.preview
    },
    DerivedMember("body", "The text below the title; absent in lists.", example: "By Frank Herbert.") {
      $0.text.body
    }.omittedInLists,
    DerivedMember("display", of: "Note.Display", "Strings for people.") {
      DerivedMember(
        "title", "Its label: the title without heading markup, truncated for lists.", example: "Dune"
      ) { $0.snapshot.name(of: $0.text) }
      DerivedMember("changed", "The day when it last changed, on the client's calendar.", example: "Nov 21, 2026") {
        $0.snapshot.services.dates.string(.heading, at: $0.item.updatedAt.milliseconds, for: $0.snapshot.reader)
      }
    },
  ]

  static let example: NoteRecord = {
    var note = NoteRecord()
    (note.id, note.revision) = ("0192", 42)
    note.createdAt = Instant(milliseconds: 1_795_225_445_678)
    note.updatedAt = note.createdAt
    (note.text, note.tags) = ("Dune\nBy Frank Herbert.", ["novel"])
    return note
  }()
}
