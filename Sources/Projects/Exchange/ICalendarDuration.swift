import Contract
import Exchange
import Kit

/// A value of the type DURATION (RFC 5545, 3.3.6): `P15DT5H0M20S`, `P7W`, `-PT15M`.
struct ICalendarDuration: Equatable {
  /// Days are calendar days, whatever their length; the part after the `T` is exact.
  private(set) var days = 0
  private(set) var seconds = 0

  private static let longest = 100_000

  init(days: Int) { self.days = days }

  /// nil for another form, and for implausibly long durations.
  init?(_ text: String) {
    let form = /([+-]?)P(?:([0-9]+)W)?(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?/
    guard let match = text.wholeMatch(of: form), text.last?.isNumber == false, text.last != "P", text.last != "T" else {
      return nil
    }
    let parts = [match.output.2, match.output.3, match.output.4, match.output.5, match.output.6].map { part in
      part.map { Int($0) ?? Int.max } ?? 0
    }
    guard parts[0] <= Self.longest, parts[1] <= Self.longest, parts[2...].allSatisfy({ $0 <= Self.longest * 1_000 })
    else { return nil }
    let sign = match.output.1 == "-" ? -1 : 1
    days = sign * (parts[0] * 7 + parts[1])
    seconds = sign * (parts[2] * 3_600 + parts[3] * 60 + parts[4])
  }

  /// The end of a span that begins at `start`; nil outside of the supported years.
  func end(of start: CompactTime) -> CompactTime? {
    func later(_ day: CalendarDay, by days: Int) -> CalendarDay? {
      let later = day.adding(days: days)
      return day.days(until: later) == days ? later : nil
    }
    switch start {
    case .day(let day): return later(day, by: days + seconds / 86_400).map(CompactTime.day)
    case .local(let local):
      let total = local.minutes * 60 + local.seconds + seconds
      let ofDay = (total % 86_400 + 86_400) % 86_400
      return later(local.day, by: days + (total - ofDay) / 86_400).map { day in
        .local(LocalDateTime(day: day, minutes: ofDay / 60, seconds: ofDay % 60))
      }
    case .instant(let instant):
      let milliseconds = instant.milliseconds + Int64(days * 86_400 + seconds) * 1_000
      let end = Instant(milliseconds: milliseconds)
      return end.milliseconds == milliseconds ? .instant(end) : nil
    }
  }
}
