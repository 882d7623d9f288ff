import Glibc
import SearchEngine
import Store

/// The pages that may contain a passage: rows of the index, each with its weight.
///
///     words    rare words select pages       ─►  pages that contain most of them
///     threes   if no word is rare            ─►  pages on which three words are together as in the passage
///     all      if no three is rare           ─►  pages that have all of the threes
///
/// A page is ranked by its share of the passage, not by its age: only lists that were read to their end count, so
/// that the oldest page of a large library is found as well as the newest. The cost does not grow with the library as
/// long as one word is rare. Of at most 32 words some 500 places are read; three words together are searched through
/// their lists, whose lengths are estimated well enough from those places to stop at 200,000.
struct QuotePages {
  private let probe: QuoteProbe
  private let snapshot: Snapshot

  private static let mostWords = 32
  private static let mostPlaces = 512
  private static let mostPhrases = 8
  private static let effort = 200_000
  /// So many rare words suffice: a page with too few of them does not have the passage.
  private static let enoughWords = 4
  /// The share of the rare words' total weight that a page must have. Errors, hyphens and a page break account for
  /// the rest.
  private static let share = 0.4
  /// Pages that are searched whatever their weight.
  private static let atLeast = 4

  private var weights: [Int64: Double] = [:]
  /// For each queried word, how many pages have it, or are likely to.
  private var estimates: [String: Int] = [:]
  private var rareWords = 0
  private var weightOfWords = 0.0
  private let texts: Int

  init(of quote: NormalizedText, in snapshot: Snapshot) throws {
    probe = QuoteProbe(quote)
    self.snapshot = snapshot
    texts = try SearchIndex.lastRow(in: snapshot.db)
    for word in probe.longestWords(Self.mostWords) { try count(word) }
  }

  private mutating func count(_ word: String) throws {
    guard let term = MatchQuery.Term(word) else { return }
    let found = try postings(.term(term))
    estimates[word] = found.estimate
    guard found.isWhole, !found.rows.isEmpty else { return }
    rareWords += 1
    weightOfWords += add(found.rows)
  }

  /// Whether the rare words alone exclude pages.
  var isDecided: Bool { rareWords >= Self.enoughWords }

  /// The pages that the rare words select, the likeliest first; nil if these are more than `most`, so that other
  /// words must be queried.
  func namedByWords(_ most: Int) -> [Int64]? {
    guard rareWords > 0 else { return nil }
    let likely = ranked(most + 1).enumerated().filter { place, row in
      place < Self.atLeast || (weights[row] ?? 0) >= weightOfWords * Self.share
    }
    return likely.count <= most ? likely.map(\.element) : nil
  }

  /// The pages that have most of the passage, the likeliest first; of equal ones the newest.
  func ranked(_ most: Int) -> [Int64] {
    var best: [(weight: Double, row: Int64)] = []
    for (row, weight) in weights {
      if best.count == most, let last = best.last, (weight, row) < last { continue }
      best.insert((weight, row), at: best.firstIndex { $0 < (weight, row) } ?? best.count)
      if best.count > most { best.removeLast() }
    }
    return best.map(\.row)
  }

  /// Queries adjacent words too.
  mutating func addPhrases() throws {
    var common: [MatchQuery.Node] = []
    var found = false
    for term in phrases() {
      let postings = try postings(term)
      if !postings.isWhole {
        common.append(term)
      } else if !postings.rows.isEmpty {
        found = true
        _ = add(postings.rows)
      }
    }
    guard !found, !common.isEmpty else { return }
    // Only very common phrases remain: a page that has all of them, or half if the passage crosses a page border.
    let half = (common.count + 1) / 2
    for terms in [common, Array(common[..<half]), Array(common[half...])] where !terms.isEmpty {
      let rows = try postings(terms.count == 1 ? terms[0] : .and(terms)).rows
      if rows.isEmpty { continue }
      _ = add(rows)
      break
    }
  }

  /// The cheapest phrases, as many as may be read, at least one. A phrase with a word that the library lacks is
  /// skipped.
  private func phrases() -> [MatchQuery.Node] {
    let weighed = probe.phrases.compactMap { phrase -> (term: MatchQuery.Term, cost: Int)? in
      let counts = phrase.words.map { estimates[$0] ?? texts }
      guard !counts.contains(0), let term = term(of: phrase) else { return nil }
      return (term, counts.reduce(0, +))
    }
    var (spent, terms) = (0, [MatchQuery.Node]())
    // A stable sort in the passage's order, so that the same passage causes the same queries.
    for (_, phrase) in weighed.enumerated().sorted(by: { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) })
    {
      guard terms.isEmpty || (terms.count < Self.mostPhrases && spent + phrase.cost <= Self.effort) else { break }
      spent += phrase.cost
      terms.append(.term(phrase.term))
    }
    return terms
  }

  /// A letter that stands alone in the passage must not be followed by another letter on the page either.
  private func term(of phrase: QuoteProbe.Phrase) -> MatchQuery.Term? {
    MatchQuery.Term(phrase.text, endsRun: !probe.isOneWord)
  }

  private func postings(_ node: MatchQuery.Node) throws -> SearchPostings {
    try SearchIndex.postings(
      of: MatchQuery(node), in: DocumentRecord.collectionName, most: Self.mostPlaces, db: snapshot.db)
  }

  /// The fewer pages have a term, the more it weighs.
  private mutating func add(_ rows: [Int64]) -> Double {
    let weight = log(Double(texts + 1) / Double(max(1, rows.count))) + 0.1
    for row in rows { weights[row, default: 0] += weight }
    return weight
  }
}
