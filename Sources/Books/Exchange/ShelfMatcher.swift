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
    /// Made when it is compared for the first time.
    var forms: (title: BookTitle, whole: BookLikeness.Form)?
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
  mutating func matches(_ book: ImportedBook) -> [Match] {
    let program = book.program
    let (title, form) = (BookTitle(book.facts), BookLikeness.Form(book.facts))
    var found: Set<String> = []
    for isbn in book.facts.isbns { found.formUnion(byNumber[isbn] ?? []) }
    // Frequent words do not help; the rarest three of a title find all candidates.
    let words = Set(BookLikeness.words(book.facts.title ?? "")).compactMap { byWord[$0] }.sorted { $0.count < $1.count }
    for ids in words.prefix(3) { found.formUnion(ids.prefix(200)) }
    var matches: [Match] = []
    for id in found {
      guard let entry = entries[id] else { continue }
      let hasSameNumber = !Set(entry.facts.isbns).isDisjoint(with: book.facts.isbns)
      // If the other program has both books under two ids, they are two, unless their ISBN is the same; in our own
      // files even that may be intended. A row without an id does not distinguish books.
      if let program, program.hasIDs, book.hasName, entry.programs.contains(program.rawValue[...]) {
        guard hasSameNumber, program != .jsonl else { continue }
      }
      let forms = entry.forms ?? (BookTitle(entry.facts), BookLikeness.Form(entry.facts))
      if entry.forms == nil { entries[id]?.forms = forms }
      let titles = title.relation(to: forms.title)
      // Another volume is another book, however similar the two titles are.
      guard hasSameNumber || titles != .other else { continue }
      let score = BookLikeness.score(form, forms.whole, titles: titles)
      guard hasSameNumber || score >= BookLikeness.similar else { continue }
      matches.append(
        Match(
          id: id, score: score, titles: titles, hasSameNumber: hasSameNumber,
          hasOtherNumber: !hasSameNumber && !entry.facts.isbns.isEmpty && !book.facts.isbns.isEmpty))
    }
    return matches.sorted { ($0.hasSameNumber ? 1 : 0, $0.score, $1.id) > ($1.hasSameNumber ? 1 : 0, $1.score, $0.id) }
  }
}
