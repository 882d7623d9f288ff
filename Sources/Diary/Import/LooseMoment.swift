import Contract
import Display
import Exchange
import Kit

/// A moment in nearly the words of ISO 8601, as other programs write it: `2026-10-01T21:30:00.123456` (Python's),
/// `2026-10-01 21:30:00 +0900` (Jekyll's), `2026-10-01T21:30Z`, `2026-10-01, 21:30`, `2026-10-01 9:30 PM`.
struct LooseMoment {
  /// What the writer's clock showed.
  let wall: WallTime
  /// Since that second, three digits; those beyond are cut off.
  private let milliseconds: String
  /// How far that clock was ahead, as RFC 3339 writes it; nil where nothing says it.
  private let offset: String?

  /// nil for a day alone, and for a day or a time that does not exist.
  init?(_ text: String) {
    let form =
      /(?<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,](?<fraction>[0-9]+))?(?<half> [AaPp][Mm])? *(?<offset>[Zz]|[+\-][0-9]{2}(?::?[0-9]{2})?)?/
    let rest = text.dropFirst(10)
    guard let day = CalendarDay(String(text.prefix(10))), let first = rest.first, "Tt ,".contains(first),
      let match = rest.dropFirst().drop(while: { first != "T" && first != "t" && $0 == " " }).wholeMatch(of: form),
      let wall = WallTime(day: day, time: "\(match.time)\(match.half ?? "")")
    else { return nil }
    self.wall = wall
    milliseconds = String(((match.fraction ?? "") + "000").prefix(3))
    offset = match.offset.map { offset in
      let digits = offset.filter(\.isNumber)
      return digits.isEmpty ? "Z" : "\(offset.prefix(3)):\(digits.count == 4 ? digits.suffix(2) : "00")"
    }
  }

  /// When a day began, of which no time is said.
  init(startOf day: CalendarDay) {
    wall = WallTime(day: day, minutes: 0, seconds: 0)
    milliseconds = "000"
    offset = nil
  }

  /// Whether it is the same moment wherever it is read.
  var saysOffset: Bool { offset != nil }

  /// Where it says no offset, when the clocks of the zone showed it. Nil for an offset that there is not, and outside the
  /// years that there are.
  func instant(in zone: Zone) -> Instant? {
    guard let offset else { return wall.exactInstant(in: zone)?.adding(milliseconds: Int64(milliseconds) ?? 0) }
    let seconds = wall.seconds < 10 ? "0\(wall.seconds)" : String(wall.seconds)
    return Instant("\(wall.day)T\(wall.clock):\(seconds).\(milliseconds)\(offset)")
  }
}
