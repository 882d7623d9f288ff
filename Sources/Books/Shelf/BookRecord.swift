import Contract
import Store
import Wire

package struct BookID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A book on the shelf as its row has it.
struct BookRecord: StoredItem {
  static let collectionName = "books"
  static let tableName = "book"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// Of `facts`, so that lists are sorted by it; empty where there is none.
  var title = ""
  /// What is known of the book, as JSON.
  var facts = StoredJSON<BookFacts>(stored: "{}")
  /// The ids that catalogues have for it, the one first that it came from.
  var sameAs = StoredJSON<[String]>(stored: "[]")
  /// What its catalogue said, all of it, as JSON.
  var raw: String?
  /// What the reader says of it.
  var content = ShelfContent()
  var citationKey = ""
  var addedAt = Instant(milliseconds: 0)
  /// What other programs call it, `goodreads/2767052`, so that a file that comes again brings nothing twice.
  var origins = StoredJSON<[String]>(stored: "[]")
  /// The row of a file from which it came, as JSON, with what has no place here.
  var foreign: String?

  static let fields = Fields<Self> {
    Field("title", \.title)
    Field("facts", \.facts)
    Field("sameAs", \.sameAs)
    Field("raw", \.raw)
    ShelfContent.fields.of(\.content)
    Field("citationKey", \.citationKey, "By which texts cite it; it stays when the book is edited.")
    Field("addedAt", \.addedAt, "When it came onto the shelf; of an imported book what its file says.")
    Field("origins", \.origins, StoredJSON.json(.array(.string)), "What other programs call it.")
    Field("foreign", \.foreign)
  }
}

extension BookRecord {
  /// Takes over what is known of the book itself.
  mutating func take(_ facts: BookFacts) throws {
    title = facts.title ?? ""
    self.facts = try StoredJSON(facts)
  }
}

/// What a reader does with a book.
enum BookStatus: String, Choice, StoredWord {
  case want, reading, read, abandoned
}

/// A passage that the reader wrote out.
struct BookQuote: Payload, Equatable {
  var text: String
  var page: Int?
  var note: String?
  static let example = BookQuote(text: "You remember the sea.", page: 12, note: nil)
  static let fields = ["text": "The words, byte for byte.", "page": "Its printed page.", "note": "What to say of it."]
  static let limits: [String: FieldLimits] = [
    "text": .length(1...100_000, notBlank: true), "page": .range(0...1_000_000), "note": .length(0...100_000),
  ]

  /// A note with nothing in it is none.
  static func == (left: BookQuote, right: BookQuote) -> Bool {
    left.text == right.text && left.page == right.page && (left.note ?? "") == (right.note ?? "")
  }

  /// Whether it names another by as much of it as is given.
  func means(_ other: BookQuote) -> Bool {
    sameBytes(text, other.text) && (page == nil || page == other.page)
      && (note.map { sameBytes($0, other.note ?? "") } ?? true)
  }
}
