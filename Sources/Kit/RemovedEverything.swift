import Contract
import Store
import Wire

/// The result of a request to remove all items of a collection, the same for all of them.
package struct RemovedEverything: Payload {
  package var removed: Int?
  package var count: Int?
  package var display: Confirmation?
  package var confirm: String?
  package static let example = RemovedEverything(
    removed: nil, count: 3, display: .example, confirm: "0f343b0931126a20f133d67c2b018a3b")
  package static let fields = [
    "removed": "The number of items removed.", "count": "In a dry run: the number of items that would be removed.",
    "display": "In a dry run: the question to ask the user.",
    "confirm": "In a dry run: the value to pass as `confirm`.",
  ]

  /// The position after a slice.
  package struct Position: Sendable {
    fileprivate var removed: Int
    /// Only items up to this revision are removed; later writes stay.
    fileprivate var newest: Int64
  }

  private init(removed: Int?, count: Int?, display: Confirmation?, confirm: String?) {
    self.removed = removed
    self.count = count
    self.display = display
    self.confirm = confirm
  }

  /// The result of a dry run.
  ///
  /// - Parameter question: the catalogue's key of the question, with a placeholder for `count`.
  /// - Throws: `DatabaseError`.
  package init<Item: StoredItem>(dryRunOf type: Item.Type, question: String, in snapshot: Snapshot) throws {
    let count = try snapshot.db.first("SELECT count(*) FROM \(Item.tableName)") { $0.int(0) } ?? 0
    self.init(
      removed: nil, count: count,
      display: Confirmation.deleting(
        Text(question, ["count": String(count)]), for: snapshot.reader, services: snapshot.services),
      confirm: try ConfirmToken.everything(of: type, in: snapshot).text)
  }

  /// Removes items until the slice is full. The table needs an index on `revision`.
  ///
  /// - Throws: `RPCError.invalidParams` of `confirm`, `DatabaseError`.
  package static func slice<Item: StoredItem>(
    of type: Item.Type, confirm: String?, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, RemovedEverything> {
    if position == nil { try ConfirmToken.everything(of: type, in: transaction.snapshot).require(confirm) }
    var position = position ?? Position(removed: 0, newest: transaction.clock - 1)
    while let item = try Item.first(
      in: transaction.db, "WHERE revision <= ? ORDER BY revision LIMIT 1", [.integer(position.newest)])
    {
      guard transaction.hasRoom else { return .more(position) }
      try transaction.remove(item)
      position.removed += 1
    }
    return .done(RemovedEverything(removed: position.removed, count: nil, display: nil, confirm: nil))
  }
}
