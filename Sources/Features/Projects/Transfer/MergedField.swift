import Store
import Wire

/// A field of a task that is merged by itself.
struct MergedField: Sendable {
  /// The columns of a card that it is; the first is its name for clients.
  var columns: [String]
  /// Whether two tasks say the same of it.
  var isSame: @Sendable (ForeignTask, ForeignTask) -> Bool
  /// Makes a task say of it what another one does.
  var keep: @Sendable (inout ForeignTask, _ other: ForeignTask) -> Void

  private init(
    _ columns: String..., isSame: @escaping @Sendable (ForeignTask, ForeignTask) -> Bool,
    keep: @escaping @Sendable (inout ForeignTask, _ other: ForeignTask) -> Void
  ) {
    (self.columns, self.isSame, self.keep) = (columns, isSame, keep)
  }

  /// Without the recurrence, which is nobody's any more once a card is done.
  static let all = [
    MergedField("title", isSame: { ForeignTask.sameText($0.title, $1.title) }, keep: { $0.title = $1.title }),
    MergedField("body", isSame: { ForeignTask.sameText($0.body, $1.body) }, keep: { $0.body = $1.body }),
    MergedField("state", isSame: sameColumn, keep: { ($0.state, $0.column) = ($1.state, $1.column) }),
    MergedField(
      "deadline", "time", isSame: { $0.due == $1.due && $0.time == $1.time },
      keep: { ($0.due, $0.time) = ($1.due, $1.time) }),
    MergedField("priority", isSame: { $0.priority == $1.priority }, keep: { $0.priority = $1.priority }),
    MergedField("tags", isSame: { ForeignTask.sameTags($0, $1) }, keep: { $0.tags = $1.tags }),
    MergedField(
      "blockedBy", isSame: { ForeignTask.sameList($0.blockedBy.sorted(), $1.blockedBy.sorted()) },
      keep: { $0.blockedBy = $1.blockedBy }),
  ]

  static let recurrence = MergedField(
    "recurrence", isSame: { $0.recurrence == $1.recurrence && $0.comparableDetails == $1.comparableDetails },
    keep: { ($0.recurrence, $0.recurrenceDetails) = ($1.recurrence, $1.recurrenceDetails) })

  /// Most formats do not say the column, but only what it means.
  private static func sameColumn(_ left: ForeignTask, _ right: ForeignTask) -> Bool {
    guard left.state == right.state else { return false }
    guard let column = left.column, let there = right.column else { return true }
    return sameBytes(column, there)
  }
}
