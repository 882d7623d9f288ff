import Exchange
import Wire

extension BookFacts {
  /// The book in CSL-JSON.
  ///
  /// - Parameter note: the user's note.
  func item(key: String? = nil, note: String? = nil) -> CSLItem {
    var item = CSLItem.book(
      title: title, subtitle: subtitle, authors: authors, publisher: publisher, published: published,
      isbn: isbns.first, pageCount: pageCount.map { Int64($0) }, language: language)
    item["id"] = key
    item["abstract"] = description
    item["URL"] = infoLink
    item["note"] = note
    if let series = series?.first {
      item["collection-title"] = series.name
      item["collection-number"] = series.numbers
    }
    return item
  }

  /// The book for a bibliography in a format. An entry of BibTeX for a book has its year alone, and no text of a
  /// catalogue.
  func item(key: String, note: String? = nil, as format: CitationFormat) -> CSLItem {
    var item = item(key: key, note: format == .csl ? note : nil)
    guard format == .bibtex else { return item }
    item["abstract"] = nil
    if let year = item.year { item[date: "issued"] = CSLDate(parts: [year]) }
    return item
  }

  /// The facts of an item in CSL-JSON; what a book has no field for is lost.
  init(_ item: CSLItem) {
    (title, subtitle) = item.titles
    authors = item[names: "author"].map(\.written)
    if authors.isEmpty { authors = item[names: "editor"].map(\.written) }
    publisher = item["publisher"]
    published = item[date: "issued"]?.written
    // Two printings in one value are separated by blanks or commas.
    isbns = ISBN.all(in: (item["ISBN"] ?? "").split { $0 == "," || $0 == ";" || $0 == " " }.map(String.init))
      .map(\.digits)
    if isbns.isEmpty { isbns = ISBN.all(in: [item["ISBN"] ?? ""]).map(\.digits) }
    pageCount = item["number-of-pages"].flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    language = item["language"]
    description = item["abstract"]
    infoLink = item["URL"]
    series = BookSeries(item["collection-title"], item["collection-number"]).map { [$0] }
    bound()
  }
}
