import Contract
import Display
import Exchange
import Kit

/// The start of a task, which RFC 5545 ties to the deadline: both are days or both are
/// times, the start is not later than the deadline (3.8.2.3), and a recurring task has a start (3.8.2.4). Servers such
/// as sabre/dav, which Nextcloud uses, refuse other tasks.
extension ICalendarComponent {
  /// Corrects the start after the deadline or the recurrence has changed. The start of a recurring task moves along
  /// with the deadline, by whole days of its own zone: so its local time stays the same even if clocks change in
  /// between.
  ///
  /// - Parameters:
  ///   - before: the task before the change.
  ///   - old: the deadline before the change, in the user's zone; nil if it had none.
  mutating func settleStart(before: ICalendarComponent, wasDue old: CalendarDay?, zones: ICalendarZones, reader: Zone) {
    guard let line = self["DUE"], let due = Moment(line, zones, reader) else { return }
    guard let start = self["DTSTART"] else {
      if self["RRULE"] != nil { put(start: due.time, as: line) }
      return
    }
    guard let was = Moment(start, zones, reader) else { return }
    let wasDue = before["DUE"].flatMap { Moment($0, zones, reader) }
    // Once a card of a series is done it recurs no more, and its start is still that of its own occurrence.
    if self["RRULE"] != nil || before["RRULE"] != nil {
      if let wasDue, let from = wasDue.ownDay, let to = due.ownDay, let begin = was.moved(byDays: from.days(until: to))
      {
        put(start: begin, as: start)
      } else {
        let day = was.day.adding(days: (old ?? was.day).days(until: due.day))
        put(start: was.moved(to: day, reader), as: start)
      }
    }
    settleLateStart(zones: zones, reader: reader)
  }

  /// Moves a start that is later than the deadline to the deadline, and gives it the deadline's form, day or time.
  mutating func settleLateStart(zones: ICalendarZones, reader: Zone) {
    guard let line = self["DUE"], let due = Moment(line, zones, reader), let start = self["DTSTART"],
      let was = Moment(start, zones, reader)
    else { return }
    if Moment.isLate(was, for: due) {
      put(start: due.time, as: line)
    } else if (was.local == nil) != (due.local == nil) {
      put(start: due.moved(to: was.day, reader), as: line)
    }
  }

  /// Whether DTSTART is the start of one card: of a recurring task it belongs to the series, and with DURATION to the
  /// deadline.
  private var mayStart: Bool { self["RRULE"] == nil && self["DURATION"] == nil && self["RECURRENCE-ID"] == nil }

  /// The start of a card: the day of DTSTART, if it is before the deadline. Many programs repeat the deadline there, or
  /// state one of them alone.
  func startDay(zones: ICalendarZones, reader: Zone, due: CalendarDay?) -> CalendarDay? {
    guard mayStart, let line = self["DTSTART"],
      let start = Moment(line, zones, reader), due.map({ start.day < $0 }) ?? true
    else { return nil }
    return start.day
  }

  /// Sets the start of a card that does not recur: in the form of the start that is there, or of the deadline.
  mutating func put(startDay day: CalendarDay?, zones: ICalendarZones, reader: Zone) {
    guard mayStart else { return }
    guard let day else { return set("DTSTART", nil) }
    let form = self["DTSTART"] ?? self["DUE"]
    if let form, let moment = Moment(form, zones, reader), let start = moment.moved(to: day, reader) {
      put(start: start, as: form)
    } else {
      set("DTSTART", ICalendarLine("DTSTART", [("VALUE", "DATE")], CompactTime.day(day).text))
    }
    settleLateStart(zones: zones, reader: reader)
  }

  /// Sets the start in the form of the start of `first`, or of its deadline if it has no start.
  mutating func put(start: CompactTime, of first: ICalendarComponent) {
    if let line = first["DTSTART"] ?? first["DUE"] { put(start: start, as: line) }
  }

  /// Keeps the zone and the other parameters of `line`.
  private mutating func put(start: CompactTime?, as line: ICalendarLine) {
    guard let start else { return }
    set("DTSTART", ICalendarLine("DTSTART", line.parameters.map { ($0.name, $0.value) }, start.text))
  }
}

/// The time in a line, and the day and local time of it in the user's zone.
private struct Moment {
  let time: CompactTime
  let day: CalendarDay
  let local: LocalDateTime?
  private let zone: Zone?

  /// nil for a line without a valid time.
  init?(_ line: ICalendarLine, _ zones: ICalendarZones, _ reader: Zone) {
    let zone = line["TZID"].flatMap { zones.zone(named: $0) }
    guard let time = CompactTime(line.value), let shown = time.shown(in: reader, writtenIn: zone) else { return nil }
    (self.time, self.zone) = (time, zone)
    (day, local) = shown
  }

  /// The same time on another day, in the same form.
  func moved(to day: CalendarDay, _ reader: Zone) -> CompactTime? {
    guard let local else { return .day(day) }
    return time.moved(to: day, local.clock, in: reader, writtenIn: zone)
  }

  /// The day in its own zone; nil for a whole day.
  var ownDay: CalendarDay? {
    switch time {
    case .day: nil
    case .local(let local): local.day
    case .instant(let instant): LocalDateTime(instant, in: .utc).day
    }
  }

  /// The time some whole days later, in its own zone.
  func moved(byDays days: Int) -> CompactTime? {
    ICalendarDuration(days: days).end(of: time)
  }

  /// Whether a start is later than its deadline.
  static func isLate(_ start: Moment, for due: Moment) -> Bool {
    guard start.day == due.day, let from = start.local, let to = due.local else { return start.day > due.day }
    return (from.minutes, from.seconds) > (to.minutes, to.seconds)
  }
}
