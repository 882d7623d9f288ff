import Exchange
import Wire

/// An item in the JSON of Aladin.
enum AladinItem {
  /// `nil` for an item without a number: it could not be opened again.
  static func book(_ item: JSONValue, in catalogue: Aladin) -> CatalogueBook? {
    guard let id = item["itemId"]?.givenText, catalogue.isID(id) else { return nil }
    let more = item["subInfo"] ?? .null
    var facts = BookFacts()
    facts.title = plain(item["title"])
    if let subtitle = plain(more["subTitle"]) {
      facts.subtitle = subtitle
      // `제목 - 부제`: the title has the subtitle too.
      if let title = facts.title, title.hasSuffix(" - " + subtitle) {
        facts.title = String(title.dropLast(subtitle.count + 3)).readable
      }
    }
    facts.authors = authors(plain(item["author"]) ?? "")
    facts.publisher = plain(item["publisher"])
    facts.published = item["pubDate"]?.givenText
    facts.description = plain(item["fullDescription"]) ?? plain(item["description"])
    facts.isbns = ISBN.all(in: [item["isbn13"]?.givenText, item["isbn"]?.givenText].compactMap(\.self)).map(\.digits)
    facts.pageCount = more["itemPage"]?.givenInteger.flatMap { $0 > 0 ? $0 : nil }
    facts.series = BookSeries(plain(item["seriesInfo"]?["seriesName"]), nil).map { [$0] }
    // `국내도서>소설/시/희곡>한국소설`
    facts.categories = (plain(item["categoryName"]) ?? "").split(separator: ">").suffix(1).map(String.init)
    // Ten points; 0 is none.
    facts.averageRating = item["customerReviewRank"]?.givenNumber.flatMap { $0 > 0 ? $0 / 2 : nil }
    facts.infoLink = plain(item["link"])
    facts.covers.thumbnail = item["cover"]?.givenText
    facts.covers.medium = facts.covers.thumbnail
    facts.bound()
    return CatalogueBook(id: catalogue.id(id), facts: facts, raw: item)
  }

  /// Texts have entities and some tags.
  private static func plain(_ value: JSONValue?) -> String? {
    value?.givenText.flatMap { CatalogueText(html: $0).text.readable }
  }

  /// `한강 (지은이), 이예원, 데보라 스미스 (옮긴이)`: a role is that of all names before it. Translators are no authors,
  /// unless nobody else is named.
  static func authors(_ text: String) -> [String] {
    var authors: [String] = []
    var all: [String] = []
    var names: [String] = []
    for part in text.split(separator: ",") {
      let open = part.lastIndex(of: "(")
      guard let name = String(open.map { part[..<$0] } ?? part).readable else { continue }
      names.append(name)
      all.append(name)
      guard let open else { continue }
      if !part[open...].contains("옮긴이"), !part[open...].contains("감수") { authors += names }
      names = []
    }
    authors += names
    return authors.isEmpty ? all : authors
  }
}
