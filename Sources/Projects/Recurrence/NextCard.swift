import Contract
import Display
import Exchange
import Kit
import SQLite
import Store
import Wire

extension Recurrence {
  /// The recurrence to store: checked, with the day from which it counts.
  ///
  /// - Throws: `invalidParams` for an invalid rule, for one without any day, or if it has neither start nor deadline.
  func checked(deadline: CalendarDay?) throws(RPCError) -> Recurrence {
    if try RecurrenceRule(rule).neverComes {
      throw RPCError.invalidParams(field: "recurrence.rule", reason: Text("projects.ruleNever"))
    }
    var checked = self
    if from != .completion {
      guard let start = start ?? deadline else {
        throw .invalidParams(field: "recurrence", reason: Text("projects.ruleWithoutDeadline"))
      }
      checked.start = start
    }
    return checked
  }

  /// The next deadline of a card that was due on one day and is done on another; nil if it was the last.
  func next(due: CalendarDay?, doneOn today: CalendarDay) throws -> CalendarDay? {
    var rule = try RecurrenceRule(rule)
    switch from ?? .due {
    case .completion:
      // The rule starts anew each time, so `done` counts the cards before.
      if let count = rule.count, (done ?? 0) + 1 >= count { return nil }
      rule.count = nil
      return rule.span(after: today)
    case .due:
      let due = due ?? start ?? today
      return rule.day(after: due, notBefore: missed == .pile ? nil : today, from: start ?? due)
    }
  }
}

/// The card that follows a finished one.
enum NextCard {
  /// The id by the number of finished cards. Not by the day: devices that finish the same card on different days make
  /// one next card.
  static func id(after card: String, done: Int) -> String {
    DerivedID.textByRule(of: ["next", card, String(done)].joined(separator: "\u{1F}"))
  }

  /// The fields that the next card copies from the finished one: all that a file can change, except the column and the
  /// blockers.
  fileprivate static let fields = ProjectRecord.fields.followed.filter { !["state", "blockedBy"].contains($0.name) }

  /// A merge base for the next card, as if each library had imported it from the same file: so changes of it in several
  /// libraries are merged. The history is named after the card's content, so this applies only to libraries that
  /// derived the same content.
  fileprivate static func mergeBase(of next: ProjectRecord, at clock: Int64) throws -> MergeBase? {
    let columns = fields.flatMap { [$0.name] + $0.companions }.sorted()
    let history = DerivedID.text(of: "next/\(JSONValue.object(try next.content(of: columns)))")
    return try MergeBase(FileRevision(number: 0, epoch: history), from: nil, at: clock, after: nil)
  }

  /// Whether the log has more of a card than its insertion and the undo of its insertion.
  fileprivate static let wasUsed =
    """
    SELECT 1 FROM changes h JOIN commits c ON c.clock = h.clock
    WHERE h.collection = ? AND h.id = ? AND h.kind <> 'added' AND NOT (h.kind = 'removed' AND c.undoOf IS NOT NULL)
    LIMIT 1
    """
}

extension Transaction {
  /// Inserts the next card of a recurring one into the first column of its board. The caller removes the recurrence
  /// from the finished card, so that finishing it once more after reopening creates no second one. Returns nil if no
  /// card follows.
  @discardableResult
  func insertNextCard(after record: ProjectRecord) throws -> ProjectRecord? {
    guard let recurrence = record.recurrence,
      let (day, time) = try next(of: recurrence, after: record)
    else { return nil }
    var next = ProjectRecord()
    next.id = try idOfNext(after: record, done: (recurrence.done ?? 0) + 1)
    for field in NextCard.fields { ProjectRecord.fields.copy(field, of: record, to: &next) }
    (next.deadline, next.time) = (day, time)
    // The start keeps its distance from the deadline. Without a deadline, it is the day on which the card recurs.
    next.start = record.start.map { start in record.deadline.map { day.adding(days: $0.days(until: start)) } ?? day }
    next.isSomeday = false
    next.spent = nil
    next.reminders = record.reminders(movedFrom: record.deadline, to: day, in: services.days.zone)
    next.steps = record.steps.unticked
    next.foreign = try StoredSource(record).map { try StoredJSON($0.ofNext).json }
    next.writtenAt = now
    var passedOn = recurrence
    passedOn.done = min((recurrence.done ?? 0) + 1, Recurrence.mostDone)
    next.recurrence = passedOn
    next.mergeBase = try NextCard.mergeBase(of: next, at: clock)?.stored
    return try place(next, atEndOf: BoardColumns(in: snapshot, of: next.board).first.state)
  }

  /// A card from a calendar recurs by its file, unless the user has given it another rule, start or time.
  private func next(
    of recurrence: Recurrence, after record: ProjectRecord
  ) throws -> (day: CalendarDay, time: String?)? {
    let today = services.libraryToday
    if let source = try StoredSource(record)?.source,
      let series = ICalendarSeries(source, rule: recurrence.rule, reader: snapshot.reader.zone),
      series.governs(recurrence)
    {
      guard let due = record.deadline ?? series.first?.day,
        let next = series.next(after: due, notBefore: recurrence.missed == .pile ? nil : today)
      else { return nil }
      let isTimeOfFile =
        series.next(after: due.adding(days: -1)).map { $0.day == due && $0.time == record.time } ?? false
      return (next.day, isTimeOfFile || record.deadline == nil ? next.time : record.time)
    }
    return try recurrence.next(due: record.deadline, doneOn: today).map { ($0, record.time) }
  }

  /// The same id in every library in which the card is done, so that an exchange creates no second card. The id is a new
  /// one if the derived id is in use: for a finished card that was reopened with a new rule, and for one whose next card
  /// was removed, or was changed before it was undone, which an undo may restore.
  private func idOfNext(after record: ProjectRecord, done: Int) throws -> String {
    let id = NextCard.id(after: record.id, done: done)
    guard try snapshot.find(ProjectRecord.self, id: id) == nil else { return services.newID() }
    let values: [SQLValue] = [.text(ProjectRecord.collectionName), .text(id)]
    return try snapshot.db.first(NextCard.wasUsed, values) { _ in true } == nil ? id : services.newID()
  }

  /// Adds a card after the others of a column of its board.
  @discardableResult
  func place(_ record: ProjectRecord, atEndOf state: String) throws -> ProjectRecord {
    var record = record
    record.state = state
    record.rank = try ColumnPlace(endOf: state, on: record.board, for: record.id, in: db).take(in: self)
    let added = try insert(record)
    if added.parent != nil { try Parents.notify(of: added.id, in: self) }
    return added
  }
}

extension ProjectRecord {
  /// The reminders of the next card of its series: instants keep their local time and their distance from the deadline
  /// in days.
  func reminders(movedFrom deadline: CalendarDay?, to day: CalendarDay, in zone: Zone) -> [String] {
    reminders.map { text in
      guard case .at(let instant)? = Reminder(text) else { return text }
      var local = LocalDateTime(instant, in: zone)
      // Without a deadline, it reminds on the day on which the card recurs.
      local.day = deadline.map { local.day.adding(days: $0.days(until: day)) } ?? day
      return Reminder.at(local.instant(in: zone)).text
    }
  }
}
