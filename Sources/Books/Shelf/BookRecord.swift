import Contract
import Store
import Wire

package struct BookID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A book on the shelf, as stored.
struct BookRecord: StoredItem {
  static let collectionName = "books"
  static let tableName = "book"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// The title of `facts`, for sorting lists; empty if there is none.
  var title = ""
  /// The facts about the book, as JSON.
  var facts = StoredJSON<BookFacts>(stored: "{}")
  /// Its ids in catalogues; the one that it was added from is first.
  var sameAs = StoredJSON<[String]>(stored: "[]")
  /// The complete JSON of its catalogue.
  var raw: String?
  /// The user's own content.
  var content = ShelfContent()
  var citationKey = ""
  var addedAt = Instant(milliseconds: 0)
  /// Its ids in other programs, `goodreads/2767052`, so that importing a file again creates no duplicates.
  var origins = StoredJSON<[String]>(stored: "[]")
  /// The rows of its imports, as JSON, including data that no field holds.
  var foreign: String?
  /// The path of its cover in a calibre library on this device.
  var coverFile: String?

  static let fields = Fields<Self> {
    Field("title", \.title)
    Field("facts", \.facts)
    Field("sameAs", \.sameAs)
    Field("raw", \.raw).shared(.quiet)
    ShelfContent.fields.of(\.content)
    Field("citationKey", \.citationKey, "The citation key; it does not change when the book is edited.")
      .shared(.quiet)
    Field("addedAt", \.addedAt, "When it was added to the shelf; for an imported book, as its file states.")
    Field("origins", \.origins, StoredJSON.json(.array(.string)), "Its ids in other programs.").shared(.set)
    Field("foreign", \.foreign).shared(.quiet)
    Field("coverFile", \.coverFile).internal.shared(.own).imported(as: .null)
  }

  func check() throws { try BookFacts.fields.check(facts.value()) }
}

extension BookRecord {
  /// Sets the facts about the book, and its title.
  mutating func take(_ facts: BookFacts) throws {
    title = facts.title ?? ""
    self.facts = try StoredJSON(facts)
  }
}
