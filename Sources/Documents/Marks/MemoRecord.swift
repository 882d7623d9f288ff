import Contract
import Store

struct MemoRecord: StoredItem {
  static let collectionName = "memos"
  static let tableName = "memo"
  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document = ""
  var page = 0
  var text = ""
  var anchor = StoredJSON<Anchor>(stored: "{}")
  var state: String?

  static let fields = Fields<Self> {
    markFields()
    Field("text", \.text, .text(0...1_000_000), "The text, byte for byte.").shared(.text)
  }

  func check() throws { _ = try anchor.value() }
}
