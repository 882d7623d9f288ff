import Exchange
import Store

/// Finds the books of the shelf that a row of a file may be. It uses the shelf as it was before the import: rows of one
/// file are different books, since the program that wrote it distinguishes them. ``NumberedRows`` finds rows that share
/// an ISBN all the same.
struct ShelfMatcher: Sendable {
  struct Match: Sendable {
    var id: String
    var score: Double
    var titles: BookTitle.Relation
    var hasSameNumber: Bool
    /// Both have ISBNs, but no common one.
    var hasOtherNumber: Bool
  }

  private struct Entry: Sendable {
    var facts: BookFacts
    var programs: Set<Substring>
  }

  private var entries: [String: Entry] = [:]
  private var byNumber: [String: [String]] = [:]
  private var byWord: [String: [String]] = [:]

  init(in snapshot: Snapshot) throws {
    for record in try BookRecord.all(in: snapshot.db, "ORDER BY id", []) {
      let facts = try record.facts.value()
      let programs = Set(try record.origins.value().compactMap { $0.split(separator: "/").first })
      entries[record.id] = Entry(facts: facts, programs: programs)
      for isbn in facts.isbns { byNumber[isbn, default: []].append(record.id) }
      for word in Set(BookLikeness.words(facts.title ?? "")) { byWord[word, default: []].append(record.id) }
    }
  }

  /// The books that are similar enough, the most similar first.
  func matches(_ book: ImportedBook) -> [Match] {
    let program = book.program
    let title = BookTitle(book.facts)
    var found: Set<String> = []
    for isbn in book.facts.isbns { found.formUnion(byNumber[isbn] ?? []) }
    // Frequent words do not help; the rarest three of a title find all candidates.
    let words = Set(BookLikeness.words(book.facts.title ?? "")).compactMap { byWord[$0] }.sorted { $0.count < $1.count }
    for ids in words.prefix(3) { found.formUnion(ids.prefix(200)) }
    let matches = found.compactMap { id -> Match? in
      guard let entry = entries[id] else { return nil }
      let hasSameNumber = !Set(entry.facts.isbns).isDisjoint(with: book.facts.isbns)
      // If the other program has both books under two ids, they are two, unless their ISBN is the same; in our own
      // files even that may be intended. A row without an id does not distinguish books.
      if let program, program.hasIDs, book.hasName, entry.programs.contains(program.rawValue[...]) {
        guard hasSameNumber, program != .jsonl else { return nil }
      }
      let titles = title.relation(to: BookTitle(entry.facts))
      let score = BookLikeness.score(book.facts, entry.facts, titles: titles)
      // Another volume is another book, however similar the two titles are.
      guard hasSameNumber || score >= BookLikeness.similar && titles != .other else { return nil }
      return Match(
        id: id, score: score, titles: titles, hasSameNumber: hasSameNumber,
        hasOtherNumber: !hasSameNumber && !entry.facts.isbns.isEmpty && !book.facts.isbns.isEmpty)
    }
    return matches.sorted { ($0.hasSameNumber ? 1 : 0, $0.score, $1.id) > ($1.hasSameNumber ? 1 : 0, $1.score, $0.id) }
  }
}
