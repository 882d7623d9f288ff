import Contract
import Exchange
import Store
import Wire

/// The facts about a book itself, from whatever source. Everything may be missing.
struct BookFacts: Codable, Sendable, Equatable {
  var title: String?
  var subtitle: String?
  var authors: [String] = []
  var publisher: String?
  /// See `PublicationDate`.
  var published: String?
  var description: String?
  var snippet: String?
  /// ISBN-13, the book's own first.
  var isbns: [String] = []
  var pageCount: Int?
  /// Never empty.
  var series: [BookSeries]?
  var categories: [String] = []
  /// `en`, `kor`.
  var language: String?
  /// The catalogue's average of stars, 0 to 5.
  var averageRating: Double?
  var ratingCount: Int?
  var previewLink: String?
  var infoLink: String?
  /// The URLs of pictures of its cover, by size.
  var covers = BookCovers()
  /// The fields that were shortened to their limit, and end in an ellipsis.
  var shortened: [String] = []

  /// Unicode scalars. Titles and names appear in lists, which a service's mistake must not fill.
  static let longestLine = 1_000
  static let longestText = 100_000
  static let mostNames = 100
  static let mostSeries = 20

  static let fields = Fields<Self> {
    words("title", \.title, 1...longestLine, notBlank: true, "The title.").required
    words("subtitle", \.subtitle, 0...longestLine, "The subtitle.")
    Field("authors", \.authors, "Its authors.")
      .settable(
        as: [String].self, limits: FieldLimits(minimumLength: 0, maximumLength: mostNames, notBlank: true)
      ) { authors, facts, _ in facts.authors = try checked(authors) }.followed.inAnyComposition
    words("publisher", \.publisher, 0...longestLine, "Its publisher.")
    words(
      "published", \.published, 0...64, "The publication date, as in the catalogue: `1925`, `2009-03`, `March 2009`.",
      given: "The publication date, as text that contains a year.")
    words("description", \.description, 0...longestText, "Plain text.", given: "Its description.")
    Field("snippet", \.snippet, "Plain text: an excerpt with the words of the query.")
    Field("isbns", \.isbns, "All its ISBNs, in thirteen digits.")
      .settable(
        as: String.self, named: "isbn", "Its ISBN, in ten or thirteen digits.", limits: .length(1...64)
      ) { isbn, facts, _ in
        let number = try number(isbn)
        // The book's own number is first; those of other printings stay.
        facts.isbns = [number] + facts.isbns.filter { $0 != number }
      }.followed
    Field("pageCount", \.pageCount, .integer(1...1_000_000), "The number of pages.").settable().followed
    Field("series", \.series, "The series that it is part of.")
      .settable(as: [BookSeries].self, limits: .length(0...mostSeries)) { series, facts, _ in
        facts.series = BookSeries.stored(series)
      }.followed.inAnyComposition
    Field("categories", \.categories, "Its subjects.")
    words("language", \.language, 0...35, "The language, as in its catalogue.", given: "Its language.")
    Field("averageRating", \.averageRating, .number(0...5)).with("ratingCount")
    Field("ratingCount", \.ratingCount, .integer(0...Int(Int32.max)))
    Field("previewLink", \.previewLink, "The URL of a preview.")
    Field("infoLink", \.infoLink, "Its page at the catalogue; link to it wherever the book is shown.").followed
    Field("covers", \.covers, .json)
    Field("shortened", \.shortened, "Fields that were truncated, and end in an ellipsis.")
  }

  /// A text on one line, or a short text, from the user or a catalogue.
  private static func words(
    _ name: String, _ path: any WritableKeyPath<Self, String?> & Sendable, _ length: ClosedRange<Int>,
    notBlank: Bool = false, _ note: String, given: String? = nil
  ) -> Field<Self> {
    Field(name, path, .text(length, notBlank: notBlank), note).settable(as: String.self, given) { text, facts, _ in
      facts[keyPath: path] = text.readable
    }.followed.inAnyComposition
  }

  private static func number(_ text: String) throws(RPCError) -> String {
    guard let isbn = ISBN(text) else {
      throw .invalidParams(field: "isbn", reason: Text("books.badISBN", ["isbn": text]))
    }
    return isbn.digits
  }

  private static func checked(_ authors: [String]) throws(RPCError) -> [String] {
    for (index, author) in authors.enumerated() where author.unicodeScalars.count > longestLine {
      throw .invalidParams(
        field: "authors[\(index)]", reason: Text("param.length.maximum", ["maximum": String(longestLine)]))
    }
    return authors.compactMap(\.readable)
  }
}

extension BookFacts {
  var year: Int? { published.flatMap { PublicationDate($0)?.year } }

  /// Fills missing facts from another catalogue's record of the same book. The pictures of one catalogue stay together:
  /// another one's are the covers of other printings.
  mutating func fill(from other: BookFacts) {
    let shortened = shortened
    // Writing texts and numbers cannot fail.
    try? Self.fields.complete(&self, from: other, empty: BookFacts())
    isbns += other.isbns.filter { !isbns.contains($0) }
    self.shortened = shortened
  }
}

/// The URLs of pictures of a cover, smallest first, as the catalogue wrote them.
struct BookCovers: Codable, Sendable, Equatable {
  var small: String?
  var thumbnail: String?
  var medium: String?
  var large: String?

  var isEmpty: Bool { self == BookCovers() }
}

/// A book in a catalogue.
struct CatalogueBook: Codable, Sendable {
  /// `google.zyTCAlFPjgYC`, `openLibrary.OL45883W`.
  var id: String
  var facts: BookFacts
  /// The complete JSON of the catalogue.
  var raw: JSONValue
  /// The ids of the same book in other catalogues, and the id of the work of which it is a printing.
  var sameAs: [String] = []
  var work: String?

  /// All its ids in catalogues, its own first.
  var ids: [String] { [id] + sameAs }
}
