import Exchange
import Wire

extension BookFacts {
  /// The book in CSL-JSON.
  ///
  /// - Parameter note: the user's note.
  func item(key: String? = nil, note: String? = nil) -> CSLItem {
    var item = CSLItem(type: "book")
    item["id"] = key
    item["title"] = [title, subtitle].compactMap(\.self).joined(separator: ": ")
    if subtitle != nil { item["title-short"] = title }
    item[names: "author"] = authors.map(CSLName.init(written:))
    item["publisher"] = publisher
    item[date: "issued"] = published.map(CSLDate.init(written:))
    item["ISBN"] = isbns.first
    if let pageCount { item.json["number-of-pages"] = .integer(Int64(pageCount)) }
    item["language"] = language
    item["abstract"] = description
    item["URL"] = infoLink
    item["note"] = note
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
    bound()
  }
}
