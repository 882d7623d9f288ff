import Contract
import Kit
import Store
import Wire

/// Cards became overdue because a new day began.
enum DidBecomeOverdue: Notification {
  static let name = "projects/didBecomeOverdue"
  static let summary =
    "Open cards that became overdue when the library's day changed. Follows `session/didChangeDay`, if there are any. "
    + "If several days have passed, covers all of them."
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var ids: [ProjectID]
    var all: Bool?
    static let example = Params(ids: ["0192"], all: nil)
    static let fields = [
      "ids": "The cards, earliest deadline first.",
      "all":
        "True if there are more than 1,000; then `ids` is empty, and `projects/list {overdue: true}` returns them.",
    ]
  }

  /// More cards than this are not listed one by one.
  static let most = 1_000

  /// The notifications for a new day; none if no card became overdue, or if the clock was set back.
  static func notices(from old: CalendarDay, to new: CalendarDay, in snapshot: Snapshot) throws -> [Notice] {
    guard old < new else { return [] }
    let ids = try newlyOverdue(from: old, to: new, limit: most + 1, in: snapshot)
    if ids.isEmpty { return [] }
    return [
      try Notice(DidBecomeOverdue.self, ids.count > most ? Params(ids: [], all: true) : Params(ids: ids, all: nil))
    ]
  }

  /// Open cards that were not overdue on `old`, and are on `new`. Cards of archived boards are never due.
  private static func newlyOverdue(
    from old: CalendarDay, to new: CalendarDay, limit: Int, in snapshot: Snapshot
  ) throws -> [ProjectID] {
    let boards = try CardBoards(in: snapshot)
    let open = CardLanes(of: boards, boards.current).only(open: true).condition()
    var ids: [ProjectID] = []
    try snapshot.db.each(
      """
      SELECT id FROM project WHERE \(open.sql) AND deadline >= ? AND deadline < ? ORDER BY deadline, id LIMIT ?
      """, open.values + [.text(old.description), .text(new.description), .integer(limit)]
    ) { ids.append(ProjectID(unchecked: $0.text(0))) }
    return ids
  }
}
