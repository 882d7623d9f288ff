import Contract
import Display
import Exchange
import Kit
import Wire

/// The occurrences of a VTODO with a rule (RFC 5545, 3.8.5).
///
/// The rule counts days from DTSTART, in the zone of DTSTART. Each occurrence is due as long after its start as DUE is
/// after DTSTART. EXDATE removes days, RDATE adds some, and a moved occurrence belongs to the component with its
/// RECURRENCE-ID.
///
///     DTSTART;TZID=America/Los_Angeles:20261128T200000   in Seoul  Sun Nov 29, 13:00
///     DUE;TZID=America/Los_Angeles:20261130T200000                 Tue Dec 1, 13:00
///     RRULE:FREQ=WEEKLY;BYDAY=SA                          then     Tue Dec 8, 13:00
struct ICalendarSeries {
  /// When an occurrence is due: a day, and a time if it has one.
  typealias Due = (day: CalendarDay, time: String?)

  private let rule: RecurrenceRule
  private let start: CompactTime
  private let startDay: CalendarDay
  /// The zone whose days the rule counts; nil if the days are the same everywhere.
  private let zone: Zone?
  private let reader: Zone
  private let lag: Lag
  /// By day, the excluded times in seconds; nil excludes the whole day.
  private var excluded: [CalendarDay: Set<Int?>] = [:]
  private var added: [CompactTime] = []

  /// The time from the start of an occurrence to its deadline.
  private enum Lag {
    case days(Int)
    case seconds(Int64)
    case duration(ICalendarDuration)
  }

  /// nil if nothing recurs, or if there is no start.
  ///
  /// - Parameter moved: the RECURRENCE-ID lines of the moved occurrences.
  init?(_ component: ICalendarComponent, moved: [String], zones: ICalendarZones, reader: Zone) {
    func zone(of line: ICalendarLine) -> Zone? { line["TZID"].flatMap { zones.zone(named: $0) } }
    guard let value = component["RRULE"]?.value, var rule = try? RecurrenceRule(value),
      let line = component["DTSTART"] ?? component["DUE"], let start = CompactTime(line.value)
    else { return nil }
    (self.start, self.reader) = (start, reader)
    switch start {
    case .day(let day): (startDay, self.zone) = (day, nil)
    case .local(let local): (startDay, self.zone) = (local.day, zone(of: line))
    case .instant(let instant): (startDay, self.zone) = (LocalDateTime(instant, in: .utc).day, .utc)
    }
    lag = Self.lag(of: component, from: start, self.zone, dueIn: component["DUE"].flatMap(zone))
    if let last = value.split(separator: ";").first(where: { $0.uppercased().hasPrefix("UNTIL=") }) {
      rule.until = Self.lastDay(CompactTime(String(last.dropFirst(6))), from: start, self.zone) ?? rule.until
    }
    self.rule = rule
    let overrides = (try? ICalendarLine.lines(of: Array(moved.joined(separator: "\r\n").utf8))) ?? []
    for line in component.lines + overrides where ["EXDATE", "RDATE", "RECURRENCE-ID"].contains(line.name) {
      for text in line.value.split(separator: ",").prefix(Self.mostDays) {
        // Of a period (`…/PT1H`) the beginning counts.
        guard let time = CompactTime(String(text.prefix { $0 != "/" })) else { continue }
        let own = Self.moment(time, zone(of: line), in: self.zone)
        if line.name == "RDATE" {
          added.append(own)
        } else {
          let local = Self.local(own)
          excluded[local.day, default: []].insert(local.local.map(Self.seconds))
        }
      }
    }
  }

  private static let mostDays = 10_000

  /// The first occurrence that is due after one day, and not before another; nil after the last.
  func next(after due: CalendarDay, notBefore earliest: CalendarDay? = nil) -> Due? {
    let lowerBound = max(due.adding(days: 1), earliest ?? due)
    guard lowerBound > due else { return nil }
    let further = added.filter { !isExcluded($0) }.compactMap(self.due).filter { $0.day >= lowerBound }.min {
      $0.day < $1.day
    }
    guard let ruled = ruled(from: lowerBound) else { return further }
    return further.map { $0.day < ruled.day ? $0 : ruled } ?? ruled
  }

  /// When the first occurrence is due.
  var first: Due? {
    isExcluded(start) ? self.due(start).flatMap { next(after: $0.day) } : self.due(start)
  }

  private func ruled(from lowerBound: CalendarDay) -> Due? {
    var found: Due?
    var tries = 0
    _ = rule.day(after: beginning(dueOn: lowerBound), from: startDay) { day in
      tries += 1
      if tries > Self.mostDays + excluded.count { return true }
      let begin = begin(on: day)
      guard !isExcluded(begin), let due = self.due(begin), due.day >= lowerBound else { return false }
      found = due
      return true
    }
    return found
  }

  /// A day before the start of any occurrence that is due on `day` or later.
  private func beginning(dueOn day: CalendarDay) -> CalendarDay {
    let lag = self.due(start).map { startDay.days(until: $0.day) } ?? 0
    // One day more, since a day begins at different times in different zones.
    return day.adding(days: -lag - 2)
  }

  /// The start of the occurrence that is due on a day, in the form of DTSTART; nil if there is none.
  func begin(dueOn day: CalendarDay) -> CompactTime? {
    var found: CompactTime?
    _ = rule.day(after: beginning(dueOn: day), from: startDay) { candidate in
      let begin = begin(on: candidate)
      guard let due = self.due(begin), due.day >= day else { return false }
      if due.day == day { found = begin }
      return true
    }
    return found
  }

  /// The number of occurrences that are due by the end of a day, as COUNT counts them: including those that EXDATE
  /// removes.
  func count(dueBy day: CalendarDay) -> Int {
    let certain = beginning(dueOn: day)
    var count = 0
    _ = rule.day(after: startDay.adding(days: -1), from: startDay) { candidate in
      if candidate > certain, let due = self.due(begin(on: candidate)), due.day > day { return true }
      count += 1
      return count == rule.count
    }
    return count
  }

  private func begin(on day: CalendarDay) -> CompactTime {
    switch start {
    case .day: .day(day)
    case .local(let local): .local(LocalDateTime(day: day, minutes: local.minutes, seconds: local.seconds))
    case .instant(let instant):
      .instant(
        LocalDateTime(
          day: day, minutes: LocalDateTime(instant, in: .utc).minutes, seconds: LocalDateTime(instant, in: .utc).seconds
        ).instant(in: .utc))
    }
  }

  private func due(_ begin: CompactTime) -> Due? {
    let end: CompactTime? =
      switch (lag, begin) {
      case (.days(let days), .day(let day)): .day(day.adding(days: days))
      case (.days(let days), .local(var local)):
        {
          local.day = local.day.adding(days: days)
          return .local(local)
        }()
      case (.days(let days), .instant(let instant)):
        .instant(instant.adding(milliseconds: Int64(days) * 86_400_000))
      case (.duration(let duration), _): duration.end(of: begin)
      case (.seconds(let seconds), .local(let local)) where zone != nil:
        .instant(local.instant(in: zone ?? .utc).adding(milliseconds: seconds * 1_000))
      case (.seconds(let seconds), .local(let local)):
        .local(LocalDateTime(local.instant(in: .utc).adding(milliseconds: seconds * 1_000), in: .utc))
      case (.seconds(let seconds), .instant(let instant)): .instant(instant.adding(milliseconds: seconds * 1_000))
      case (.seconds, .day): nil
      }
    return end?.shown(in: reader, writtenIn: zone).map { ($0.day, $0.local?.clock) }
  }

  private func isExcluded(_ begin: CompactTime) -> Bool {
    let own = Self.local(Self.moment(begin, zone, in: zone))
    guard let times = excluded[own.day] else { return false }
    return own.local.map { times.contains(nil) || times.contains(Self.seconds($0)) } ?? true
  }

  private static func seconds(_ local: LocalDateTime) -> Int { local.minutes * 60 + local.seconds }

  // MARK: - Reading

  private static func lag(
    of component: ICalendarComponent, from start: CompactTime, _ zone: Zone?, dueIn dueZone: Zone?
  ) -> Lag {
    guard component["DTSTART"] != nil else { return .days(0) }
    guard let due = component["DUE"].flatMap({ CompactTime($0.value) }) else {
      return component["DURATION"].flatMap { ICalendarDuration($0.value) }.map { .duration($0) } ?? .days(0)
    }
    func instant(_ time: CompactTime, _ zone: Zone?) -> Instant? {
      switch time {
      case .day: nil
      case .local(let local): local.instant(in: zone ?? .utc)
      case .instant(let instant): instant
      }
    }
    if let from = instant(start, zone), let to = instant(due, dueZone) {
      return .seconds((to.milliseconds - from.milliseconds) / 1_000)
    }
    return .days(local(start).day.days(until: local(due).day))
  }

  /// The last day on which an occurrence may start, from the UNTIL of the rule as an instant.
  private static func lastDay(_ until: CompactTime?, from start: CompactTime, _ zone: Zone?) -> CalendarDay? {
    guard case .instant(let last)? = until, let zone, case .local(let begin) = moment(start, zone, in: zone) else {
      return nil
    }
    let local = LocalDateTime(last, in: zone)
    let isLater = (begin.minutes, begin.seconds) > (local.minutes, local.seconds)
    return local.day.adding(days: isLater ? -1 : 0)
  }

  /// A time as local time of the series' zone.
  private static func moment(_ time: CompactTime, _ written: Zone?, in zone: Zone?) -> CompactTime {
    switch time {
    case .day: time
    case .instant(let instant): .local(LocalDateTime(instant, in: zone ?? .utc))
    case .local(let local):
      if let written, let zone { .local(LocalDateTime(local.instant(in: written), in: zone)) } else { time }
    }
  }

  private static func local(_ time: CompactTime) -> (day: CalendarDay, local: LocalDateTime?) {
    switch time {
    case .day(let day): (day, nil)
    case .local(let local): (local.day, local)
    case .instant(let instant): (LocalDateTime(instant, in: .utc).day, LocalDateTime(instant, in: .utc))
    }
  }
}

extension ICalendarSeries {
  /// The series of a card, from its stored source. Nil if that has another rule, or if our own export has only the rule
  /// of a card without a series.
  init?(_ source: TaskSource, rule: String, reader: Zone) {
    guard source.format == .ics,
      let lines = try? ICalendarLine.lines(of: Array((source.before + source.text).utf8)),
      let nodes = try? ICalendarComponent.parse(lines), case .component(let task)? = nodes.last,
      task[ICalendarOrigin.name] != nil || task[ICalendarTask.recurrence] == nil
    else { return nil }
    let first = ICalendarOrigin(task)?.component(of: task) ?? task
    guard let own = first["RRULE"]?.value, sameBytes(own, rule) else { return nil }
    var calendar = ICalendarComponent(name: "VCALENDAR")
    calendar.nodes = nodes
    self.init(
      first, moved: source.moved ?? [], zones: ICalendarZones(calendar), reader: source.zone(for: reader))
  }

  /// Whether the card follows this series: not if the user lets it count from another day, or from completion.
  func governs(_ recurrence: Recurrence) -> Bool {
    recurrence.from != .completion && (recurrence.start == nil || recurrence.start == first?.day)
  }
}
