import Contract
import Display
import Exchange
import Kit

/// When an event takes place for one client: from a time of a day, or the whole day, to the last day of it.
struct EventOccurrence: Equatable {
  var day: CalendarDay
  /// Nil for whole days.
  var time: String?
  var lastDay: CalendarDay
  /// When it ends on the last day; nil for whole days and for an event without duration. An event that ends at midnight
  /// ends at 00:00 after its last day.
  var endTime: String?
}

/// The occurrences of a VEVENT (RFC 5545, 3.6.1), in the zone of one client.
///
///     DTSTART;TZID=America/New_York:20261123T200000   in Seoul  Tue Nov 24, 10:00
///     DTEND;TZID=America/New_York:20261123T213000               to 11:30
///     RRULE:FREQ=WEEKLY                               then      Tue Dec 1, 10:00
struct EventTimes {
  private let start: CompactTime
  private let zone: Zone?
  private let reader: Zone
  private let length: Length
  /// Nil for an event that takes place once.
  private let series: ICalendarSeries?

  /// How long an occurrence takes.
  private enum Length {
    /// Whole days, at least one.
    case days(Int)
    case seconds(Int64)
  }

  /// The longest occurrence of a series, in days: the longer, the more of them take place on one day.
  private static let longest = 366

  /// Nil without a readable start. An event whose rule is not supported, such as one for each hour, takes place once.
  init?(_ event: ICalendarComponent, zones: ICalendarZones, reader: Zone) {
    guard let line = event["DTSTART"], let start = CompactTime(line.value) else { return nil }
    (self.start, self.reader) = (start, reader)
    zone = line["TZID"].flatMap { zones.zone(named: $0) }
    length = Self.length(of: event, from: start, zone) { $0["TZID"].flatMap { zones.zone(named: $0) } }
    var series = event
    // These would move the days of the series from its starts.
    for name in ["DUE", "DURATION"] { series.set(name, nil) }
    if event["RRULE"] == nil, event["RDATE"] != nil {
      series.set("RRULE", ICalendarLine("RRULE", [], "FREQ=DAILY;COUNT=1"))
    }
    self.series = ICalendarSeries(series, moved: [], zones: zones, reader: reader)
  }

  /// The occurrences that take place on some day of a window, in their order.
  func occurrences(from first: CalendarDay, through last: CalendarDay, limit: Int) -> [EventOccurrence] {
    guard let series else {
      guard let begin = start.shown(in: reader, writtenIn: zone) else { return [] }
      let only = occurrence(on: begin.day, at: begin.local)
      return only.day <= last && only.lastDay >= first ? [only] : []
    }
    var occurrences: [EventOccurrence] = []
    var day = first.adding(days: -days - 1)
    while occurrences.count < limit, let next = series.next(after: day), next.day > day, next.day <= last {
      let found = occurrence(on: next.day, at: next.time.flatMap { LocalDateTime(day: next.day, time: $0) })
      if found.lastDay >= first { occurrences.append(found) }
      day = next.day
    }
    return occurrences
  }

  private func occurrence(on day: CalendarDay, at local: LocalDateTime?) -> EventOccurrence {
    guard let local else { return EventOccurrence(day: day, lastDay: day.adding(days: days - 1)) }
    guard case .seconds(let seconds) = length, seconds > 0 else {
      return EventOccurrence(day: day, time: local.clock, lastDay: day)
    }
    let end = LocalDateTime(local.instant(in: reader).adding(milliseconds: seconds * 1_000), in: reader)
    let endsAtMidnight = end.minutes == 0 && end.seconds == 0 && end.day > day
    return EventOccurrence(
      day: day, time: local.clock, lastDay: endsAtMidnight ? end.day.adding(days: -1) : end.day, endTime: end.clock)
  }

  /// The most days on which an occurrence takes place.
  private var days: Int {
    switch length {
    case .days(let days): min(days, series == nil ? .max : Self.longest)
    case .seconds(let seconds): min(Int(seconds / 86_400) + 2, Self.longest)
    }
  }

  private static func length(
    of event: ICalendarComponent, from start: CompactTime, _ zone: Zone?, zoneOf: (ICalendarLine) -> Zone?
  ) -> Length {
    let end = event["DTEND"].flatMap { line in CompactTime(line.value).map { (time: $0, zone: zoneOf(line)) } }
    let duration = event["DURATION"].flatMap { ICalendarDuration($0.value) }
    func instant(_ time: CompactTime, _ zone: Zone?) -> Instant {
      switch time {
      case .day(let day): LocalDateTime(day: day, minutes: 0, seconds: 0).instant(in: zone ?? .utc)
      case .local(let local): local.instant(in: zone ?? .utc)
      case .instant(let instant): instant
      }
    }
    if case .day(let day) = start {
      let last = end.flatMap { $0.time.shown(in: .utc, writtenIn: nil)?.day }
      return .days(max(1, last.map { day.days(until: $0) } ?? duration.map { $0.days + $0.seconds / 86_400 } ?? 1))
    }
    let seconds =
      end.map { (instant($0.time, $0.zone).milliseconds - instant(start, zone).milliseconds) / 1_000 }
      ?? duration.map { Int64($0.days * 86_400 + $0.seconds) } ?? 0
    return .seconds(max(0, seconds))
  }
}

extension EventTimes {
  /// The days that enclose all occurrences of an event, in whatever zone a client is. A series without a known end has
  /// the last supported day.
  static func days(of event: ICalendarComponent) -> (first: CalendarDay, last: CalendarDay)? {
    // No zone is more than a day from UTC.
    guard let times = EventTimes(event, zones: ICalendarZones(nil), reader: .utc) else { return nil }
    func day(_ time: CompactTime) -> CalendarDay? { time.shown(in: .utc, writtenIn: nil)?.day }
    guard let start = day(times.start) else { return nil }
    let added = event.lines.filter { $0.name == "RDATE" }.flatMap { line in
      line.value.split(separator: ",").compactMap { CompactTime(String($0.prefix { $0 != "/" })).flatMap(day) }
    }
    let first = min(start, added.min() ?? start)
    var last = max(start, added.max() ?? start)
    if let rule = event["RRULE"].flatMap({ try? RecurrenceRule($0.value) }) {
      guard let end = rule.until ?? rule.lastDay(from: start) else { return (first.adding(days: -1), .endless) }
      last = max(last, end)
    }
    return (first.adding(days: -1), last.adding(days: times.days + 1))
  }
}

extension RecurrenceRule {
  /// The most occurrences that are walked to find the last one.
  private static let mostCounted = 1_000

  /// The day of the last occurrence by COUNT; nil without one, and if there are too many to count.
  fileprivate func lastDay(from start: CalendarDay) -> CalendarDay? {
    guard let count, count <= Self.mostCounted else { return nil }
    var last = start
    _ = day(after: start, from: start) {
      last = $0
      return false
    }
    return last
  }
}

extension CalendarDay {
  /// The last supported day, for what has no end.
  fileprivate static var endless: CalendarDay { CalendarDay(daysSince1970: .max) }
}
