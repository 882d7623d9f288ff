import Contract
import Display
import Exchange
import Kit
import Wire

/// When a task of Taskwarrior is due, for which it has a moment and no more: `"due":"20261209T150000Z"`.
///
/// Ours is a day, or a day and a time on a clock. So beside the moment stands what it was written for and where, in an
/// attribute that means nothing to Taskwarrior: `2026-12-10 18:30 Asia/Seoul`, of a whole day `2026-12-10 Asia/Seoul`;
/// of old there is no zone, and then it is the reader's. Who moves the moment there leaves the words as they were: then
/// they are not those of this moment any more, and the moment alone counts.
struct TaskwarriorDeadline: Equatable {
  var day: CalendarDay
  /// `18:30`.
  var time: String?
  /// Where a clock shows that; nil where its words do not say it.
  private(set) var zone: String?

  private static let words = "commonplacetime"

  init(day: CalendarDay, time: String?) {
    self.day = day
    self.time = time
  }

  /// Nil of a task that has none, or none that is a moment of the reader's calendar.
  init?(_ object: JSONObject, reader: Zone) {
    guard let instant = Self.instant(of: object) else { return nil }
    if let said = Self.said(in: object, at: instant, reader: reader) {
      self = said
      return
    }
    guard let due = WallTime(exactly: instant, in: reader) else { return nil }
    // A day alone is due when it begins, as `due:2026-11-30` is for Taskwarrior.
    self.init(day: due.day, time: due.minutes == 0 ? nil : due.clock)
  }

  private static func instant(of object: JSONObject) -> Instant? {
    guard case .instant(let instant)? = object["due"]?.stringValue.flatMap(CompactTime.init) else { return nil }
    return instant
  }

  /// What the words say, as long as they are those of this moment.
  private static func said(in object: JSONObject, at instant: Instant, reader: Zone) -> TaskwarriorDeadline? {
    let words = (object[words]?.stringValue?.split(separator: " ") ?? []).map(String.init)
    guard (2...3).contains(words.count), let day = CalendarDay(words[0]) else { return nil }
    let timed = WallTime(day: day, time: words[1])
    let name = timed == nil ? words[1] : words.count == 3 ? words[2] : reader.identifier
    guard let zone = name == reader.identifier ? reader : Zone(name),
      let wall = timed ?? WallTime(day: day, time: "00:00"), wall.instant(in: zone) == instant
    else { return nil }
    var deadline = TaskwarriorDeadline(day: day, time: timed?.clock)
    deadline.zone = zone.identifier
    return deadline
  }

  /// Says the moment that it is in this zone, and the words.
  static func put(_ deadline: TaskwarriorDeadline?, into object: inout JSONObject, zone: Zone) {
    let wall = deadline.flatMap { WallTime(day: $0.day, time: $0.time ?? "00:00") }
    object["due"] = wall.map { .string(CompactTime.instant($0.instant(in: zone)).text) }
    object[words] = deadline.map { .string($0.words(in: zone)) }
  }

  /// Puts the words right where somebody has moved the moment beside them: another library, and a client of another
  /// zone, then read what this one read.
  static func renewWords(of object: inout JSONObject, zone: Zone) {
    guard object[words] != nil else { return }
    let instant = instant(of: object)
    if let instant, said(in: object, at: instant, reader: zone) != nil { return }
    object[words] = TaskwarriorDeadline(object, reader: zone).map { .string($0.words(in: zone)) }
  }

  private func words(in zone: Zone) -> String {
    [day.description, time, zone.identifier].compactMap(\.self).joined(separator: " ")
  }
}
