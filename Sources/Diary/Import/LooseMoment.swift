import Contract
import Display
import Exchange
import Kit

/// A date and time in variants of ISO 8601 that other programs write: `2026-10-01T21:30:00.123456` (Python),
/// `2026-10-01 21:30:00 +0900` (Jekyll), `2026-10-01T21:30Z`, `2026-10-01, 21:30`, `2026-10-01 9:30 PM`.
struct LooseMoment {
  /// The local time of the author.
  let local: LocalDateTime
  /// Three digits; further ones are truncated.
  private let milliseconds: String
  /// The UTC offset of that local time in the form of RFC 3339; nil if none is stated.
  private let offset: String?

  /// nil for a day alone, and for a day or a time that does not exist.
  init?(_ text: String) {
    let form =
      /(?<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,](?<fraction>[0-9]+))?(?<half> [AaPp][Mm])? *(?<offset>[Zz]|[+\-][0-9]{2}(?::?[0-9]{2})?)?/
    let rest = text.dropFirst(10)
    guard let day = CalendarDay(String(text.prefix(10))), let first = rest.first, "Tt ,".contains(first),
      let match = rest.dropFirst().drop(while: { first != "T" && first != "t" && $0 == " " }).wholeMatch(of: form),
      let local = LocalDateTime(day: day, time: "\(match.time)\(match.half ?? "")")
    else { return nil }
    self.local = local
    milliseconds = String(((match.fraction ?? "") + "000").prefix(3))
    offset = match.offset.map { offset in
      let digits = offset.filter(\.isNumber)
      return digits.isEmpty ? "Z" : "\(offset.prefix(3)):\(digits.count == 4 ? digits.suffix(2) : "00")"
    }
  }

  /// The beginning of a day without a time.
  init(startOf day: CalendarDay) {
    local = LocalDateTime(day: day, minutes: 0, seconds: 0)
    milliseconds = "000"
    offset = nil
  }

  /// Whether it is the same instant in every zone.
  var saysOffset: Bool { offset != nil }

  /// The instant, in `zone` if no offset is stated. Nil for an invalid offset, and outside of the supported years.
  func instant(in zone: Zone) -> Instant? {
    guard let offset else { return local.exactInstant(in: zone)?.adding(milliseconds: Int64(milliseconds) ?? 0) }
    let seconds = local.seconds < 10 ? "0\(local.seconds)" : String(local.seconds)
    return Instant("\(local.day)T\(local.clock):\(seconds).\(milliseconds)\(offset)")
  }
}
