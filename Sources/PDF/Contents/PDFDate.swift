/// A date as PDFs write it: `D:20261121194500+09'00'` (ISO 32000-1, 7.9.4). Everything after the year is optional.
package enum PDFDate {
  /// The years 1 to 9999.
  package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Seconds since 1970; nil for an invalid date. Without an offset the time is interpreted as UTC.
  package static func seconds(of text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    if rest.starts(with: Array("D:".utf8)) { rest = rest.dropFirst(2) }
    guard let year = number(&rest, digits: 4), year > 0 else { return nil }
    let month = number(&rest, digits: 2) ?? 1
    let day = number(&rest, digits: 2) ?? 1
    let hour = number(&rest, digits: 2) ?? 0
    let minute = number(&rest, digits: 2) ?? 0
    let second = number(&rest, digits: 2) ?? 0
    guard 1...12 ~= month, 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second else { return nil }
    var seconds = 86_400 * days(year, month, day) + 3_600 * hour + 60 * minute + second
    if let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      let hours = number(&rest, digits: 2) ?? 0
      if rest.first == UInt8(ascii: "'") { rest = rest.dropFirst() }
      let offset = 3_600 * min(hours, 23) + 60 * min(number(&rest, digits: 2) ?? 0, 59)
      seconds += sign == UInt8(ascii: "+") ? -offset : offset
    }
    return self.seconds.contains(seconds) ? seconds : nil
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int64? {
    let part = rest.prefix(digits)
    guard part.count == digits, part.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(digits)
    return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Days since 1970 of a Gregorian date, with years counted from March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
