import Contract

extension RecurrenceRule {
  /// The first day of the rule after `day` and not before `earliest`. `start` is the first day, and counts as one
  /// whether or not the rule names it, as RFC 5545 says of DTSTART. Nil if the rule has ended, or names a day that
  /// never occurs, such as 30 February.
  ///
  /// - Parameters:
  ///   - years: the number of years to search. The calendar repeats itself after 400: a day that is not among them
  ///     never
  ///     occurs.
  ///   - isWanted: called once for each day of the rule in turn, until it accepts one, so that a search for a day walks
  ///     the rule only once.
  func day(
    after day: CalendarDay, notBefore earliest: CalendarDay? = nil, from start: CalendarDay, years: Int = 400,
    where isWanted: (CalendarDay) -> Bool = { _ in true }
  ) -> CalendarDay? {
    var empty = EmptyPeriods()
    return self.day(after: day, notBefore: earliest, from: start, years: years, skipping: &empty, where: isWanted)
  }

  /// - Parameter empty: the kinds of years or months without a day of the rule. There are few kinds, so that four
  ///   centuries without one cost no more than some decades.
  func day(
    after day: CalendarDay, notBefore earliest: CalendarDay? = nil, from start: CalendarDay, years: Int = 400,
    skipping empty: inout EmptyPeriods, where isWanted: (CalendarDay) -> Bool = { _ in true }
  ) -> CalendarDay? {
    // Without a COUNT, earlier periods need not be walked.
    let next = day.adding(days: 1)
    // There is no day after the last supported one.
    guard next > day else { return nil }
    let lowerBound = max(next, earliest ?? day, start)
    var period = count == nil ? max(0, index(of: lowerBound, from: start) / interval - 1) * interval : 0
    var counted = 1
    let lastYear = lowerBound.year + years + (frequency == .yearly ? interval : interval / 12 + 1)
    if start > day, start >= lowerBound {
      guard let first = within(start) else { return nil }
      if isWanted(first) { return first }
    }
    if isBarred(from: start) { return nil }
    while true {
      guard let begin = begin(ofPeriod: period, from: start), begin.year <= lastYear else { return nil }
      for candidate in empty.days(inPeriodOf: begin, of: frequency, { days(inPeriodOf: begin, from: start) })
      where candidate > start {
        counted += 1
        if let count, counted > count { return nil }
        guard candidate >= lowerBound else { continue }
        guard let found = within(candidate) else { return nil }
        if isWanted(found) { return found }
      }
      period += interval
    }
  }

  /// Whether it names only days that no year has, such as 30 February.
  var neverComes: Bool {
    if !monthDays.isEmpty, !isMonthDayThere { return true }
    var rule = self
    (rule.count, rule.until, rule.interval) = (nil, nil, 1)
    let start = CalendarDay(daysSince1970: 0)
    // The fourteen kinds of years, by the first weekday and leap years, all occur in these forty.
    return rule.day(after: start, from: start, years: 40) == nil
  }

  /// Whether a daily or weekly rule matches no day at all. `EmptyPeriods` covers months and years only, so this follows
  /// from the parts of the rule.
  private func isBarred(from start: CalendarDay) -> Bool {
    switch frequency {
    case .daily:
      !monthDays.isEmpty && !isMonthDayThere || !positions.isEmpty && !positions.contains { abs($0) == 1 }
        || interval.isMultiple(of: 7) && !weekdays.isEmpty && !weekdays.contains { $0.day == start.weekday }
    case .weekly: !positions.isEmpty && positions.allSatisfy { abs($0) > max(1, weekdays.count) }
    case .monthly, .yearly: false
    }
  }

  /// Whether one of its months has one of its days.
  private var isMonthDayThere: Bool {
    (months.isEmpty ? Array(1...12) : months).contains { month in
      // 2000 was a leap year.
      monthDays.contains { abs($0) <= CalendarDay.length(ofMonth: month, year: 2000) }
    }
  }

  /// The next day, counted from the day of completion. A month after the 31st is the last day of a shorter month: RFC
  /// 5545 skips such a month, and a monthly task would rest for two months.
  func span(after done: CalendarDay) -> CalendarDay? {
    switch frequency {
    case .monthly where isBare: within(done.adding(months: interval))
    case .yearly where isBare: within(done.adding(months: 12 * interval))
    default: day(after: done, from: done)
    }
  }

  /// Whether it has only a frequency and an interval.
  private var isBare: Bool {
    [months, weeks, yearDays, monthDays, positions].allSatisfy(\.isEmpty) && weekdays.isEmpty
  }

  private func within(_ day: CalendarDay) -> CalendarDay? {
    if let until, day > until { return nil }
    return day
  }

  // MARK: - Periods

  /// The number of days, weeks, months or years between the periods of two days.
  private func index(of day: CalendarDay, from start: CalendarDay) -> Int {
    switch frequency {
    case .daily: start.days(until: day)
    case .weekly: weekBegin(of: start).days(until: weekBegin(of: day)) / 7
    case .monthly: (day.year - start.year) * 12 + day.month - start.month
    case .yearly: day.year - start.year
    }
  }

  /// The first day of a period; nil after the last supported year.
  private func begin(ofPeriod index: Int, from start: CalendarDay) -> CalendarDay? {
    switch frequency {
    case .daily: return existing(start.daysSince1970 + index)
    case .weekly: return existing(weekBegin(of: start).daysSince1970 + index * 7)
    case .monthly:
      let months = start.year * 12 + start.month - 1 + index
      return CalendarDay(year: months / 12, month: months % 12 + 1, day: 1)
    case .yearly: return CalendarDay(year: start.year + index, month: 1, day: 1)
    }
  }

  private func existing(_ number: Int) -> CalendarDay? {
    let day = CalendarDay(daysSince1970: number)
    return day.daysSince1970 == number ? day : nil
  }

  private func weekBegin(of day: CalendarDay) -> CalendarDay {
    day.adding(days: -((day.weekday - weekStart + 7) % 7))
  }

  /// The days of the rule in a period, in order.
  private func days(inPeriodOf begin: CalendarDay, from start: CalendarDay) -> [CalendarDay] {
    let days: [CalendarDay]
    switch frequency {
    case .daily: days = [begin].filter { admitsMonth($0) && admitsMonthDay($0) && admitsWeekday($0, in: nil) }
    case .weekly:
      days = (0..<7).map { begin.adding(days: $0) }.filter { day in
        admitsMonth(day) && (weekdays.isEmpty ? day.weekday == start.weekday : admitsWeekday(day, in: nil))
      }
    case .monthly: days = admitsMonth(begin) ? daysOfMonth(begin, from: start) : []
    case .yearly: days = daysOfYear(begin, from: start)
    }
    guard !positions.isEmpty else { return days }
    let chosen = positions.map { $0 > 0 ? $0 - 1 : days.count + $0 }
    return days.indices.filter(chosen.contains).map { days[$0] }
  }

  private func daysOfMonth(_ begin: CalendarDay, from start: CalendarDay) -> [CalendarDay] {
    let span = Span(first: begin, count: CalendarDay.length(ofMonth: begin.month, year: begin.year))
    if monthDays.isEmpty, weekdays.isEmpty { return span.days.filter { $0.day == start.day } }
    return span.days.filter { admitsMonthDay($0) && admitsWeekday($0, in: span) }
  }

  private func daysOfYear(_ begin: CalendarDay, from start: CalendarDay) -> [CalendarDay] {
    let year = Span(first: begin, count: CalendarDay.isLeap(year: begin.year) ? 366 : 365)
    let namesDays = !monthDays.isEmpty || !weekdays.isEmpty || !yearDays.isEmpty
    let named = Set(months).sorted().compactMap { CalendarDay(year: begin.year, month: $0, day: 1) }
    let days = months.isEmpty ? year.days : named.flatMap { Span(monthOf: $0).days }
    return days.filter { day in
      guard admitsMonthDay(day), admitsYearDay(day, in: year), admitsWeek(day) else { return false }
      if namesDays { return admitsWeekday(day, in: months.isEmpty ? year : Span(monthOf: day)) }
      // Open parts of the rule are as on the first day.
      if !weeks.isEmpty { return day.weekday == start.weekday }
      return day.day == start.day && (!months.isEmpty || day.month == start.month)
    }
  }

  // MARK: - What a part admits

  private func admitsMonth(_ day: CalendarDay) -> Bool { months.isEmpty || months.contains(day.month) }

  private func admitsMonthDay(_ day: CalendarDay) -> Bool {
    monthDays.isEmpty || monthDays.contains(day.day)
      || monthDays.contains(day.day - CalendarDay.length(ofMonth: day.month, year: day.year) - 1)
  }

  private func admitsYearDay(_ day: CalendarDay, in year: Span) -> Bool {
    if yearDays.isEmpty { return true }
    let number = year.first.days(until: day) + 1
    return yearDays.contains(number) || yearDays.contains(number - year.count - 1)
  }

  /// Weeks as in ISO 8601, from any weekday: the first week has at least four days of the year.
  private func admitsWeek(_ day: CalendarDay) -> Bool {
    if weeks.isEmpty { return true }
    // The middle day of a week decides to which year it belongs.
    let middle = weekBegin(of: day).adding(days: 3)
    let firstWeek = firstWeek(of: middle.year)
    let number = firstWeek.days(until: weekBegin(of: day)) / 7 + 1
    let count = firstWeek.days(until: self.firstWeek(of: middle.year + 1)) / 7
    return weeks.contains(number) || weeks.contains(number - count - 1)
  }

  private func firstWeek(of year: Int) -> CalendarDay {
    weekBegin(of: CalendarDay(year: min(year, 9_999), month: 1, day: 4) ?? CalendarDay(daysSince1970: .max))
  }

  /// With an ordinal, the weekday is counted within the span.
  private func admitsWeekday(_ day: CalendarDay, in span: Span?) -> Bool {
    if weekdays.isEmpty { return true }
    return weekdays.contains { weekday in
      guard weekday.day == day.weekday else { return false }
      guard let ordinal = weekday.ordinal, let span else { return true }
      let before = span.first.days(until: day)
      let number = ordinal > 0 ? before / 7 + 1 : -((span.count - 1 - before) / 7 + 1)
      return number == ordinal
    }
  }
}

/// The days of a month or a year.
private struct Span {
  var first: CalendarDay
  var count: Int

  var days: [CalendarDay] { (0..<count).map { first.adding(days: $0) } }
}

extension Span {
  init(monthOf day: CalendarDay) {
    first = day.adding(days: 1 - day.day)
    count = CalendarDay.length(ofMonth: day.month, year: day.year)
  }
}

/// The kinds of years and months that are known to have no day of the rule.
///
/// The days of a year follow from its first weekday and from which of it and its neighbours are leap years, since its
/// first and last weeks may belong to a neighbour. The days of a month follow from its number, length and first
/// weekday.
struct EmptyPeriods {
  private var kinds: Set<Int> = []
  /// The number of periods that were searched day by day.
  private(set) var visited = 0

  fileprivate mutating func days(
    inPeriodOf begin: CalendarDay, of frequency: RecurrenceRule.Frequency, _ make: () -> [CalendarDay]
  ) -> [CalendarDay] {
    let kind = Self.kind(of: begin, frequency)
    if let kind, kinds.contains(kind) { return [] }
    visited += 1
    let days = make()
    if days.isEmpty, let kind { kinds.insert(kind) }
    return days
  }

  /// Nil if the kind does not determine the days: for days and weeks, and for the first and last years, which lack a
  /// neighbour.
  private static func kind(of begin: CalendarDay, _ frequency: RecurrenceRule.Frequency) -> Int? {
    guard (2...9_997).contains(begin.year) else { return nil }
    switch frequency {
    case .daily, .weekly: return nil
    case .monthly:
      return (begin.month * 8 + begin.weekday) * 32 + CalendarDay.length(ofMonth: begin.month, year: begin.year)
    case .yearly:
      return (begin.year - 1...begin.year + 1).reduce(begin.weekday) { $0 * 2 + (CalendarDay.isLeap(year: $1) ? 1 : 0) }
    }
  }
}
