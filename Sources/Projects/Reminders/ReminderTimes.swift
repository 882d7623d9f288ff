import Contract
import Display
import Kit
import SQLite
import Store
import Wire

/// Finds the reminders of open cards by the moments at which they are due.
///
/// A card that is put off, for someday or until a later day, reminds of nothing but its start. A reminder is over once
/// it was dismissed, and one that was past when its card was added never was due.
struct ReminderTimes {
  struct Found {
    var card: String
    var title: String
    var at: Instant
    /// The stored form; nil for a card that was snoozed until then.
    var reminder: String?
  }

  private let snapshot: Snapshot
  private let clock: ReminderClock
  private let open: (sql: String, values: [SQLValue])

  init(in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    clock = ReminderClock(snapshot.services)
    let boards = try CardBoards(in: snapshot)
    open = CardLanes(of: boards, boards.current).only(open: true).condition()
  }

  /// The reminders that were due between two instants: of each card its last one, earliest first.
  ///
  /// - Throws: `DatabaseError`.
  func due(after: Instant?, through now: Instant) throws -> [Found] {
    var last: [String: Found] = [:]
    for kind in Kind.allCases {
      let shift = shift(kind, at: now)
      let slack = kind.slack
      let from = after.map { seconds($0) + self.shift(kind, at: $0) - slack } ?? Int64.min
      try scan(kind, from: from) { moment, found in
        if moment > seconds(now) + shift + slack { return true }
        if let found, found.at <= now, after.map({ found.at > $0 }) ?? true,
          last[found.card].map({ $0.at < found.at }) ?? true
        {
          last[found.card] = found
        }
        return false
      }
    }
    return last.values.sorted { ($0.at, $0.card) < ($1.at, $1.card) }
  }

  /// The next reminders after an instant, earliest first.
  ///
  /// - Throws: `DatabaseError`.
  func coming(after now: Instant, limit: Int) throws -> [Found] {
    var coming: [Found] = []
    for kind in Kind.allCases {
      let slack = kind.slack
      var count = 0
      var bound = Int64.max
      try scan(kind, from: seconds(now) + shift(kind, at: now) - slack) { moment, found in
        // The following ones are later than `limit` others, however clocks change.
        if moment > bound { return true }
        if let found, found.at > now {
          coming.append(found)
          count += 1
          if count == limit { bound = moment + 2 * slack }
        }
        return false
      }
    }
    return Array(coming.sorted { ($0.at, $0.card) < ($1.at, $1.card) }.prefix(limit))
  }

  private enum Kind: Int, CaseIterable {
    case instant, local, day

    /// How far the order of local times may differ from that of instants: zones have changed their offset by a day.
    var slack: Int64 { self == .instant ? 1 : 26 * 3_600 }
  }

  private func seconds(_ instant: Instant) -> Int64 {
    (instant.milliseconds - (instant.milliseconds % 1_000 + 1_000) % 1_000) / 1_000
  }

  /// The seconds from an instant to the `moment` of a row of this kind that is due at it.
  private func shift(_ kind: Kind, at instant: Instant) -> Int64 {
    switch kind {
    case .instant: 0
    case .local: Int64(clock.zone.offset(at: seconds(instant)))
    case .day: Int64(clock.zone.offset(at: seconds(instant)) - clock.remindAt * 60)
    }
  }

  /// Calls `isLast` with the reminders of a kind by their moments, until it returns true; with nil for a reminder that
  /// is over, or of a card that is put off.
  private func scan(_ kind: Kind, from moment: Int64, until isLast: (Int64, Found?) -> Bool) throws {
    try snapshot.db.scan(
      """
      SELECT r.moment, r.card, r.reminder, project.title, project.deadline, project.time, project.start,
        project.snoozedUntil, max(project.createdAt, ifnull(project.dismissedAt, 0))
      FROM projectReminder r CROSS JOIN project ON project.id = r.card
      WHERE r.kind = ? AND r.moment >= ? AND NOT project.someday AND \(open.sql) ORDER BY r.moment
      """, [.integer(kind.rawValue), .integer(moment)] + open.values
    ) { row in
      let days = ReminderDays(
        deadline: row.isNull(4) ? nil : CalendarDay(row.text(4)), time: row.isNull(5) ? nil : row.text(5),
        start: row.isNull(6) ? nil : CalendarDay(row.text(6)))
      let text = row.text(2)
      let reminder = Reminder(text)
      let at =
        sameBytes(text, ReminderTables.snooze)
        ? Instant(milliseconds: row.integer(7)) : reminder.flatMap { clock.instant(of: $0, days) }
      guard let at, at.milliseconds > row.integer(8), isVisible(at, reminder, start: days.start) else {
        return isLast(row.integer(0), nil)
      }
      return isLast(
        row.integer(0), Found(card: row.text(1), title: row.text(3), at: at, reminder: reminder == nil ? nil : text))
    }
  }

  private func isVisible(_ at: Instant, _ reminder: Reminder?, start: CalendarDay?) -> Bool {
    guard let start, reminder?.isOfStart != true else { return true }
    return start <= snapshot.services.day(of: at, in: clock.zone)
  }
}
