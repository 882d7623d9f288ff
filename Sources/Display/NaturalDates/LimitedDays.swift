extension DayResolution {
  /// The last day of a limit on the meaning of a phrase: a day, or a whole week, month or year. Nil for a past one,
  /// unless it is part of a query.
  func last(_ limit: DayLimit, _ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    guard let day = unchecked(limit, meaning, parts), isQuery || day >= today else { return nil }
    return day
  }

  private func unchecked(_ limit: DayLimit, _ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    switch meaning {
    case .sameDay, .firstOfPeriod,
      .weekend where isQuery,
      .comingWeekend where isQuery:
      guard let period = period(meaning, parts) else { return nil }
      return limit == .until ? period.upperBound - 1 : period.lowerBound - 1
    // "Before the end" is by the end, which is no separate day as a Friday is.
    case .end, .endOfMonth: return meant(meaning, parts)
    // "Before in three days" is not used; 3일후전 is ambiguous.
    case .distance where limit == .before: return nil
    // A limit on this week's Friday is a future one even on a Sunday; in a query it may be past.
    case .weekdayOfWeek where !isQuery && (parts[.weekTurn] ?? parts[.turn]) == 0:
      return meant(meaning, parts).map { limited($0 < today ? $0 + 7 : $0, by: limit) }
    default: return meant(meaning, parts).map { limited($0, by: limit) }
    }
  }

  private func limited(_ day: Int, by limit: DayLimit) -> Int { limit == .until ? day : day - 1 }

  /// All days of a week, weekend, month or year; for a month without a year the next one that is not over. Nil for a
  /// single day.
  func period(_ meaning: DayMeaning, _ parts: DayParts) -> Range<Int>? {
    switch meaning {
    case .sameDay, .firstOfPeriod: period(parts)
    case .weekend: weekend(from: saturday(ofWeek: parts[.weekTurn] ?? parts[.turn] ?? 0))
    case .comingWeekend: meant(meaning, parts).map(weekend)
    default: nil
    }
  }

  private func weekend(from saturday: Int) -> Range<Int> { saturday..<saturday + 2 }

  private func period(_ parts: DayParts) -> Range<Int>? {
    if let turn = parts[.weekTurn] { return monday + 7 * turn..<monday + 7 * (turn + 1) }
    if let turn = parts[.monthTurn] { return firstOfMonth(turn)..<firstOfMonth(turn + 1) }
    let year = year(parts)
    guard let month = parts[.month] ?? parts[.monthName] else { return year.map { months(from: $0, 1, count: 12) } }
    guard (1...12).contains(month) else { return nil }
    return months(from: year ?? (month >= date.month ? date.year : date.year + 1), month, count: 1)
  }

  private func months(from year: Int, _ month: Int, count: Int) -> Range<Int> {
    let first = (year - date.year) * 12 + month - date.month
    return firstOfMonth(first)..<firstOfMonth(first + count)
  }
}
