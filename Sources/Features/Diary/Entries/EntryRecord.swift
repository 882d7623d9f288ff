import Contract
import Store

package struct EntryID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// An entry as its row has it.
struct EntryRecord: StoredItem {
  static let collectionName = "diary"
  static let tableName = "diaryEntry"

  var id = ""
  var revision: Int64 = 0
  /// When it came into the library.
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// Byte for byte as it was written.
  var text = ""
  /// The day that it is about.
  var day = CalendarDay(daysSince1970: 0)
  /// The zone of its writer at that time.
  var timeZone = ""
  /// When it was written; no update changes it. Of an imported entry this is long before `createdAt`.
  var writtenAt = Instant(milliseconds: 0)
  /// Which entry of which file it was imported from (`ImportedEntry.origin`), and what that said when it last came
  /// (`EntryState`). Data of the entry itself: so both go back with an import that is undone.
  var origin: String?
  var came: String?
  /// Which file of ours it was last taken from, as JSON (`TakenFile`); likewise.
  var taken: String?

  static let fields = Fields<Self> {
    Field("text", \.text)
    Field("day", \.day)
    Field("timeZone", \.timeZone)
    Field("writtenAt", \.writtenAt)
    Field("origin", \.origin).internal
    Field("came", \.came).internal
    Field("taken", \.taken).internal
  }
}
