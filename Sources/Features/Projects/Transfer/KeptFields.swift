import Store

extension ForeignTask {
  /// Takes from its card what the file says in words that mean nothing: that is no change of it, and takes nothing away.
  mutating func keepUnread(of record: ProjectRecord, columns: BoardColumns) throws {
    if unread.isEmpty { return }
    let card = try ForeignTask(record, columns: columns)
    if unread.contains("state") { (state, column) = (card.state, card.column) }
    if unread.contains("priority") { priority = card.priority }
    if unread.contains("deadline") {
      (due, time) = (card.due, card.time)
    } else if unread.contains("time"), due != nil {
      time = card.time
    }
    // A day that was taken away takes the rule with it that counts from it.
    if unread.contains("recurrence"), due != nil || card.ownRecurrence?.from == .completion {
      (recurrence, recurrenceDetails) = (card.recurrence, card.recurrenceDetails)
    }
  }
}
