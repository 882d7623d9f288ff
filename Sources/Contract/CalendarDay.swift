import Wire

/// A calendar day without a time zone: deadlines and diary days are days, never instants.
///
/// Proleptic Gregorian, from 0001-01-01 to 9999-12-31, written `2026-11-21`: the civil calendar has no year 0, and ISO
/// 8601 requires an agreement before it is used. Arithmetic that would leave these years stops at their first or last
/// day, so that a user's number cannot crash the daemon.
public struct CalendarDay: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// `nil` for a day that does not exist.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Parses `YYYY-MM-DD`, nothing more lenient; `nil` for another form or a day that does not exist.
  package init?(_ text: String) {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
      let day = digits.number(2), digits.isAtEnd
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day this many days after 1970-01-01.
  package init(daysSince1970 days: Int) {
    let days = min(max(days, Self.firstNumber), Self.lastNumber)
    // Counts years from March, so that the leap day is a year's last and months need no table
    // (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static let firstNumber = -719_162
  private static let lastNumber = 2_932_896
}

extension CalendarDay {
  package func adding(days: Int) -> CalendarDay {
    let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
    return CalendarDay(daysSince1970: overflow ? (days < 0 ? .min : .max) : sum)
  }

  /// The same day of another month, or that month's last day if it is shorter.
  package func adding(months: Int) -> CalendarDay {
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflow, (12..<120_000).contains(sum) else {
      return CalendarDay(daysSince1970: months < 0 ? Self.firstNumber : Self.lastNumber)
    }
    let (year, month) = (sum / 12, sum % 12 + 1)
    let day = min(day, Self.length(ofMonth: month, year: year))
    return CalendarDay(year: year, month: month, day: day) ?? self
  }

  /// The number of days from this day to the other; negative if the other is earlier.
  package func days(until other: CalendarDay) -> Int { other.daysSince1970 - daysSince1970 }

  /// 1 for Monday to 7 for Sunday, as in ISO 8601.
  package var weekday: Int {
    let days = daysSince1970 + 3
    return days - floorDivide(days, 7) * 7 + 1
  }

  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of a month; 1 is January.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDay: Comparable {
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDay: CustomStringConvertible {
  public var description: String { DigitWriter.text(ofBytes: 10) { $0.day(self) } }
}

extension DigitWriter {
  mutating func day(_ day: CalendarDay) {
    number(day.year, 4)
    put("-")
    number(day.month, 2)
    put("-")
    number(day.day, 2)
  }
}

extension CalendarDay: Codable {
  /// - Throws: `InvalidValue` for a text that is no day, `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let day = CalendarDay(text) else { throw InvalidValue(Text("param.day")) }
    self = day
  }

  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
