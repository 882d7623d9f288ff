import Contract
import Display
import Exchange
import Kit

/// A day or an instant as iCalendar (RFC 5545, 3.3.4 and 3.3.5) and Taskwarrior write them: `20261121`,
/// `20261121T230000` in the local time of some zone, `20261121T140000Z` in UTC.
enum CompactTime: Equatable {
  case day(CalendarDay)
  case local(LocalDateTime)
  case instant(Instant)

  /// nil for another form, and for a day or a time that does not exist.
  init?(_ text: String) {
    let digits = Array(text.utf8)
    guard [8, 15, 16].contains(digits.count), let year = Self.number(digits[0..<4]),
      let month = Self.number(digits[4..<6]), let dayOfMonth = Self.number(digits[6..<8]),
      let day = CalendarDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    if digits.count == 8 {
      self = .day(day)
      return
    }
    guard digits[8] == UInt8(ascii: "T"), let hour = Self.number(digits[9..<11]), hour < 24,
      let minute = Self.number(digits[11..<13]), minute < 60,
      // A leap second is read as the second before it.
      let second = Self.number(digits[13..<15]), second <= 60
    else { return nil }
    let local = LocalDateTime(day: day, minutes: hour * 60 + minute, seconds: min(second, 59))
    guard digits.count == 16 else {
      self = .local(local)
      return
    }
    guard digits[15] == UInt8(ascii: "Z") else { return nil }
    guard let instant = local.exactInstant(in: .utc) else { return nil }
    self = .instant(instant)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.reduce(0) { value, digit in
      guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      return value * 10 + Int(digit - UInt8(ascii: "0"))
    }
  }

  var text: String {
    switch self {
    case .day(let day): String(day.description.filter { $0 != "-" })
    case .local(let local):
      Self.day(local.day).text + "T" + Self.two(local.minutes / 60) + Self.two(local.minutes % 60)
        + Self.two(local.seconds)
    case .instant(let instant): Self.local(LocalDateTime(instant, in: .utc)).text + "Z"
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  /// The day and the local time in the user's zone; the time is nil for a whole day. `zone` is the zone of a local
  /// time; without one it is the same local time everywhere. Nil if the user's calendar has no such day.
  func shown(in reader: Zone, writtenIn zone: Zone?) -> (day: CalendarDay, local: LocalDateTime?)? {
    switch self {
    case .day(let day): return (day, nil)
    case .instant(let instant): return LocalDateTime(exactly: instant, in: reader).map { ($0.day, $0) }
    case .local(let local):
      guard let zone else { return (local.day, local) }
      return local.exactInstant(in: zone).flatMap { LocalDateTime(exactly: $0, in: reader) }.map { ($0.day, $0) }
    }
  }

  /// Whether it is another day or time in other zones.
  func isMoment(writtenIn zone: Zone?) -> Bool {
    switch self {
    case .day: false
    case .local: zone != nil
    case .instant: true
    }
  }

  /// The same value moved to another day and time of the user's zone, in its own form.
  func moved(to day: CalendarDay, _ time: String, in reader: Zone, writtenIn zone: Zone?) -> CompactTime? {
    guard var local = LocalDateTime(day: day, time: time) else { return nil }
    if let old = shown(in: reader, writtenIn: zone)?.local, old.minutes == local.minutes { local.seconds = old.seconds }
    switch self {
    case .instant: return .instant(local.instant(in: reader))
    case .day: return .local(local)
    case .local: return .local(zone.map { LocalDateTime(local.instant(in: reader), in: $0) } ?? local)
    }
  }
}
