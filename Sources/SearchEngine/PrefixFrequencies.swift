import SQLite

/// The part of the index that the words with a prefix, or the pairs with a first letter, take, estimated without
/// reading their positions.
///
/// `search_text_idx` is FTS5's own table of the pages of each segment: the first term of a page, shortened, and its
/// number. Pages without the beginning of a term have no row, but are counted by the numbers. So a few rows of each
/// segment give the number of pages between two terms, and the last term of a page is the one of the pages after it.
/// This takes a quarter of a millisecond in a million texts, where `fts5vocab` would read every position.
///
///     segment 3   …  b → 120 … c → 5920  …        `b*` takes about 5,800 pages of 4 kB
struct PrefixFrequencies {
  let db: Database
  /// The most pages that are merged for one query.
  var most = most

  /// Merging these takes some five milliseconds.
  static let most = 100

  /// The terms that exceed the limit together: the most frequent first, until the remaining ones fit.
  func wide(among terms: [MatchQuery.Term]) throws -> Set<String> {
    if terms.isEmpty { return [] }
    var pageCounts: [String: Int] = [:]
    for term in terms where pageCounts[term.text] == nil { pageCounts[term.text] = try pages(of: term) }
    var total = pageCounts.values.reduce(0, +)
    var wide: Set<String> = []
    for (text, pages) in pageCounts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) where total > most {
      wide.insert(text)
      total -= pages
    }
    return wide
  }

  /// The number of pages that are merged for the prefix in a term's last word: words as written, and words with
  /// diacritics in their plain form; for a single letter, its pairs.
  private func pages(of term: MatchQuery.Term) throws -> Int {
    guard let beginning = TextUnits(term.text).last else { return 0 }
    guard term.mayBeginPair else { return try pages(of: beginning) + pages(of: Self.plain + beginning) }
    let letter = beginning.unicodeScalars.count > 1 ? Self.marked + beginning + Self.marked : beginning
    // Pairs at the beginning of a run are queried twice, for the rank; those inside only for a term of one unit.
    return try 2 * pages(of: Self.run + letter) + (term.units == 1 ? pages(of: letter) : 0)
  }

  /// The number of pages between the first and the last token with this prefix.
  private func pages(of beginning: String) throws -> Int {
    let first = Self.mainIndex + beginning
    let pages = try db.first(
      Self.select,
      {
        $0.add(first)
        $0.add(first + Self.last)
      }, { $0.int(0) })
    return pages ?? 0
  }

  /// The first character of a term that does not belong to a prefix index.
  private static let mainIndex = "0"
  /// Token markers, as in tokenizer.c.
  private static let plain = "\u{1}"
  private static let run = "\u{2}"
  private static let marked = "\u{6}"
  /// Sorts after the continuations of any word.
  private static let last = "\u{10FFFF}"

  /// For each segment: the last page that begins with a term up to the first matching one (`low`), the next page
  /// (`next`), the last page that begins with a matching term (`high`), and the page after it or the end of the segment.
  /// The pages from `next` to `high` match; the pages before and after belong to the last term on `low` and on `high`,
  /// which may be a word of nearly every text that does not match.
  private static let select = CachedStatement(
    """
    WITH RECURSIVE segment(id) AS (
      SELECT min(segid) FROM search_text_idx
      UNION ALL
      SELECT (SELECT min(segid) FROM search_text_idx WHERE segid > id) FROM segment WHERE id IS NOT NULL
    ), bound(first, last) AS MATERIALIZED (SELECT CAST(?1 AS BLOB), CAST(?2 AS BLOB)),
    place(id, first, last, low, next, high, following) AS MATERIALIZED (
      SELECT id, first, last,
        (SELECT pgno >> 1 FROM search_text_idx WHERE segid = id AND term <= first ORDER BY term DESC LIMIT 1),
        (SELECT pgno >> 1 FROM search_text_idx WHERE segid = id AND term > first ORDER BY term LIMIT 1),
        (SELECT pgno >> 1 FROM search_text_idx WHERE segid = id AND term < last ORDER BY term DESC LIMIT 1),
        coalesce(
          (SELECT pgno >> 1 FROM search_text_idx WHERE segid = id AND term >= last ORDER BY term LIMIT 1),
          (SELECT 1 + max(search_text_data.id) - (segment.id << 37) FROM search_text_data
            WHERE search_text_data.id >= segment.id << 37 AND search_text_data.id < (segment.id << 37) + (1 << 31)))
      FROM bound CROSS JOIN segment WHERE id IS NOT NULL
    ), part(id, first, last, page, pages) AS (
      SELECT id, first, last, low, next - low FROM place WHERE high > low
      UNION ALL SELECT id, first, last, high, following - high FROM place
    )
    SELECT coalesce((SELECT sum(high - next) FROM place WHERE high > low), 0) + coalesce((
      SELECT sum(pages) FROM part WHERE pages > 1 AND (
        SELECT cp_last_term(block) BETWEEN first AND last FROM search_text_data
        WHERE search_text_data.id = (part.id << 37) + page
      )), 0)
    """)
}
