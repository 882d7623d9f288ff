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
  /// Makes a task say of it what its card and its file changed both. False where both changed the same; nil where there is
  /// no such thing.
  var merge: (@Sendable (inout ForeignTask, _ card: ForeignTask, _ file: ForeignTask, _ base: ForeignTask) -> Bool)?

  private init(
    _ columns: String..., isSame: @escaping @Sendable (ForeignTask, ForeignTask) -> Bool,
    keep: @escaping @Sendable (inout ForeignTask, _ other: ForeignTask) -> Void
  ) {
    (self.columns, self.isSame, self.keep) = (columns, isSame, keep)
  }

  /// Without the recurrence, which is nobody's any more once a card is done.
  static let all = [
    MergedField("title", isSame: { ForeignTask.sameText($0.title, $1.title) }, keep: { $0.title = $1.title }),
    MergedField("body", isSame: { ForeignTask.sameText($0.body, $1.body) }, keep: { $0.body = $1.body })
      .merging { task, card, file, base in
        let merge = TextMerge(base: base.body, older: card.body, newer: file.body)
        if !merge.overlaps { task.body = merge.text }
        return !merge.overlaps
      },
    MergedField("state", isSame: sameColumn, keep: { ($0.state, $0.column) = ($1.state, $1.column) }),
    deadline,
    MergedField("priority", isSame: { $0.priority == $1.priority }, keep: { $0.priority = $1.priority }),
    MergedField("tags", isSame: { ForeignTask.sameTags($0, $1) }, keep: { $0.tags = $1.tags })
      .merging { task, card, file, base in
        task.tags = SetMerge.elements(ours: card.tags, theirs: file.tags, base: base.tags)
        return true
      },
    MergedField(
      "blockedBy", isSame: { ForeignTask.sameList($0.blockedBy.sorted(), $1.blockedBy.sorted()) },
      keep: { $0.blockedBy = $1.blockedBy }
    ).merging { task, card, file, base in
      task.blockedBy = SetMerge.elements(ours: card.blockedBy, theirs: file.blockedBy, base: base.blockedBy)
      return true
    },
  ]

  static let recurrence = MergedField(
    "recurrence", isSame: { $0.recurrence == $1.recurrence && $0.comparableDetails == $1.comparableDetails },
    keep: { ($0.recurrence, $0.recurrenceDetails) = ($1.recurrence, $1.recurrenceDetails) })

  private static let deadline = MergedField(
    "deadline", "time", isSame: { $0.due == $1.due && $0.time == $1.time },
    keep: { ($0.due, $0.time) = ($1.due, $1.time) })

  /// A rule counts from a day.
  static let ofDay = [deadline, recurrence]

  private func merging(
    _ merge: @escaping @Sendable (inout ForeignTask, ForeignTask, ForeignTask, ForeignTask) -> Bool
  ) -> MergedField {
    var field = self
    field.merge = merge
    return field
  }

  /// Most formats do not say the column, but only what it means.
  private static func sameColumn(_ left: ForeignTask, _ right: ForeignTask) -> Bool {
    guard left.state == right.state else { return false }
    guard let column = left.column, let there = right.column else { return true }
    return sameBytes(column, there)
  }
}
