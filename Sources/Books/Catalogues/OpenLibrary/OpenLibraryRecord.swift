import Exchange
import Wire

/// Works, editions and search hits in the JSON of Open Library.
enum OpenLibraryRecord {
  static func book(ofHit hit: JSONValue, in catalogue: OpenLibrary) -> CatalogueBook? {
    guard let id = id(hit["key"]), catalogue.isID(id) else { return nil }
    var facts = BookFacts()
    facts.title = hit["title"]?.givenText
    facts.subtitle = hit["subtitle"]?.givenText
    facts.authors = hit["author_name"]?.givenTexts ?? []
    facts.published = hit["first_publish_year"]?.givenText
    // A work has the numbers of all its printings.
    facts.isbns = ISBN.all(in: hit["isbn"]?.givenTexts ?? []).map(\.digits)
    facts.language = only(hit["language"])
    facts.publisher = only(hit["publisher"])
    facts.pageCount = hit["number_of_pages_median"]?.givenInteger
    facts.averageRating = hit["ratings_average"]?.givenNumber
    facts.ratingCount = hit["ratings_count"]?.givenInteger
    facts.covers = covers([hit["cover_i"]], in: catalogue)
    facts.infoLink = "https://openlibrary.org/works/\(id)"
    facts.bound()
    return CatalogueBook(id: catalogue.id(id), facts: facts, raw: hit, work: "/works/\(id)")
  }

  static func book(ofWork work: JSONValue, id: String, in catalogue: OpenLibrary) -> CatalogueBook? {
    guard work.objectValue != nil else { return nil }
    var facts = common(work, in: catalogue)
    facts.published = work["first_publish_date"]?.givenText
    facts.infoLink = "https://openlibrary.org/works/\(id)"
    facts.bound()
    return CatalogueBook(id: catalogue.id(id), facts: facts, raw: work, work: "/works/\(id)")
  }

  static func book(ofEdition edition: JSONValue, in catalogue: OpenLibrary) -> CatalogueBook? {
    guard let id = id(edition["key"]), catalogue.isID(id) else { return nil }
    var facts = common(edition, in: catalogue)
    facts.published = edition["publish_date"]?.givenText
    facts.publisher = edition["publishers"]?.givenTexts.first
    facts.isbns = ISBN.all(
      in: (edition["isbn_13"]?.givenTexts ?? []) + (edition["isbn_10"]?.givenTexts ?? [])
    ).map(\.digits)
    facts.pageCount = edition["number_of_pages"]?.givenInteger
    facts.series = BookSeries.stored((edition["series"]?.givenTexts ?? []).compactMap { BookSeries(catalogued: $0) })
    facts.language = self.id(edition["languages"]?[0]?["key"])
    facts.infoLink = "https://openlibrary.org/books/\(id)"
    facts.bound()
    return CatalogueBook(
      id: catalogue.id(id), facts: facts, raw: edition, work: edition["works"]?[0]?["key"]?.givenText)
  }

  private static func common(_ record: JSONValue, in catalogue: OpenLibrary) -> BookFacts {
    var facts = BookFacts()
    facts.title = record["title"]?.givenText
    facts.subtitle = record["subtitle"]?.givenText
    // Markdown, which may contain HTML.
    facts.description = record["description"]?.valueText.map { CatalogueText(html: lines($0)).text }
    facts.categories = record["subjects"]?.givenTexts ?? []
    facts.covers = covers(record["covers"]?.arrayValue ?? [], in: catalogue)
    return facts
  }

  /// `OL45883W` from `/works/OL45883W`, or from the old bare form.
  static func id(_ key: JSONValue?) -> String? {
    key?.givenText?.split(separator: "/").last.map(String.init)
  }

  /// The keys of authors: `{key}` of editions and old works, `{author: {key}}` of works.
  static func authorKeys(_ record: JSONValue) -> [String] {
    (record["authors"]?.arrayValue ?? []).compactMap { entry in
      id(entry["key"]) ?? id(entry["author"]?["key"]) ?? id(entry["author"])
    }.filter { $0.hasPrefix("OL") && $0.hasSuffix("A") && $0.utf8.count <= 16 }
  }

  /// The only text of a list; of several, none is certain to be the book's own.
  private static func only(_ value: JSONValue?) -> String? {
    let texts = value?.givenTexts ?? []
    return texts.count == 1 ? texts[0] : nil
  }

  /// The first valid id; −1 means none.
  private static func covers(_ ids: [JSONValue?], in catalogue: OpenLibrary) -> BookCovers {
    guard let id = ids.lazy.compactMap({ $0?.givenInteger }).first(where: { $0 > 0 }) else { return BookCovers() }
    return BookCovers(
      small: catalogue.coverURL(id, "S"), thumbnail: catalogue.coverURL(id, "M"), medium: catalogue.coverURL(id, "M"),
      large: catalogue.coverURL(id, "L"))
  }

  /// Normalizes line ends.
  private static func lines(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }
}
