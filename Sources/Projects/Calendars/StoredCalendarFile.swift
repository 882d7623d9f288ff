import Contract
import HTTP
import Kit
import SQLite
import Store
import Wire

/// The fetched file of a calendar in the library.
enum StoredCalendarFile {
  /// - Throws: `DatabaseError`, `StoreError.broken`.
  static func validators(of calendar: String, in snapshot: Snapshot) throws -> Validators? {
    try snapshot.db.first("SELECT validators FROM calendarFile WHERE calendar = ?", [.text(calendar)]) { row in
      try row.optionalText(0).map { try StoredJSON<Validators>(stored: $0).value() }
    } ?? nil
  }

  /// - Throws: `DatabaseError`.
  static func hash(of calendar: String, in snapshot: Snapshot) throws -> String? {
    try snapshot.db.first("SELECT hash FROM calendarFile WHERE calendar = ?", [.text(calendar)]) { $0.text(0) }
  }

  /// Drops the events, so that the file is fetched again.
  ///
  /// - Throws: `DatabaseError`.
  static func drop(_ calendar: String, in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run("DELETE FROM calendarFile WHERE calendar = ?", [.text(calendar)])
    try transaction.db.run("DELETE FROM calendarEvent WHERE calendar = ?", [.text(calendar)])
    let services = transaction.services
    transaction.afterCommit { services.calendarRefresher.wake() }
  }

  /// Drops the events of a former place, and what its fetches found.
  ///
  /// - Throws: `DatabaseError`.
  static func forget(_ calendar: String, in transaction: Transaction) throws {
    try drop(calendar, in: transaction)
    try note(
      [
        ("nextAt", .null), ("failures", .integer(0)), ("failure", .null), ("events", .integer(0)),
        ("isCut", .bool(false)), ("foundTitle", .null),
      ], of: calendar, in: transaction)
  }

  /// - Throws: `DatabaseError`, `StoreError.broken`.
  static func store(
    _ answer: CalendarFetch.Answer, hash: String?, of calendar: CalendarRecord, in transaction: Transaction
  ) throws {
    let snapshot = transaction.snapshot
    guard let stored = try snapshot.find(CalendarRecord.self, id: calendar.id), !stored.isElsewhere(than: calendar)
    else { return }
    let now = transaction.now
    var values: [(column: String, value: SQLValue)] = [
      ("fetchedAt", .integer(now.milliseconds)), ("failures", .integer(0)), ("failure", .null),
      ("nextAt", .integer(CalendarSchedule.next(after: now, of: stored, freshFor: answer.freshFor).milliseconds)),
    ]
    let validators = try answer.validators.map { try StoredJSON($0).json }
    transaction.keepSilent()
    if let reading = answer.reading, let hash, try hash != Self.hash(of: calendar.id, in: snapshot) {
      values += [
        ("events", .integer(reading.events.count)), ("isCut", .bool(reading.isCut)),
        ("foundTitle", .text(reading.title)),
      ]
      try replace(reading, hash: hash, of: stored, in: transaction)
    }
    try transaction.db.run(
      "UPDATE calendarFile SET validators = ? WHERE calendar = ?", [.text(validators), .text(calendar.id)])
    try note(values, of: calendar.id, in: transaction)
  }

  private static func replace(
    _ reading: CalendarReading, hash: String, of calendar: CalendarRecord, in transaction: Transaction
  ) throws {
    let (db, id) = (transaction.db, SQLValue.text(calendar.id))
    try db.run("DELETE FROM calendarEvent WHERE calendar = ?", [id])
    for (number, event) in reading.events.enumerated() {
      try db.run(
        "INSERT INTO calendarEvent VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          id, .integer(number), .text(event.firstDay.description), .text(event.lastDay.description),
          .text(event.title), .text(event.location), .text(event.url), .text(event.times),
        ])
    }
    try db.run(
      "INSERT OR REPLACE INTO calendarFile (calendar, hash, zones) VALUES (?, ?, ?)",
      [id, .text(hash), .text(reading.zones)])
    // Their number may be the same.
    transaction.touch(
      collection: CalendarRecord.collectionName, id: calendar.id, revision: calendar.revision, fields: ["events"])
  }

  /// Notes why a calendar could not be fetched. Its events stay.
  ///
  /// - Throws: `DatabaseError`, `StoreError.broken`.
  static func note(_ error: RPCError, of calendar: CalendarRecord, in transaction: Transaction) throws {
    guard let stored = try transaction.snapshot.find(CalendarRecord.self, id: calendar.id),
      !stored.isElsewhere(than: calendar)
    else { return }
    let (now, failures) = (transaction.now, stored.failures + 1)
    let next = CalendarSchedule.next(after: now, of: stored, failures: failures, error)
    try note(
      [
        ("failures", .integer(failures)), ("failure", StoredProblem.column(error, at: now)),
        ("nextAt", .integer(next.milliseconds)),
      ], of: calendar.id, in: transaction)
  }

  /// Applies another interval to the next fetch.
  ///
  /// - Throws: `DatabaseError`.
  static func reschedule(_ calendar: CalendarRecord, after fetchedAt: Instant, in transaction: Transaction) throws {
    let next = CalendarSchedule.next(after: fetchedAt, of: calendar, freshFor: nil)
    try note([("nextAt", .integer(next.milliseconds))], of: calendar.id, in: transaction)
    let services = transaction.services
    transaction.afterCommit { services.calendarRefresher.wake() }
  }

  private static func note(
    _ values: [(column: String, value: SQLValue)], of calendar: String, in transaction: Transaction
  ) throws {
    try QuietColumns.write(values, of: CalendarRecord.self, id: calendar, in: transaction)
  }
}
