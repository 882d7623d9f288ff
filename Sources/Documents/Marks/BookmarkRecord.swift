import Contract
import Store

struct BookmarkRecord: StoredItem {
  static let collectionName = "bookmarks"
  static let tableName = "bookmark"
  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document = ""
  var page = 0
  /// The name that the user gave it.
  var title: String?
  var anchor = StoredJSON<Anchor>(stored: "{}")
  var state: String?

  static let fields = Fields<Self> {
    markFields()
    Field("title", \.title, .text(1...1_000, notBlank: true), "The name that the user gave it; absent without one.")
  }

  func check() throws { _ = try anchor.value() }
}
