import Contract
import Display
import Exchange
import Kit

/// A reminder of a card, as it is stored and as clients have it:
///
///     2026-11-21T09:00:00.000Z   at an instant
///     -60m                       an hour before the deadline
///     -1d                        a day before it, at its time
///     -1d@18:00                  a day before it, at this time
///     start-0m                   on the day of the start
///
/// A deadline without a time, and a start, remind relative to `projects.remindAt` of their day. Days are calendar days,
/// whatever their length, and minutes are exact.
enum Reminder: Equatable {
  case at(Instant)
  case around(Anchor, Distance)

  enum Anchor: Equatable {
    case deadline, start
  }

  enum Distance: Equatable {
    case minutes(Int)
    case days(Int)
    /// At a time of day, in minutes after midnight.
    case daysAt(Int, minutes: Int)
  }

  /// The most reminders of a card.
  static let most = 20
  private static let longest = 100_000_000

  /// Nil for another form.
  init?(_ text: String) {
    if let instant = Instant(text) {
      self = .at(instant)
      return
    }
    guard text.utf8.count <= 32,
      let match = text.wholeMatch(of: /(start)?([+\-][0-9]{1,9})(?:m|(d)(?:@([0-9]{2}:[0-9]{2}))?)/),
      let number = Int(match.output.2), abs(number) <= Self.longest
    else { return nil }
    let anchor = match.output.1 == nil ? Anchor.deadline : .start
    if match.output.3 == nil {
      self = .around(anchor, .minutes(number))
    } else if let clock = match.output.4 {
      guard let time = TimeOfDay(String(clock)) else { return nil }
      self = .around(anchor, .daysAt(number, minutes: time.minutes))
    } else {
      self = .around(anchor, .days(number))
    }
  }

  /// The stored form.
  var text: String {
    switch self {
    case .at(let instant): instant.description
    case .around(let anchor, let distance): (anchor == .start ? "start" : "") + distance.text
    }
  }

  var isOfStart: Bool { if case .around(.start, _) = self { true } else { false } }

  /// The stored forms of a file's texts, without those that cannot be read, and duplicates.
  static func possible(_ texts: [String]) -> [String] {
    var possible: [String] = []
    for text in texts.lazy.compactMap({ Reminder($0)?.text }) where possible.count < most && !possible.contains(text) {
      possible.append(text)
    }
    return possible
  }
}

extension Reminder.Distance {
  fileprivate var text: String {
    switch self {
    case .minutes(let minutes): Self.signed(minutes) + "m"
    case .days(let days): Self.signed(days) + "d"
    case .daysAt(let days, let minutes):
      "\(Self.signed(days))d@\(LocalDateTime(day: CalendarDay(daysSince1970: 0), minutes: minutes, seconds: 0).clock)"
    }
  }

  private static func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "-\(-number)" }
}

/// The parts of a card by which its reminders become instants.
struct ReminderDays {
  var deadline: CalendarDay?
  /// `09:30`
  var time: String?
  var start: CalendarDay?
}

/// How local times become instants: the library's zone, and the time at which days without one remind.
struct ReminderClock {
  let zone: Zone
  /// In minutes after midnight.
  let remindAt: Int

  init(_ services: Services) {
    (zone, remindAt) = (services.days.zone, services.settings().cards.remindAt)
  }

  /// When a reminder is due; nil if the card has no such day.
  func instant(of reminder: Reminder, _ days: ReminderDays) -> Instant? {
    switch reminder {
    case .at(let instant): return instant
    case .around(let anchor, let distance):
      guard let day = anchor == .start ? days.start : days.deadline else { return nil }
      let time = anchor == .start ? nil : days.time.flatMap { TimeOfDay($0) }?.minutes
      func instant(_ days: Int, at minutes: Int) -> Instant {
        LocalDateTime(day: day.adding(days: days), minutes: minutes, seconds: 0).instant(in: zone)
      }
      return switch distance {
      case .minutes(let minutes):
        instant(0, at: time ?? remindAt).adding(milliseconds: Int64(minutes) * 60_000)
      case .days(let days): instant(days, at: time ?? remindAt)
      case .daysAt(let days, let minutes): instant(days, at: minutes)
      }
    }
  }
}
