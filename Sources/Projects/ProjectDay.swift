import Kit
import SQLite
import Store
import Wire

/// The cards that a day's page lists: added, moved but not finished yet, finished, and due on that day. A card that was
/// finished before the day ended is not due on it. A card that was finished later is listed as due, with a note that it
/// is done by now.
enum ProjectDay {
  static let added = FoldedItems(in: "project", collection: ProjectRecord.collectionName)
  /// A card that was also finished that day is listed as finished only.
  static let moved = FoldedItems(
    .moved, in: "project", collection: ProjectRecord.collectionName, at: "movedAt",
    where: "completedAt IS NULL OR completedAt >= ?")
  static let finished = FoldedItems(
    .finished, in: "project", collection: ProjectRecord.collectionName, at: "completedAt")
  /// The cards of one open column that are due, in the order of the index. Cards of archived boards are not.
  static let due = due()
  /// The cards of one closed column: a past day also lists the cards that were finished after it.
  static let dueThen = due("AND completedAt >= ?")

  private static func due(_ condition: String = "") -> String {
    "SELECT id, title FROM project WHERE board = ? AND state = ? AND deadline = ? \(condition) ORDER BY id LIMIT ?"
  }

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    func readDue(_ sql: String, _ values: [SQLValue], isDone: Bool = false) throws {
      try snapshot.db.each(sql, values) { row in
        items.append(
          DayItem(
            .due, collection: ProjectRecord.collectionName, id: row.text(0), at: nil, title: row.text(1),
            word: isDone ? Text("day.dueThen") : nil, in: snapshot))
      }
    }
    let boards = try CardBoards(in: snapshot)
    let current = Set(boards.current.map(\.id))
    let (day, limit) = (SQLValue.text(query.day.description), SQLValue.integer(Int64(query.limit)))
    for column in boards.counts where current.contains(column.board) {
      let lane: [SQLValue] = [.text(column.board), .text(column.state)]
      if boards.columns(of: column.board).isOpen(column.state) {
        try readDue(due, lane + [day, limit])
      } else {
        try readDue(dueThen, lane + [day, .integer(query.instants.upperBound), limit], isDone: true)
      }
    }
    items += try added.items(query, in: snapshot)
    items += try moved.items(query, [.integer(query.instants.upperBound)], in: snapshot)
    items += try finished.items(query, in: snapshot)
    return items
  }
}
