import Kit
import SQLite
import Store
import Wire

/// The cards and events that a day's page lists. Cards that were added, moved but not finished yet, finished, and due on that day. A card that was
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
  /// The cards of one open column that are due, by the commits that made them. Cards of archived boards are not.
  static let due = DueCards()
  /// The cards of one closed column: a past day also lists the cards that were finished after it.
  static let dueThen = DueCards(where: "completedAt >= ?", word: Text("day.dueThen"))

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    let boards = try CardBoards(in: snapshot)
    let current = Set(boards.current.map(\.id))
    let day = SQLValue.text(query.day.description)
    for column in boards.counts where current.contains(column.board) {
      let lane: [SQLValue] = [.text(column.board), .text(column.state)]
      if boards.columns(of: column.board).isOpen(column.state) {
        items += try due.items(query, lane + [day], in: snapshot)
      } else {
        items += try dueThen.items(query, lane + [day, .integer(query.instants.upperBound)], in: snapshot)
      }
    }
    items += try added.items(query, in: snapshot)
    items += try moved.items(query, [.integer(query.instants.upperBound)], in: snapshot)
    items += try finished.items(query, in: snapshot)
    items += try AgendaEvents(from: query.day, through: query.day, limit: query.limit, in: snapshot)
      .dayItems(on: query.day)
    return items
  }
}
