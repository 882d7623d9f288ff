import Contract
import Store
import Wire

/// A method that removes one item. All of them are the same but for what goes with it.
package protocol RemoveItemMethod: WriteMethod, ManyItemsMethod
where Params == RemoveItemParams, Result == ItemRemoval {
  associatedtype Item: StoredItem
  /// Removes the item, and the items that depend on it.
  ///
  /// - Throws: the `RPCError` of the reply, `StoreError` or `DatabaseError`.
  static func remove(_ item: Item, in transaction: Transaction) throws
}

extension RemoveItemMethod {
  package static var effects: Effects { [.writes, .destroys] }
  package static var errors: [ErrorKind] { [.notFound, .conflict] }

  /// - Throws: `DatabaseError`.
  package static func remove(_ item: Item, in transaction: Transaction) throws { try transaction.remove(item) }

  /// - Throws: `RPCError` of the kinds `notFound` and `conflict`, `StoreError.broken`, `DatabaseError`; what `remove`
  ///   throws.
  package static func run(_ params: RemoveItemParams, in transaction: Transaction) throws -> ItemRemoval {
    let item = try transaction.snapshot.get(Item.self, id: params.id.text)
    try transaction.require(item, at: params.ifRevision)
    try remove(item, in: transaction)
    return ItemRemoval(removed: params.id)
  }
}

package struct RemoveItemParams: Payload {
  package var id: ItemID
  package var ifRevision: Int64?
  package static let example = RemoveItemParams(id: "0192", ifRevision: nil)
  package static let fields = [
    "id": "The item.", "ifRevision": "Fails with `conflict` if the item has another revision.",
  ]
}

package struct ItemRemoval: Payload {
  package var removed: ItemID
  package static let example = ItemRemoval(removed: "0192")
  package static let fields = ["removed": "The removed item."]
}
