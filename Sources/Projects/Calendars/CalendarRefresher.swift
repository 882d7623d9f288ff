import Contract
import HTTP
import Kit
import SQLite
import Store
import Wire

/// Fetches the calendars in the background, each when it is due, one after the other.
final class CalendarRefresher: DueWork {
  let loop: DueLoop

  init(_ pace: DueLoop.Pace = DueLoop.Pace()) {
    loop = DueLoop(pace)
  }

  /// Fetches the due calendars. Returns the time until the next one is due.
  func round(with services: Services) async -> Duration {
    await round("calendars", of: CalendarRecord.tableName, with: services) { now in
      let due = try await services.library.read(as: DaemonCaller()) { try Self.due(at: now, in: $0) }
      for calendar in due where !isEnded {
        _ = try? await Self.refresh(calendar, with: services, urgency: .background)
      }
    }
  }

  /// Those whose time has come, and those whose events an undo has not restored.
  private static func due(at now: Instant, in snapshot: Snapshot) throws -> [String] {
    try snapshot.db.texts(
      """
      SELECT id FROM calendar WHERE ifnull(nextAt, 0) <= ?
        OR failure IS NULL AND id NOT IN (SELECT calendar FROM calendarFile)
      ORDER BY ifnull(nextAt, 0), id
      """, [.integer(now.milliseconds)])
  }

  /// Fetches a calendar, and stores its events or why they could not be fetched.
  ///
  /// - Returns: whether its events have changed.
  /// - Throws: `RPCError`: why it could not be fetched; `notFound`; `CancellationError`.
  @discardableResult
  static func refresh(
    _ id: String, with services: Services, urgency: RequestPriority.Urgency = .interactive
  ) async throws -> Bool {
    let (calendar, validators) = try await services.library.read(as: DaemonCaller()) { snapshot in
      (try snapshot.get(CalendarRecord.self, id: id), try StoredCalendarFile.validators(of: id, in: snapshot))
    }
    do {
      let answer = try await CalendarFetch(calendar: calendar, validators: validators, urgency: urgency)
        .answer(with: services)
      return try await store(answer, of: calendar, with: services)
    } catch let error as RPCError where error.code != RPCError.cancelled.code {
      try await services.library.write(as: FeatureCaller.daemon(services), label: RefreshCalendars.name) {
        try StoredCalendarFile.note(error, of: calendar, in: $0)
      }
      throw error
    }
  }

  /// Stores what a fetch found, unless the calendar was removed or is read from another place by now.
  ///
  /// - Returns: whether its events have changed.
  /// - Throws: what a write throws.
  static func store(
    _ answer: CalendarFetch.Answer, of calendar: CalendarRecord, with services: Services
  ) async throws -> Bool {
    let hash = answer.reading?.hash
    let before = try await services.library.read(as: DaemonCaller()) {
      try StoredCalendarFile.hash(of: calendar.id, in: $0)
    }
    try await services.library.write(as: FeatureCaller.daemon(services), label: RefreshCalendars.name) {
      try StoredCalendarFile.store(answer, hash: hash, of: calendar, in: $0)
    }
    return hash.map { $0 != before } ?? false
  }
}

extension Services {
  var calendarRefresher: CalendarRefresher { memory.object(CalendarRefresher.self) { CalendarRefresher() } }
}
