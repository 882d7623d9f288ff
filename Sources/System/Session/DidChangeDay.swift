import Contract
import Display
import Wire

/// A new day began, for this client or for the library.
package enum DidChangeDay: Notification {
  package static let name = "session/didChangeDay"
  package static let summary =
    "A new day began for the library or the client: by the clock, after a suspend, or in a new time zone."
  package static let direction = Direction.toClient

  package struct Params: Payload, Equatable {
    package var day: CalendarDay
    package var libraryDay: CalendarDay
    package static let example = Params(
      day: CalendarDay(year: 2026, month: 11, day: 21)!, libraryDay: CalendarDay(year: 2026, month: 11, day: 21)!)
    package static let fields = [
      "day": "Today in the client's time zone.",
      "libraryDay": "Today in the library's time zone, beginning at its `dayStartsAt`.",
    ]
  }
}

/// Notices for one client that a day has changed. It only compares with the previous check, so the reason does not
/// matter: the clock, a suspended computer, a change of the time zone.
package struct DayWatch {
  private let library: DayClock
  /// The days that were last reported to the client.
  package private(set) var seen: DidChangeDay.Params

  package init(library: DayClock, zone: Zone, now: Instant) {
    self.library = library
    seen = Self.days(at: now, library: library, zone: zone)
  }

  /// The notification for the client; nil if the days have not changed.
  package mutating func look(at now: Instant, zone: Zone) -> DidChangeDay.Params? {
    let days = Self.days(at: now, library: library, zone: zone)
    guard days != seen else { return nil }
    seen = days
    return days
  }

  /// Milliseconds until one of the two days changes.
  package func untilNextTurn(at now: Instant, zone: Zone) -> Int64 {
    let client = DayClock(zone: zone, dayStartsAt: library.dayStartsAt)
    return min(client.nextTurn(after: now.milliseconds), library.nextTurn(after: now.milliseconds)) - now.milliseconds
  }

  /// `dayStartsAt` applies in the client's time zone too.
  private static func days(at now: Instant, library: DayClock, zone: Zone) -> DidChangeDay.Params {
    let client = DayClock(zone: zone, dayStartsAt: library.dayStartsAt)
    return DidChangeDay.Params(
      day: CalendarDay(client.day(of: now.milliseconds)), libraryDay: CalendarDay(library.day(of: now.milliseconds)))
  }
}
