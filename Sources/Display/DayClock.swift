/// Computes the calendar day of an instant, and when the next day begins.
///
/// A day begins at the first instant at which the zone's local time is `dayStartsAt` or later on its date. So days
/// never go back when clocks do, a day whose start falls into a gap begins when the gap ends, and a day that the zone
/// skipped (30 December 2011 in Samoa) is never today. Instants are milliseconds since 1970.
package struct DayClock: Sendable, Equatable {
  package var zone: Zone
  /// Minutes after midnight, 0 to 1439: people who write at two in the morning mean the day before.
  package var dayStartsAt: Int

  package init(zone: Zone, dayStartsAt: Int = 0) {
    precondition((0..<1440).contains(dayStartsAt), "A day starts between 00:00 and 23:59.")
    self.zone = zone
    self.dayStartsAt = dayStartsAt
  }

  /// The day of an instant; for `now`, today.
  package func day(of instant: Int64) -> YearMonthDay {
    CivilDate.day(number(of: instant))
  }

  /// The first instant of a day.
  package func start(of day: YearMonthDay) -> Int64 {
    start(of: CivilDate.number(of: day)) * 1000
  }

  /// The next change of day: the first instant after `instant` that belongs to another day.
  package func nextTurn(after instant: Int64) -> Int64 {
    start(of: number(of: instant) + 1) * 1000
  }

  /// The last day that has begun by then, as days since 1970.
  private func number(of instant: Int64) -> Int {
    let seconds = floorDivide(instant, 1000)
    let local = seconds + Int64(zone.offset(at: seconds)) - Int64(dayStartsAt) * 60
    var number = Int(floorDivide(local, 86_400))
    // After clocks were set back, the local date may be over; it is never a date that has not begun.
    while start(of: number + 1) <= seconds { number += 1 }
    return number
  }

  /// The first second at which the local time is this day's start or later.
  private func start(of number: Int) -> Int64 {
    let wanted = Int64(number) * 86_400 + Int64(dayStartsAt) * 60
    // No offset exceeds 16 hours, so the result is between these two; no zone changes twice within that time.
    var early = wanted - 16 * 3600
    var late = wanted + 16 * 3600
    let before = zone.offset(at: early)
    let after = zone.offset(at: late)
    if before == after { return wanted - Int64(before) }
    while late - early > 1 {
      let middle = early + (late - early) / 2
      if zone.offset(at: middle) == before { early = middle } else { late = middle }
    }
    // From `late` on the new offset applies.
    let byOldOffset = wanted - Int64(before)
    return byOldOffset < late ? byOldOffset : max(late, wanted - Int64(after))
  }
}
