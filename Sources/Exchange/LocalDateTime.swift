import Contract
import Display
import Kit

/// A local date and time without a zone.
package struct LocalDateTime: Equatable {
  package var day: CalendarDay
  /// Since midnight.
  package var minutes: Int
  package var seconds: Int

  package init(day: CalendarDay, minutes: Int, seconds: Int) {
    self.day = day
    self.minutes = minutes
    self.seconds = seconds
  }

  /// The first instant at which the zone's local time is this, or would be; at the ends of the supported range
  /// (`Instant`) the first or last instant.
  package func instant(in zone: Zone) -> Instant { Instant(milliseconds: milliseconds(in: zone)) }

  /// The same, or nil outside of the supported years: for 9999-12-31 23:00 in New York, for example.
  package func exactInstant(in zone: Zone) -> Instant? {
    let milliseconds = milliseconds(in: zone)
    let instant = Instant(milliseconds: milliseconds)
    return instant.milliseconds == milliseconds ? instant : nil
  }

  private func milliseconds(in zone: Zone) -> Int64 {
    DayClock(zone: zone, dayStartsAt: minutes).start(of: day.yearMonthDay) + Int64(seconds) * 1_000
  }
}

extension LocalDateTime {
  /// The local time of an instant in a zone; nil in the year 0, which the civil calendar does not have, or in the year
  /// 10000.
  package init?(exactly instant: Instant, in zone: Zone) {
    let local = instant.milliseconds + Int64(zone.offset(at: (instant.milliseconds / 1_000))) * 1_000
    guard Instant(milliseconds: local).milliseconds == local else { return nil }
    self.init(instant, in: zone)
  }

  /// The local time of an instant in a zone.
  package init(_ instant: Instant, in zone: Zone) {
    let milliseconds = instant.milliseconds
    let seconds = (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
    let local = Instant(milliseconds: seconds * 1_000).adding(milliseconds: Int64(zone.offset(at: seconds)) * 1_000)
    day = local.day
    let ofDay = Int(local.milliseconds / 1_000) - day.daysSince1970 * 86_400
    minutes = ofDay / 60
    self.seconds = ofDay % 60
  }

  /// `09:05`, `09:05:59`, `09:05:59 PM`; nil for a time that does not exist.
  package init?(day: CalendarDay, time: String) {
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

extension LocalDateTime {
  /// `09:05`
  package var clock: String {
    [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }
}
