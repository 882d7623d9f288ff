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
  /// The day that an instant belongs to for somebody in a zone. A night owl's day begins late wherever they are.
  package func day(of instant: Instant, in zone: Zone) -> CalendarDay {
    CalendarDay(DayClock(zone: zone, dayStartsAt: days.dayStartsAt).day(of: instant.milliseconds))
  }

  /// Today as the library counts it, in its own zone: by it a deadline is overdue, for all clients in the same moment.
  package var libraryToday: CalendarDay { CalendarDay(days.day(of: now().milliseconds)) }

  /// Today for a client: the day of what it writes now, and of the words that it says. Defined here and nowhere else:
  ///
  /// - The zone is the client's: the one that it named with `initialize` or `session/configure`, else the library's
  ///   (`library.timeZone`, else the system's), which every reader begins with.
  /// - The day begins at the library's `dayStartsAt` in that zone: who writes at two in the morning means yesterday.
  /// - The clock and the zone are looked at each time, so a turn of the day, a sleep or a journey is seen by the next
  ///   request; `session/didChangeDay` tells of it.
  package func today(for reader: Reader) -> CalendarDay { day(of: now(), in: reader.zone) }

  /// When a day begins and ends for a client, in UTC milliseconds; 23 or 25 hours where clocks change.
  package func instants(of day: CalendarDay, for reader: Reader) -> Range<Int64> {
    let clock = DayClock(zone: reader.zone, dayStartsAt: days.dayStartsAt)
    let start = clock.start(of: day.yearMonthDay)
    // A day that the zone left out has no instants.
    return start..<max(start, clock.start(of: CivilDate.day(day.daysSince1970 + 1)))
  }
}
