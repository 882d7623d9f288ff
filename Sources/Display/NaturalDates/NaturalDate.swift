/// Parses natural-language dates: "내일", "next friday", "in 3 days", "24 December", "2026-12-24".
///
/// Usage differs; these are the meanings here. Replies show the day that was understood.
///
/// - Weeks begin on Monday (ISO 8601) in every language, so "이번 주 일요일" is this week's end, not its beginning.
/// - "next friday" is the Friday of next week, also on a Wednesday, as chrono and Duckling have it; "this friday" is the
///   one of this week, even if it is over; "last friday" is the latest before today.
/// - A weekday alone, a date without a year and a day without a month lean (`DayLeaning`): deadlines are ahead, and
///   "friday" on a Friday is in a week (Taskwarrior); past events are back, and "friday" on a Friday is today (jrnl).
/// - A weekend is its Saturday, as in Todoist, and belongs to the week before it: "이번 주말" is this week's, "next
///   weekend" that of next week. For a deadline, "this weekend" on a Sunday is that Sunday: the Saturday is over.
///   "weekend" alone is this week's; for a past event, the latest that has begun.
/// - "next week", "next month", "in a month" keep the weekday or the day of the month; in a shorter month it is its
///   last day. The end of a week is its Sunday.
/// - Numbers are in the order of the user's locale (`NumericOrder`): "5/6" is 6 May for en-US and 5 June for en-GB. A
///   year of two digits is within fifty years of today, as in python-dateutil.
/// - A date with a weekday must fall on it.
/// - "by friday", "금요일까지", "金曜まで", "周五为止" are the last day for something: that day, and the last of a week, month or
///   year ("by next week" is its Sunday). "before friday", "설 전까지", "金曜の前に", "周五之前" are the day before it, or before
///   the first of a week, month or year; "before the end of the month" is that end. Only deadlines have limits, and
///   past limits are invalid: "until 3 days ago" is no day, nor is "until friday" for a past event. "within 3 days",
///   "3일 이내", "3日以内", "三天内" are until that many days from today.
/// - 5日前 is five days ago, except in Chinese, where 5日之前 and 5号前 are before the 5th, and five days are 5天.
///
/// Case, widths, composition and spaces are ignored. All languages are tried, the user's first. A text that is not
/// understood as a whole, or names a day that does not exist, is nil: never today, and never another month's day.
package enum NaturalDate {
  package static func read(
    _ text: String, today: YearMonthDay, leaning: DayLeaning, locale: LocaleTag
  ) -> YearMonthDay? {
    understood(text, today: today, leaning: leaning, locale: locale).map { CivilDate.day($0.day) }
  }

  /// The days that a query of deadlines means: a day, or a whole week, weekend, month or year; for a limit, such as "by
  /// friday", all days up to its last, and `first` is nil. They are read as deadlines: a month without a year is the
  /// next that is not over. But a limit may be past, as "before today" is, and then it means overdue deadlines. Nil for
  /// a text that is not understood, or outside of the supported years.
  package static func deadlines(
    in text: String, today: YearMonthDay, locale: LocaleTag
  ) -> (first: YearMonthDay?, last: YearMonthDay)? {
    let scalars = folded(text)
    let resolution = DayResolution(today: today, leaning: .ahead)
    for language in languages(for: locale, reading: scalars) {
      guard let period = language.period(scalars, resolution) else { continue }
      let (first, last) = (CivilDate.day(period.lowerBound), CivilDate.day(period.upperBound - 1))
      return first.year >= 1 && last.year <= 9999 ? (first, last) : nil
    }
    return understood(text, today: today, leaning: .ahead, isQuery: true, locale: locale).map { number, isLimit in
      let day = CivilDate.day(number)
      return (isLimit ? nil : day, day)
    }
  }

  /// In days since 1970, and whether it is the last day of a limit.
  private static func understood(
    _ text: String, today: YearMonthDay, leaning: DayLeaning, isQuery: Bool = false, locale: LocaleTag
  ) -> (day: Int, isLimit: Bool)? {
    let scalars = folded(text)
    let resolution = DayResolution(today: today, leaning: leaning)
    let languages = languages(for: locale, reading: scalars)
    for language in languages {
      // As a whole it may mean something else: 3天前 is three days ago.
      if let number = language.read(scalars, resolution) { return (number, false) }
      guard leaning == .ahead else { continue }
      for (limit, text) in language.limited(scalars) {
        let last = DayResolution(today: today, leaning: leaning, limit: limit, isQuery: isQuery)
        if let number = languages.lazy.compactMap({ $0.read(text, last) ?? $0.readPeriod(text, last) }).first {
          return (number, true)
        }
        // A day, but a past one: reading it without another limiting word would give another day.
        if languages.contains(where: { $0.read(text, resolution) != nil }) { return nil }
      }
    }
    return nil
  }

  /// The first day of a month or a year: "March 2026", "3월", "2026-03", "작년", "2026". A month without a year is the
  /// latest of that name that is not ahead: in November "March" is this year's, and "December" last year's. Nil for
  /// other texts, including days.
  package static func firstDay(ofPeriod text: String, today: YearMonthDay, locale: LocaleTag) -> YearMonthDay? {
    let scalars = folded(text)
    let resolution = DayResolution(today: today, leaning: .back)
    for language in languages(for: locale, reading: scalars) {
      if let number = language.readPeriod(scalars, resolution) { return CivilDate.day(number) }
    }
    return nil
  }

  /// Examples for an error: three phrases in the user's language.
  package static func examples(for locale: LocaleTag) -> [String] {
    languages(for: locale)[0].examples
  }

  /// The words of all phrases, the user's language first.
  static func words(for locale: LocaleTag) -> [String] { languages(for: locale).flatMap(\.words) }

  /// Words before days that limit them.
  static func limitFronts(for locale: LocaleTag) -> [String] {
    languages(for: locale).flatMap { $0.limitFronts.map(\.words) + $0.spanFronts.map(\.words) }
  }

  private static func languages(for locale: LocaleTag, reading text: [Unicode.Scalar]) -> [DayLanguage] {
    [DayLanguage.numeric(for: locale, text)] + languages(for: locale)
  }

  /// All supported languages, the user's first, or else English.
  private static func languages(for locale: LocaleTag) -> [DayLanguage] {
    let primary = locale.identifier.prefix { $0 != "-" }
    let all = [DayLanguage.english, .korean, .japanese, .chinese]
    return all.filter { $0.code == primary } + all.filter { $0.code != primary }
  }

  /// Normalizes a text: NFKC, lower case, and spaces for separating punctuation.
  static func folded(_ text: String) -> [Unicode.Scalar] {
    let scalars = Array(text.normalized(.nfkc).lowercased().unicodeScalars)
    return scalars.indices.map { index in
      let scalar = scalars[index]
      if scalar.properties.isWhitespace || ",、()'’".unicodeScalars.contains(scalar) { return " " }
      // The dot of an abbreviation, not that of "2026.12.24".
      if scalar == ".", index > 0, scalars[index - 1].properties.isAlphabetic { return " " }
      return scalar == "\u{2212}" ? "-" : scalar
    }
  }
}
