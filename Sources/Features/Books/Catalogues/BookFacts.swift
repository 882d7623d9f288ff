import Wire

/// What is known of a book itself, whoever said it. Everything may be missing.
struct BookFacts: Codable, Sendable, Equatable {
  var title: String?
  var subtitle: String?
  var authors: [String] = []
  var publisher: String?
  /// When it came out, in the words of whoever said it; see `PublicationDate`.
  var published: String?
  /// Plain text.
  var description: String?
  /// Plain text: where the words that were looked for stand.
  var snippet: String?
  /// ISBN-13, the book's own first.
  var isbns: [String] = []
  var pageCount: Int?
  var categories: [String] = []
  /// As its catalogue writes it: `en`, `kor`.
  var language: String?
  /// The catalogue's readers, 0 to 5.
  var averageRating: Double?
  var ratingCount: Int?
  var previewLink: String?
  var infoLink: String?
  /// URLs of pictures of its cover, by how large they are.
  var covers = BookCovers()
  /// The fields that were longer than they may be here, and end in an ellipsis.
  var shortened: [String] = []

  var year: Int? { published.flatMap { PublicationDate($0)?.year } }

  /// Fills what is missing from what another catalogue knows of the same book.
  mutating func fill(from other: BookFacts) {
    title = title ?? other.title
    subtitle = subtitle ?? other.subtitle
    if authors.isEmpty { authors = other.authors }
    publisher = publisher ?? other.publisher
    published = published ?? other.published
    description = description ?? other.description
    snippet = snippet ?? other.snippet
    isbns += other.isbns.filter { !isbns.contains($0) }
    pageCount = pageCount ?? other.pageCount
    if categories.isEmpty { categories = other.categories }
    language = language ?? other.language
    if averageRating == nil { (averageRating, ratingCount) = (other.averageRating, other.ratingCount) }
    previewLink = previewLink ?? other.previewLink
    infoLink = infoLink ?? other.infoLink
    covers.fill(from: other.covers)
  }
}

/// Where pictures of a cover are, smallest first. As the catalogue wrote them.
struct BookCovers: Codable, Sendable, Equatable {
  var small: String?
  var thumbnail: String?
  var medium: String?
  var large: String?

  var isEmpty: Bool { small == nil && thumbnail == nil && medium == nil && large == nil }

  mutating func fill(from other: BookCovers) {
    // The pictures of one catalogue stay together: another's are the covers of other printings.
    if isEmpty { self = other }
  }
}

/// A book as a catalogue has it.
struct CatalogueBook: Codable, Sendable {
  /// `google.zyTCAlFPjgYC`, `openLibrary.OL45883W`.
  var id: String
  var facts: BookFacts
  /// What the catalogue said, all of it.
  var raw: JSONValue
  /// What other catalogues call the same book, and what names the work of which it is a printing.
  var sameAs: [String] = []
  var work: String?

  /// All that catalogues call it, its own first.
  var ids: [String] { [id] + sameAs }
}
