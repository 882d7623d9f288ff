import Contract
import Exchange
import Store
import Wire

package struct BookReviewID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A row of an imported file that waits for the user's decision. It is retained after the decision, so that importing
/// the file again does not ask again.
struct BookReviewRecord: StoredItem {
  static let collectionName = "bookReviews"
  static let tableName = "bookReview"

  enum Reason: String, Choice, StoredWord {
    /// The file and the library have changed the same book.
    case changed
    /// The row has no title.
    case noTitle
    /// It has the ISBN of a book with another title.
    case numberOfAnother
    /// The file has two different rows for one book.
    case repeated
    /// A book on the shelf is similar.
    case similar
  }

  struct Candidate: Codable, Sendable, Equatable {
    var book: String
    var score: Double
  }

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title = ""
  /// A `ImportedBook`.
  var book = StoredJSON<ImportedBook>(stored: "{}")
  var reason = Reason.similar
  var candidates = StoredJSON<[Candidate]>(stored: "[]")
  var line = 0
  /// A choice of `books/decide`; nil while it waits.
  var decision: String?

  static let fields = Fields<Self> {
    Field("title", \.title)
    Field("book", \.book)
    Field(
      "reason", \.reason,
      "`changed`: the book was changed in the file and in the library; `noTitle`; `numberOfAnother`: it has the ISBN "
        + "of a book with another title; `repeated`: the file has it twice, with differences; `similar`: it is much like "
        + "an existing book.")
    Field("candidates", \.candidates)
    Field("line", \.line, "The line of the file where it begins.")
    Field("decision", \.decision)
  }

  func check() throws { try book.value().check() }
}
