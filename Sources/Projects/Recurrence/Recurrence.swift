import Contract
import Display
import Store
import Wire

/// When a card recurs after it is done.
struct Recurrence: Payload, Equatable, StoredValue {
  static var fieldType: FieldType<Recurrence> { .object }

  /// The day from which the rule counts.
  enum Origin: String, Choice {
    case due, completion
  }

  /// How to treat days that passed while the card was not done.
  enum Missed: String, Choice {
    case skip, pile
  }

  var rule: String
  var from: Origin?
  var missed: Missed?
  var start: CalendarDay?
  var done: Int?

  static let example = Recurrence(
    rule: "FREQ=WEEKLY;BYDAY=SA", from: .due, missed: .skip, start: CalendarDay(year: 2026, month: 11, day: 21),
    done: nil)
  static let fields = [
    "rule":
      "An RRULE of RFC 5545, stored as given. Whole days: `FREQ` `DAILY` to `YEARLY` with every part but `BYHOUR`, "
      + "`BYMINUTE` and `BYSECOND`, which are refused.",
    "from": "`due` (default) counts from the deadline, `completion` from the day when it is done.",
    "missed":
      "If counted from the deadline: `skip` (default) continues with the first day that is not past, `pile` with the "
      + "next in any case, so that each missed one is a card too.",
    "start": "The deadline of the first card, from which the rule counts. Default: this card's deadline.",
    "done": "The number of its cards done before this one, for `COUNT` if counted from completion. Default 0.",
  ]
  static let limits: [String: FieldLimits] = ["rule": .length(1...500, notBlank: true), "done": .atLeast(0)]

  /// Where the number of cards done stops: more than any `COUNT`.
  static let mostDone = 1_000_000
}

extension Recurrence {
  /// A recurrence from a file that states the rule separately.
  ///
  /// - Parameter details: the other members in our extension property, as JSON; invalid JSON is ignored.
  init(rule: String, details: String?) {
    let details = details.flatMap { try? StoredJSON<Recurrence>(stored: $0).value() }
    self = details ?? Recurrence(rule: rule)
    self.rule = rule
    done = done.map { min(max($0, 0), Self.mostDone) }
  }

  /// Whether it is a rule without other members.
  var isPlain: Bool { self == Recurrence(rule: rule) }

  /// Without members that have their default, for a card with this deadline.
  func plain(due: CalendarDay?) -> Recurrence {
    var plain = self
    if from == .due { plain.from = nil }
    if missed == .skip { plain.missed = nil }
    if start == due { plain.start = nil }
    if done == 0 { plain.done = nil }
    return plain
  }

  /// The frequency for a list, without the days of the rule.
  var word: Text {
    guard let rule = try? RecurrenceRule(rule) else { return Text("projects.recurs") }
    if rule.interval > 1 {
      let words = ["count": String(rule.interval)]
      return switch rule.frequency {
      case .daily: Text("projects.everyDays", words)
      case .weekly: Text("projects.everyWeeks", words)
      case .monthly: Text("projects.everyMonths", words)
      case .yearly: Text("projects.everyYears", words)
      }
    }
    let isOfWeekdays = rule.weekdays.map(\.day).sorted() == [1, 2, 3, 4, 5] && rule.positions.isEmpty
    if rule.frequency == .weekly, isOfWeekdays { return Text("projects.weekdays") }
    return switch rule.frequency {
    case .daily: Text("projects.daily")
    case .weekly: Text("projects.weekly")
    case .monthly: Text("projects.monthly")
    case .yearly: Text("projects.yearly")
    }
  }
}
