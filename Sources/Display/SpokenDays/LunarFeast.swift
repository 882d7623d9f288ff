import Foundation

/// A feast whose day the moon says: the first day of the year, or the fifteenth of its eighth month.
///
/// The calendars are ICU's. The Korean one differs from the Chinese where a new moon falls between their midnights: the
/// year 2027 begins on 7 February in Seoul and on 6 February in Beijing.
enum LunarFeast: Sendable {
  /// 설날, 추석; 中秋の名月 too, by the midnight that Tokyo shares with Seoul.
  case koreanNewYear, koreanHarvest
  /// 春节, 中秋节
  case chineseNewYear, chineseHarvest

  /// Those for which ICU's reckoning was compared with the almanacs' tables. Outside of them it differs: the Chinese year
  /// 1916 began on 3 February and not on the 4th, and the harvest's moon of 2089 is that of 19 September, not of the 18th.
  private static let years = 1950...2050

  /// The day of a year, in days since 1970; nil where it is not known.
  func day(in year: Int) -> Int? {
    guard Self.years.contains(year) else { return nil }
    let isNewYear = self == .koreanNewYear || self == .chineseNewYear
    var calendar = Calendar(identifier: self == .koreanNewYear || self == .koreanHarvest ? .dangi : .chinese)
    calendar.timeZone = .gmt
    // No new year is before 20 January or a month later, and no full moon of the harvest before 5 September.
    let first = CivilDate.number(of: isNewYear ? (year, 1, 19) : (year, 9, 4))
    let wanted = isNewYear ? (month: 1, day: 1) : (month: 8, day: 15)
    return (first..<first + 40).first { number in
      let noon = Date(timeIntervalSince1970: Double(number) * 86_400 + 43_200)
      let parts = calendar.dateComponents([.month, .day, .isLeapMonth], from: noon)
      return parts.month == wanted.month && parts.day == wanted.day && parts.isLeapMonth != true
    }
  }
}
