import Contract
import Exchange
import Kit
import SQLite
import Store
import Wire

extension SharingTransaction {
  func conflicts(of item: ItemKey) throws -> [ConflictRecord] {
    try ConflictRecord.all(
      in: transaction.db, "WHERE item = ? AND collection = ? AND source LIKE '\(ConflictRecord.devicePrefix)%'",
      [.text(item.id.text), .text(item.collection.text)])
  }

  /// A version of a field that an item does not show.
  struct OtherVersion {
    var item: ItemKey
    var field: ByteKey
    var value: JSONValue
    /// Whether the item has nothing of the value.
    var isLost = false
    var record: ConflictRecord
  }

  /// The most versions of one field that are listed: the newest ones.
  private static let mostVersions = 16

  /// Lists exactly these conflicts of these items.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func list(_ records: [ConflictRecord], of items: Set<ItemKey>) throws {
    var new = Dictionary(records.map { ($0.id, $0) }) { $1 }
    for item in items.sorted() {
      for known in try self.conflicts(of: item) where new.removeValue(forKey: known.id) == nil {
        try transaction.remove(known)
      }
    }
    for record in new.values.sorted(by: { $0.id < $1.id }) { try transaction.insert(record) }
  }

  /// The versions that a conflict is about, the oldest first; none for a conflict that this version cannot show.
  func versions(of conflict: SyncConflict) -> [OtherVersion] {
    guard let collection = collections[conflict.item.collection] else { return [] }
    let dots = conflict.dots.sorted().map(Self.text).joined(separator: " ")
    let author = conflict.dots.first { stored.ledger.peers[$0.writer] != nil } ?? conflict.dots.first
    switch (conflict.kind, conflict.field) {
    case (.removedElsewhere, _):
      return [version(of: conflict, "", dots, by: author, .null, "{}")]
    case (.circle, let field?):
      let theirs = JSONValue.object([field.text: .string(JSONValue.array(conflict.values).description)])
      return [version(of: conflict, field, dots, by: author, .null, theirs.description)]
    case (.values, let field?), (.text, let field?):
      return others(conflict, collection).map { place in
        let (dot, value) = (conflict.dots[place], conflict.values[place])
        let theirs = JSONValue.object(collection.columns(of: field, value)).description
        // Which the merged text has otherwise.
        let name = conflict.kind == .text ? dots : Self.text(dot)
        var version = version(of: conflict, field, name, by: dot, value, theirs)
        version.isLost = conflict.kind == .values
        return version
      }
    case (.circle, nil), (.values, nil), (.text, nil): return []
    }
  }

  private func version(
    of conflict: SyncConflict, _ field: ByteKey, _ dots: String, by author: Dot?, _ value: JSONValue, _ theirs: String
  ) -> OtherVersion {
    var record = ConflictRecord()
    record.id = DerivedID.text(of: "conflict/\(conflict.item.collection)/\(conflict.item.id)/\(field)/\(dots)")
    (record.collection, record.item) = (conflict.item.collection.text, conflict.item.id.text)
    record.field = conflict.field?.text ?? ConflictRecord.removal
    (record.theirs, record.source) = (theirs, ConflictRecord.devicePrefix + (author.flatMap(device) ?? "?"))
    return OtherVersion(item: conflict.item, field: field, value: value, record: record)
  }

  /// The places of the values that the item does not have, each once; of a merged text, which has all, the oldest.
  private func others(_ conflict: SyncConflict, _ collection: SharedCollection) -> [Int] {
    guard !conflict.values.isEmpty, conflict.values.count == conflict.dots.count else { return [] }
    if conflict.kind == .text { return Array(conflict.values.indices.prefix(1)) }
    let values = conflict.values.map { value in
      (conflict.field.map { collection.withoutFollowers(value, of: $0) } ?? value).description
    }
    var (seen, places): (Set<String>, [Int]) = ([values[values.count - 1]], [])
    for place in values.indices.reversed() where places.count < Self.mostVersions {
      if seen.insert(values[place]).inserted { places.append(place) }
    }
    return places.reversed()
  }

  /// The versions that have lost and that this library has not had.
  ///
  /// - Returns: `now` are those with which the next commit of the item is made, the oldest of each field; `later` are the
  ///   ids of the others.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func lost(
    _ versions: [OtherVersion], of key: ItemKey, _ collection: SharedCollection
  ) throws -> (now: [OtherVersion], later: Set<String>) {
    guard versions.contains(where: \.isLost) else { return ([], []) }
    let known = Set(try conflicts(of: key).map(\.id))
    let row = try collection.row(key.id, in: transaction.db)
    var (now, later): ([OtherVersion], Set<String>) = ([], [])
    for version in versions where version.isLost && !known.contains(version.record.id) {
      let columns = collection.columns(of: version.field, version.value).members
      // What is replaced is in the history as it is.
      if let row, columns.allSatisfy({ row[$0.key] == $0.value }) { continue }
      if now.contains(where: { $0.field == version.field }) {
        later.insert(version.record.id)
      } else {
        now.append(version)
      }
    }
    return (now, later)
  }

  private static func text(_ dot: Dot) -> String { "\(dot.writer)-\(dot.number)" }

  /// The name of the device that wrote a dot: of this one, too, whose version may be the older one.
  private func device(of dot: Dot) -> String? {
    stored.ledger.peers[dot.writer]?.name ?? (dot.writer == stored.ledger.writer ? stored.name : nil)
  }
}
