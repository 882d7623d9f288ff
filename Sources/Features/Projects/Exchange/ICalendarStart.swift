import Contract
import Display

/// When a task begins, which is nothing to a card, and which RFC 5545 ties to when it is due: both are days or both are
/// times, it begins no later than it is due (3.8.2.3), and what comes again says when it begins (3.8.2.4). Servers take no
/// task that has it otherwise: sabre/dav, by which Nextcloud keeps tasks, is one.
extension ICalendarComponent {
  /// Puts the beginning right, where the task is due at another time or comes again now. Of one that comes again it goes
  /// along with what is due, by whole days.
  ///
  /// - Parameter old: when it was due before, in the reader's zone; nil where only its beginning was known.
  mutating func settleStart(wasDue old: CalendarDay?, zones: ICalendarZones, reader: Zone) {
    guard let line = self["DUE"], let due = Moment(line, zones, reader) else { return }
    guard let start = self["DTSTART"] else {
      if self["RRULE"] != nil { put(start: due.time, as: line) }
      return
    }
    guard let was = Moment(start, zones, reader) else { return }
    let days = self["RRULE"] == nil ? 0 : (old ?? was.day).days(until: due.day)
    let day = was.day.adding(days: days)
    if Moment.isLate(was, on: day, for: due) {
      put(start: due.time, as: line)
    } else if (was.wall == nil) != (due.wall == nil) {
      put(start: due.moved(to: day, reader), as: line)
    } else if day != was.day {
      put(start: was.moved(to: day, reader), as: start)
    }
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

  /// Whether a beginning lies behind its end on this day.
  static func isLate(_ start: Moment, on day: CalendarDay, for due: Moment) -> Bool {
    guard day == due.day, let from = start.wall, let to = due.wall else { return day > due.day }
    return (from.minutes, from.seconds) > (to.minutes, to.seconds)
  }
}
