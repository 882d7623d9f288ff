import Wire

extension NaturalDate {
  /// The most frequent days, the nearest first, as completions for a user who types a day.
  private static let offered = [
    "en": [
      "today", "yesterday", "tomorrow", "this week", "last week", "next week", "this month", "last month", "next month",
      "this year", "last year", "next year",
    ],
    "ko": [
      "오늘", "어제", "그제", "내일", "모레", "이번주", "지난주", "다음주", "이번달", "지난달", "다음달", "올해", "작년", "지난해", "내년",
    ],
    "ja": ["今日", "昨日", "明日", "今週", "先週", "来週", "今月", "先月", "来月", "今年", "去年", "来年"],
    "zh": ["今天", "昨天", "明天", "本周", "上周", "下周", "本月", "上个月", "下个月", "今年", "去年", "明年"],
  ]

  /// The completions with this beginning that parse as days, in the user's language first; for an empty beginning only
  /// that language. Each names one day, whatever the leaning.
  package static func offers(
    beginning text: String, today: YearMonthDay, locale: LocaleTag
  ) -> [(words: String, day: YearMonthDay)] {
    offers(beginning: text, locale: locale) { read($0, today: today, leaning: .back, locale: locale) }
      .map { ($0.words, $0.read) }
  }

  /// The same for queries of deadlines. Limits are not included, since they have no first day.
  package static func deadlineOffers(
    beginning text: String, today: YearMonthDay, locale: LocaleTag
  ) -> [(words: String, first: YearMonthDay, last: YearMonthDay)] {
    offers(beginning: text, locale: locale) { deadlines(in: $0, today: today, locale: locale) }
      .compactMap { words, days in days.first.map { (words, $0, days.last) } }
  }

  private static func offers<Read>(
    beginning text: String, locale: LocaleTag, _ read: (String) -> Read?
  ) -> [(words: String, read: Read)] {
    func letters(_ text: String) -> [Unicode.Scalar] { folded(text).filter { $0 != " " } }
    let wanted = letters(text)
    let primary = String(locale.identifier.prefix { $0 != "-" })
    let codes = [primary] + offered.keys.filter { !sameBytes($0, primary) }.sorted()
    let words = (wanted.isEmpty ? Array(codes.prefix(1)) : codes).flatMap { offered[$0] ?? [] }
    var seen: Set<String> = []
    return words.compactMap { words -> (words: String, read: Read)? in
      guard letters(words).starts(with: wanted), seen.insert(words).inserted,
        let read = read(words)
      else { return nil }
      return (words, read)
    }
  }
}
