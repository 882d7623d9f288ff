import Contract
import Display
import Store
import Wire

/// Shows books to one client.
struct BookView {
  let snapshot: Snapshot
  private let made: MadeBooks

  init(in snapshot: Snapshot) {
    self.snapshot = snapshot
    made = snapshot.services.madeBooks
  }

  enum Detail {
    /// For a list.
    case summary
    case whole
  }

  func words(_ key: String, _ arguments: [String: String] = [:]) -> String { words(Text(key, arguments)) }

  func words(_ text: Text) -> String {
    snapshot.services.catalogue.string(for: text, language: snapshot.reader.language)
  }

  // MARK: - Books

  /// A book of a catalogue, with what the shelf has of it.
  func book(_ found: CatalogueBook, _ detail: Detail) throws -> Book {
    try book(found, detail, onShelf(ids: found.ids, isbns: found.facts.isbns))
  }

  /// A page of a list.
  func books(_ found: [CatalogueBook]) throws -> [Book] {
    let shelf = try FoundOnShelf(found, in: snapshot)
    return try found.map { try book($0, .summary, shelf.record(of: $0)) }
  }

  private func book(_ found: CatalogueBook, _ detail: Detail, _ record: BookRecord?) throws -> Book {
    var book = made.book(found, in: snapshot.reader.language) {
      make(BookID(unchecked: found.id), found.facts, ids: found.ids)
    }
    if let record { try place(record, on: &book) }
    if detail == .whole { book.raw = found.raw }
    return book
  }

  /// A book of the shelf.
  func book(_ record: BookRecord, _ detail: Detail = .summary) throws -> Book {
    var book = try make(BookID(unchecked: record.id), record.facts.value(), ids: record.sameAs.value())
    try place(record, on: &book)
    book.revision = record.revision
    book.createdAt = record.createdAt
    book.updatedAt = record.updatedAt
    if detail == .whole { book.raw = try record.raw.map { try JSONParser.parse($0) } }
    return book
  }

  /// The book of the shelf that is one of these: by what a catalogue calls it, else by its number.
  func onShelf(ids: [String], isbns: [String]) throws -> BookRecord? {
    try FoundOnShelf(ids: ids, isbns: isbns, in: snapshot).record(ids: ids, isbns: isbns)
  }

  /// The book of the shelf that a reader describes: by its number, where one is given, else by its title and first author.
  func onShelf(described facts: BookFacts) throws -> BookRecord? {
    guard facts.isbns.isEmpty else { return try onShelf(ids: [], isbns: facts.isbns) }
    let author = facts.authors.first.map(foldedText)
    return try BookRecord.all(
      in: snapshot.db, "WHERE fold(title) = ? ORDER BY addedAt, id", [.text(foldedText(facts.title ?? ""))]
    ).first { try $0.facts.value().authors.first.map(foldedText) == author }
  }

  private func make(_ id: BookID, _ facts: BookFacts, ids: [String]) -> Book {
    let year = facts.year
    var book = Book(id: id, display: display(id.text, facts, year: year))
    let catalogue = ids.first.flatMap { String($0.utf8.prefix { $0 != UInt8(ascii: ".") }) }
    book.catalogue = catalogue
    book.sameAs = ids.map(BookID.init(unchecked:))
    (book.title, book.subtitle, book.authors) = (facts.title, facts.subtitle, facts.authors)
    (book.publisher, book.published, book.year) = (facts.publisher, facts.published, year)
    (book.description, book.snippet) = (facts.description, facts.snippet)
    book.isbn13 = facts.isbns.first
    book.isbn10 = facts.isbns.first.flatMap { ISBN(kept: $0)?.ten }
    book.isbns = facts.isbns
    (book.pageCount, book.categories, book.language) = (facts.pageCount, facts.categories, facts.language)
    if facts.averageRating != nil || facts.ratingCount != nil {
      book.rating = BookRating(average: facts.averageRating, count: facts.ratingCount)
    }
    (book.previewLink, book.infoLink) = (facts.previewLink, facts.infoLink)
    book.hasCover = !facts.covers.isEmpty
    book.shortened = facts.shortened
    book.display.catalogue = BookCatalogues.types.first { $0.name == catalogue }?.title
    return book
  }

  /// What the reader does with a book.
  private func place(_ record: BookRecord, on book: inout Book) throws {
    let shelf = try shelf(record, pageCount: book.pageCount)
    book.shelf = shelf
    book.display.status = words("books.status.\(record.status.rawValue)")
    book.display.progress = progress(shelf.progress)
    book.display.ownStars = record.rating.map { Self.stars(Int($0 * 2)) }
  }

  private func shelf(_ record: BookRecord, pageCount: Int?) throws -> BookOnShelf {
    var progress = BookProgress(page: record.page, percent: record.percent)
    if progress.percent == nil, let page = record.page, let count = pageCount, count > 0 {
      progress.percent = min(100, (Double(page) / Double(count) * 1_000).rounded() / 10)
    }
    return BookOnShelf(
      id: BookID(unchecked: record.id), status: record.status, started: record.started, finished: record.finished,
      progress: progress.page == nil && progress.percent == nil ? nil : progress, rating: record.rating,
      note: record.note, quotes: try record.quotes.value(),
      documents: try record.documents.value().map(ItemID.init(unchecked:)), tags: try record.tags.value(),
      citationKey: record.citationKey, addedAt: record.addedAt, origins: try record.origins.value())
  }

  // MARK: - Words

  private func display(_ id: String, _ facts: BookFacts, year: Int?) -> BookDisplay {
    let authors = authors(facts)
    let rating = rating(facts)
    let subtitle = facts.subtitle ?? words("books.noSubtitle")
    let publisher = facts.publisher ?? words("books.noPublisher")
    let published = facts.published ?? words("books.noDate")
    return BookDisplay(
      id: id.isEmpty ? words("books.noID") : id, title: facts.title ?? words("books.noTitle"), subtitle: subtitle,
      authors: authors.short, allAuthors: authors.all, publisher: publisher, published: published,
      year: year.map(String.init) ?? words("books.noDate"),
      edition: edition(facts, year: year), description: facts.description ?? words("books.noDescription"),
      rating: rating.plain, ratingInPoints: rating.inPoints,
      readersRating: facts.averageRating.map { _ in words("books.readersRating", ["rating": rating.plain]) },
      stars: Self.stars(facts.averageRating.map(BookRating.halves) ?? 0),
      details: [
        words("books.detail.subtitle", ["text": subtitle]), words("books.detail.authors", ["text": authors.all]),
        words("books.detail.publisher", ["text": publisher]), words("books.detail.published", ["text": published]),
      ])
  }

  /// The first author and how many more, and all of them; or that nobody is named.
  func authors(_ facts: BookFacts) -> (short: String, all: String) {
    let all = facts.authors.isEmpty ? words("books.noAuthors") : facts.authors.joined(separator: ", ")
    let others = facts.authors.count - 1
    guard others > 0 else { return (all, all) }
    return (words("books.authorAndOthers", ["author": facts.authors[0], "count": String(others)]), all)
  }

  /// `4.5 (12건)`, and `(0건)` where nobody has said anything. An average whose source does not count its readers stands
  /// alone: that nobody gave it would be untrue.
  private func rating(_ facts: BookFacts) -> (plain: String, inPoints: String) {
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

  /// `2017, Hogarth, 9781101906729`: what tells one printing from others of the same title.
  private func edition(_ facts: BookFacts, year: Int?) -> String? {
    let parts = [year.map(String.init) ?? facts.published, facts.publisher, facts.isbns.first].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func progress(_ progress: BookProgress?) -> String? {
    guard let progress else { return nil }
    let percent = progress.percent.map { "\(Int($0.rounded()))" }
    switch (progress.page, percent) {
    case (let page?, let percent?): return words("books.pageAndPercent", ["page": String(page), "percent": percent])
    case (let page?, nil): return words("books.page", ["page": String(page)])
    case (nil, let percent?): return words("books.percent", ["percent": percent])
    case (nil, nil): return nil
    }
  }

  static func stars(_ halves: Int) -> String {
    String(repeating: "★", count: halves / 2) + (halves.isMultiple(of: 2) ? "" : "½")
  }

  func warning(_ catalogue: String?, _ obstacle: CatalogueObstacle) -> FoundBooks.Warning {
    let text = obstacle.text(at: snapshot.services.now())
    return FoundBooks.Warning(
      catalogue: catalogue, kind: obstacle.kind, display: words(text),
      advice: snapshot.services.catalogue.advice(on: text, language: snapshot.reader.language))
  }

  /// A number whose check digit does not fit was asked for all the same.
  func misprint() -> FoundBooks.Warning {
    FoundBooks.Warning(catalogue: nil, kind: .misprint, display: words("books.misprint"), advice: nil)
  }
}
