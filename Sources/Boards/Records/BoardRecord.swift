import Contract
import Exchange
import Kit
import SQLite
import Store

package struct BoardID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A row of a board.
struct BoardRecord: StoredItem {
  static let collectionName = "boards"
  static let tableName = "board"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var source = ""
  /// The source's own id of the board.
  var remoteID = ""
  var displayName = ""
  /// Its place among the boards of its source.
  var position = 0
  /// The source does not list it any more. Posts fetched from it stay.
  var isGone = false

  /// The number of posts according to the source.
  var remoteTotal: Int?
  /// The cursor of the page after the fetched ones; nil at the end, and before the first page.
  var cursor: String?
  /// The board is completely stored from its top down to this moment, in UTC milliseconds; older posts, such as those
  /// from a search, may have gaps between them until more is fetched.
  var frontier: Instant?
  /// `SourceState` of the first page.
  var state: String?
  /// When the first page was last fetched; nil before the first time.
  var fetchedAt: Instant?
  /// The first page need not be requested before this time.
  var freshUntil: Instant?
  /// A `StoredProblem` as JSON.
  var failure: String?

  static let fields = Fields<Self> {
    Field("source", \.source, .form(.id), "The source that it comes from.")
    Field("remoteID", as: "boardId", \.remoteID, "The source's own id for it.")
    Field("displayName", \.displayName, "Its name at the source.")
    Field("position", \.position)
    Field("isGone", \.isGone, "Whether the source no longer lists it; its stored posts stay.")
    Field("remoteTotal", as: "total", \.remoteTotal, "The number of posts, as the source states.").quiet
    Field("cursor", \.cursor).quiet
    Field("frontier", \.frontier).quiet
    Field("state", \.state).quiet
    Field(
      "fetchedAt", \.fetchedAt, "When its first page was last fetched; absent if never."
    ).quiet
    Field("freshUntil", \.freshUntil).quiet
    Field("failure", \.failure).quiet
  }

  /// Whether there is more at the source than was fetched.
  var hasMore: Bool { cursor != nil }

  /// Whether its last fetch failed, and it is too early to request it again.
  func isLeftAlone(at now: Instant) -> Bool {
    failure != nil && (freshUntil.map { $0 > now } ?? false)
  }

  /// About when its first page was last requested, in UTC milliseconds; `.min` if it never was. A failed request
  /// leaves `fetchedAt` as it is, and sets `freshUntil` to a time soon after the request.
  var lastRequest: Int64 {
    let failed = failure == nil ? nil : freshUntil
    return max(fetchedAt?.milliseconds ?? .min, failed?.milliseconds ?? .min)
  }
}

extension BoardRecord {
  static func all(of source: String, in snapshot: Snapshot) throws -> [BoardRecord] {
    try all(in: snapshot.db, "WHERE source = ? ORDER BY position, id", [.text(source)])
  }

  static func note(_ values: [(column: String, value: SQLValue)], of id: String, in transaction: Transaction) throws {
    try QuietColumns.write(values, of: BoardRecord.self, id: id, in: transaction)
  }

  /// The same id for the same board of the same address, also if its source was removed and added again.
  static func id(_ remoteID: String, at address: SourceAddress) -> String {
    DerivedID.text(of: "board/\(address.kind.rawValue)/\(address.url)/\(remoteID)")
  }
}
