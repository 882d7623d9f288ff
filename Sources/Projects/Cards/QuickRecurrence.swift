/// A recurrence at the beginning of a text: `every month`, `every 2 weeks`, `every friday`, `매월`, `3日ごと`, `每周`.
struct QuickRecurrence: Equatable {
  /// An RRULE.
  let rule: String
  /// The words that state it, with the weekday of "every friday".
  let text: String
  /// Whether it is on the last day of a month.
  private(set) var isMonthEnd = false
  /// The weekdays, as in ISO 8601, if there are several; empty for others.
  private(set) var days: [Int] = []
  /// The number of characters before the rest of the text.
  private let length: Int

  private static let units: [(names: Set<Substring>, frequency: String)] = [
    (["day", "days", "일", "日", "日間", "天"], "DAILY"),
    (["week", "weeks", "주", "週", "週間", "周", "星期"], "WEEKLY"),
    (["month", "months", "달", "개월", "월", "か月", "ヶ月", "カ月", "月", "个月", "個月"], "MONTHLY"),
    (["year", "years", "년", "年"], "YEARLY"),
  ]

  /// - Returns: nil if the text begins with something else.
  init?(beginning line: String) {
    let text = line.lowercased()
    guard Self.mayBegin(text) else { return nil }
    if let match = Self.monthEnd(text) {
      rule = "FREQ=MONTHLY;BYMONTHDAY=-1"
      isMonthEnd = true
      length = match.count
      self.text = String(line.prefix(length))
      return
    }
    if let weekdays = QuickWeekdays(beginning: text) {
      rule = weekdays.rule
      self.text = String(line.prefix(weekdays.length))
      // A single weekday is the day.
      if weekdays.days.count > 1 { days = weekdays.days }
      length = days.isEmpty ? weekdays.beginning : weekdays.length
      return
    }
    guard let (whole, count, unit) = Self.counted(text),
      let frequency = Self.units.first(where: { $0.names.contains(unit) })?.frequency
    else { return nil }
    let interval = count.map { $0 == "other" ? 2 : Int($0) ?? 1 } ?? 1
    rule = "FREQ=\(frequency)" + (interval == 1 ? "" : ";INTERVAL=\(interval)")
    length = whole.count
    self.text = String(line.prefix(length))
  }

  /// The text after it, which begins with the weekday of "every friday".
  func rest(of text: String) -> Substring { text.dropFirst(length).drop { $0 == " " } }

  /// Matching costs more than most lines are worth.
  private static func mayBegin(_ text: String) -> Bool {
    guard let first = text.first else { return false }
    return ["every ", "each ", "on the last ", "the last ", "last day "].contains(where: text.hasPrefix)
      || "매毎每격隔평平工".contains(first)
      || ("1"..."9").contains(first)
  }

  /// `every month on the last day`, `on the last day of every month`, `매월 말일`, `毎月末`, `每月最后一天`.
  private static func monthEnd(_ text: String) -> Substring? {
    let after = /(?:every|each) month,? (?:(?:on|at) )?(?:the )?(?:last day|end)(?: of (?:the|each|every) month)?\b/
    let before = /(?:(?:on )?the |on )?last day of (?:every|each|the) month,?(?: (?:every|each) month)?\b/
    let korean = /(?:매월|매달) ?(?:말일|월말|마지막 ?날)(?:에)?(?=\s|$)/
    let han = /(?:毎月の?(?:末日|月末|末|最終日)に?|每[个個]?月的?(?:最[后後]一天|月底|底|末))(?=\s|$)/
    if let match = [after, korean, han].lazy.compactMap({ text.prefixMatch(of: $0) }).first { return match.output }
    // "The last day of the month" without "every" is a day.
    guard let match = text.prefixMatch(of: before)?.output else { return nil }
    return match.contains("every") || match.contains("each") ? match : nil
  }

  /// The whole match, the number of units if there is one, and the unit.
  private static func counted(_ text: String) -> (whole: Substring, count: Substring?, unit: Substring)? {
    if let match = text.prefixMatch(of: /(?:every|each) (?:(other|[1-9]\d{0,2}) )?([a-z]+)\b/) {
      return (match.output.0, match.output.1, match.output.2)
    }
    if let match = text.prefixMatch(of: /([1-9]\d{0,2}) ?(일|주|달|개월|년)마다/) {
      return (match.output.0, match.output.1, match.output.2)
    }
    if let match = text.prefixMatch(of: /([1-9]\d{0,2}) ?(日間|日|週間|週|か月|ヶ月|カ月|年)(?:ごと|毎)に?/) {
      return (match.output.0, match.output.1, match.output.2)
    }
    if let match = text.prefixMatch(of: /每隔?([1-9]\d{0,2}) ?(天|周|週|个月|個月|年)/) {
      return (match.output.0, match.output.1, match.output.2)
    }
    return text.prefixMatch(of: /[매毎每](일|주|월|달|년|日|週|月|年|天|周|星期|个月|個月)/).map {
      ($0.output.0, nil, $0.output.1)
    }
  }
}
