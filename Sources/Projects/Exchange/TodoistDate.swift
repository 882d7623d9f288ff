import Contract
import Display
import Exchange
import Kit

/// The `DATE` of a task of Todoist, in the words of its user: a day, with a time, a recurrence or both.
///
///     2026-11-30 09:00      30 Nov      every monday at 9am      every! 3 days      every 15th      매주 월요일
struct TodoistDate {
  let day: CalendarDay
  let time: String?
  let recurrence: Recurrence?

  /// What the words depend on.
  struct Reading: Sendable {
    /// The language of the words.
    var locale: LocaleTag
    var today: CalendarDay
    var zone: Zone
  }

  /// The most words that are read.
  private static let longest = 20

  /// - Returns: nil for words that are not understood, and for a day that does not exist.
  init?(_ text: String, _ reading: Reading) {
    if let instant = Instant(text) {
      let local = LocalDateTime(instant, in: reading.zone)
      (day, time, recurrence) = (local.day, local.clock, nil)
      return
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty, words.count <= Self.longest, text.unicodeScalars.count <= 200 else { return nil }
    if let (day, time) = Self.dayAndTime(words[...], reading) {
      (self.day, self.time, recurrence) = (day, time, nil)
      return
    }
    guard let found = Self.recurring(words, reading) else { return nil }
    (day, time, recurrence) = found
  }

  private static func dayAndTime(
    _ words: ArraySlice<Substring>, _ reading: Reading
  ) -> (day: CalendarDay, time: String?)? {
    if let day = day(words, reading) { return (day, nil) }
    for cut in words.indices.dropFirst() {
      if let time = DayAndTime.time(words[cut...]), let day = day(words[..<cut], reading) { return (day, time) }
    }
    return nil
  }

  private static func day(_ words: ArraySlice<Substring>, _ reading: Reading) -> CalendarDay? {
    let text = words.joined(separator: " ")
    if let day = CalendarDay(text) { return day }
    let read = NaturalDate.read(
      text, today: reading.today.yearMonthDay, leaning: .ahead, locale: reading.locale)
    return read.flatMap { CalendarDay(year: $0.year, month: $0.month, day: $0.day) }
  }

  // MARK: - Recurrences

  /// A recurrence, and after it a time, a first day, or both: the longest one of its words counts.
  private static func recurring(
    _ words: [Substring], _ reading: Reading
  ) -> (day: CalendarDay, time: String?, recurrence: Recurrence?)? {
    var words = words.map { $0.lowercased() }
    var isFromDue = true
    if ["every!", "ev!", "after"].contains(words[0]) {
      isFromDue = false
      words[0] = "every"
    } else if words[0] == "ev" {
      words[0] = "every"
    }
    words = (adverbs[words[0]] ?? [words[0]]) + words.dropFirst()
    for end in words.indices.reversed() {
      guard let rule = rule(words[...end], reading) else { continue }
      let recurrence = Recurrence(rule: rule, from: isFromDue ? nil : .completion)
      var rest = words[(end + 1)...].map { $0[...] }[...]
      if let first = rest.first, ["starting", "from"].contains(first) { rest = rest.dropFirst() }
      if let (day, time) = dayAndTime(rest, reading) { return (day, time, recurrence) }
      let time = rest.isEmpty ? nil : DayAndTime.time(rest)
      guard rest.isEmpty || time != nil, let day = first(of: rule, from: reading.today) else { continue }
      return (day, time, recurrence)
    }
    return nil
  }

  private static let adverbs = [
    "daily": ["every", "day"], "weekly": ["every", "week"], "monthly": ["every", "month"],
    "quarterly": ["every", "3", "months"], "yearly": ["every", "year"], "annually": ["every", "year"],
  ]

  private static func rule(_ words: ArraySlice<String>, _ reading: Reading) -> String? {
    if words.last == "quarter" { return rule(words.dropLast() + ["3", "months"], reading) }
    let text = words.joined(separator: " ").replacing("workday", with: "weekday")
    if case .repeats(let rule, _) = TasksRepetition.meaning(of: text) { return rule }
    if let recurrence = QuickRecurrence(beginning: text), recurrence.rest(of: text).isEmpty { return recurrence.rule }
    guard words.first == "every" else { return nil }
    // "Every 15th", "every 3rd friday", "every last day".
    let days = words.dropFirst().filter { $0 != "day" }
    let monthly = TasksRepetition.meaning(of: "every month on the " + days.joined(separator: " "))
    if words.count > 1, case .repeats(let rule, _) = monthly { return rule }
    // "Every 24 dec". A day without a month or without a number is none of a year.
    guard words.count > 2, words.contains(where: { $0.first?.isNumber == true }),
      let date = day(words.dropFirst().map { $0[...] }[...], reading)
    else { return nil }
    return "FREQ=YEARLY;BYMONTH=\(date.month);BYMONTHDAY=\(date.day)"
  }

  /// The first day of a rule from a day on: that day itself for one that names no days.
  private static func first(of text: String, from today: CalendarDay) -> CalendarDay? {
    guard var rule = try? RecurrenceRule(text) else { return nil }
    rule.interval = 1
    let yesterday = today.adding(days: -1)
    let namesDays = !rule.weekdays.isEmpty || !rule.monthDays.isEmpty || !rule.months.isEmpty
    return namesDays ? rule.day(after: yesterday, from: yesterday) : today
  }
}
