import Exchange
import Wire

/// A volume in the JSON of Google Books. Every field may be missing, and types have changed over the years.
enum GoogleVolume {
  /// `nil` for a volume without an id: it could not be opened again, nor distinguished from duplicates.
  static func book(_ volume: JSONValue, in catalogue: GoogleBooks) -> CatalogueBook? {
    guard let id = volume["id"]?.givenText, catalogue.isID(id) else { return nil }
    let info = volume["volumeInfo"] ?? .null
    var facts = BookFacts()
    facts.title = info["title"]?.givenText
    facts.subtitle = info["subtitle"]?.givenText
    facts.authors = info["authors"]?.givenTexts ?? []
    facts.publisher = info["publisher"]?.givenText
    facts.published = info["publishedDate"]?.givenText
    // HTML in the details, plain in searches.
    facts.description = info["description"]?.givenText.map(CatalogueText.init(html:))?.text
    facts.snippet = volume["searchInfo"]?["textSnippet"]?.givenText.map(CatalogueText.init(html:))?.text
    facts.isbns = ISBN.all(in: identifiers(info)).map(\.digits)
    facts.pageCount = info["pageCount"]?.givenInteger
    facts.categories = info["categories"]?.givenTexts ?? []
    facts.language = info["language"]?.givenText
    facts.averageRating = info["averageRating"]?.givenNumber
    facts.ratingCount = info["ratingsCount"]?.givenInteger
    facts.previewLink = info["previewLink"]?.givenText
    facts.infoLink = info["canonicalVolumeLink"]?.givenText ?? info["infoLink"]?.givenText
    let links = info["imageLinks"] ?? .null
    facts.covers.small = links["smallThumbnail"]?.givenText
    facts.covers.thumbnail = links["thumbnail"]?.givenText
    facts.covers.medium = links["medium"]?.givenText ?? links["small"]?.givenText
    facts.covers.large = links["extraLarge"]?.givenText ?? links["large"]?.givenText
    facts.bound()
    return CatalogueBook(id: catalogue.id(id), facts: facts, raw: volume)
  }

  /// ISBN-13 first. Other types (`OTHER`, `ISSN`) identify no edition.
  private static func identifiers(_ info: JSONValue) -> [String] {
    let given = info["industryIdentifiers"]?.arrayValue ?? []
    return ["ISBN_13", "ISBN_10"].flatMap { kind in
      given.filter { $0["type"]?.givenText == kind }.compactMap { $0["identifier"]?.givenText }
    }
  }
}
