import Contract
import Kit
import Store
import Wire

enum ListCalendars: ArrivalList {
  static let name = "projects/calendars"
  static let summary =
    "The subscribed calendars, in order of addition, with the time and result of their last fetch. `projects/agenda` and "
    + "`diary/day` have their events."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 200
  }

  static func show(in snapshot: Snapshot) -> (CalendarRecord) throws -> CalendarReply {
    { try CalendarReply($0, in: snapshot) }
  }
}

enum UpdateCalendar: WriteMethod, ManyItemsMethod {
  static let name = "projects/updateCalendar"
  static let summary =
    "Changes a calendar's title, place, credential or interval. From a new place it is fetched again; its events of the old "
    + "one are dropped."
  static let effects: Effects = .writes
  /// It is fetched from its new place, or at other times.
  static let paramEffects: [String: Effects] = [
    "url": .network, "path": .files, "credential": .network, "every": .network,
  ]
  static let errors: [ErrorKind] = [.conflict, .exists, .invalidURL, .notAllowed, .notFound]

  typealias Params = ItemUpdate<ShownCalendar>
  typealias Result = CalendarReply

  static func run(_ params: Params, in transaction: Transaction) throws -> CalendarReply {
    let snapshot = transaction.snapshot
    let (old, new) = try params.change(in: transaction) { calendar, before in
      if before.path != nil || calendar.path != nil, calendar.isElsewhere(than: before) {
        try FileConfinement.requireOwn(
          before.path ?? "", madeBy: before.confinement.map { FileConfinement(json: $0) },
          for: before.path == nil ? nil : snapshot.feature.confinement)
      }
      let other = try CalendarRecord.at(url: calendar.url, path: calendar.path, in: snapshot)
      if let other, other.id != calendar.id {
        throw RPCError(
          .exists, text: Text("projects.calendarThere", ["id": other.id]),
          data: ["current": try CalendarReply(other, in: snapshot).value])
      }
    }
    if new.isElsewhere(than: old) {
      try StoredCalendarFile.forget(new.id, in: transaction)
    } else if new.every != old.every, let fetchedAt = new.fetchedAt, new.failures == 0 {
      try StoredCalendarFile.reschedule(new, after: fetchedAt, in: transaction)
    }
    return try CalendarReply(snapshot.get(CalendarRecord.self, id: old.id), in: snapshot)
  }
}

enum RemoveCalendar: RemoveItemMethod {
  typealias Item = CalendarRecord
  static let name = "projects/removeCalendar"
  static let summary =
    "Removes a subscribed calendar and its events. `changes/undo` restores it, and its events are fetched again."
}

enum RefreshCalendars: ExternalReadMethod {
  static let name = "projects/refreshCalendars"
  static let summary = "Fetches one subscribed calendar, or all, now. A server that has nothing new sends nothing."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.refreshCalendars")
  static let errors: [ErrorKind] = AddCalendar.fetching

  struct Params: Payload {
    var calendar: CalendarID?
    static let example = Params(calendar: "0196")
    static let fields = ["calendar": "The calendar. Default: all. The failure of a single one is an error."]
  }

  struct Failed: Payload {
    var calendar: CalendarID
    var failure: RemoteProblem
    static let example = Failed(calendar: "0196", failure: .example)
    static let fields = ["calendar": "The calendar.", "failure": "Why it could not be fetched."]
  }

  struct Result: Payload {
    var calendars: Int
    var changed: Int
    var failed: [Failed]
    static let example = Result(calendars: 3, changed: 1, failed: [.example])
    static let fields = [
      "calendars": "The number of calendars fetched.", "changed": "The number of those whose events have changed.",
      "failed": "The calendars that could not be fetched; their stored events stay.",
    ]
  }

  struct Plan: Sendable {
    var calendars: [String]
    var isOne: Bool
  }

  struct Fetched: Sendable {
    var changed = 0
    var failures: [(calendar: String, error: RPCError)] = []
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if let calendar = params.calendar {
      return Plan(calendars: [try snapshot.get(CalendarRecord.self, id: calendar.text).id], isOne: true)
    }
    return Plan(calendars: try snapshot.db.texts("SELECT id FROM calendar ORDER BY createdAt, id"), isOne: false)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var fetched = Fetched()
    for (number, calendar) in plan.calendars.enumerated() {
      try Task.checkCancellation()
      do {
        if try await CalendarRefresher.refresh(calendar, with: services) { fetched.changed += 1 }
      } catch let error as RPCError where !plan.isOne && error.kind != .notFound {
        fetched.failures.append((calendar, error))
      }
      progress.report(percentage: (number + 1) * 100 / plan.calendars.count)
    }
    return fetched
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(
      calendars: plan.calendars.count, changed: fetched.changed,
      failed: fetched.failures.map { calendar, error in
        Failed(
          calendar: CalendarID(unchecked: calendar),
          failure: RemoteProblem(error, for: snapshot.reader, services: snapshot.services))
      })
  }
}
