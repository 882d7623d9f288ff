import Contract
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
      "id", "Of a catalogue's book its name there, `google.…`; of the shelf's an id of the library.", example: "0192"
    ) { BookID(unchecked: $0.id) }
    DerivedMember(
      "revision", "Of a book on the shelf. Changes with every update. Compared for equality only.", example: 42
    ) { $0.item?.revision }
    DerivedMember("createdAt", "When it came into the library.", example: "2026-11-21T01:44:05.678Z") {
      $0.item?.createdAt
    }
    DerivedMember("updatedAt", "When it last changed.", example: "2026-11-21T01:44:05.678Z") { $0.item?.updatedAt }
    DerivedMember("catalogue", "The catalogue that says all this, where one does.", example: "google") {
      $0.catalogue
    }
    DerivedMember("sameAs", "What catalogues call this book.", example: ["google.zyTCAlFPjgYC"]) {
      $0.ids.map(BookID.init(unchecked:))
    }
    MemberGroup(BookFacts.fields.shown, example: example) { $0.facts }
    DerivedMember("year", "The year in that, where one can be told.", example: 2017) { $0.year }
    DerivedMember("isbn13", "Its number.", example: "9781101906729") { $0.facts.isbns.first }
    DerivedMember("isbn10", "The same in the old form, where it has one.", example: "1101906723") {
      $0.facts.isbns.first.flatMap { ISBN(stored: $0)?.ten }
    }
    DerivedMember("rating", "What the catalogue's readers think.") { BookRating($0.facts) }
    DerivedMember("hasCover", "Whether `books/cover` may find a picture.", example: true) { !$0.facts.covers.isEmpty }
    DerivedMember("raw", "Everything that the catalogue said; only of a single book.", example: nil) { shown in
      try shown.raw ?? shown.item?.raw.map { try JSONParser.parse($0) }
    }.omittedInLists
    DerivedMember("shelf", "What the reader does with it, where it is on the shelf.") { shown in
      shown.record.map { BookOnShelf(record: $0, pageCount: shown.facts.pageCount) }
    }
    DerivedMember("existing", "It was on the shelf already; no other was added.", example: nil) { $0.existing }
    DerivedMember("display", of: "BookDisplay", "Strings for people.") {
      DerivedMember("id", "The id, or that there is none.", example: "google.zyTCAlFPjgYC") {
        $0.id.isEmpty ? $0.view.words("books.noID") : $0.id
      }
      DerivedMember("title", "The title, or that there is none.", example: "Human Acts") { $0.title }
      DerivedMember("subtitle", "The subtitle, or that there is none.", example: "A Novel") { $0.subtitle }
      DerivedMember("authors", "The first author and how many more.", example: "Han Kang and 1 other") {
        $0.authors.short
      }
      DerivedMember("allAuthors", "All authors, or that nobody is named.", example: "Han Kang, Deborah Smith") {
        $0.authors.all
      }
      DerivedMember("publisher", "The publisher, or that none is named.", example: "Hogarth") { $0.publisher }
      DerivedMember("published", "The date, or that there is none.", example: "2017-01-17") { $0.published }
      DerivedMember("year", "The year for a row of a list, or that there is none.", example: "2017") {
        $0.year.map(String.init) ?? $0.view.words("books.noDate")
      }
      DerivedMember(
        "edition",
        "What tells this printing from others in a list: year, publisher and ISBN, as far as they are known.",
        example: "2017, Hogarth, 9781101906729"
      ) { $0.edition }
      DerivedMember(
        "description", "The description from its beginning, or that there is none.",
        example: "In the midst of a violent student uprising."
      ) { $0.facts.description ?? $0.view.words("books.noDescription") }
      DerivedMember(
        "rating",
        "What the catalogue's readers think, and not the reader: the average, and how many said so where that is told.",
        example: "4.5 (12)"
      ) { $0.average.plain }
      DerivedMember("ratingInPoints", "The same in points.", example: "4.5 points (12)") { $0.average.inPoints }
      DerivedMember(
        "readersRating",
        "The same with a word for whose it is, to stand in a list; nothing where there is no average.",
        example: "readers 4.5 (12)"
      ) { shown in
        shown.facts.averageRating.map { _ in
          shown.view.words("books.readersRating", ["average": shown.average.plain])
        }
      }
      DerivedMember(
        "stars", "Of the catalogue's readers: five stars at most, with a half. The reader's own are `ownStars`.",
        example: "★★★★½"
      ) { stars($0.facts.averageRating.map(BookRating.halves) ?? 0) }
      DerivedMember(
        "details", "The lines of a page about the book, each with its word.",
        example: ["Subtitle: A Novel", "Authors: Han Kang, Deborah Smith"]
      ) { shown in
        [
          ("subtitle", shown.subtitle), ("authors", shown.authors.all), ("publisher", shown.publisher),
          ("published", shown.published),
        ].map { shown.view.words("books.detail.\($0)", ["text": $1]) }
      }
      DerivedMember("status", "The word for the reader's status.", example: "reading") { shown in
        shown.record.map { shown.view.words("books.status.\($0.content.status.rawValue)") }
      }
      DerivedMember("progress", "How far the reader has come.", example: "50 %") { shown in
        shown.record.flatMap { BookProgress($0.content, pageCount: shown.facts.pageCount) }
          .flatMap { shown.view.words($0) }
      }
      DerivedMember("ownStars", "The reader's own stars, `shelf.rating`.", example: "★★★★½") {
        $0.record?.content.rating.map { stars(Int($0 * 2)) }
      }
      DerivedMember("catalogue", "Who says all this, to be named wherever it is shown.", example: "Google Books") {
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
    DerivedMember("count", "How many said so, where that is told.", example: 12) { $0.count }
    DerivedMember("halves", "Of five stars so many halves, 0 to 10: half a star from .5 on.", example: 9) {
      $0.average.map(halves) ?? 0
    }
  }

  /// A whole star for each whole point, and half a star from .5 on.
  static func halves(_ average: Double) -> Int {
    let whole = min(max(average, 0), 5).rounded(.down)
    return Int(whole) * 2 + (average - whole >= 0.5 ? 1 : 0)
  }
}
