import Contract
import Exchange
import Kit
import Store
import Wire

/// A book of a catalogue or of the shelf, in replies.
typealias Book = ItemJSON<ShownBook>

/// A book as one client sees it, in its language, with a text for each missing field.
struct ShownBook: ShownObject {
  static let name = "Book"

  let view: BookView
  /// For a catalogue's book its id there.
  let id: String
  let facts: BookFacts
  /// Its ids in catalogues; the source of the facts is first.
  let ids: [String]
  let year: Int?
  /// The first author and the number of others, and all authors.
  let authors: (short: String, all: String)
  /// The average rating in the catalogue, plain and in points.
  let average: (plain: String, inPoints: String)
  /// Its record, if it is on the shelf.
  let record: BookRecord?
  /// Whether the facts are from the shelf, and not from a catalogue.
  var isOfShelf = false
  /// The catalogue's JSON, for a catalogue's book.
  var raw: JSONValue?
  var existing: Bool?

  init(_ id: String, _ facts: BookFacts, ids: [String], _ record: BookRecord?, _ view: BookView) {
    (self.view, self.id, self.facts, self.ids, self.record) = (view, id, facts, ids, record)
    (year, authors, average) = (facts.year, view.authors(facts), view.average(facts))
  }

  static let members = Members<Self> {
    DerivedMember(
      "id", "For a book of a catalogue the catalogue's id, `google.…`; for one on the shelf an id of the library.",
      example: "0192"
    ) { BookID(unchecked: $0.id) }
    DerivedMember(
      "revision", "For a book on the shelf. Changes with every update. Compare for equality only.", example: 42
    ) { $0.item?.revision }
    DerivedMember("createdAt", "When it was added to the library.", example: "2026-11-21T01:44:05.678Z") {
      $0.item?.createdAt
    }
    DerivedMember("updatedAt", "When it last changed.", example: "2026-11-21T01:44:05.678Z") { $0.item?.updatedAt }
    DerivedMember("catalogue", "The catalogue that provided this, if any.", example: "google") {
      $0.catalogue
    }
    DerivedMember("sameAs", "The ids of this book in catalogues.", example: ["google.zyTCAlFPjgYC"]) {
      $0.ids.map(BookID.init(unchecked:))
    }
    MemberGroup(BookFacts.fields.shown, example: example) { $0.facts }
    DerivedMember("year", "The year of `published`, if it has one.", example: 2017) { $0.year }
    DerivedMember("isbn13", "Its ISBN.", example: "9781101906729") { $0.facts.isbns.first }
    DerivedMember("isbn10", "The ISBN in its ten-digit form, if it has one.", example: "1101906723") {
      $0.facts.isbns.first.flatMap { ISBN(stored: $0)?.ten }
    }
    DerivedMember("rating", "The rating by the catalogue's users.") { BookRating($0.facts) }
    DerivedMember("hasCover", "Whether `books/cover` may find an image.", example: true) {
      !$0.facts.covers.isEmpty || $0.record?.coverFile != nil
    }
    DerivedMember("raw", "The catalogue's whole record; for a single book only.", example: nil) { shown in
      try shown.raw ?? shown.item?.raw.map { try JSONParser.parse($0) }
    }.omittedInLists
    DerivedMember("shelf", "The user's status and notes, if it is on the shelf.") { shown in
      shown.record.map { BookOnShelf(record: $0, pageCount: shown.facts.pageCount) }
    }
    DerivedMember("existing", "True if it was on the shelf already; no other was added.", example: nil) { $0.existing }
    DerivedMember("display", of: "BookDisplay", "Strings for people.") {
      DerivedMember("id", "The id, or a note that it has none.", example: "google.zyTCAlFPjgYC") {
        $0.id.isEmpty ? $0.view.words("books.noID") : $0.id
      }
      DerivedMember("title", "The title, or a note that it has none.", example: "Human Acts") { $0.title }
      DerivedMember("subtitle", "The subtitle, or a note that it has none.", example: "A Novel") { $0.subtitle }
      DerivedMember("authors", "The first author and the number of others.", example: "Han Kang and 1 other") {
        $0.authors.short
      }
      DerivedMember("allAuthors", "All authors, or a note that there are none.", example: "Han Kang, Deborah Smith") {
        $0.authors.all
      }
      DerivedMember("publisher", "The publisher, or a note that it has none.", example: "Hogarth") { $0.publisher }
      DerivedMember("published", "The date, or a note that it has none.", example: "2017-01-17") { $0.published }
      DerivedMember("year", "The year for a list row, or a note that it has none.", example: "2017") {
        $0.year.map(String.init) ?? $0.view.words("books.noDate")
      }
      DerivedMember(
        "edition",
        "The details that distinguish this edition in a list: year, publisher and ISBN, if known.",
        example: "2017, Hogarth, 9781101906729"
      ) { $0.edition }
      DerivedMember(
        "description", "The beginning of the description, or a note that it has none.",
        example: "In the midst of a violent student uprising."
      ) { $0.facts.description ?? $0.view.words("books.noDescription") }
      DerivedMember(
        "rating",
        "The catalogue users' rating, not the user's own: the average, and the number of ratings if known.",
        example: "4.5 (12)"
      ) { $0.average.plain }
      DerivedMember("ratingInPoints", "The same in points.", example: "4.5 points (12)") { $0.average.inPoints }
      DerivedMember(
        "readersRating",
        "The same with a word for whose rating it is, for lists; absent without an average.",
        example: "readers 4.5 (12)"
      ) { shown in
        shown.facts.averageRating.map { _ in
          shown.view.words("books.readersRating", ["average": shown.average.plain])
        }
      }
      DerivedMember(
        "stars", "The catalogue users' rating: five stars at most, with a half. The user's own is `ownStars`.",
        example: "★★★★½"
      ) { stars($0.facts.averageRating.map(BookRating.halves) ?? 0) }
      DerivedMember(
        "details", "The lines of a page about the book, each with its label.",
        example: ["Subtitle: A Novel", "Authors: Han Kang, Deborah Smith"]
      ) { shown in
        [
          ("subtitle", shown.subtitle), ("authors", shown.authors.all), ("publisher", shown.publisher),
          ("published", shown.published),
        ].map { shown.view.words("books.detail.\($0)", ["text": $1]) }
      }
      DerivedMember("status", "The word for the user's status.", example: "reading") { shown in
        shown.record.map { shown.view.words("books.status.\($0.content.status.rawValue)") }
      }
      DerivedMember("progress", "The user's reading progress.", example: "50 %") { shown in
        shown.record.flatMap { BookProgress($0.content, pageCount: shown.facts.pageCount) }
          .flatMap { shown.view.words($0) }
      }
      DerivedMember("ownStars", "The user's own stars, `shelf.rating`.", example: "★★★★½") {
        $0.record?.content.rating.map { stars(Int($0 * 2)) }
      }
      DerivedMember("catalogue", "The catalogue to credit wherever this is shown.", example: "Google Books") {
        shown in BookCatalogues.types.first { $0.name == shown.catalogue }?.title
      }
    }
  }

  /// The catalogue from which the facts are.
  private var catalogue: String? { ids.first.flatMap { String($0.utf8.prefix { $0 != UInt8(ascii: ".") }) } }
  private var item: BookRecord? { isOfShelf ? record : nil }

  var title: String { facts.title ?? view.words("books.noTitle") }
  private var subtitle: String { facts.subtitle ?? view.words("books.noSubtitle") }
  private var publisher: String { facts.publisher ?? view.words("books.noPublisher") }
  private var published: String { facts.published ?? view.words("books.noDate") }

  /// `2017, Hogarth, 9781101906729`: distinguishes printings with the same title.
  var edition: String? {
    let parts = [year.map(String.init) ?? facts.published, facts.publisher, facts.isbns.first].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func stars(_ halves: Int) -> String {
    String(repeating: "★", count: halves / 2) + (halves.isMultiple(of: 2) ? "" : "½")
  }

  private static let example: BookFacts = {
    var facts = BookFacts()
    (facts.title, facts.subtitle, facts.authors) = ("Human Acts", "A Novel", ["Han Kang", "Deborah Smith"])
    (facts.publisher, facts.published) = ("Hogarth", "2017-01-17")
    facts.description = "In the midst of a violent student uprising."
    (facts.isbns, facts.pageCount, facts.categories) = (["9781101906729"], 240, ["Fiction"])
    (facts.language, facts.infoLink) = ("en", "https://books.google.com/books?id=zyTCAlFPjgYC")
    return facts
  }()
}

/// The ratings of a book by the catalogue's users.
struct BookRating: ShownObject {
  static let name = "BookRating"
  let average: Double?
  let count: Int?

  /// Nil if there are no ratings.
  init?(_ facts: BookFacts) {
    (average, count) = (facts.averageRating, facts.ratingCount)
    if average == nil, count == nil { return nil }
  }

  static let members = Members<Self> {
    DerivedMember("average", "0 to 5.", example: 4.5) { $0.average }
    DerivedMember("count", "The number of ratings, if known.", example: 12) { $0.count }
    DerivedMember("halves", "The rating in half stars, 0 to 10: half a star from .5 on.", example: 9) {
      $0.average.map(halves) ?? 0
    }
  }

  /// A whole star for each whole point, and half a star from .5 on.
  static func halves(_ average: Double) -> Int {
    let whole = min(max(average, 0), 5).rounded(.down)
    return Int(whole) * 2 + (average - whole >= 0.5 ? 1 : 0)
  }
}
