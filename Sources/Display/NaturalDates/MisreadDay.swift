import Wire

/// The reason why a text is no day, if it can be determined.
package enum MisreadDay: Equatable {
  /// It contains this time of day, and a day has no time.
  case withTime(String)
  /// It would be a day with this spelling.
  case misspelled(likely: String)
}

extension NaturalDate {
  /// Determines why a text is no day. `likely` returns the known word that a misspelt word probably means, or nil.
  package static func misreading(
    of text: String, today: YearMonthDay, leaning: DayLeaning, locale: LocaleTag,
    likely: (_ word: String, _ known: [String]) -> String?
  ) -> MisreadDay? {
    func isDay(_ text: String) -> Bool { read(text, today: today, leaning: leaning, locale: locale) != nil }
    if let time = time(in: text, leaving: isDay) { return .withTime(time) }
    return corrected(text, locale: locale, isDay: isDay, likely: likely).map { .misspelled(likely: $0) }
  }

  /// Determines whether words of another text would be a day with another spelling, or with smaller numbers, as
  /// `31 February` and `2026-13-45` would. Times are not recognized.
  ///
  /// - Returns: nil for words that are a day or have nothing of one. `likely` is nil for a day that does not exist.
  package static func mistake(
    in text: String, today: YearMonthDay, locale: LocaleTag, likely: (_ word: String, _ known: [String]) -> String?
  ) -> (text: String, likely: String?)? {
    func isDay(_ text: String) -> Bool { read(text, today: today, leaning: .ahead, locale: locale) != nil }
    if isDay(text) { return nil }
    // The first of a month exists always.
    let first = text.replacing(/[0-9]+/) { $0.output.count == 2 && $0.output > "12" ? "01" : $0.output }
    if !sameBytes(first, text) { return isDay(first) ? (text, nil) : nil }
    return corrected(text, locale: locale, isDay: isDay, likely: likely).map { (text, $0) }
  }

  private static func corrected(
    _ text: String, locale: LocaleTag, isDay: (String) -> Bool, likely: (_ word: String, _ known: [String]) -> String?
  ) -> String? {
    let known = words(for: locale)
    var isChanged = false
    let words = folded(text).split(separator: " ").map { scalars in
      let word = String(String.UnicodeScalarView(scalars))
      guard !known.contains(word), word.contains(where: \.isLetter),
        let meant = parted(word, for: locale, known: known) ?? likely(word, known)
      else { return word }
      isChanged = true
      return meant
    }
    let corrected = words.joined(separator: " ")
    return isChanged && isDay(corrected) ? corrected : nil
  }

  /// `by monday` for `bymonday`: the most similar word would be "monday", which may be another day.
  private static func parted(_ word: String, for locale: LocaleTag, known: [String]) -> String? {
    limitFronts(for: locale).lazy.compactMap { front in
      let rest = String(word.dropFirst(front.count))
      return word.hasPrefix(front) && known.contains(rest) ? "\(front) \(rest)" : nil
    }.first
  }

  /// The time in a text besides a day, or instead of one.
  private static func time(in text: String, leaving isDay: (String) -> Bool) -> String? {
    let text = text.normalized(.nfkc)
    for form in times() {
      guard let match = text.firstMatch(of: form) else { continue }
      let rest = text[..<match.range.lowerBound] + " " + text[match.range.upperBound...]
      if rest.allSatisfy(\.isWhitespace) || isDay(String(rest)) {
        return match.output.trimmingWhitespace()
      }
    }
    return nil
  }

  /// Forms of times, the longest first. Compiled for each error, since nothing else needs them.
  private static func times() -> [Regex<Substring>] {
    [
      // 17:00, at 5:30 pm, T17:00:00.000Z
      /(?:(?:\bat\s+|@\s*|[Tt])?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?\s*(?:[Zz]|[AaPp]\.?[Mm]\b\.?|[+\-][0-9]{2}:?[0-9]{2})?)/,
      /(?:\b[Aa]t\s+|@\s*)?[0-9]{1,2}\s*[AaPp]\.?[Mm]\b\.?/,
      /\b[Aa]t\s+(?:[0-9]{1,2}(?:\s*o.?clock)?|noon|midnight)\b/,
      /\b(?:in the |this )?(?:noon|midnight|morning|afternoon|evening|night|tonight)\b/,
      /(?:오전|오후|새벽|아침|낮|저녁|밤)?\s*[0-9]{1,2}\s*시(?!간)(?:\s*(?:[0-9]{1,2}\s*분|반))?(?:까지|에)?/,
      /(?:정오|자정|오전|오후|새벽|아침|저녁|밤)(?:까지|에)?/,
      /(?:午前|午後|朝|夜|上午|下午|早上|晚上|中午|凌晨)?\s*[0-9]{1,2}\s*[時时点點](?!間)(?:\s*(?:[0-9]{1,2}\s*分|半))?(?:まで|に)?/,
      /正午|真夜中|午前|午後|上午|下午|早上|晚上|中午|午夜|凌晨/,
    ]
  }
}
