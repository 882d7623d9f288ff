import Wire

/// The effect of an undo or redo on one item.
package struct UndoneItem: Sendable {
  package var collection: String
  package var id: String
  /// The effect of the undo: for an item that the commit removed, `added`.
  package var kind: Change.Kind
  /// The item as clients see it; if it is gone, as they last saw it.
  package var payload: JSONValue?
  /// The item that contains it, as clients see it.
  package var whole: JSONValue?
  /// The title of the item, or of the item that contains it.
  package var title: String?
  /// The index of its collection: features declare containers before the collections that they contain.
  package var rank: Int
}

/// How many items of a collection were affected in the same way.
package struct UndoneCount: Sendable {
  package var collection: String
  package var kind: Change.Kind
  package var count: Int
  /// The collection whose items these are added and removed with; see `ItemCollection.holder`.
  package var holder: String?
}

/// The effect of undoing one commit.
package struct UndoneSlice: Sendable {
  /// The commit of the same chunked commit group that has to be undone next.
  package var next: Int64?
  package var items: [UndoneItem]
  /// Counts of all affected items, including the listed ones; the lowest ranks first.
  package var counts: [UndoneCount]
}

extension Transaction {
  /// Undoes like `undo(_:force:)`, and returns the number of affected items with up to `most` of them, lowest ranks
  /// first. So a restored source is listed, and not a hundred of its thousand posts.
  ///
  /// - Parameter rank: only items of lower ranks are listed, if the others were listed already.
  /// - Throws: as `undo(_:force:)`.
  package func undo(
    _ commit: Int64, force: Bool, telling most: Int, below rank: Int = .max
  ) throws -> UndoneSlice {
    let collections = schema.names.prefix(rank)
    var before: [ItemKey: UndoneItem] = [:]
    for key in try changedItems(by: commit).inOrder(of: collections, by: \.collection).prefix(most) {
      before[key] = try shown(key, .removed)
    }
    let next = try undo(commit, force: force)
    let changed = notes.filter { !$0.isVoid && $0.touchesContent }
    let items = try changed.inOrder(of: collections, by: \.key.collection).prefix(most).map { note in
      var item = try shown(note.key, note.kind)
      let last = before[note.key]
      item.payload = item.payload ?? last?.payload
      item.whole = item.whole ?? last?.whole
      item.title = item.title ?? last?.title
      return item
    }
    return UndoneSlice(next: next, items: items, counts: counts(of: changed))
  }

  private func counts(of notes: [ChangeNote]) -> [UndoneCount] {
    let groups = Dictionary(grouping: notes, by: \.key.collection)
    return schema.all.flatMap { owner in
      let kinds = (groups[owner.description.name] ?? []).map(\.kind)
      return [Change.Kind.added, .updated, .removed].compactMap { kind -> UndoneCount? in
        let count = kinds.count { $0 == kind }
        guard count > 0 else { return nil }
        return UndoneCount(
          collection: owner.description.name, kind: kind, count: count, holder: owner.description.holder)
      }
    }
  }

  /// The items that a commit changed, in undo order.
  private func changedItems(by commit: Int64) throws -> [ItemKey] {
    var keys: [ItemKey] = []
    try db.each("SELECT collection, id FROM changes WHERE clock = ? ORDER BY place DESC", [.integer(commit)]) {
      keys.append(ItemKey(collection: $0.text(0), id: $0.text(1)))
    }
    return keys
  }

  private func shown(_ key: ItemKey, _ kind: Change.Kind) throws -> UndoneItem {
    let collection = schema.collection(key.collection)
    let payload = try collection.payload(key.id, snapshot)
    let whole = try payload.flatMap { try schema.whole(holding: $0, of: key.collection, in: snapshot) }
    return UndoneItem(
      collection: key.collection, id: key.id, kind: kind, payload: payload, whole: whole?.payload,
      title: whole?.title ?? collection.description.title(of: payload),
      rank: schema.names.firstIndex(of: key.collection) ?? .max)
  }
}

extension Array {
  /// The elements of these collections, grouped by collection, and in their order within each.
  fileprivate func inOrder(of collections: ArraySlice<String>, by name: (Element) -> String) -> [Element] {
    let groups = Dictionary(grouping: self, by: name)
    return collections.flatMap { groups[$0] ?? [] }
  }
}
