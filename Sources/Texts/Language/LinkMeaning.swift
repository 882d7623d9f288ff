import Contract
import Kit
import Store
import Wire

/// The target of a link of a text.
struct LinkMeaning: Sendable {
  /// More than one if several items have the title.
  var items: [ItemKey] = []
  /// The place in the item that a stable link names.
  var places: [StableLink.Place] = []
  var trouble: Trouble?
  /// Whether the item has been renamed since the link was written.
  var isFormer = false

  enum Trouble: String, Sendable {
    case ambiguous, gone, unknown
  }
}

extension Snapshot {
  /// - Parameter source: the item whose text has the link; nil for an ordinary text.
  /// - Throws: `DatabaseError`.
  func meaning(of target: WrittenLink.Target, in source: ItemKey?) throws -> LinkMeaning {
    switch target {
    case .title(let title):
      let meant = try LinkReads(self).resolve(title: title, in: source)
      return LinkMeaning(
        items: meant.candidates, trouble: meant.isAmbiguous ? .ambiguous : meant.item == nil ? .unknown : nil,
        isFormer: meant.isFormer)
    case .stable(let link):
      let item = ItemKey(collection: link.collection, id: link.item)
      guard try holds(item) else { return LinkMeaning(trouble: .gone) }
      return LinkMeaning(items: [item], places: link.places)
    }
  }

  /// How an item is shown beside a link.
  ///
  /// - Throws: `DatabaseError`.
  func shown(_ item: ItemKey) throws -> LinkedItem? {
    try services.library.links(of: item.collection)?.linking.shown(item.id, self)
  }

  /// The links to an item, newest linking item first, and their number.
  ///
  /// - Throws: `DatabaseError`.
  func links(to item: ItemKey, offset: Int = 0, limit: Int) throws -> (links: [StoredLink], total: Int) {
    let library = services.library
    let places = library.collections.compactMap { library.links(of: $0) }.filter { $0.linking.place != nil }
    let found = try LinkReads(self).links(to: item, places: places, after: nil, offset: offset, limit: limit)
    return (found.links, found.total)
  }

  /// The name of a collection for users, of one item: "card".
  func name(of collection: String) -> String { words(Text("item.\(collection)")) }
}
