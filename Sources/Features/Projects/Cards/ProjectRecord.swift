import Contract
import Store

package struct ProjectID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A card as its row has it.
struct ProjectRecord: StoredItem {
  static let collectionName = "projects"
  static let tableName = "project"

  var id = ""
  var revision: Int64 = 0
  /// When it came into the library.
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title = ""
  /// Empty where there is none.
  var body = ""
  /// The column in which it stands.
  var state = ""
  /// Its place in the column: a text that sorts by its bytes (`Rank`). Two cards may have the same after an undo; then
  /// their ids decide.
  var rank = ""
  var deadline: CalendarDay?
  /// `09:30`, on the wall of wherever the reader is; only with a deadline.
  var time: String?
  /// In the reader's order, none twice; see `TagList`.
  var tags = StoredJSON<[String]>(stored: "[]")
  /// The ids of the cards that have to be done before. Those of removed cards stay, so that undo brings all of it back.
  var blockedBy = StoredJSON<[String]>(stored: "[]")
  /// A `Recurrence` as JSON.
  var recurrence: String?
  /// 1, the highest, to 9, as in iCalendar.
  var priority: Int?
  /// When it was written. Of an imported card what its file says, which may be long before `createdAt`.
  var writtenAt = Instant(milliseconds: 0)
  /// When it left the first column for another open one.
  var startedAt: Instant?
  /// When it last came from one column into an open one.
  var movedAt: Instant?
  /// When it came into a closed column.
  var completedAt: Instant?
  /// What a format says of it that we do not understand, as JSON, kept so that the way back loses nothing.
  var foreign: String?
  /// Its id in the program that it was imported from.
  var foreignID: String?
  /// Which file of ours it was last taken from, as JSON (`TakenFile`).
  var came: String?

  mutating func columns(_ row: inout RowFields) throws {
    row("title", &title)
    row("body", &body)
    row("state", &state)
    row("rank", &rank)
    try row("deadline", &deadline)
    row("time", &time)
    row("tags", &tags)
    row("blockedBy", &blockedBy)
    row("recurrence", &recurrence)
    row("priority", &priority)
    row("writtenAt", &writtenAt)
    row("startedAt", &startedAt)
    row("movedAt", &movedAt)
    row("completedAt", &completedAt)
    row("foreign", &foreign)
    row("foreignID", &foreignID)
    row("came", &came)
  }
}
