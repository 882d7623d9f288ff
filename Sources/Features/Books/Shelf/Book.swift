import Contract
import Wire

/// A book as clients see it, of a catalogue or of the shelf. Data may be missing; words for that are in `display`.
struct Book: Payload {
  var id: BookID
  var revision: Int64?
  var createdAt: Instant?
  var updatedAt: Instant?
  var catalogue: String?
  var sameAs: [BookID] = []
  var title: String?
  var subtitle: String?
  var authors: [String] = []
  var publisher: String?
  var published: String?
  var year: Int?
  var description: String?
  var snippet: String?
  var isbn13: String?
  var isbn10: String?
  var isbns: [String] = []
  var pageCount: Int?
  var categories: [String] = []
  var language: String?
  var rating: BookRating?
  var previewLink: String?
  var infoLink: String?
  var hasCover = false
  var shortened: [String] = []
  var raw: JSONValue?
  var shelf: BookOnShelf?
  var existing: Bool?
  var display: BookDisplay

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("catalogue", catalogue)
    json.member("sameAs", sameAs.map(\.text))
    json.member("title", title)
    json.member("subtitle", subtitle)
    json.member("authors", authors)
    json.member("publisher", publisher)
    json.member("published", published)
    json.member("year", year)
    json.member("description", description)
    json.member("snippet", snippet)
    json.member("isbn13", isbn13)
    json.member("isbn10", isbn10)
    json.member("isbns", isbns)
    json.member("pageCount", pageCount)
    json.member("categories", categories)
    json.member("language", language)
    if let rating { try json.member("rating", rating) }
    json.member("previewLink", previewLink)
    json.member("infoLink", infoLink)
    json.member("hasCover", hasCover)
    json.member("shortened", shortened)
    if let raw {
      json.member("raw")
      json.write(raw)
    }
    if let shelf { try json.member("shelf", shelf) }
    json.member("existing", existing)
    try json.member("display", display)
    json.endObject()
  }

  static let example: Book = {
    var book = found
    (book.id, book.revision) = ("0192", 42)
    book.createdAt = Instant(milliseconds: 1_795_225_445_678)
    book.updatedAt = Instant(milliseconds: 1_795_225_445_678)
    book.shelf = .example
    return book
  }()

  static let found: Book = {
    var book = Book(id: "google.zyTCAlFPjgYC", display: .example)
    (book.catalogue, book.sameAs) = ("google", ["google.zyTCAlFPjgYC"])
    (book.title, book.subtitle, book.authors) = ("Human Acts", "A Novel", ["Han Kang", "Deborah Smith"])
    (book.publisher, book.published, book.year) = ("Hogarth", "2017-01-17", 2017)
    book.description = "In the midst of a violent student uprising."
    (book.isbn13, book.isbn10, book.isbns) = ("9781101906729", "1101906723", ["9781101906729"])
    (book.pageCount, book.categories, book.language) = (240, ["Fiction"], "en")
    (book.rating, book.hasCover) = (.example, true)
    book.infoLink = "https://books.google.com/books?id=zyTCAlFPjgYC"
    return book
  }()

  static let fields = [
    "id": "Of a catalogue's book its name there, `google.…`; of the shelf's an id of the library.",
    "revision": "Of a book on the shelf. Changes with every update. Compared for equality only.",
    "createdAt": "When it came into the library.", "updatedAt": "When it last changed.",
    "catalogue": "The catalogue that says all this, where one does.",
    "sameAs": "What catalogues call this book.", "title": "The title.", "subtitle": "The subtitle.",
    "authors": "Who wrote it.", "publisher": "Who published it.",
    "published": "When it came out, in the catalogue's words: `1925`, `2009-03`, `March 2009`.",
    "year": "The year in that, where one can be told.", "description": "Plain text.",
    "snippet": "Plain text: where the words of the query stand.", "isbn13": "Its number.",
    "isbn10": "The same in the old form, where it has one.",
    "isbns": "All numbers that belong to it, in thirteen digits.",
    "pageCount": "How many pages it has.", "categories": "What it is about.", "language": "As its catalogue writes it.",
    "rating": "What the catalogue's readers think.", "previewLink": "Where to look into it.",
    "infoLink": "Its page at the catalogue, to be linked wherever it is shown.",
    "hasCover": "Whether `books/cover` may find a picture.",
    "shortened": "Fields that were longer than they may be here and end in an ellipsis.",
    "raw": "Everything that the catalogue said; only of a single book.",
    "shelf": "What the reader does with it, where it is on the shelf.",
    "existing": "It was on the shelf already; no other was added.", "display": "Strings for people.",
  ]
}

/// What the readers of a catalogue think of a book.
struct BookRating: Payload, Equatable {
  var average: Double?
  var count: Int?
  var halves: Int
  static let example = BookRating(average: 4.5, count: 12, halves: 9)
  static let fields = [
    "average": "0 to 5.", "count": "How many said so, where that is told.",
    "halves": "Of five stars so many halves, 0 to 10: half a star from .5 on.",
  ]

  init(average: Double?, count: Int?, halves: Int) {
    (self.average, self.count, self.halves) = (average, count, halves)
  }

  init(average: Double?, count: Int?) {
    self.init(average: average, count: count, halves: average.map(Self.halves) ?? 0)
  }

  /// A whole star for each whole point, and half a one from .5 on.
  static func halves(_ average: Double) -> Int {
    let whole = min(max(average, 0), 5).rounded(.down)
    return Int(whole) * 2 + (average - whole >= 0.5 ? 1 : 0)
  }
}

/// How far a reader has come.
struct BookProgress: Payload, Equatable {
  var page: Int?
  var percent: Double?
  static let example = BookProgress(page: 120, percent: 50)
  static let fields = [
    "page": "The page.", "percent": "0 to 100; of a page, where the book says how many it has.",
  ]
  static let limits: [String: FieldLimits] = ["page": .range(0...1_000_000), "percent": .range(0...100)]
}

/// What a reader does with a book.
struct BookOnShelf: Payload {
  var id: BookID
  var status: BookStatus
  var started: CalendarDay?
  var finished: CalendarDay?
  var progress: BookProgress?
  var rating: Double?
  var note: String
  var quotes: [BookQuote]
  var documents: [ItemID]
  var tags: [String]
  var citationKey: String
  var addedAt: Instant
  var origins: [String]

  static let example = BookOnShelf(
    id: "0192", status: .reading, started: CalendarDay(year: 2026, month: 11, day: 1), finished: nil,
    progress: .example, rating: 4.5, note: "For the winter.", quotes: [.example], documents: ["0193"],
    tags: ["korean"], citationKey: "han2017", addedAt: Instant(milliseconds: 1_795_225_445_678), origins: [])
  static let fields = [
    "id": "The book on the shelf, for `books/updateOnShelf`.", "status": "What the reader does with it.",
    "started": "The day on which reading began.", "finished": "The day on which it ended.",
    "progress": "How far the reader has come.", "rating": "The reader's own: 0.5 to 5, in halves.",
    "note": "What the reader says of it.", "quotes": "Passages that the reader wrote out.",
    "documents": "Documents that are this book.", "tags": "The reader's own.",
    "citationKey": "By which texts cite it; it stays when the book is edited.",
    "addedAt": "When it came onto the shelf; of an imported book what its file says.",
    "origins": "What other programs call it.",
  ]
}

/// A book in words, in the client's language, with a word for whatever is missing.
struct BookDisplay: Payload {
  var id: String
  var title: String
  var subtitle: String
  var authors: String
  var allAuthors: String
  var publisher: String
  var published: String
  var year: String
  var edition: String?
  var description: String
  var rating: String
  var ratingInPoints: String
  var readersRating: String?
  var stars: String
  var details: [String]
  var status: String?
  var progress: String?
  var ownStars: String?
  var catalogue: String?

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("title", title)
    json.member("subtitle", subtitle)
    json.member("authors", authors)
    json.member("allAuthors", allAuthors)
    json.member("publisher", publisher)
    json.member("published", published)
    json.member("year", year)
    json.member("edition", edition)
    json.member("description", description)
    json.member("rating", rating)
    json.member("ratingInPoints", ratingInPoints)
    json.member("readersRating", readersRating)
    json.member("stars", stars)
    json.member("details", details)
    json.member("status", status)
    json.member("progress", progress)
    json.member("ownStars", ownStars)
    json.member("catalogue", catalogue)
    json.endObject()
  }

  static let example = BookDisplay(
    id: "google.zyTCAlFPjgYC", title: "Human Acts", subtitle: "A Novel", authors: "Han Kang and 1 other",
    allAuthors: "Han Kang, Deborah Smith", publisher: "Hogarth", published: "2017-01-17", year: "2017",
    edition: "2017, Hogarth, 9781101906729", description: "In the midst of a violent student uprising.",
    rating: "4.5 (12)", ratingInPoints: "4.5 points (12)", readersRating: "readers 4.5 (12)", stars: "★★★★½",
    details: ["Subtitle: A Novel", "Authors: Han Kang, Deborah Smith"], status: "reading",
    progress: "50 %", ownStars: "★★★★½", catalogue: "Google Books")
  static let fields = [
    "id": "The id, or that there is none.", "title": "The title, or that there is none.",
    "subtitle": "The subtitle, or that there is none.", "authors": "The first author and how many more.",
    "allAuthors": "All authors, or that nobody is named.", "publisher": "The publisher, or that none is named.",
    "published": "The date, or that there is none.", "year": "The year for a row of a list, or that there is none.",
    "edition": "What tells this printing from others in a list: year, publisher and ISBN, as far as they are known.",
    "description": "The description from its beginning, or that there is none.",
    "rating":
      "What the catalogue's readers think, and not the reader: the average, and how many said so where that is told.",
    "ratingInPoints": "The same in points.",
    "readersRating": "The same with a word for whose it is, to stand in a list; nothing where there is no average.",
    "stars": "Of the catalogue's readers: five stars at most, with a half. The reader's own are `ownStars`.",
    "details": "The lines of a page about the book, each with its word.",
    "status": "The word for the reader's status.", "progress": "How far the reader has come.",
    "ownStars": "The reader's own stars, `shelf.rating`.",
    "catalogue": "Who says all this, to be named wherever it is shown.",
  ]
}
