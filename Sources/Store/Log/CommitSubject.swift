import Wire

/// What a commit was about, for whoever reads the log: of the collections that it changed, the one that holds the others.
package struct CommitSubject: Sendable {
  /// The title of the first item, or of the one of which it is a part; of one that is gone the last that is known.
  package var title: String?
  /// How many items of the collection it changed; of parts of another item that one.
  package var count: Int

  /// By item its title, and whether that is of the item that holds it.
  package typealias Known = [ItemKey: (title: String?, isWhole: Bool)]
}

extension Schema {
  /// Nil where the commit changed nothing that is still known.
  /// What was looked up for one commit is `known` for the others of a page: many are about the same item.
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

  /// The item of which one of this collection is a part, as clients see it; nil for what is none.
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
