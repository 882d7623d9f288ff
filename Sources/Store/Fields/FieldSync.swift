/// How devices merge a field of the items that they share, if both changed it.
package enum FieldSync: Equatable, Sendable {
  /// Each device has its own value.
  case own
  /// The newest value, without a conflict. A change of it does not bring a removed item back.
  case quiet
  /// The newest value; the other one is a conflict.
  case latest
  /// The greatest number, without a conflict: of two times at which a post was read the later one.
  case maximum
  /// As a text, by lines and words.
  case text
  /// As a set of texts: an added element wins over its removal.
  case set
  /// As `set`, of JSON objects. Each is one element with all that it states.
  case objects
  /// As `latest`: the id of an item of this collection.
  case reference(String)
  /// As `set`: ids of items of this collection.
  case references(String)
}

/// A field as devices share it: one or more columns that are one value.
package struct SyncedColumns: Equatable, Sendable {
  /// The columns, the field's own first.
  package var columns: [String]
  /// Those that follow from the others: two versions that differ only in them are the same to a reader.
  package var followers: [String] = []
  package var sync: FieldSync
  package var name: String { columns[0] }
}

/// How devices share the items of a collection.
package struct CollectionSync: Sendable {
  /// The column of the item without which one of this collection cannot exist, such as the board of a card.
  package var holder: String?
  /// The holders that need no row.
  package var permanentHolders: [String] = []
  /// The columns of references that must not form a circle.
  package var acyclic: [String] = []
  /// The columns of a field whose equal values make two items the same one.
  package var identity: [String] = []
  /// The SQL condition of the rows that are shared; nil for all. The others stay on their device.
  package var rows: String?

  package init(
    holder: String? = nil, permanentHolders: [String] = [], acyclic: [String] = [], identity: [String] = [],
    rows: String? = nil
  ) {
    (self.holder, self.permanentHolders) = (holder, permanentHolders)
    (self.acyclic, self.identity, self.rows) = (acyclic, identity, rows)
  }
}
