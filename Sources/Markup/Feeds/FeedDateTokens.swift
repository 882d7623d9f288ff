import Contract

/// The fields of a date, as far as they are read.
struct FeedDateFields {
  var year: Int?
  var month: Int?
  var day: Int?
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  var isAfternoon: Bool?
  /// Minutes ahead of UTC.
  var offset: Int?

  mutating func set(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// `nil` for a day or time that does not exist.
  var instant: Instant? {
    guard let year, let month, let dayOfMonth = day,
      let day = CalendarDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    var hour = hour
    if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    // 24:00 is the next day's beginning (ISO 8601), and a leap second the next second (RFC 3339).
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0), minute < 60, second <= 60 else { return nil }
    let minutes = day.daysSince1970 * 1_440 + hour * 60 + minute - (offset ?? 0)
    return Instant(milliseconds: Int64((minutes * 60 + second) * 1_000 + millisecond))
  }
}

/// Splits a date into numbers, words and signs.
struct FeedDateTokens {
  enum Token {
    /// A number and its count of digits; only the first nine digits are in its value.
    case number(Int, digits: Int)
    /// In lower case.
    case word(String)
    case other
  }

  private var rest: Substring.UTF8View

  init(_ text: Substring.UTF8View.SubSequence) {
    rest = text
    skipBlanks()
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipBlanks() { rest = rest.drop { $0 <= 0x20 } }

  func peek() -> Token? {
    var copy = self
    return copy.next()
  }

  mutating func next() -> Token? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    if Self.isDigit(first) {
      let digits = rest.prefix(while: Self.isDigit)
      rest = rest.dropFirst(digits.count)
      return .number(digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits: digits.count)
    }
    if Self.isLetter(first) {
      let word = rest.prefix(while: Self.isLetter)
      rest = rest.dropFirst(word.count)
      return .word(String(Substring(word)).lowercased())
    }
    rest = rest.dropFirst()
    return .other
  }

  mutating func take(_ mark: String) -> Bool {
    guard rest.starts(with: mark.utf8) else { return false }
    rest = rest.dropFirst(mark.utf8.count)
    return true
  }

  /// Whether a time such as `3:05` follows.
  var isTime: Bool {
    var copy = self
    guard case .number(_, 1...2)? = copy.next() else { return false }
    return copy.rest.first == UInt8(ascii: ":")
  }

  /// `T03:05:06.789 +09:00`, `오후 3:05`, `3:05 PM EST`, or any part of it.
  mutating func readTimeAndZone(into fields: inout FeedDateFields) {
    skipBlanks()
    while case .word(let word)? = peek() {
      // The letter T, and words for a half of the day.
      guard word == "t" || FeedDateWords.half(word) != nil else { break }
      fields.isAfternoon = FeedDateWords.half(word) ?? fields.isAfternoon
      _ = next()
    }
    guard isTime else { return readZone(into: &fields) }
    if case .number(let hour, _)? = next() { fields.hour = hour }
    if take(":"), case .number(let minute, _)? = peek() {
      _ = next()
      fields.minute = minute
    }
    if take(":"), case .number(let second, _)? = peek() {
      _ = next()
      fields.second = second
      if take(".") || take(",") { fields.millisecond = readFraction() }
    }
    readZone(into: &fields)
  }

  private mutating func readFraction() -> Int {
    let digits = rest.prefix(while: Self.isDigit)
    rest = rest.dropFirst(digits.count)
    var value = digits.prefix(3).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    for _ in digits.count..<max(digits.count, 3) { value *= 10 }
    return value
  }

  /// `Z`, `+09:00`, `+0900`, `+9`, `GMT+2`, `EST`, `PM EST`.
  private mutating func readZone(into fields: inout FeedDateFields) {
    skipBlanks()
    while case .word(let word)? = peek() {
      if let isAfternoon = FeedDateWords.half(word) {
        fields.isAfternoon = isAfternoon
      } else if let minutes = FeedDateWords.zone(word) {
        fields.offset = minutes
      } else {
        return
      }
      _ = next()
      skipBlanks()
    }
    let isAhead = rest.first == UInt8(ascii: "+")
    guard isAhead || rest.first == UInt8(ascii: "-"), rest.dropFirst().first.map(Self.isDigit) == true else { return }
    rest = rest.dropFirst()
    guard case .number(let value, let digits)? = next() else { return }
    var (hours, minutes) = digits > 2 ? (value / 100, value % 100) : (value, 0)
    if digits <= 2, take(":"), case .number(let written, 2)? = peek() {
      _ = next()
      minutes = written
    }
    if hours > 24 || minutes > 59 || digits > 4 { (hours, minutes) = (0, 0) }
    fields.offset = (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// ASCII letters, and all non-ASCII bytes.
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
