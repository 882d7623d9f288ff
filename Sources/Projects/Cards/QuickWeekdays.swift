/// Several weekdays, or every other one, at the beginning of a text: `every monday and wednesday`, `every other friday`,
/// `every weekday`, `매주 월수금`, `隔週金曜日`, `每周一、三`.
struct QuickWeekdays {
  /// An RRULE.
  let rule: String
  /// As in ISO 8601, from 1 for Monday.
  let days: [Int]
  /// The number of characters, and of those before the weekdays.
  let (length, beginning): (Int, Int)

  private struct Form {
    /// Before the weekdays.
    var beginning: Regex<Substring>
    var day: Regex<Substring>
    /// Between two of them.
    var separator: Regex<Substring>
    /// Whether a weekday of one character may follow a whole one, as in 周一三. After "금요일", "일" is work.
    var shortens = false
  }

  /// Every time, as a regular expression cannot be shared.
  private static var forms: [Form] {
    [
      Form(
        beginning: /(?:every|each) (?:(?:other|[1-9]\d{0,2}) )?(?:weeks? on )?/,
        day: /(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thur?s?|fri|sat|sun)\b/,
        separator: /(?:,? (?:and |& )?|,|\/)(?:every |each )?/),
      Form(
        beginning: /(?:[매격]주(?:로|마다)?|[1-9]\d?주마다) ?/, day: /[월화수목금토일](?:요일|욜)?/,
        separator: /(?: ?(?:과|와|및|[,·\/]))? ?/),
      Form(
        beginning: /(?:[毎隔]週|[1-9]\d?週間?(?:ごと|毎)に?)の? ?/, day: /[月火水木金土日](?:曜日?)?/,
        separator: /(?: ?(?:と|[、,，・\/]) ?)?/),
      Form(
        beginning: /(?:每隔[一1][周週]|每[两兩2][周週]|隔[周週]?|每[逢个個]?)的? ?(?=周|週|星期|礼拜|禮拜)/,
        day: /(?:周|週|星期|礼拜|禮拜)?[一二三四五六日天]/, separator: /(?: ?(?:和|与|與|及|[、,，\/]) ?)?/, shortens: true),
    ]
  }

  private static var workdays: Regex<Substring> {
    /(?:every|each) (?:weekday|workday)\b|매주? ?평일|평일 ?(?:마다|매일)|毎平日|平日(?:毎日|ごとに?)|每[个個逢]?工作日|工作日每天/
  }

  /// - Parameter text: in lower case.
  /// - Returns: nil if the text begins with something else.
  init?(beginning text: String) {
    if let match = text.prefixMatch(of: Self.workdays) {
      (rule, days) = ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", Array(1...5))
      (length, beginning) = (match.output.count, 0)
      return
    }
    for form in Self.forms {
      guard let match = text.prefixMatch(of: form.beginning) else { continue }
      let (days, end) = Self.days(in: text[match.range.upperBound...], form)
      if days.isEmpty { continue }
      self.days = days.sorted()
      (length, beginning) = (text.distance(from: text.startIndex, to: end), match.output.count)
      let interval = Self.interval(match.output)
      rule =
        "FREQ=WEEKLY" + (interval == 1 ? "" : ";INTERVAL=\(interval)")
        + (days.count == 1 ? "" : ";BYDAY=" + self.days.map { Self.codes[$0 - 1] }.joined(separator: ","))
      return
    }
    return nil
  }

  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private static func interval(_ beginning: Substring) -> Int {
    if beginning.contains("other") || beginning.contains(where: "격隔两兩".contains) { return 2 }
    return Int(beginning.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 1
  }

  private static func days(in text: Substring, _ form: Form) -> (days: Set<Int>, end: String.Index) {
    var days: Set<Int> = []
    var (start, end, wasWhole) = (text.startIndex, text.startIndex, false)
    while let match = text[start...].prefixMatch(of: form.day), let day = number(match.output) {
      let isWhole = match.output.count > 1
      if wasWhole, !isWhole, !form.shortens { break }
      days.insert(day)
      (end, wasWhole) = (match.range.upperBound, isWhole)
      guard let separator = text[end...].prefixMatch(of: form.separator) else { break }
      start = separator.range.upperBound
    }
    // "매주 일" is "work every week".
    return days.count == 1 && !wasWhole && !form.shortens ? ([], end) : (days, end)
  }

  private static let numbers: [Substring: Int] = [
    "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
    "월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6, "일": 7,
    "月": 1, "火": 2, "水": 3, "木": 4, "金": 5, "土": 6, "日": 7,
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "天": 7,
  ]

  /// The names of weekdays differ in their beginning, and in Chinese at the end.
  private static func number(_ name: Substring) -> Int? {
    numbers[name.prefix(3)] ?? numbers[name.prefix(1)] ?? numbers[name.suffix(1)]
  }
}
