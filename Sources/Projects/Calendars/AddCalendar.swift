import Contract
import HTTP
import Kit
import Store
import Wire

enum AddCalendar: ExternalReadMethod {
  static let name = "projects/addCalendar"
  static let summary =
    "Subscribes to a calendar: an iCalendar file at a URL or a path, which is read now, and again and again, and never "
    + "written. Its events are in `projects/agenda` and `diary/day`. A file that cannot be read is not subscribed to; with "
    + "`network.offline` a URL is added unverified. Adding the same place again returns the existing calendar."
  static let effects: Effects = [.writes, .files, .network]
  static let doing = Text("doing.addCalendar")
  static let errors: [ErrorKind] = fetching + [.exists, .invalidURL]

  static let fetching: [ErrorKind] = [
    .badResponse, .corrupt, .httpStatus, .notAllowed, .notFound, .rateLimited, .refusedAddress, .timedOut, .tooLarge,
    .unauthorized, .unreachable,
  ]

  struct Params: Payload {
    var id: CalendarID?
    var url: String?
    var path: String?
    var title: String?
    var credential: String?
    var every: Int?
    static let example = Params(
      id: nil, url: "https://calendar.example/holidays.ics", path: nil, title: "Holidays", credential: nil, every: nil)
    static let fields = [
      "id": "An id chosen by the client.",
      "url":
        "Its URL, also with `webcal:`. It must have no user, password or token; if the calendar requires one in its URL, "
        + "write `{credential}` in its place, which is filled in for each request.",
      "path": "The absolute path of a file, instead of a URL.", "title": "Its title. Default: the calendar's own.",
      "credential": "The name of a credential that config.toml defines for its origin.",
      "every": "The least number of minutes between two automatic fetches. Default 60.",
    ]
    static let limits = CalendarRecord.fields.limits("url", "path", "title", "credential", "every")
    static let exactlyOne = [["url", "path"]]
  }
  typealias Result = CalendarReply

  struct Plan: Sendable {
    var calendar: CalendarRecord
    var caller: any Caller
    /// The id of the existing calendar, so that nothing is fetched.
    var known: String?
  }

  struct Fetched: Sendable {
    var id: String
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var calendar = CalendarRecord()
    calendar.id = params.id?.text ?? snapshot.services.newID()
    calendar.url = try params.url.map { try SourceURL.checked($0, field: "url") }
    calendar.path = params.path
    calendar.confinement = params.path == nil ? nil : snapshot.feature.confinement?.json
    (calendar.title, calendar.credential, calendar.every) = (params.title, params.credential, params.every)
    return Plan(
      calendar: calendar, caller: snapshot.caller, known: try known(calendar, params.id != nil, in: snapshot)?.id)
  }

  /// The calendar with the id that the client chose, or at the same place.
  ///
  /// - Throws: `exists` if the client has used the id for another place; `notAllowed` if there are too many.
  private static func known(
    _ calendar: CalendarRecord, _ hasID: Bool, in snapshot: Snapshot
  ) throws -> CalendarRecord? {
    if hasID, let known = try snapshot.find(CalendarRecord.self, id: calendar.id) {
      guard known.url == calendar.url, known.path == calendar.path else {
        throw RPCError(
          .exists, text: Text("item.exists", ["id": known.id]),
          data: ["current": try CalendarReply(known, in: snapshot).value])
      }
      return known
    }
    if let known = try CalendarRecord.at(url: calendar.url, path: calendar.path, in: snapshot) { return known }
    let count = try snapshot.db.first("SELECT count(*) FROM calendar") { $0.int(0) } ?? 0
    guard count < CalendarRecord.most else {
      throw RPCError(.notAllowed, text: Text("projects.tooManyCalendars", ["most": String(CalendarRecord.most)]))
    }
    return nil
  }

  /// The calendar is the client's own write, to be undone by it; the events are the daemon's, like all fetched data. So
  /// they are two writes, and both are done before the reply.
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    if let known = plan.known {
      try await confirm(known, of: plan, with: services)
      return Fetched(id: known)
    }
    // The answer to a request that the configuration forbids comes later.
    let answer =
      plan.calendar.url != nil && services.http.isOffline
      ? nil : try await CalendarFetch(calendar: plan.calendar).answer(with: services)
    try Task.checkCancellation()
    let calendar = try await services.library.write(
      as: plan.caller, label: name,
      returning: { transaction in
        // Another client may have added it meanwhile.
        let known = try known(plan.calendar, true, in: transaction.snapshot)
        return try known ?? transaction.insert(plan.calendar)
      })
    if let answer { _ = try await CalendarRefresher.store(answer, of: calendar, with: services) }
    services.calendarRefresher.wake()
    return Fetched(id: calendar.id)
  }

  /// A place from an archive that a person gives is confirmed.
  private static func confirm(_ id: String, of plan: Plan, with services: Services) async throws {
    try await services.library.write(as: plan.caller, label: name) { transaction in
      let calendar = try transaction.snapshot.get(CalendarRecord.self, id: id)
      guard !calendar.isTyped else { return }
      try transaction.change(calendar) { changed in
        (changed.isTyped, changed.confinement) = (true, plan.calendar.confinement)
      }
      try StoredCalendarFile.forget(id, in: transaction)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> CalendarReply {
    try CalendarReply(snapshot.get(CalendarRecord.self, id: fetched.id), in: snapshot)
  }
}
