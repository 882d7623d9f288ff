/// The meaning of a phrase, with places for its values.
enum DayMeaning: Sendable {
  /// A number of days from today.
  case away(Int)
  /// Count and unit (by default days), or a span, from today: 1 forward, -1 back.
  case distance(Int)
  /// A weekday alone.
  case weekday
  /// A weekday of the week that a turn selects.
  case weekdayOfWeek
  /// The next such weekday after today, and a number of weeks later.
  case comingWeekday(weeks: Int)
  /// Count and unit from the next such weekday after today.
  case distanceFromWeekday
  /// The latest such weekday before today.
  case lastWeekday
  /// The Saturday of the weekend that a turn selects, or of the nearest.
  case weekend
  /// The next Saturday after today.
  case comingWeekend
  /// The same day in the week, month or year that a turn selects.
  case sameDay
  /// The last day of a week, month or year: the current one unless a turn selects another. The end of a day is today.
  case end(DayUnit)
  /// The last day of a named month.
  case endOfMonth
  /// A day of the month that a turn selects, or of the nearest.
  case dayOfMonth
  /// Month and day, with a year, a turn of years, or neither.
  case date
  /// A named day with a fixed date, such as Christmas; with a year, a turn of years, or neither. "Next" is the first
  /// after today, "last" the latest before it.
  case yearly(month: Int, day: Int)
  /// The same for a day of the lunar calendar.
  case feast(LunarFeast)
  /// The day before it: 除夕, 설 전날.
  case eve(LunarFeast)
  /// The first day of a month, in the given year or the latest that is not ahead, or of a year.
  case firstOfPeriod

  /// Whether it means several days in a query.
  var isOfMany: Bool {
    switch self {
    case .sameDay, .weekend, .comingWeekend, .firstOfPeriod: true
    default: false
    }
  }
}

enum DayUnit: Int, Sendable {
  case day = 1
  case week = 7
  case month = 30
  case year = 365
}

/// Computes the day of a phrase, in days since 1970.
struct DayResolution {
  let today: Int
  let date: YearMonthDay
  private let leaning: DayLeaning
  private let limit: DayLimit?
  let isQuery: Bool

  /// - Parameters:
  ///   - limit: the limit that words beside the day state.
  ///   - isQuery: whether the phrase is part of a query for deadlines, which may be past, and sets none itself.
  init(today: YearMonthDay, leaning: DayLeaning, limit: DayLimit? = nil, isQuery: Bool = false) {
    self.today = CivilDate.number(of: today)
    date = today
    self.leaning = leaning
    self.limit = limit
    self.isQuery = isQuery
  }

  /// Nil for a day that does not exist, or outside of the supported years.
  func day(_ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    let day = if let limit { last(limit, meaning, parts) } else { meant(meaning, parts) }
    guard let day, (1...9999).contains(CivilDate.day(day).year) else { return nil }
    return day
  }

  func meant(_ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    switch meaning {
    case .away(let days): return today + days
    case .distance(let sign):
      if let span = parts[.span] { return today + sign * span }
      // 2020년 전 is before that year.
      if sign < 0, unit(parts) == .year, parts[.count] ?? 0 >= 1_000 { return nil }
      return parts[.count].map { moved(by: sign * $0, unit(parts)) }
    case .weekday:
      return parts.weekday.map {
        leaning == .ahead ? today + daysUntil($0, atLeast: 1) : today - daysSince($0, atLeast: 0)
      }
    case .weekdayOfWeek:
      guard let weekday = parts.weekday, let turn = parts[.weekTurn] ?? parts[.turn] else { return nil }
      return monday + 7 * turn + weekday - 1
    case .comingWeekday(let weeks): return parts.weekday.map { today + daysUntil($0, atLeast: 1) + 7 * weeks }
    case .distanceFromWeekday:
      guard let weekday = parts.weekday, let count = parts[.count] else { return nil }
      let first = CivilDate.day(today + daysUntil(weekday, atLeast: 1))
      return DayResolution(today: first, leaning: leaning).moved(by: count, unit(parts))
    case .lastWeekday: return parts.weekday.map { today - daysSince($0, atLeast: 1) }
    case .weekend: return weekend(parts[.weekTurn] ?? parts[.turn])
    case .comingWeekend: return today + daysUntil(Self.saturday, atLeast: 1)
    case .sameDay: return sameDay(parts)
    case .end(let unit): return end(of: unit, parts)
    case .endOfMonth: return parts[.month].flatMap(endOfMonth)
    case .dayOfMonth: return dayOfMonth(parts)
    case .date: return date(parts)
    case .yearly(let month, let day): return date(parts) { Self.existing($0, month, day) }
    case .feast(let feast): return date(parts, of: feast.day)
    case .eve(let feast): return date(parts) { feast.day(in: $0).map { $0 - 1 } }
    case .firstOfPeriod: return firstOfPeriod(parts)
    }
  }

  // MARK: Weeks

  /// 1 Monday to 7 Sunday.
  private var weekday: Int { today + 3 - floorDivide(today + 3, 7) * 7 + 1 }
  var monday: Int { today - weekday + 1 }

  private func daysUntil(_ weekday: Int, atLeast least: Int) -> Int {
    least + (weekday - self.weekday - least + 14) % 7
  }

  private func daysSince(_ weekday: Int, atLeast least: Int) -> Int {
    least + (self.weekday - weekday - least + 14) % 7
  }

  private static let saturday = 6

  /// For a deadline on the Sunday of a weekend, only that day is left.
  private func weekend(_ turn: Int?) -> Int {
    if turn == nil, leaning == .back { return today - daysSince(Self.saturday, atLeast: 0) }
    let begin = saturday(ofWeek: turn ?? 0)
    return leaning == .ahead && turn ?? 0 == 0 ? max(begin, today) : begin
  }

  func saturday(ofWeek turn: Int) -> Int { monday + 7 * turn + Self.saturday - 1 }

  // MARK: Distances

  private func unit(_ parts: DayParts) -> DayUnit { parts[.unit].flatMap(DayUnit.init) ?? .day }

  private func moved(by count: Int, _ unit: DayUnit) -> Int {
    switch unit {
    case .day: today + count
    case .week: today + 7 * count
    case .month: moved(months: count)
    case .year: moved(months: 12 * count)
    }
  }

  /// The same day of another month, or its last.
  private func moved(months: Int) -> Int {
    let first = firstOfMonth(months)
    return first + min(date.day, Self.length(ofMonthFrom: first)) - 1
  }

  /// "This week" is no single day.
  private func sameDay(_ parts: DayParts) -> Int? {
    let turns = [(parts[.weekTurn], DayUnit.week), (parts[.monthTurn], .month), (parts[.yearTurn], .year)]
    for case (let turn?, let unit) in turns where turn != 0 { return moved(by: turn, unit) }
    return nil
  }

  // MARK: Months

  /// The first day of the month that is `months` from now.
  func firstOfMonth(_ months: Int) -> Int {
    let index = date.year * 12 + date.month - 1 + months
    let year = floorDivide(index, 12)
    return CivilDate.number(of: (year, index - year * 12 + 1, 1))
  }

  private static func length(ofMonthFrom first: Int) -> Int {
    let (year, month, _) = CivilDate.day(first)
    return CivilDate.number(of: month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)) - first
  }

  /// A day of the calendar; nil if it does not exist.
  private static func existing(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let number = CivilDate.number(of: (year, month, day))
    return CivilDate.day(number) == (year, month, day) ? number : nil
  }

  private func end(of unit: DayUnit, _ parts: DayParts) -> Int? {
    let turn = parts[.turn] ?? parts[.weekTurn] ?? parts[.monthTurn] ?? parts[.yearTurn] ?? 0
    switch unit {
    case .day: return today
    case .week: return monday + 7 * turn + 6
    case .month: return firstOfMonth(turn + 1) - 1
    case .year: return CivilDate.number(of: (date.year + turn, 12, 31))
    }
  }

  private func endOfMonth(_ month: Int) -> Int? {
    guard (1...12).contains(month) else { return nil }
    let ends = (-1...1).map { firstOfMonth(12 * $0 + month - date.month + 1) - 1 }
    return leaning == .ahead ? ends.first { $0 >= today } : ends.last { $0 <= today }
  }

  private func dayOfMonth(_ parts: DayParts) -> Int? {
    guard let day = parts.dayOfMonth else { return nil }
    let nearest = leaning == .ahead ? (day < date.day ? 1 : 0) : (day > date.day ? -1 : 0)
    let (year, month, _) = CivilDate.day(firstOfMonth(parts[.monthTurn] ?? nearest))
    return checked(Self.existing(year, month, day), parts)
  }

  // MARK: Dates

  /// The given year: a whole one, one of two digits within fifty years of today, or one selected by a turn.
  func year(_ parts: DayParts) -> Int? {
    if let digits = parts[.shortYear] {
      let year = date.year - date.year % 100 + digits
      return year >= date.year + 50 ? year - 100 : year < date.year - 50 ? year + 100 : year
    }
    return parts[.year] ?? parts[.yearTurn].map { date.year + $0 }
  }

  private func date(_ parts: DayParts) -> Int? {
    guard let month = parts[.month] ?? parts[.monthName], let day = parts.dayOfMonth else { return nil }
    return date(parts) { Self.existing($0, month, day) }
  }

  /// - Parameter day: the day in a year; nil if the year has none.
  private func date(_ parts: DayParts, of day: (_ year: Int) -> Int?) -> Int? {
    if let year = year(parts) { return checked(day(year), parts) }
    let turn = parts[.turn] ?? 0
    let isAhead = turn == 0 ? leaning == .ahead : turn > 0
    // 29 February may be eight years away.
    let years = (0...8).map { isAhead ? date.year + $0 : date.year - $0 }
    let nearest = years.lazy.compactMap(day).first { day in
      if day == today { return turn == 0 }
      return isAhead ? day > today : day < today
    }
    return checked(nearest, parts)
  }

  private func firstOfPeriod(_ parts: DayParts) -> Int? {
    if let turn = parts[.monthTurn] { return firstOfMonth(turn) }
    let year = year(parts)
    guard let month = parts[.month] ?? parts[.monthName] else { return year.flatMap { Self.existing($0, 1, 1) } }
    return Self.existing(year ?? (month <= date.month ? date.year : date.year - 1), month, 1)
  }

  /// A given weekday must match the day.
  private func checked(_ day: Int?, _ parts: DayParts) -> Int? {
    guard let day, let weekday = parts.weekday else { return day }
    return (day + 3 - floorDivide(day + 3, 7) * 7 + 1) == weekday ? day : nil
  }
}

/// The direction of a day without its week, month or year.
package enum DayLeaning: Sendable {
  /// The next one: deadlines.
  case ahead
  /// The latest one, including today: past events.
  case back
}
