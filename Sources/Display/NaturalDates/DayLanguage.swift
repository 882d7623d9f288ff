/// The day names of one language: its words, and its phrases with their meanings.
struct DayLanguage: Sendable {
  /// ISO 639.
  var code = ""
  /// Three phrases for error messages.
  var examples: [String] = []
  var numerals = DayNumerals()
  /// Words that mean one as a count of units, but not as a day or a month: "in a week", and no first in "and", which
  /// would be "a" with an ending.
  var articles: DayWords = [:]
  /// Words for the days of a month: "first".
  var ordinals: DayWords = [:]
  var units: DayWords = [:]
  var spans: DayWords = [:]
  var weekdays: DayWords = [:]
  /// Words that mean a weekday only where one is expected.
  var weekdayMarks: DayWords = [:]
  var turns: DayWords = [:]
  var weekTurns: DayWords = [:]
  var monthTurns: DayWords = [:]
  var yearTurns: DayWords = [:]
  var months: DayWords = [:]
  /// The first year of each era: 令和 counts from 2019 on, until the next era in the table begins.
  var eras: DayWords = [:]
  /// Tried in this order.
  var phrases: [(pattern: String, meaning: DayMeaning)] = [] {
    didSet {
      compiled = phrases.flatMap { row in DayPattern.each(row.pattern).map { ($0, row.meaning) } }
      compiledOfMany = compiled.filter(\.meaning.isOfMany)
    }
  }
  private var compiled: [Compiled] = []
  /// The patterns that may mean several days.
  private var compiledOfMany: [Compiled] = []
  /// Words before or after a day that make it a limit: "by", 까지. Words for the last day come first: 3일 전까지 is until 3일
  /// 전, and not before 3일.
  var limitFronts: [(words: String, limit: DayLimit)] = []
  var limitEnds: [(words: String, limit: DayLimit)] = []
  /// Words that limit a span of time, with the words that name the end of the span: "within 3 days" is until "in 3
  /// days", 3일 이내 until 3일 후. They are tried before the others.
  var spanFronts: [(words: String, instead: String)] = []
  var spanEnds: [(words: String, instead: String)] = []
  /// The pattern of months and years.
  var periods = "" {
    didSet { compiledPeriods = DayPattern.each(periods).map { ($0, .firstOfPeriod) } }
  }
  private var compiledPeriods: [Compiled] = []

  private typealias Compiled = (pattern: DayPattern, meaning: DayMeaning)

  init() {}

  /// All single words of its phrases.
  var words: [String] {
    let counts = [numerals.words, articles, ordinals, units, spans]
    let tables = counts + [weekdays, turns, weekTurns, monthTurns, yearTurns, months, eras]
    let fixed = phrases.flatMap { $0.pattern.replacing(/<[a-z]+>/, with: " ").split { !$0.isLetter } }
    let limits = ((limitFronts + limitEnds).map(\.words) + (spanFronts + spanEnds).map(\.words))
      .flatMap { $0.split(separator: " ") }
    return tables.flatMap(\.words) + (fixed + limits).map(String.init)
  }

  /// The ways to split a folded text into a limit and the rest, which may be no day.
  func limited(_ text: [Unicode.Scalar]) -> [(limit: DayLimit, day: [Unicode.Scalar])] {
    let text = Array(text.split(separator: " ").joined(separator: [" "]))
    func withoutFront(_ words: String) -> [Unicode.Scalar]? {
      let front = Array("\(words) ".unicodeScalars)
      return text.starts(with: front) ? Array(text[front.count...]) : nil
    }
    func withoutEnd(_ words: String) -> [Unicode.Scalar]? {
      let end = Array(words.unicodeScalars)
      guard text.count > end.count, text.suffix(end.count).elementsEqual(end) else { return nil }
      return text.dropLast(end.count)
    }
    let spans =
      spanFronts.compactMap { words, instead in withoutFront(words).map { Array("\(instead) ".unicodeScalars) + $0 } }
      + spanEnds.compactMap { words, instead in withoutEnd(words).map { $0 + Array(instead.unicodeScalars) } }
    let limits =
      limitFronts.compactMap { words, limit in withoutFront(words).map { (limit, $0) } }
      + limitEnds.compactMap { words, limit in withoutEnd(words).map { (limit, $0) } }
    return spans.map { (.until, $0) } + limits
  }

  /// The day of a folded text, in days since 1970.
  func read(_ text: [Unicode.Scalar], _ resolution: DayResolution) -> Int? {
    for (pattern, meaning) in compiled {
      if let day = pattern.match(text, in: self, accept: { resolution.day(meaning, $0) }) { return day }
    }
    return nil
  }

  /// The first day of a month or year in a folded text, or its last for a limit, in days since 1970.
  func readPeriod(_ text: [Unicode.Scalar], _ resolution: DayResolution) -> Int? {
    for (pattern, meaning) in compiledPeriods {
      if let day = pattern.match(text, in: self, accept: { resolution.day(meaning, $0) }) { return day }
    }
    return nil
  }

  /// All days of a week, weekend, month or year in a folded text, in days since 1970.
  func period(_ text: [Unicode.Scalar], _ resolution: DayResolution) -> Range<Int>? {
    for (pattern, meaning) in [compiledPeriods, compiledOfMany].joined() {
      var period: Range<Int>?
      let isRead = pattern.match(text, in: self) { parts in
        period = resolution.period(meaning, parts)
        return period?.lowerBound
      }
      if isRead != nil { return period }
    }
    return nil
  }

  /// All values that match a place at an index, with the index after each.
  func values(of place: DayPlace, in text: [Unicode.Scalar], at index: Int) -> [(value: Int, end: Int)] {
    switch place {
    case .count:
      // "in ten d" is a span, and "intend" a word of a title.
      (numerals.values(in: text, at: index) + articles.values(in: text, at: index))
        .filter { !Self.isWithinWord(index..<$0.end, of: text) }
    case .day: numerals.values(in: text, at: index)
    case .ordinal: ordinals.values(in: text, at: index)
    case .year:
      numerals.values(in: text, at: index).filter { $0.value >= 1_000 || $0.end - index == 4 }
        + yearsOfEras(in: text, at: index)
    case .shortYear:
      numerals.values(in: text, at: index).filter { ("0"..."9").contains(text[index]) && $0.end - index == 2 }
    case .month: numerals.values(in: text, at: index) + months.values(in: text, at: index)
    case .monthName: months.values(in: text, at: index)
    case .unit: units.values(in: text, at: index)
    case .span: spans.values(in: text, at: index)
    case .weekday: weekdays.values(in: text, at: index)
    case .weekdayMark: weekdays.values(in: text, at: index) + weekdayMarks.values(in: text, at: index)
    case .turn: turns.values(in: text, at: index)
    case .weekTurn: weekTurns.values(in: text, at: index)
    case .monthTurn: monthTurns.values(in: text, at: index)
    case .yearTurn: yearTurns.values(in: text, at: index)
    }
  }

  /// Whether a range has Latin letters on both sides of its beginning or of its end.
  private static func isWithinWord(_ range: Range<Int>, of text: [Unicode.Scalar]) -> Bool {
    func isLetter(_ index: Int) -> Bool { text.indices.contains(index) && ("a"..."z").contains(text[index]) }
    return [range.lowerBound, range.upperBound].contains { isLetter($0 - 1) && isLetter($0) }
  }

  /// 令和8, 令和元, 民國115. The last year of an era has both names.
  private func yearsOfEras(in text: [Unicode.Scalar], at index: Int) -> [(value: Int, end: Int)] {
    eras.values(in: text, at: index).flatMap { first, end -> [(value: Int, end: Int)] in
      let end = text[end...].firstIndex { $0 != " " } ?? end
      if end < text.count, text[end] == "元" { return [(first, end + 1)] }
      let last = eras.values.filter { $0 > first }.min() ?? .max
      return numerals.values(in: text, at: end).compactMap { count, end in
        count >= 1 && first + count - 1 <= last ? (first + count - 1, end) : nil
      }
    }
  }
}

/// Words and their values, with `|` between synonyms.
struct DayWords: Sendable, ExpressibleByDictionaryLiteral {
  private let rows: [(word: [Unicode.Scalar], value: Int)]
  /// The words as in the table.
  private let sources: [String]

  init(dictionaryLiteral elements: (String, Int)...) {
    sources = elements.map(\.0)
    rows = elements.flatMap { words, value in
      words.split(separator: "|").map { ($0.unicodeScalars.filter { $0 != " " }, value) }
    }
  }

  var values: [Int] { rows.map(\.value) }

  /// Each single word, including those of phrases.
  var words: [String] { sources.flatMap { $0.split { $0 == "|" || $0 == " " } }.map(String.init) }

  /// The values of words at an index, with the index after each. Spaces within them are ignored.
  func values(in text: [Unicode.Scalar], at start: Int) -> [(value: Int, end: Int)] {
    rows.compactMap { row in
      var index = start
      for scalar in row.word {
        while index < text.count, text[index] == " " { index += 1 }
        guard index < text.count, text[index] == scalar else { return nil }
        index += 1
      }
      return (row.value, index)
    }
  }
}

/// Numbers as a language writes them: digits, words, and characters with place values.
struct DayNumerals: Sendable {
  /// Whole words.
  var words: DayWords = [:]
  /// 일 to 구, 一 to 九.
  var digits: [Unicode.Scalar: Int] = [:]
  /// 십, 백, 천.
  var powers: [Unicode.Scalar: Int] = [:]

  /// The maximal number of digits.
  private static let longest = 6

  /// The numbers that begin here, the longest first.
  func values(in text: [Unicode.Scalar], at start: Int) -> [(value: Int, end: Int)] {
    let digits = text[start...].prefix { ("0"..."9").contains($0) }
    if !digits.isEmpty {
      guard digits.count <= Self.longest else { return [] }
      return [(digits.reduce(0) { $0 * 10 + Int($1.value) - 48 }, digits.endIndex)]
    }
    var found: [(value: Int, end: Int)] = []
    let run = text[start...].prefix { self.digits[$0] != nil || powers[$0] != nil }
    for end in stride(from: min(run.endIndex, start + Self.longest + 1), to: start, by: -1) {
      if let value = value(of: text[start..<end]) { found.append((value, end)) }
    }
    return found + words.values(in: text, at: start)
  }

  /// 이십사, 二十四; and 二〇二六, digit by digit.
  private func value(of text: ArraySlice<Unicode.Scalar>) -> Int? {
    if text.count > 1, text.allSatisfy({ digits[$0] != nil }) {
      return text.count == 4 ? text.reduce(0) { $0 * 10 + (digits[$1] ?? 0) } : nil
    }
    var sum = 0
    var digit: Int?
    var lastPower = Int.max
    for scalar in text {
      if let power = powers[scalar] {
        guard power < lastPower, digit != 0 else { return nil }
        sum += (digit ?? 1) * power
        (digit, lastPower) = (nil, power)
      } else {
        guard digit == nil else { return nil }
        digit = digits[scalar]
      }
    }
    return sum + (digit ?? 0)
  }
}
