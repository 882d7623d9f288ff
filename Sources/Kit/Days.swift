import Contract
import Display
import Store

extension CalendarDay {
  package init(_ day: YearMonthDay) {
    self.init(daysSince1970: CivilDate.number(of: day))
  }

  package var yearMonthDay: YearMonthDay { (year, month, day) }
}

extension Services {
  /// The day to which an instant belongs in a time zone. The day begins at the library's `dayStartsAt` in every zone.
  package func day(of instant: Instant, in zone: Zone) -> CalendarDay {
    CalendarDay(DayClock(zone: zone, dayStartsAt: days.dayStartsAt).day(of: instant.milliseconds))
  }

  /// Today in the library's own time zone: it determines when a deadline is overdue, for all clients at the same
  /// moment.
  package var libraryToday: CalendarDay { CalendarDay(days.day(of: now().milliseconds)) }

  /// Today for a client: the day of its new entries, and of natural-language dates. Defined only here:
  ///
  /// - The zone is the client's: that of `initialize` or `session/configure`, else the library's (`library.timeZone`,
  ///   else the system's), which is the initial value.
  /// - The day begins at the library's `dayStartsAt` in that zone: an entry at two in the morning belongs to yesterday.
  /// - Clock and zone are read at each call, so a change of day, a sleep or a journey takes effect with the next
  ///   request; `session/didChangeDay` notifies of it.
  package func today(for reader: Reader) -> CalendarDay { day(of: now(), in: reader.zone) }

  /// The beginning and end of a day for a client, in UTC milliseconds; it has 23 or 25 hours when the clocks change.
  package func instants(of day: CalendarDay, for reader: Reader) -> Range<Int64> {
    let clock = DayClock(zone: reader.zone, dayStartsAt: days.dayStartsAt)
    let start = clock.start(of: day.yearMonthDay)
    // A day that the zone skipped has no instants.
    return start..<max(start, clock.start(of: CivilDate.day(day.daysSince1970 + 1)))
  }
}
