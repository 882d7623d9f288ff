/// A feast of the lunar calendar: the first day of the year, or the fifteenth of its eighth month.
///
/// By tables, since ICU's calendars are wrong by a day if a new moon falls near midnight, and differ between versions.
/// Days differ between Korea and China if the new moon falls between their midnights: the year 2027 begins on 7
/// February in Seoul and on 6 February in Beijing.
enum LunarFeast: Sendable {
  /// 설날, 추석; also 中秋の名月, since Tokyo has Seoul's midnight.
  case koreanNewYear, koreanHarvest
  /// 春节, 中秋节
  case chineseNewYear, chineseHarvest

  /// The years of the tables.
  private static let years = 1950...2050

  /// The number of days from 19 January or 4 September to the feast, one character per year: its distance from `0` in
  /// ASCII. Compared with the almanacs.
  private var days: StaticString {
    switch self {
    case .koreanNewYear:
      """
      MB8J@5H<OD9KA6I>3E;MB8K?4G<NC9LA6I>PE:NB8K@4F<OC9LA5H=3E:NC7\
      J?4F<OD9LA6H=3F:MC8I?4G<OD9K@5H=3F;MB7J>4
      """
    case .koreanHarvest:
      """
      F;MB7J?4G=OD9L@6I>PF;MB7J@4G=OC8KA6I>QE:MB7J@5G<OD8KA7H>PE:M\
      B8J?4G;ND9KA6I=PE;MB8K?4G<ND9LA6H=OE;NB7J
      """
    case .chineseNewYear:
      """
      MB8J?5H<ND9KA6I>2E;MB8K?4G<NC9LA6I>PE:MB8K@4F<OC9LA5H=3E:NC7\
      J?4F<OD9LA6H=3F:MB7I?4G<OD9K@5H=3F;MB7J>4
      """
    case .chineseHarvest:
      """
      F;MB7J?4G=OD9L@6I>PF;MB7J@4G=OC8KA6I>QE:MB7J@5G<OD8KA7H>PE:M\
      B8J?4G;ND9KA6I=PE;MB8K?4G<ND9L@6H=OE;NB7J
      """
    }
  }

  /// The day of a year, in days since 1970; nil outside of the tables.
  func day(in year: Int) -> Int? {
    guard Self.years.contains(year) else { return nil }
    let isNewYear = self == .koreanNewYear || self == .chineseNewYear
    let first = CivilDate.number(of: isNewYear ? (year, 1, 19) : (year, 9, 4))
    return first + Int(days.utf8Start[year - Self.years.lowerBound]) - 0x30
  }
}
