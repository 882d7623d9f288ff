/// Finds the text of highlights in other bytes (recipe E of the project's PDF notes).
///
///     1  on the page that follows the old one, at the same place      exact, or moved if the page has moved
///     2  the same text elsewhere, identified by the text around it    moved
///     3  nearly the same text with the same text around it            fuzzy
///     4  otherwise                                                    lost: never placed by guessing
///
/// A similar text proves nothing without its context: Hypothesis' issue 7571 shows a fuzzy search that accepts a
/// look-alike. So every step but the first requires a part of the text before or after the quote, or a quote that is
/// long and was unique.
struct QuoteSearch: Sendable {
  let text: AnchorText
  /// The text in which the marks were placed; nil if it is no longer available.
  let old: AnchorText?
  let succession: PageSuccession

  init(in text: AnchorText, from old: AnchorText?) {
    self.text = text
    self.old = old
    succession = old.map { PageSuccession(from: $0, to: text) } ?? PageSuccession()
  }

  /// With several places, the best must have this score and this lead.
  private static let leastScore = 0.6
  private static let lead = 0.15
  /// The share of the text before or after that must be equal.
  private static let leastContext = 0.5
  /// The share of a changed quote that must be equal.
  private static let leastSimilarity = 0.85
  /// A quote of so many characters that occurs once in the old text and once in the new is the same quote, whatever
  /// surrounds it.
  private static let distinctive = 32
  /// So much text around a quote identifies its place, if every character is the same.
  private static let wholeContext = 16
  /// The most places that are checked; more frequent quotes could not be distinguished.
  private static let mostPlaces = 2_000
  private static let window = 3

  func placement(of quote: QuoteAnchor) -> QuotePlacement {
    let query = QuotePattern(quote)
    guard !query.pattern.isEmpty else { return .lost(.missing) }
    let expected = quote.hasPlace ? self.expected(quote.page) : nil
    let hits = places(of: query, around: expected?.page)
    if let hit = hits.first(where: { isUntouched($0, query, expected) }) {
      return found(hit, query, outcome(hit, quote), score: 1)
    }
    switch choose(hits, query, expected) {
    case .one(let hit): return found(hit, query, outcome(hit, quote), score: 1)
    case .several: return .lost(.ambiguous)
    case .none: break
    }
    switch chooseSimilar(query, expected) {
    case .one(let hit):
      // Blanks at line ends appear and disappear with the line breaks, above all in Korean: that is not a change of
      // the text.
      if hasSameLetters(hit, query) { return found(hit, query, outcome(hit, quote), score: 1) }
      return found(hit, query, .fuzzy, score: hit.similarity)
    case .several: return .lost(.ambiguous)
    case .none: return .lost(.missing)
    }
  }

  // MARK: Query and hits

  private struct QuotePattern {
    let quote: QuoteAnchor
    let pattern: [UInt32]
    let prefix: [UInt32]
    let suffix: [UInt32]

    init(_ quote: QuoteAnchor) {
      self.quote = quote
      pattern = NormalizedText(quote.quote).scalars.trimmingBlanks()
      prefix = NormalizedText(quote.prefix).scalars.trimmingBlanks()
      suffix = NormalizedText(quote.suffix).scalars.trimmingBlanks()
    }
  }

  private struct Hit {
    var page: Int
    /// In the whole text.
    var range: Range<Int>
    var similarity = 1.0
    /// The share of the text before and after that is the same; nil if none was stored.
    var prefix: Double?
    var suffix: Double?

    var context: Double? {
      let known = [prefix, suffix].compactMap(\.self)
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
    var bestContext: Double { max(prefix ?? 0, suffix ?? 0) }
    /// Every character before and after is the same.
    var hasWholeContext: Bool { (prefix ?? 1) == 1 && (suffix ?? 1) == 1 }
  }

  private enum Choosing {
    case none, several
    case one(Hit)
  }

  /// The page on which a mark is expected, and the reason.
  private struct Expected {
    enum Ground {
      case same, similar, number
    }
    var page: Int
    var ground: Ground
  }

  private func expected(_ page: Int) -> Expected? {
    switch succession.successors[page] {
    case .same(let page): return Expected(page: page, ground: .same)
    case .similar(let page, _): return Expected(page: page, ground: .similar)
    case nil:
      guard text.pages.indices.contains(page) else { return nil }
      return Expected(page: page, ground: .number)
    }
  }

  private func hit(
    _ range: Range<Int>, _ query: QuotePattern, in text: AnchorText, similarity: Double = 1
  ) -> Hit {
    let before = text.before(range, count: query.prefix.count + 1).trimmingBlanks()
    let after = text.after(range, count: query.suffix.count + 1).trimmingBlanks()
    return Hit(
      page: text.page(at: range.lowerBound), range: range, similarity: similarity,
      prefix: query.prefix.isEmpty
        ? nil : ApproximateMatch.similarity(query.prefix[...], before.suffix(query.prefix.count)),
      suffix: query.suffix.isEmpty
        ? nil : ApproximateMatch.similarity(query.suffix[...], after.prefix(query.suffix.count)))
  }

  // MARK: The same text

  private func places(of query: QuotePattern, around page: Int?) -> [Hit] {
    var starts = ApproximateMatch.exact(query.pattern, in: text.scalars, most: Self.mostPlaces)
    // There may be more on the expected page.
    if starts.count == Self.mostPlaces, let page {
      let range = text.pages[page].range
      starts += ApproximateMatch.exact(query.pattern, in: Array(text.scalars[range]), most: Self.mostPlaces)
        .map { $0 + range.lowerBound }.filter { !starts.contains($0) }
    }
    return starts.map { hit($0..<$0 + query.pattern.count, query, in: text) }
  }

  /// Whether the quote is at its old place: on the same page, or on a page that has changed elsewhere, with the same
  /// text around it.
  private func isUntouched(_ hit: Hit, _ query: QuotePattern, _ expected: Expected?) -> Bool {
    guard let expected, hit.page == expected.page,
      text.source(hit.range, page: hit.page).lowerBound == query.quote.offset
    else { return false }
    switch expected.ground {
    case .same: return true
    case .similar: return hit.context.map { $0 >= 0.9 } ?? true
    // The page number alone proves nothing if the old text is available and no page follows this one.
    case .number: return old == nil && hit.context.map { $0 >= 0.9 } ?? true
    }
  }

  private func choose(_ hits: [Hit], _ query: QuotePattern, _ expected: Expected?) -> Choosing {
    if hits.count == 1 {
      return isProven(hits[0], query, expected) ? .one(hits[0]) : .none
    }
    if let hit = onlyWhole(hits, query) { return .one(hit) }
    let ranked = hits.map { (hit: $0, score: score($0, query, expected)) }.sorted { $0.score > $1.score }
    guard let best = ranked.first, best.score >= Self.leastScore else { return hits.isEmpty ? .none : .several }
    guard best.score - ranked[1].score >= Self.lead else { return .several }
    return best.hit.bestContext >= Self.leastContext || follows(best.hit, expected) ? .one(best.hit) : .several
  }

  /// The only place with exactly the same text around it, if it was the only one before too: the text around the
  /// others may have changed since.
  private func onlyWhole(_ hits: [Hit], _ query: QuotePattern) -> Hit? {
    let whole = hits.filter(\.hasWholeContext)
    guard whole.count == 1, query.prefix.count + query.suffix.count >= Self.wholeContext else { return nil }
    // An orphan was not in the bytes before these.
    guard let old, query.quote.hasPlace else { return whole[0] }
    let before = ApproximateMatch.exact(query.pattern, in: old.scalars, most: Self.mostPlaces)
    guard before.count < Self.mostPlaces else { return nil }
    let wholeBefore = before.filter { hit($0..<$0 + query.pattern.count, query, in: old).hasWholeContext }
    return wholeBefore.count <= 1 ? whole[0] : nil
  }

  /// Whether the only place of a text is the right one.
  private func isProven(_ hit: Hit, _ query: QuotePattern, _ expected: Expected?) -> Bool {
    if hit.bestContext >= Self.leastContext { return true }
    // The text was there more than once, and the marked occurrence may be the deleted one.
    if let old, ApproximateMatch.exact(query.pattern, in: old.scalars, most: 2).count > 1 { return false }
    return query.pattern.count >= Self.distinctive || follows(hit, expected) && hit.context == nil
  }

  private func follows(_ hit: Hit, _ expected: Expected?) -> Bool {
    guard let expected, expected.ground != .number else { return false }
    return hit.page == expected.page
  }

  /// How likely a place is: by the text around it, and by its page.
  private func score(_ hit: Hit, _ query: QuotePattern, _ expected: Expected?) -> Double {
    let place: Double
    switch expected {
    case let expected? where expected.ground != .number: place = hit.page == expected.page ? 1 : 0
    case let expected?: place = 0.5 / Double(1 + abs(hit.page - expected.page))
    case nil: place = 0
    }
    guard let context = hit.context else { return 0.6 * hit.similarity + 0.4 * place }
    return (0.8 * context + 0.2 * place) * hit.similarity
  }

  // MARK: Nearly the same text

  private func chooseSimilar(_ query: QuotePattern, _ expected: Expected?) -> Choosing {
    guard query.pattern.count * 15 / 100 > 0 else { return .none }
    let near = expected.map { max(0, $0.page - Self.window)...min(text.pages.count - 1, $0.page + Self.window) }
    if let near {
      let choice = chooseSimilar(near.flatMap { similar(query, page: $0) }, query, expected)
      if case .none = choice {} else { return choice }
    }
    let others = text.pages.indices.filter { near?.contains($0) != true }
    return chooseSimilar(others.flatMap { similar(query, page: $0) }, query, expected)
  }

  private func chooseSimilar(_ hits: [Hit], _ query: QuotePattern, _ expected: Expected?) -> Choosing {
    let ranked = hits.map { (hit: $0, score: score($0, query, expected)) }.sorted { $0.score > $1.score }
    guard let best = ranked.first else { return .none }
    if ranked.count > 1, best.score - ranked[1].score < Self.lead { return .several }
    return .one(best.hit)
  }

  /// The places on a page where nearly the same text is surrounded by nearly the same text. The best one, and the
  /// best to the left and right of it: an equally good second place must be noticed.
  private func similar(_ query: QuotePattern, page: Int) -> [Hit] {
    let whole = text.pages[page].range
    guard let first = similar(query, in: whole) else { return [] }
    let others = [whole.lowerBound..<first.range.lowerBound, first.range.upperBound..<whole.upperBound]
    return ([first] + others.compactMap { similar(query, in: $0) }).filter { hit in
      hit.bestContext >= Self.leastContext
    }
  }

  private func hasSameLetters(_ hit: Hit, _ query: QuotePattern) -> Bool {
    query.pattern.lazy.filter { $0 != 0x20 }.elementsEqual(text.scalars[hit.range].lazy.filter { $0 != 0x20 })
  }

  private func similar(_ query: QuotePattern, in range: Range<Int>) -> Hit? {
    let limit = max(2, query.pattern.count * 15 / 100)
    guard !range.isEmpty,
      let match = ApproximateMatch.best(query.pattern[...], in: text.scalars[range], limit: limit)
    else { return nil }
    let similarity = ApproximateMatch.similarity(query.pattern[...], text.scalars[match.range])
    guard similarity >= Self.leastSimilarity else { return nil }
    return hit(match.range, query, in: text, similarity: similarity)
  }

  // MARK: The answer

  private func outcome(_ hit: Hit, _ quote: QuoteAnchor) -> AnchorOutcome {
    let isThere =
      quote.hasPlace && hit.page == quote.page && text.source(hit.range, page: hit.page).lowerBound == quote.offset
    return isThere ? .exact : .moved
  }

  private func found(_ hit: Hit, _ query: QuotePattern, _ outcome: AnchorOutcome, score: Double) -> QuotePlacement {
    var runs: [Range<Int>] = []
    if query.quote.runs.count <= 1 {
      runs = [text.source(hit.range, page: hit.page)]
    } else {
      var rest = hit.range
      let scalars = Array(query.quote.quote.unicodeScalars)
      for run in query.quote.runs {
        let part = String(String.UnicodeScalarView(scalars[run.clamped(to: scalars.indices)]))
        let pattern = NormalizedText(part).scalars.trimmingBlanks()
        // In a changed text, this part may have been deleted.
        guard !pattern.isEmpty, let place = place(of: pattern, in: rest) else { return .lost(.missing) }
        runs.append(text.source(place, page: hit.page))
        rest = place.upperBound..<rest.upperBound
      }
    }
    return .found(outcome, page: hit.page, runs: runs, score: score)
  }

  private func place(of pattern: [UInt32], in range: Range<Int>) -> Range<Int>? {
    if let start = ApproximateMatch.exact(pattern, in: Array(text.scalars[range]), most: 1).first {
      return range.lowerBound + start..<range.lowerBound + start + pattern.count
    }
    guard !range.isEmpty else { return nil }
    return ApproximateMatch.best(pattern[...], in: text.scalars[range], limit: pattern.count * 15 / 100)?.range
  }
}

extension Sequence<UInt32> {
  /// Without blanks and page ends at the beginning and the end.
  fileprivate func trimmingBlanks() -> [UInt32] {
    func isBlank(_ scalar: UInt32) -> Bool { scalar == 0x20 || scalar == AnchorText.pageEnd }
    return Array(Array(drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  }
}
