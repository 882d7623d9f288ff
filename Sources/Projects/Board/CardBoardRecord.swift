import Contract
import Store
import Wire

package struct CardBoardID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A board of cards as it is stored. The default board exists in every library, and is stored only once it was changed.
struct CardBoardRecord: StoredItem {
  static let collectionName = "cardBoards"
  static let tableName = "projectBoard"
  /// The id of the default board, on which cards are that name no other.
  static let defaultID = "default"
  /// The most boards of a library besides the default one.
  static let most = 200
  static let longestTitle = 100

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// Empty for a default board that was not renamed: the language catalogue has its title.
  var title = ""
  /// Its place among the boards: a text that sorts by its bytes (`Rank`). Of equal ranks, the ids decide.
  var rank = "a0"
  var isArchived = false

  static let fields = Fields<Self> {
    Field("title", \.title, .text(0...longestTitle), "The title of the board, in one line.")
      .settable(
        limits: .length(1...longestTitle, notBlank: true),
        check: { try ProjectText.requireOneLine($0, field: "title") }
      ).required
    Field(
      "rank", \.rank, "Its place among the boards: they sort by it byte by byte, and by their ids if it is the same."
    )
    .place
    Field("archived", \.isArchived, "Whether it is archived: not listed unless requested, and its cards are never due.")
      .settable(clearable: false)
  }

  var isDefault: Bool { sameBytes(id, Self.defaultID) }

  /// The default board of a library in which nobody has changed it.
  static var usual: CardBoardRecord {
    var record = CardBoardRecord()
    record.id = defaultID
    return record
  }

  /// The id of the item with its columns.
  static func columnsID(of board: String) -> String {
    sameBytes(board, defaultID) ? ColumnsRecord.defaultID : board
  }

  /// The board of the item with this id in the collection of columns.
  static func id(ofColumns id: String) -> String { sameBytes(id, ColumnsRecord.defaultID) ? defaultID : id }
}

extension CardBoardRecord {
  func title(in snapshot: Snapshot) -> String {
    title.isEmpty ? isDefault ? snapshot.words(Text("projects.defaultBoard")) : id : title
  }

  /// Whether it precedes another board.
  func precedes(_ other: CardBoardRecord) -> Bool {
    sameBytes(rank, other.rank)
      ? id.utf8.lexicographicallyPrecedes(other.id.utf8) : rank.utf8.lexicographicallyPrecedes(other.rank.utf8)
  }
}
