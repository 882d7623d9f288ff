import Wire

/// The subject of a commit, for the audience of the log: the items of that changed collection which contains the
/// others.
package struct CommitSubject: Sendable {
  /// The title of the first item, or of the item that contains it; for a deleted item its last known title.
  package var title: String?
  /// How many items of the collection the commit changed; 1 if it changed parts of another item.
  package var count: Int

  /// For each item its title, and whether that is the title of the item that contains it.
  package typealias Known = [ItemKey: (title: String?, isWhole: Bool)]
}

extension Schema {
  /// The subject of a commit. Nil if none of its items is known any more. `known` caches titles for the other commits
  /// of a page, since many concern the same item.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  package func subject(
    of commit: Int64, known: inout CommitSubject.Known, in snapshot: Snapshot
  ) throws -> CommitSubject? {
    var groups: [(collection: String, count: Int, place: Int64, rank: Int)] = []
    try snapshot.db.each(
      "SELECT collection, count(*), min(place) FROM changes WHERE clock = ? GROUP BY collection", [.integer(commit)]
    ) { row in
      let name = row.text(0)
      groups.append((name, row.int(1), row.integer(2), names.firstIndex { sameBytes($0, name) } ?? .max))
    }
    guard let group = groups.min(by: { $0.rank < $1.rank }), let entry = find(group.collection),
      let id = try snapshot.db.first(
        "SELECT id FROM changes WHERE clock = ? AND place = ?", [.integer(commit), .integer(group.place)],
        { $0.text(0) })
    else { return nil }
    let key = ItemKey(collection: entry.name, id: id)
    let (title, isWhole) = try known[key] ?? title(of: entry, id: id, in: snapshot)
    known[key] = (title, isWhole)
    return CommitSubject(title: title, count: isWhole ? 1 : group.count)
  }

  func title(
    of entry: Entry, id: String, in snapshot: Snapshot
  ) throws -> (title: String?, isWhole: Bool) {
    var payload = try entry.payload(id, snapshot)
    if payload == nil {
      payload = try ItemVersion.history(of: entry.name, id: id, before: nil, limit: 1, in: snapshot).first?.before
    }
    let whole = try payload.flatMap { try self.whole(holding: $0, of: entry.name, in: snapshot) }
    return (whole?.title ?? entry.description.title(of: payload), whole != nil)
  }

  /// The item that contains this item of `collection`, as clients see it; nil if the collection has no container.
  ///
  /// - Throws: `DatabaseError`.
  func whole(
    holding payload: JSONValue, of collection: String, in snapshot: Snapshot
  ) throws -> (payload: JSONValue, title: String?)? {
    for owner in all {
      guard let part = owner.description.parts.first(where: { $0.collection == collection }),
        let id = payload[part.column]?.stringValue
      else { continue }
      return try owner.payload(id, snapshot).map { ($0, owner.description.title(of: $0)) }
    }
    return nil
  }
}
