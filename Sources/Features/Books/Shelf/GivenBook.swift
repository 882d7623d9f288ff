import Contract
import Wire

/// A book that its reader describes, since no catalogue has it or none was asked.
struct GivenBook: Payload {
  var title: String
  var subtitle: String?
  var authors: [String]?
  var publisher: String?
  var published: String?
  var isbn: String?
  var pageCount: Int?
  var language: String?
  var description: String?
  static let example = GivenBook(
    title: "Human Acts", subtitle: nil, authors: ["Han Kang"], publisher: "Hogarth", published: "2017", isbn: nil,
    pageCount: 240, language: "en", description: nil)
  static let fields = [
    "title": "The title.", "subtitle": "The subtitle.", "authors": "Who wrote it.", "publisher": "Who published it.",
    "published": "When it came out, in words or figures that hold a year.",
    "isbn": "Its number, in ten or thirteen digits.",
    "pageCount": "How many pages it has.", "language": "Its language.", "description": "What it is about.",
  ]
  static let limits: [String: FieldLimits] = [
    "title": .length(1...BookFacts.longestLine, notBlank: true), "subtitle": .length(0...BookFacts.longestLine),
    "authors": FieldLimits(minimumLength: 0, maximumLength: BookFacts.mostNames, notBlank: true),
    "publisher": .length(0...BookFacts.longestLine), "published": .length(0...64), "isbn": .length(1...64),
    "pageCount": .range(1...1_000_000), "language": .length(0...35), "description": .length(0...BookFacts.longestText),
  ]

  func facts() throws(RPCError) -> BookFacts {
    var facts = BookFacts()
    facts.title = title.readable
    facts.subtitle = subtitle?.readable
    facts.authors = try Self.kept(authors ?? [], "byHand.authors")
    facts.publisher = publisher?.readable
    facts.published = published?.readable
    facts.isbns = try isbn.map { isbn throws(RPCError) in [try Self.number(isbn, "byHand.isbn")] } ?? []
    facts.pageCount = pageCount
    facts.language = language?.readable
    facts.description = description?.readable
    return facts
  }

  static func number(_ text: String, _ field: String) throws(RPCError) -> String {
    guard let isbn = ISBN(text) else {
      throw .invalidParams(field: field, reason: Text("books.badISBN", ["isbn": text]))
    }
    return isbn.digits
  }

  static func kept(_ authors: [String], _ field: String) throws(RPCError) -> [String] {
    for (index, author) in authors.enumerated() where author.unicodeScalars.count > BookFacts.longestLine {
      throw .invalidParams(
        field: "\(field)[\(index)]", reason: Text("param.length.maximum", ["maximum": String(BookFacts.longestLine)]))
    }
    return authors.compactMap(\.readable)
  }
}
