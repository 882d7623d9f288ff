import Contract
import Display
import Exchange
import Kit
import Wire

/// The deadline of a Taskwarrior task, which is an instant: `"due":"20261209T150000Z"`.
///
/// A card has a day, or a day and a local time. So an attribute without a meaning to Taskwarrior states them and their
/// zone beside the instant: `2026-12-10 18:30 Asia/Seoul`, or for a whole day `2026-12-10 Asia/Seoul`. Old files have
/// no zone; then it is the user's. Taskwarrior does not update the attribute when the deadline changes: if it does not
/// fit the instant any more, the instant alone counts.
struct TaskwarriorDeadline: Equatable {
  var day: CalendarDay
  /// `18:30`.
  var time: String?
  /// The zone of the local time; nil if the attribute does not state it.
  private(set) var zone: String?

  private static let words = "commonplacetime"

  init(day: CalendarDay, time: String?) {
    self.day = day
    self.time = time
  }

  /// Nil for a task without a deadline, or with one outside the user's calendar.
  init?(_ object: JSONObject, reader: Zone) {
    guard let instant = Self.instant(of: object) else { return nil }
    if let stated = Self.stated(in: object, at: instant, reader: reader) {
      self = stated
      return
    }
    guard let due = LocalDateTime(exactly: instant, in: reader) else { return nil }
    // A whole day is due at its beginning, as `due:2026-11-30` is in Taskwarrior.
    self.init(day: due.day, time: due.minutes == 0 ? nil : due.clock)
  }

  private static func instant(of object: JSONObject) -> Instant? {
    guard case .instant(let instant)? = object["due"]?.stringValue.flatMap(CompactTime.init) else { return nil }
    return instant
  }

  /// The deadline in the attribute, if it fits the instant.
  private static func stated(in object: JSONObject, at instant: Instant, reader: Zone) -> TaskwarriorDeadline? {
    let words = (object[words]?.stringValue?.split(separator: " ") ?? []).map(String.init)
    guard (2...3).contains(words.count), let day = CalendarDay(words[0]) else { return nil }
    let timed = LocalDateTime(day: day, time: words[1])
    let name = timed == nil ? words[1] : words.count == 3 ? words[2] : reader.identifier
    guard let zone = name == reader.identifier ? reader : Zone(name),
      let local = timed ?? LocalDateTime(day: day, time: "00:00"), local.instant(in: zone) == instant
    else { return nil }
    var deadline = TaskwarriorDeadline(day: day, time: timed?.clock)
    deadline.zone = zone.identifier
    return deadline
  }

  /// Writes the instant of the deadline in this zone, and the attribute.
  static func put(_ deadline: TaskwarriorDeadline?, into object: inout JSONObject, zone: Zone) {
    let local = deadline.flatMap { LocalDateTime(day: $0.day, time: $0.time ?? "00:00") }
    object["due"] = local.map { .string(CompactTime.instant($0.instant(in: zone)).text) }
    object[words] = deadline.map { .string($0.words(in: zone)) }
  }

  /// Updates the attribute if the instant was changed without it: another library, and a client in another zone, then
  /// read the same deadline as this one.
  static func renewWords(of object: inout JSONObject, zone: Zone) {
    guard object[words] != nil else { return }
    let instant = instant(of: object)
    if let instant, stated(in: object, at: instant, reader: zone) != nil { return }
    object[words] = TaskwarriorDeadline(object, reader: zone).map { .string($0.words(in: zone)) }
  }

  private func words(in zone: Zone) -> String {
    [day.description, time, zone.identifier].compactMap(\.self).joined(separator: " ")
  }
}
