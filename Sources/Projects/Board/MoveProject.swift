import Contract
import Kit
import Store
import Wire

enum MoveProject: WriteMethod, ManyItemsMethod {
  static let name = "projects/move"
  static let summary =
    "Moves a card to another column, or to another place of its own. A recurring card that comes into a closed column "
    + "brings its next one, and one undo takes both back."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var state: String
    var before: ProjectID?
    var after: ProjectID?
    var ifRevision: Int64?
    static let example = Params(id: "0192", state: "doing", before: "0191", after: nil, ifRevision: 42)
    static let fields = [
      "id": "The card.", "state": "The column: its name, or the title that it is shown with.",
      "before": "The card of that column before which it is to stand. Without `before` and `after` it goes to the end.",
      "after": "The card of that column behind which it is to stand.",
      "ifRevision": "Refuse if the card has changed since this revision.",
    ]
    static let limits: [String: FieldLimits] = ["state": .length(1...200)]
    static let atMostOne = [["before", "after"]]
  }
  typealias Result = Project

  static func isReversed(_ params: Params) -> Bool { params.after != nil }

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let columns = try BoardColumns(in: snapshot)
    let column = try columns.require(named: params.state, in: snapshot)
    guard let place = try place(params, column, for: record, in: snapshot), !place.holds(record) else {
      return try ProjectView(in: snapshot).project(record)
    }
    let (moved, next) = try move(
      record, to: column, at: place.take(in: transaction), columns: columns, in: transaction)
    return try ProjectView(in: snapshot).project(moved, followedBy: next)
  }

  /// Nil if the card stays where it is.
  private static func place(
    _ params: Params, _ column: StoredColumn, for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> ColumnPlace? {
    if let before = params.before {
      return try ColumnPlace(
        before: neighbour(before, "before", of: params, column, in: snapshot), for: record.id, in: snapshot.db)
    }
    if let after = params.after {
      return try ColumnPlace(
        after: neighbour(after, "after", of: params, column, in: snapshot), for: record.id, in: snapshot.db)
    }
    // The same move again moves nothing.
    if sameBytes(column.state, record.state) { return nil }
    return try ColumnPlace(endOf: column.state, for: record.id, in: snapshot.db)
  }

  private static func neighbour(
    _ id: ProjectID, _ field: String, of params: Params, _ column: StoredColumn, in snapshot: Snapshot
  ) throws -> ProjectRecord {
    if id == params.id { throw RPCError.invalidParams(field: field, reason: Text("projects.neighbourItself")) }
    let neighbour = try snapshot.get(ProjectRecord.self, id: id.text)
    guard sameBytes(neighbour.state, column.state) else {
      let view = try ProjectView(in: snapshot)
      let current = try view.shown(neighbour)
      throw RPCError(
        .conflict,
        text: Text("projects.neighbourElsewhere", ["title": neighbour.title, "column": view.state(current.item)]),
        data: [
          "collection": .string(ProjectRecord.collectionName), "id": .string(id.text),
          "current": try Project(current).value,
        ])
    }
    return neighbour
  }

  private static func move(
    _ record: ProjectRecord, to column: StoredColumn, at rank: String, columns: BoardColumns,
    in transaction: Transaction
  ) throws -> (moved: ProjectRecord, next: ProjectRecord?) {
    let (wasOpen, isFirst) = (columns.isOpen(record.state), sameBytes(column.state, columns.first.state))
    // In a column that is just being closed, a card may be unfinished.
    let isDone = !column.isOpen && (wasOpen || record.completedAt == nil)
    let isElsewhere = !sameBytes(column.state, record.state)
    let next = isDone ? try transaction.insertNextCard(after: record, columns: columns) : nil
    let moved = try transaction.change(record) { record in
      record.state = column.state
      record.rank = rank
      if isDone {
        record.completedAt = transaction.now
        record.recurrence = nil
      }
      if column.isOpen {
        record.completedAt = nil
        record.startedAt = isFirst ? nil : record.startedAt ?? transaction.now
        if isElsewhere { record.movedAt = transaction.now }
      }
    }
    if wasOpen != column.isOpen { try Blockers.notifyWaiting(for: record.id, in: transaction) }
    return (moved, next)
  }
}
