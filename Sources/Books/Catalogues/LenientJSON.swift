import Kit
import Wire

/// Lenient access to a service's JSON: a value of an unexpected type counts as missing.
extension JSONValue {
  /// A text that is not blank, without invalid characters. A number becomes its digits, since services change the types
  /// of their ids.
  var givenText: String? {
    switch self {
    case .string(let text): text.readable
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// A list of texts, or a single text.
  var givenTexts: [String] {
    switch self {
    case .array(let elements): elements.compactMap(\.givenText)
    default: givenText.map { [$0] } ?? []
    }
  }

  /// An integer, as a number or as a text of digits.
  var givenInteger: Int? {
    switch self {
    case .string(let text): Int(text)
    default: integerValue.flatMap { Int(exactly: $0) }
    }
  }

  var givenNumber: Double? {
    switch self {
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: doubleValue.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// Open Library's texts are strings or `{type, value}`.
  var valueText: String? { givenText ?? self["value"]?.givenText }
}

extension BookFacts {
  /// Limits external values to what the fields allow, and notes which fields were shortened.
  mutating func bound() {
    func bounded(_ text: String?, _ field: String, _ limit: Int) -> String? {
      guard let text else { return nil }
      let (bounded, isShortened) = text.shortened(to: limit)
      if isShortened, !shortened.contains(field) { shortened.append(field) }
      return bounded
    }
    func bounded(_ texts: [String], _ field: String) -> [String] {
      if texts.count > Self.mostNames, !shortened.contains(field) { shortened.append(field) }
      // Goodreads has runs of spaces in names.
      return texts.prefix(Self.mostNames).compactMap { name in
        let words = name.unturned.split(whereSeparator: \.isWhitespace)
        return bounded(words.joined(separator: " "), field, Self.longestLine)
      }
    }
    title = bounded(title?.unturned, "title", Self.longestLine)
    subtitle = bounded(subtitle?.unturned, "subtitle", Self.longestLine)
    publisher = bounded(publisher?.unturned, "publisher", Self.longestLine)
    published = bounded(published?.unturned, "published", Self.longestLine)
    description = bounded(description, "description", Self.longestText)
    snippet = bounded(snippet, "snippet", Self.longestText)
    language = bounded(language, "language", 35)
    authors = bounded(authors, "authors")
    categories = bounded(categories, "categories")
    isbns = Array(isbns.prefix(Self.mostNames))
    if let pages = pageCount, !(1...1_000_000).contains(pages) { pageCount = nil }
    if let average = averageRating, !(0...5).contains(average) { averageRating = nil }
    if let count = ratingCount, !(0...Int(Int32.max)).contains(count) { ratingCount = nil }
  }
}
