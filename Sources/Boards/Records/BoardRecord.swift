import Contract
import Exchange
import Kit
import SQLite
import Store

package struct BoardID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A board as its row has it.
struct BoardRecord: StoredItem {
  static let collectionName = "boards"
  static let tableName = "board"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var source = ""
  /// The source's own id of it.
  var remoteID = ""
  var displayName = ""
  /// Its place among the boards of its source.
  var position = 0
  /// The source does not name it any more. What was fetched of it stays.
  var isGone = false

  /// How many posts the source says there are.
  var remoteTotal: Int?
  /// Names the page behind what was fetched; nil at the end, and before the first page.
  var cursor: String?
  /// All of the board from its top down to this moment is here, in UTC milliseconds; older posts may have gaps between
  /// them, such as those that a search found, until more was fetched.
  var frontier: Instant?
  /// `SourceState` of the first page.
  var state: String?
  /// When the first page was last heard; nil before it ever came.
  var fetchedAt: Instant?
  /// The first page need not be asked for before.
  var freshUntil: Instant?
  /// A `KeptProblem` as JSON.
  var failure: String?

  static let fields = Fields<Self> {
    Field("source", \.source, .form(.id), "Where it comes from.")
    Field("remoteID", as: "boardId", \.remoteID, "The source's own id of it.")
    Field("displayName", \.displayName, "Its name as the source has it.")
    Field("position", \.position)
    Field("isGone", \.isGone, "The source does not name it any more; what was fetched stays.")
    Field("remoteTotal", as: "total", \.remoteTotal, "How many posts the source says there are.").quiet
    Field("cursor", \.cursor).quiet
    Field("frontier", \.frontier).quiet
    Field("state", \.state).quiet
    Field(
      "fetchedAt", \.fetchedAt, "When its first page was last fetched; absent until the first time."
    ).quiet
    Field("freshUntil", \.freshUntil).quiet
    Field("failure", \.failure).quiet
  }

  /// Whether there is more at the source than was fetched.
  var hasMore: Bool { cursor != nil }

  /// Whether it could not be had, and is not to be asked for again before long.
  func isLeftAlone(at now: Instant) -> Bool {
    failure != nil && (freshUntil.map { $0 > now } ?? false)
  }
}

extension BoardRecord {
  static func all(of source: String, in snapshot: Snapshot) throws -> [BoardRecord] {
    try all(in: snapshot.db, "WHERE source = ? ORDER BY position, id", [.text(source)])
  }

  static func note(_ values: [(column: String, value: SQLValue)], of id: String, in transaction: Transaction) throws {
    try QuietColumns.write(values, of: BoardRecord.self, id: id, in: transaction)
  }

  /// The same for the same board of the same address, also when its source was removed and came again.
  static func id(_ remoteID: String, at address: SourceAddress) -> String {
    DerivedID.text(of: "board/\(address.kind.rawValue)/\(address.url)/\(remoteID)")
  }
}
