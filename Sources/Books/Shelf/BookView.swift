import Contract
import Display
import Exchange
import SearchEngine
import Store
import Wire

/// Shows books to one client.
struct BookView {
  let snapshot: Snapshot
  private let made: RenderedBookCache

  init(in snapshot: Snapshot) {
    self.snapshot = snapshot
    made = snapshot.services.renderedBooks
  }

  func words(_ key: String, _ arguments: [String: String] = [:]) -> String { words(Text(key, arguments)) }

  func words(_ text: Text) -> String { snapshot.words(text) }

  // MARK: - Books

  /// A book of a catalogue, with its record on the shelf.
  func book(_ found: CatalogueBook) throws -> Book {
    var book = try shown(found, onShelf(ids: found.ids, isbns: found.facts.isbns))
    book.raw = found.raw
    return try Book(book)
  }

  /// A page of a list.
  func books(_ found: [CatalogueBook]) throws -> [Book] {
    let shelf = try ShelfLookup(found, in: snapshot)
    return try found.map { found in
      if let record = try shelf.record(of: found) { return try Book(shown(found, record), isListed: true) }
      return try made.book(found, in: snapshot.reader.language) { try Book(shown(found, nil), isListed: true) }
    }
  }

  private func shown(_ found: CatalogueBook, _ record: BookRecord?) -> ShownBook {
    ShownBook(found.id, found.facts, ids: found.ids, record, self)
  }

  /// A book of the shelf.
  func book(_ record: BookRecord, existing: Bool? = nil, isWhole: Bool = false) throws -> Book {
    var book = try shown(record)
    book.existing = existing
    return try Book(book, isListed: !isWhole)
  }

  func shown(_ record: BookRecord) throws -> ShownBook {
    var book = try ShownBook(record.id, record.facts.value(), ids: record.sameAs.value(), record, self)
    book.isOfShelf = true
    return book
  }

  /// The book on the shelf with one of these catalogue ids, else with one of these ISBNs.
  func onShelf(ids: [String], isbns: [String]) throws -> BookRecord? {
    try ShelfLookup(ids: ids, isbns: isbns, in: snapshot).record(ids: ids, isbns: isbns)
  }

  /// The book on the shelf that matches a description: by its ISBN if one is given, else by its title and first author.
  func onShelf(described facts: BookFacts) throws -> BookRecord? {
    guard facts.isbns.isEmpty else { return try onShelf(ids: [], isbns: facts.isbns) }
    let author = facts.authors.first.map(foldedText)
    return try BookRecord.all(
      in: snapshot.db, "WHERE fold(title) = ? ORDER BY addedAt, id", [.text(foldedText(facts.title ?? ""))]
    ).first { try $0.facts.value().authors.first.map(foldedText) == author }
  }

  // MARK: - Words

  /// The first author and the number of others, and all authors; or a text that none is named.
  func authors(_ facts: BookFacts) -> (short: String, all: String) {
    let all = facts.authors.isEmpty ? words("books.noAuthors") : facts.authors.joined(separator: ", ")
    let others = facts.authors.count - 1
    guard others > 0 else { return (all, all) }
    return (words("books.authorAndOthers", ["author": facts.authors[0], "count": String(others)]), all)
  }

  /// `4.5 (12건)`, or `(0건)` without ratings. An average without a count stands alone: a count of zero would be untrue.
  func average(_ facts: BookFacts) -> (plain: String, inPoints: String) {
    func count(_ number: Int) -> String { words("books.ratingCount", ["count": grouped(number)]) }
    guard let average = facts.averageRating else {
      let nobody = count(facts.ratingCount ?? 0)
      return (nobody, nobody)
    }
    let tenths = Int((average * 10).rounded())
    let number = "\(tenths / 10).\(tenths % 10)"
    let counted = facts.ratingCount.flatMap { $0 > 0 ? " " + count($0) : nil } ?? ""
    return (number + counted, words("books.points", ["number": number]) + counted)
  }

  func words(_ progress: BookProgress) -> String? {
    let percent = progress.percent.map { "\(Int($0.rounded()))" }
    switch (progress.page, percent) {
    case (let page?, let percent?): return words("books.pageAndPercent", ["page": String(page), "percent": percent])
    case (let page?, nil): return words("books.page", ["page": String(page)])
    case (nil, let percent?): return words("books.percent", ["percent": percent])
    case (nil, nil): return nil
    }
  }
}
