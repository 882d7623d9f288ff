import Wire

/// A moment, in milliseconds since 1970, written as RFC 3339 in UTC: `2026-11-21T03:04:05.678Z`.
///
/// Limited to the range of `CalendarDay`, the years 1 to 9999; values outside become the first or the last.
public struct Instant: Hashable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  /// Nil outside the allowed years.
  package init?(exactly milliseconds: Int64) {
    guard Self.bounds.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Parses RFC 3339 with any offset; digits beyond the milliseconds are dropped.
  ///
  /// Strict: capital `T` and `Z`, no space in between, and the day, hour and second must exist. `nil` otherwise.
  package init?(_ text: String) {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
      let dayOfMonth = digits.number(2), digits.take("T"),
      let day = CalendarDay(year: year, month: month, day: dayOfMonth),
      let hour = digits.number(2), hour < 24, digits.take(":"),
      let minute = digits.number(2), minute < 60, digits.take(":"),
      let second = digits.number(2), second < 60
    else { return nil }
    var fraction = 0
    if digits.take(".") {
      guard let milliseconds = digits.fraction() else { return nil }
      fraction = milliseconds
    }
    guard let offset = Self.offset(&digits), digits.isAtEnd else { return nil }
    let minutes = day.daysSince1970 * 1_440 + hour * 60 + minute - offset
    let milliseconds = Int64((minutes * 60 + second) * 1_000 + fraction)
    // An offset can lead out of the allowed years.
    self.init(exactly: milliseconds)
  }

  /// The offset of a local time from UTC in minutes.
  private static func offset(_ digits: inout DigitReader) -> Int? {
    if digits.take("Z") { return 0 }
    let isAhead = digits.take("+")
    guard isAhead || digits.take("-"), let hours = digits.number(2), hours < 24, digits.take(":"),
      let minutes = digits.number(2), minutes < 60
    else { return nil }
    return (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }

  /// The day in UTC.
  package var day: CalendarDay { CalendarDay(daysSince1970: floorDivide(Int(milliseconds), Self.dayLength)) }

  fileprivate static let dayLength = 86_400_000
  private static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}

extension Instant {
  package func adding(milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }
}

extension Instant: Comparable {
  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Instant: CustomStringConvertible {
  public var description: String {
    DigitWriter.text(ofBytes: Self.length) { $0.instant(self) }
  }

  /// The length of every instant's text in bytes.
  fileprivate static let length = 24

  /// Writes the text to memory of at least `length` bytes.
  fileprivate func write(to bytes: UnsafeMutableBufferPointer<UInt8>) {
    var digits = DigitWriter(buffer: bytes)
    digits.instant(self)
  }
}

extension DigitWriter {
  fileprivate mutating func instant(_ instant: Instant) {
    let number = floorDivide(Int(instant.milliseconds), Instant.dayLength)
    let time = Int(instant.milliseconds) - number * Instant.dayLength
    day(CalendarDay(daysSince1970: number))
    put("T")
    self.number(time / 3_600_000, 2)
    put(":")
    self.number(time / 60_000 % 60, 2)
    put(":")
    self.number(time / 1_000 % 60, 2)
    put(".")
    self.number(time % 1_000, 3)
    put("Z")
  }
}

extension Instant: Codable {
  /// - Throws: `InvalidValue` for a text that is no instant, `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let instant = Instant(text) else { throw InvalidValue(Text("param.instant")) }
    self = instant
  }

  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension JSONWriter {
  package mutating func member(_ key: StaticString, _ value: Instant?) {
    guard let value else { return }
    member(key)
    write(value)
  }

  package mutating func write(_ instant: Instant) {
    write(byte: UInt8(ascii: "\""))
    write(bytes: Instant.length, instant.write)
    write(byte: UInt8(ascii: "\""))
  }
}
