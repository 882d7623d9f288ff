import Contract
import Display
import Exchange
import Kit

/// When a task begins, which is nothing to a card, and which RFC 5545 ties to when it is due: both are days or both are
/// times, it begins no later than it is due (3.8.2.3), and what comes again says when it begins (3.8.2.4). Servers take no
/// task that has it otherwise: sabre/dav, by which Nextcloud keeps tasks, is one.
extension ICalendarComponent {
  /// Puts the beginning right, where the task is due at another time or comes again now. Of one that comes again it goes
  /// along with what is due, by whole days of the zone that it is written in: at the same time, also where clocks change
  /// between them.
  ///
  /// - Parameters:
  ///   - before: the task as it was.
  ///   - old: when it was due before, in the reader's zone; nil where only its beginning was known.
  mutating func settleStart(before: ICalendarComponent, wasDue old: CalendarDay?, zones: ICalendarZones, reader: Zone) {
    guard let line = self["DUE"], let due = Moment(line, zones, reader) else { return }
    guard let start = self["DTSTART"] else {
      if self["RRULE"] != nil { put(start: due.time, as: line) }
      return
    }
    guard let was = Moment(start, zones, reader) else { return }
    let wasDue = before["DUE"].flatMap { Moment($0, zones, reader) }
    if self["RRULE"] != nil {
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

  /// Lets what begins behind its end begin with it, and in its form, day or time.
  mutating func settleLateStart(zones: ICalendarZones, reader: Zone) {
    guard let line = self["DUE"], let due = Moment(line, zones, reader), let start = self["DTSTART"],
      let was = Moment(start, zones, reader)
    else { return }
    if Moment.isLate(was, for: due) {
      put(start: due.time, as: line)
    } else if (was.wall == nil) != (due.wall == nil) {
      put(start: due.moved(to: was.day, reader), as: line)
    }
  }

  /// In the form of what another one begins with, or of its end where it says no beginning.
  mutating func put(start: CompactTime, of first: ICalendarComponent) {
    if let line = first["DTSTART"] ?? first["DUE"] { put(start: start, as: line) }
  }

  /// With the zone of another line, and whatever else it says of its time.
  private mutating func put(start: CompactTime?, as line: ICalendarLine) {
    guard let start else { return }
    set("DTSTART", ICalendarLine("DTSTART", line.parameters.map { ($0.name, $0.value) }, start.text))
  }
}

/// What a line says, and what the reader's calendar and clock show then.
private struct Moment {
  let time: CompactTime
  let day: CalendarDay
  let wall: WallTime?
  private let zone: Zone?

  /// nil for a line that says no time.
  init?(_ line: ICalendarLine, _ zones: ICalendarZones, _ reader: Zone) {
    let zone = line["TZID"].flatMap { zones.zone(named: $0) }
    guard let time = CompactTime(line.value), let shown = time.shown(in: reader, writtenIn: zone) else { return nil }
    (self.time, self.zone) = (time, zone)
    (day, wall) = shown
  }

  /// The same on another day, in the same form.
  func moved(to day: CalendarDay, _ reader: Zone) -> CompactTime? {
    guard let wall else { return .day(day) }
    return time.moved(to: day, wall.clock, in: reader, writtenIn: zone)
  }

  /// The day in the zone that it is written in; nil of a whole day.
  var ownDay: CalendarDay? {
    switch time {
    case .day: nil
    case .wall(let wall): wall.day
    case .instant(let instant): WallTime(instant, in: .utc).day
    }
  }

  /// Whole days later by the clocks that it is written by.
  func moved(byDays days: Int) -> CompactTime? {
    ICalendarDuration(days: days).end(of: time)
  }

  /// Whether a beginning lies behind its end.
  static func isLate(_ start: Moment, for due: Moment) -> Bool {
    guard start.day == due.day, let from = start.wall, let to = due.wall else { return start.day > due.day }
    return (from.minutes, from.seconds) > (to.minutes, to.seconds)
  }
}
