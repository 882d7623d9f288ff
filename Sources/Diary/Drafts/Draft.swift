import Contract
import Kit
import Store
import Wire

extension EntryRecord: WrittenItem {
  static let drafts = DraftTable("diaryDraft", item: "entry", content: "text")
}

/// The unsaved text of an entry, in replies.
typealias Draft = ItemJSON<ShownEntryDraft>

/// The unsaved text of an entry by one client.
struct ShownEntryDraft: ShownDraft {
  static let name = "Draft"
  static let example = ShownEntry.example

  /// The entry as the client wrote it.
  let item: EntryRecord
  let row: StoredDraft
  /// The saved entry; nil for a new one.
  let entry: EntryRecord?
  let snapshot: Snapshot

  init(_ row: StoredDraft, in snapshot: Snapshot) throws {
    entry = try snapshot.find(EntryRecord.self, id: row.item)
    var item = EntryRecord()
    item.text = row.content
    (self.item, self.row, self.snapshot) = (item, row, snapshot)
  }

  var savedRevision: Int64? { entry?.revision }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("text", "The unsaved text; absent in the reply of `diary/draft`.", example: "A walk") {
      $0.item.text
    }.omittedInLists,
    DerivedMember("display", of: "Draft.Display", "Strings for people.") {
      DerivedMember(
        "heading", "The date above the text: today's for a new entry, otherwise the entry's.",
        example: "Nov 21, 2026"
      ) { $0.snapshot.heading(at: $0.entry?.writtenAt ?? $0.snapshot.services.now()) }
      DerivedMember("title", "The title that it would have.", example: "A walk") {
        $0.snapshot.name(of: TitledText($0.item.text))
      }
    },
  ]
}
