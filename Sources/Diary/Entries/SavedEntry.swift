import Contract
import Kit
import Store
import Wire

/// What became of a text that was to be stored: the entry, or the reason why there is none.
///
/// The members of the entry stand beside `saved`, as every write answers its item; a text of white space only has none.
typealias SavedEntry = ItemJSON<ShownSavedEntry>

extension SavedEntry {
  /// Nothing was stored: the text is white space only.
  static var empty: SavedEntry { get throws { try SavedEntry(ShownSavedEntry(entry: nil)) } }

  init(_ record: EntryRecord, in snapshot: Snapshot) throws {
    try self.init(ShownSavedEntry(entry: ShownEntry(record, in: snapshot)))
  }
}

struct ShownSavedEntry: ShownObject {
  static let name = "SavedEntry"

  /// Why nothing was stored.
  enum Reason: String, Choice {
    case empty
  }

  /// Nil where nothing was stored.
  let entry: ShownEntry?

  static let members = Members<Self> {
    DerivedMember(
      "saved", "False when the text is white space only: nothing was stored or changed, and there is no entry here.",
      example: true
    ) { $0.entry != nil }
    DerivedMember("reason", "Why nothing was saved.", example: nil) { $0.entry == nil ? Reason.empty : nil }
    MemberGroup(of: { $0.entry })
  }
}
