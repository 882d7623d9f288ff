/// What words beside a day make of it, where something is to be done.
enum DayLimit: Sendable {
  /// "by", 까지, まで, 为止: it is the last day for that.
  case until
  /// "before", 전까지, 前に, 之前: it is the first that is too late.
  case before
}

extension DayResolution {
  /// The last day on which something may be done, of what a phrase names: a day, or a week, month or year as a whole.
  /// Nil for one that is over, unless it is asked for.
  func last(_ limit: DayLimit, _ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    guard let day = unchecked(limit, meaning, parts), isAsked || day >= today else { return nil }
    return day
  }

  private func unchecked(_ limit: DayLimit, _ meaning: DayMeaning, _ parts: DayParts) -> Int? {
    switch meaning {
    case .sameDay, .firstOfPeriod,
      .weekend where isAsked,
      .comingWeekend where isAsked:
      guard let period = period(meaning, parts) else { return nil }
      return limit == .until ? period.upperBound - 1 : period.lowerBound - 1
    // What is done before the end is done by it: the end is no day of its own, as a Friday is.
    case .end, .endOfMonth: return meant(meaning, parts)
    // Nobody says "before in three days"; 3일후전 is one way or the other.
    case .distance where limit == .before: return nil
    // Also on a Sunday the Friday of this week is to come for who has until then; what is asked for may be over.
    case .weekdayOfWeek where !isAsked && (parts[.weekTurn] ?? parts[.turn]) == 0:
      return meant(meaning, parts).map { limited($0 < today ? $0 + 7 : $0, by: limit) }
    default: return meant(meaning, parts).map { limited($0, by: limit) }
    }
  }

  private func limited(_ day: Int, by limit: DayLimit) -> Int { limit == .until ? day : day - 1 }

  /// All days of a week, a weekend, a month or a year; of a month without a year the next that is not over. Nil for what
  /// means a day.
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
