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

  /// Today as the library counts it: in its own zone.
  package var libraryToday: CalendarDay { CalendarDay(days.day(of: now().milliseconds)) }

  /// Today for a client: the library's day, unless the client is in another zone than the library.
  package func today(for reader: Reader) -> CalendarDay { day(of: now(), in: reader.zone) }
}
