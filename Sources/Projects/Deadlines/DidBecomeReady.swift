import Contract
import Kit
import Store
import Wire

/// Cards can be started because a new day began.
enum DidBecomeReady: Notification {
  static let name = "projects/didBecomeReady"
  static let summary =
    "Open cards whose `start` was reached when the library's day changed and that wait for no other card. Follows "
    + "`session/didChangeDay`, if there are any. If several days have passed, covers all of them."
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var ids: [ProjectID]
    var all: Bool?
    static let example = Params(ids: ["0192"], all: nil)
    static let fields = [
      "ids": "The cards, earliest start first.",
      "all": "True if there are more than 1,000; then `ids` is empty, and `projects/list {ready: true}` returns them.",
    ]
  }

  /// The notifications for a new day; none if no card became ready, or if the clock was set back.
  static func notices(from old: CalendarDay, to new: CalendarDay, in snapshot: Snapshot) throws -> [Notice] {
    guard old < new else { return [] }
    let boards = try CardBoards(in: snapshot)
    let ready = Readiness.ready(in: CardLanes(of: boards, boards.current), on: new)
    let ids = try snapshot.db.texts(
      "SELECT id FROM project WHERE start > ? AND start <= ? AND \(ready.sql) ORDER BY start, id LIMIT ?",
      [.text(old.description), .text(new.description)] + ready.values + [.integer(DidBecomeOverdue.most + 1)]
    ).map(ProjectID.init(unchecked:))
    if ids.isEmpty { return [] }
    let isLong = ids.count > DidBecomeOverdue.most
    return [try Notice(DidBecomeReady.self, isLong ? Params(ids: [], all: true) : Params(ids: ids, all: nil))]
  }
}
