import Wire

/// What taking back a commit, or bringing it back, did to one item.
package struct UndoneItem: Sendable {
  package var collection: String
  package var id: String
  /// What happened to it now: an item that the commit had removed was added.
  package var kind: Change.Kind
  /// As clients see it; where it is gone, as they saw it last.
  package var payload: JSONValue?
  /// The item of which it is a part, as clients see that.
  package var whole: JSONValue?
  /// What people call it, or the item of which it is a part.
  package var title: String?
  /// The place of its collection among all: features declare what holds others before what stands in it.
  package var rank: Int
}

/// To how many items of a collection the same happened.
package struct UndoneCount: Sendable {
  package var collection: String
  package var kind: Change.Kind
  package var count: Int
  /// The collection whose items these come and go with; see `ItemCollection.holder`.
  package var holder: String?
}

/// What the undo of one commit did.
package struct UndoneSlice: Sendable {
  /// The commit of the same series that is to be undone next.
  package var next: Int64?
  package var items: [UndoneItem]
  /// All items, those that are told among them; the lowest ranks first.
  package var counts: [UndoneCount]
}

extension Transaction {
  /// Undoes as `undo(_:force:)` does, and says what that did: to how many items, and to so many of them, the lowest
  /// ranks first. A source that comes back with a thousand posts is told, and not a hundred of the posts.
  ///
  /// - Parameter rank: only items of lower ranks are told, where enough of the others were.
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

  /// The items that a commit changed, in the order in which they are undone.
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
  /// Those of these collections, collection after collection, and of each as they stand here.
  fileprivate func inOrder(of collections: ArraySlice<String>, by name: (Element) -> String) -> [Element] {
    let groups = Dictionary(grouping: self, by: name)
    return collections.flatMap { groups[$0] ?? [] }
  }
}
