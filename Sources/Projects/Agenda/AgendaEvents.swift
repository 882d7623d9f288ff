import Contract
import Display
import Exchange
import Kit
import SQLite
import Store
import Wire

/// An event of a subscribed calendar, on one of its days.
struct AgendaEvent: Payload {
  var calendar: CalendarID
  var title: String
  var day: CalendarDay
  var time: String?
  var lastDay: CalendarDay
  var endTime: String?
  var location: String?
  var url: String?
  var display: Display

  struct Display: Payload {
    var title: String
    var time: String?
    var calendar: String
    static let example = Display(title: "Dentist", time: "2:00 PM – 2:30 PM", calendar: "Family")
    static let fields = [
      "title": "The title, or its placeholder.",
      "time": "When it begins and ends on the listed day; absent for the whole day.",
      "calendar": "The title of the calendar.",
    ]
  }

  static let example = AgendaEvent(
    calendar: "0196", title: "Dentist", day: CalendarDay(daysSince1970: 20_778), time: "14:00",
    lastDay: CalendarDay(daysSince1970: 20_778), endTime: "14:30", location: "12 High Street", url: nil,
    display: .example)
  static let fields = [
    "calendar": "The calendar.", "title": "The title; it may be empty.",
    "day": "The day on which it begins in the client's zone.",
    "time": "The time at which it begins; absent for whole days.",
    "lastDay": "The last day on which it takes place.",
    "endTime": "The time at which it ends; absent for whole days, and for an event without duration.",
    "location": "Where it takes place.", "url": "Its own URL.", "display": "Strings for people.",
  ]
}

/// The events of all calendars that take place within a window of days.
struct AgendaEvents {
  private struct Found {
    var calendar: String
    var title: String
    var location: String?
    var url: String?
    var occurrence: EventOccurrence
  }

  private let found: [Found]
  private let titles: [String: String]
  private let snapshot: Snapshot
  /// Whether there are more than the limit.
  let hasMore: Bool

  /// The rows whose days may lie within a window. All that are long past are skipped by the index.
  static let candidates = """
    SELECT calendar, title, location, url, times FROM calendarEvent WHERE lastDay >= ? AND firstDay <= ? \
    ORDER BY calendar, number
    """

  /// The most occurrences that are examined for one answer. No person has so many.
  private static let mostExamined = 50_000

  /// The most days on which an occurrence is listed, on average. A year has few events of many weeks.
  private static let mostDays = 10

  private static func precedes(_ left: Found, _ right: Found) -> Bool {
    (left.occurrence.day, left.occurrence.time ?? "", left.title, left.calendar)
      < (right.occurrence.day, right.occurrence.time ?? "", right.title, right.calendar)
  }

  /// - Parameter limit: the most occurrences: the earliest ones.
  /// - Throws: `DatabaseError`, `StoreError.broken`.
  init(from first: CalendarDay, through last: CalendarDay, limit: Int, in snapshot: Snapshot) throws {
    var (found, titles): ([Found], [String: String]) = ([], [:])
    var (examined, isCut) = (0, false)
    var (calendar, zones) = ("", ICalendarZones(nil))
    let window: [SQLValue] = [.text(first.description), .text(last.description)]
    try snapshot.db.scan(Self.candidates, window) { row in
      let id = row.text(0)
      if !sameBytes(id, calendar) {
        (calendar, zones) = (id, try Self.zones(of: id, in: snapshot))
        titles[id] = try snapshot.find(CalendarRecord.self, id: id)?.shownTitle
      }
      guard case .component(let event)? = Self.parts(of: row.text(4)).first,
        let times = EventTimes(event, zones: zones, reader: snapshot.reader.zone)
      else { return false }
      for occurrence in times.occurrences(from: first, through: last, limit: limit + 1) {
        found.append(
          Found(
            calendar: id, title: row.text(1), location: row.optionalText(2), url: row.optionalText(3),
            occurrence: occurrence))
        examined += 1
      }
      if found.count > 4 * (limit + 1) {
        found.sort(by: Self.precedes)
        found.removeSubrange((limit + 1)...)
      }
      isCut = examined >= Self.mostExamined
      return isCut
    }
    found.sort(by: Self.precedes)
    var lines = 0
    let shown = found.prefix(limit).prefix { found in
      lines += max(found.occurrence.day, first).days(until: min(found.occurrence.lastDay, last)) + 1
      return lines <= Self.mostDays * limit
    }
    hasMore = found.count > shown.count || isCut
    (self.found, self.titles, self.snapshot) = (Array(shown), titles, snapshot)
  }

  private static func zones(of calendar: String, in snapshot: Snapshot) throws -> ICalendarZones {
    let sql = "SELECT zones FROM calendarFile WHERE calendar = ?"
    let text = try snapshot.db.first(sql, [.text(calendar)]) { $0.text(0) } ?? ""
    var component = ICalendarComponent(name: "VCALENDAR")
    component.nodes = parts(of: text)
    return ICalendarZones(component)
  }

  private static func parts(of text: String) -> [ICalendarComponent.Node] {
    (try? ICalendarComponent.parse(ICalendarLine.lines(of: Array(text.utf8)))) ?? []
  }

  /// Those of a day: first those that take the whole of it, then the others by the time at which they begin on it.
  func on(_ day: CalendarDay) -> [AgendaEvent] {
    found.filter { $0.occurrence.day <= day && $0.occurrence.lastDay >= day }.map { event($0, on: day) }
      .sorted { left, right in begin(of: left, on: day) < begin(of: right, on: day) }
  }

  /// The same as items of the day's page. An event that has begun on an earlier day, or takes whole days, has no time.
  func dayItems(on day: CalendarDay) -> [DayItem] {
    on(day).map { event in
      let begin = event.day == day ? event.time.flatMap { LocalDateTime(day: day, time: $0) } : nil
      return DayItem(
        .event, collection: CalendarRecord.collectionName, id: event.calendar.text,
        at: begin?.instant(in: snapshot.reader.zone).milliseconds, title: event.title, text: event.location,
        in: snapshot)
    }
  }

  /// Lines for the text of the agenda, in the form that is the same in all languages:
  /// `2026-11-24 19:00–21:00 Choir, Town hall (Family)`, `–2026-11-26 Trip (Family)`. Of an event of several days only
  /// its first one from `today` on has a line.
  func lines(on day: CalendarDay, from today: CalendarDay) -> [String] {
    on(day).filter { max($0.day, today) == day }.map { event in
      let begin = [day == today ? nil : day.description, event.day == day ? event.time : nil].compactMap(\.self)
      let end = [event.lastDay == day ? nil : event.lastDay.description, event.endTime].compactMap(\.self)
      let when = begin.joined(separator: " ") + (end.isEmpty ? "" : "–" + end.joined(separator: " "))
      let what = [event.display.title, event.location].compactMap(\.self).joined(separator: ", ")
      return (when.isEmpty ? "" : when + " ") + "\(what) (\(event.display.calendar))"
    }
  }

  /// Before 00:00 for one that has begun on an earlier day.
  private func begin(of event: AgendaEvent, on day: CalendarDay) -> String {
    event.day == day ? event.time ?? "" : ""
  }

  private func event(_ found: Found, on day: CalendarDay) -> AgendaEvent {
    let occurrence = found.occurrence
    return AgendaEvent(
      calendar: CalendarID(unchecked: found.calendar), title: found.title, day: occurrence.day, time: occurrence.time,
      lastDay: occurrence.lastDay, endTime: occurrence.endTime, location: found.location, url: found.url,
      display: AgendaEvent.Display(
        title: found.title.isEmpty ? snapshot.words(Text("day.noTitle")) : found.title,
        time: words(for: occurrence, on: day), calendar: titles[found.calendar] ?? found.calendar))
  }

  /// The times of an occurrence on one of its days: `2:00 PM – 2:30 PM`, `from 10:00 PM`, `until 1:00 AM`.
  private func words(for occurrence: EventOccurrence, on day: CalendarDay) -> String? {
    guard let time = occurrence.time else { return nil }
    let isFirst = occurrence.day == day
    let isLast = occurrence.lastDay == day
    let begin = isFirst ? snapshot.time(time, on: day) : nil
    let end = isLast ? occurrence.endTime.map { snapshot.time($0, on: day) } : nil
    switch (begin, end) {
    case (let begin?, let end?): return "\(begin) – \(end)"
    case (let begin?, nil): return isLast ? begin : snapshot.words(Text("projects.eventFrom", ["time": begin]))
    case (nil, let end?): return snapshot.words(Text("projects.eventUntil", ["time": end]))
    case (nil, nil): return nil
    }
  }
}

extension Snapshot {
  /// A time of a day in the client's form.
  fileprivate func time(_ time: String, on day: CalendarDay) -> String {
    guard let minutes = TimeOfDay(time)?.minutes else { return time }
    // Local time wherever the user is: no zone shifts it.
    var reader = reader
    reader.zone = .utc
    return services.dates.string(
      .time, at: (Int64(day.daysSince1970) * 1_440 + Int64(minutes)) * 60_000, for: reader)
  }
}
