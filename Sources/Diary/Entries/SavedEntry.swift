import Contract
import Kit
import Store
import Wire

/// The result of saving a text: the entry, or the reason why nothing was saved.
///
/// The members of the entry are beside `saved`, as in every write's reply; a blank text has no such members.
typealias SavedEntry = ItemJSON<ShownSavedEntry>

extension SavedEntry {
  /// Nothing was saved: the text is blank.
  static var empty: SavedEntry { get throws { try SavedEntry(ShownSavedEntry(entry: nil)) } }

  init(_ record: EntryRecord, in snapshot: Snapshot) throws {
    try self.init(ShownSavedEntry(entry: ShownEntry(record, in: snapshot)))
  }
}

struct ShownSavedEntry: ShownObject {
  static let name = "SavedEntry"

  /// Why nothing was saved.
  enum Reason: String, Choice {
    case empty
  }

  /// Nil if nothing was saved.
  let entry: ShownEntry?

  static let members = Members<Self> {
    DerivedMember(
      "saved", "False if the text is white space only: nothing was stored or changed, and the reply has no entry.",
      example: true
    ) { $0.entry != nil }
    DerivedMember("reason", "Why nothing was saved.", example: nil) { $0.entry == nil ? Reason.empty : nil }
    MemberGroup(of: { $0.entry })
  }
}
