import Kit
import Wire

/// What a service sent, whatever it should have sent: a value of another type is no value.
extension JSONValue {
  /// A text that says something: not blank, without the characters that no field may have. A number stands for its
  /// digits, since services change their minds about which of the two an id is.
  var givenText: String? {
    switch self {
    case .string(let text): text.readable
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// A list of texts, or one that stands alone.
  var givenTexts: [String] {
    switch self {
    case .array(let elements): elements.compactMap(\.givenText)
    default: givenText.map { [$0] } ?? []
    }
  }

  /// A whole number, in digits or as a text of them.
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
  /// Brings what came from outside within the bounds that fields have here, and notes where it did not fit.
  mutating func bound() {
    func bounded(_ text: String?, _ field: String, _ limit: Int) -> String? {
      guard let text else { return nil }
      let (bounded, isShortened) = text.shortened(to: limit)
      if isShortened, !shortened.contains(field) { shortened.append(field) }
      return bounded
    }
    func bounded(_ texts: [String], _ field: String) -> [String] {
      if texts.count > Self.mostNames, !shortened.contains(field) { shortened.append(field) }
      // Goodreads has runs of blanks in names.
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
    if let count = ratingCount, count < 0 { ratingCount = nil }
  }
}
