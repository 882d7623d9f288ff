import Contract
import Store
import Wire

/// A method that lists the items of a collection, or some of them, oldest first.
package protocol ArrivalList: ReadMethod where Params == PartParams<Size>, Result == Page<ItemJSON<Shown>> {
  associatedtype Size: PartSize
  associatedtype Item: StoredItem
  associatedtype Shown: ShownObject
  /// The SQL condition on the items, without parameters.
  static var condition: String { get }
  /// Returns a function that converts a stored item to the client's view.
  ///
  /// - Throws: `DatabaseError`.
  static func show(in snapshot: Snapshot) throws -> (Item) throws -> ItemJSON<Shown>
}

extension ArrivalList {
  package static var condition: String { "1" }

  /// - Throws: `invalidParams` of `after`, `StoreError.broken`, `DatabaseError`.
  package static func run(_ params: PartParams<Size>, in snapshot: Snapshot) throws -> Page<ItemJSON<Shown>> {
    var listing = ItemListing<Item>(by: .arrival)
    listing.narrow(condition)
    return try listing.page(
      ListPart(offset: params.offset, after: params.after, limit: params.limit ?? Size.usual), in: snapshot,
      show(in: snapshot))
  }
}
