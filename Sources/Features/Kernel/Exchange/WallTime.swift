import Contract
import Display

/// A moment as a clock on the wall showed it.
struct WallTime: Equatable {
  var day: CalendarDay
  /// Since midnight.
  var minutes: Int
  var seconds: Int

  /// The moment at which the wall clock of the zone first showed it, or would have.
  func instant(in zone: Zone) -> Instant {
    let clock = DayClock(zone: zone, dayStartsAt: minutes)
    return Instant(milliseconds: clock.start(of: day.yearMonthDay)).adding(milliseconds: Int64(seconds) * 1_000)
  }
}

extension WallTime {
  /// What the wall clock of a zone shows at a moment.
  init(_ instant: Instant, in zone: Zone) {
    let milliseconds = instant.milliseconds
    let seconds = (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
    let wall = Instant(milliseconds: seconds * 1_000).adding(milliseconds: Int64(zone.offset(at: seconds)) * 1_000)
    day = wall.day
    let ofDay = Int(wall.milliseconds / 1_000) - day.daysSince1970 * 86_400
    minutes = ofDay / 60
    self.seconds = ofDay % 60
  }

  /// `09:05`, `09:05:59`, `09:05:59 PM`; nil for a time that does not exist.
  init?(day: CalendarDay, time: String) {
    let words = time.split(separator: " ")
    let parts = (words.first ?? "").split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (1...2).contains(words.count), (2...3).contains(parts.count), var hour = parts.first else { return nil }
    if words.count == 2 {
      guard (1...12).contains(hour) else { return nil }
      switch words[1].uppercased() {
      case "AM": hour %= 12
      case "PM": hour = hour % 12 + 12
      default: return nil
      }
    }
    let seconds = parts.count == 3 ? parts[2] : 0
    guard (0..<24).contains(hour), (0..<60).contains(parts[1]), (0..<60).contains(seconds) else { return nil }
    self.init(day: day, minutes: hour * 60 + parts[1], seconds: seconds)
  }
}

extension WallTime {
  /// `09:05`
  var clock: String { [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":") }
}
