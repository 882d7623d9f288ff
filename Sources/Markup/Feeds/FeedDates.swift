import Contract

/// Parses the dates of feeds: RFC 822 and 2822, RFC 3339 and ISO 8601, asctime, numbers of seconds, and common
/// deviations. Months and zones are parsed by our own tables, never by the system's locale.
package enum FeedDates {
  /// The instant of a date; nil if it cannot be determined. Without a zone it is taken as UTC.
  package static func instant(_ text: String) -> Instant? {
    let text = text.utf8.prefix(200)
    if let seconds = epoch(text) { return seconds }
    var tokens = FeedDateTokens(text)
    return iso(&tokens) ?? spelled(&tokens)
  }

  /// Nine to eleven digits are seconds since 1970, twelve and thirteen milliseconds; eight are a day.
  private static func epoch(_ text: Substring.UTF8View.SubSequence) -> Instant? {
    let digits = text.drop { $0 <= 0x20 }
    guard let value = Int64(String(Substring(digits)).trimmingBlanks()) else { return nil }
    switch value {
    case 100_000_000..<100_000_000_000: return Instant(milliseconds: value * 1000)
    case 100_000_000_000..<10_000_000_000_000: return Instant(milliseconds: value)
    default: return nil
    }
  }

  /// `2004-12-29T03:05:06.789+09:00` or a beginning of it from the year on, also with slashes, dots or spaces.
  private static func iso(_ tokens: inout FeedDateTokens) -> Instant? {
    let start = tokens
    defer { tokens = start }
    var fields = FeedDateFields()
    guard case .number(let first, let count)? = tokens.next() else { return nil }
    if count == 8 || count == 14 {
      // 20041229 and 20041229030506: fourteen digits do not fit the token's value.
      guard count == 8 else { return nil }
      fields.set(year: first / 10_000, month: first / 100 % 100, day: first % 100)
    } else {
      guard count == 4 else { return nil }
      fields.year = first
      if tokens.take("-") || tokens.take("/") || tokens.take(".") || tokens.take("년") {
        tokens.skipBlanks()
        guard case .number(let month, 1...2)? = tokens.next() else { return nil }
        fields.month = month
        if tokens.take("-") || tokens.take("/") || tokens.take(".") || tokens.take("월") {
          tokens.skipBlanks()
          guard case .number(let day, 1...2)? = tokens.next() else { return nil }
          fields.day = day
          _ = tokens.take("일") || tokens.take(".")
        }
      } else if !tokens.isAtEnd {
        return nil
      }
      fields.month = fields.month ?? 1
      fields.day = fields.day ?? 1
    }
    tokens.readTimeAndZone(into: &fields)
    return fields.instant
  }

  /// `Wed, 29 Dec 2004 03:05:06 +0900`, `Wed Dec 29 03:05:06 2004`, `December 29, 2004`. The weekday is ignored.
  private static func spelled(_ tokens: inout FeedDateTokens) -> Instant? {
    var fields = FeedDateFields()
    while let token = tokens.peek() {
      switch token {
      case .word(let word):
        _ = tokens.next()
        if fields.month == nil, let month = FeedDateWords.month(word) {
          fields.month = month
        } else if fields.day != nil, let minutes = FeedDateWords.zone(word) {
          fields.offset = fields.offset ?? minutes
        } else if let isAfternoon = FeedDateWords.half(word) {
          fields.isAfternoon = isAfternoon
        }
      case .number(let value, let count):
        if tokens.isTime {
          tokens.readTimeAndZone(into: &fields)
          continue
        }
        _ = tokens.next()
        if count >= 3 || fields.day != nil {
          guard fields.year == nil else { continue }
          fields.year = FeedDateWords.year(value, digits: count)
        } else {
          fields.day = value
        }
      case .other:
        _ = tokens.next()
      }
    }
    // A numeric month, `29/12/2004`, is ambiguous: nothing is guessed.
    return fields.instant
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    var text = Substring(self)
    while text.utf8.last.map({ $0 <= 0x20 }) == true { text = Substring(text.utf8.dropLast()) }
    return String(text)
  }
}
