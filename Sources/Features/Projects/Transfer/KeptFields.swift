import Store

extension ForeignTask {
  /// Takes from its card what the file says in words that mean nothing: that is no change of it, and takes nothing away.
  mutating func keepUnread(of record: ProjectRecord, columns: BoardColumns) {
    if unread.isEmpty { return }
    if unread.contains("state") { state = Self.state(of: record.state, in: columns) }
    for field in ProjectRecord.fields.followed where unread.contains(field.name) {
      // A day that was taken away takes the rule with it that counts from it.
      if field.name == "recurrence", card.deadline == nil, record.recurrence?.from != .completion { continue }
      ProjectRecord.fields.copy(field, of: record, to: &card)
    }
    if unread.contains("time"), card.deadline != nil { card.time = record.time }
  }
}
