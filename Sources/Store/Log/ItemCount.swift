/// A count that clients show, as a commit left it: the unread posts of a board. Notifications carry it, so that a badge
/// needs no request.
package struct ItemCount: Sendable, Equatable {
  package struct Key: Sendable, Hashable {
    package var collection: String
    /// The item that shows the count; nil where it is the library's, of all items of the collection.
    package var id: String?
    /// The member of the item that shows it, as it is called on the wire.
    package var field: String

    package init(collection: String, id: String?, field: String) {
      (self.collection, self.id, self.field) = (collection, id, field)
    }
  }

  package var key: Key
  package var count: Int

  package init(_ key: Key, _ count: Int) {
    (self.key, self.count) = (key, count)
  }

  /// The counts after several commits: of each key the last one.
  static func merged(_ counts: [ItemCount]) -> [ItemCount] {
    var places: [Key: Int] = [:]
    var merged: [ItemCount] = []
    for count in counts {
      if let place = places[count.key] {
        merged[place] = count
      } else {
        places[count.key] = merged.count
        merged.append(count)
      }
    }
    return merged
  }
}
