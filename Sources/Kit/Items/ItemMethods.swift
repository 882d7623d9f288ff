import Contract
import Store
import Wire

/// The methods of a collection that is completely defined by its declared fields. Other methods are implemented in
/// their features.
package enum AddItem<Shown: SnapshotItem>: WriteMethod {
  package static var name: String { "\(Shown.Item.collectionName)/add" }
  package static var summary: String {
    "Adds an item. A repeated request with the same `id` and values returns the existing item."
  }
  package static var effects: Effects { .writes }
  package static var errors: [ErrorKind] { [.exists] }
  package typealias Params = NewItem<Shown>
  package typealias Result = ItemJSON<Shown>

  /// - Throws: `RPCError` of the kind `exists` for another item with this id, and of invalid params; `DatabaseError`.
  package static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    try run(params, in: transaction) { try $0.check() }
  }

  /// The same for a method of a feature.
  ///
  /// - Parameters:
  ///   - check: refuses the item.
  ///   - requireRoom: refuses one more.
  /// - Throws: the errors of `run(_:in:)`, of `check` and of `requireRoom`.
  package static func run(
    _ params: Params, in transaction: Transaction, check: (Shown.Item) throws -> Void,
    requireRoom: () throws -> Void = {}
  ) throws -> Result {
    let snapshot = transaction.snapshot
    var item = Shown.Item()
    item.id = params.id ?? transaction.services.newID()
    try item.set(params.values, in: snapshot)
    try check(item)
    guard let known = try params.id.flatMap({ try snapshot.find(Shown.Item.self, id: $0) }) else {
      try requireRoom()
      return try Result(transaction.insert(item), in: snapshot)
    }
    let current = try Result(known, in: snapshot)
    guard try Shown.Item.fields.all.allSatisfy({ try $0.input == nil || $0.isSame(known, item) }) else {
      throw RPCError(.exists, text: Text("item.exists", ["id": known.id]), data: ["current": try current.value])
    }
    return current
  }
}

package enum UpdateItem<Shown: SnapshotItem>: WriteMethod, ManyItemsMethod {
  package static var name: String { "\(Shown.Item.collectionName)/update" }
  package static var summary: String {
    "Changes the given fields of an item, so that clients that change different fields lose nothing."
  }
  package static var effects: Effects { .writes }
  package static var errors: [ErrorKind] { [.notFound, .conflict] }
  package typealias Params = ItemUpdate<Shown>
  package typealias Result = ItemJSON<Shown>

  /// - Throws: `RPCError` of the kinds `notFound` and `conflict` and of invalid params; `StoreError.broken`,
  ///   `DatabaseError`.
  package static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    try Result(params.change(in: transaction) { item, _ in try item.check() }.after, in: transaction.snapshot)
  }
}

package enum RemoveItem<Shown: SnapshotItem>: RemoveItemMethod {
  package typealias Item = Shown.Item
  package static var name: String { "\(Item.collectionName)/remove" }
  package static var summary: String { "Removes an item. `changes/undo` restores it." }
}

package enum GetItem<Shown: SnapshotItem>: ReadMethod, ManyItemsMethod {
  package static var name: String { "\(Shown.Item.collectionName)/get" }
  package static var summary: String { "One item." }
  package static var effects: Effects { .reads }
  package static var errors: [ErrorKind] { [.notFound] }
  package static var isQuick: Bool { true }

  package struct Params: Payload {
    package var id: ItemID
    package static var example: Params { Params(id: "0192") }
    package static var fields: [String: String] { ["id": "The item."] }
  }
  package typealias Result = ItemJSON<Shown>

  /// - Throws: `RPCError` of the kind `notFound`, `StoreError.broken`, `DatabaseError`.
  package static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    try Result(snapshot.get(Shown.Item.self, id: params.id.text), in: snapshot)
  }
}
