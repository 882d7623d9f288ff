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

  /// Lists exactly these conflicts of these items.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func list(_ conflicts: [SyncConflict], of items: Set<ItemKey>) throws {
    var new: [String: ConflictRecord] = [:]
    for conflict in conflicts {
      if let record = record(of: conflict) { new[record.id] = record }
    }
    for item in items.sorted() {
      for known in try self.conflicts(of: item) where new.removeValue(forKey: known.id) == nil {
        try transaction.remove(known)
      }
    }
    for record in new.values.sorted(by: { $0.id < $1.id }) { try transaction.insert(record) }
  }

  /// - Returns: nil for a conflict that this version cannot show.
  private func record(of conflict: SyncConflict) -> ConflictRecord? {
    guard let collection = collections[conflict.item.collection] else { return nil }
    var record = ConflictRecord()
    let dots = conflict.dots.sorted().map { "\($0.writer)-\($0.number)" }.joined(separator: " ")
    let field = conflict.field?.text ?? ""
    record.id = DerivedID.text(of: "conflict/\(conflict.item.collection)/\(conflict.item.id)/\(field)/\(dots)")
    (record.collection, record.item) = (conflict.item.collection.text, conflict.item.id.text)
    record.field = conflict.field?.text ?? ConflictRecord.removal
    var author = conflict.dots.first { stored.ledger.peers[$0.writer] != nil } ?? conflict.dots.first
    switch conflict.kind {
    case .removedElsewhere: break
    case .circle:
      guard let field = conflict.field else { return nil }
      record.theirs = JSONValue.object([field.text: .string(JSONValue.array(conflict.values).description)]).description
    case .values, .text:
      guard let field = conflict.field, let loser = loser(of: conflict) else { return nil }
      author = conflict.dots[loser]
      record.theirs = JSONValue.object(collection.columns(of: field, conflict.values[loser])).description
    }
    record.source = ConflictRecord.devicePrefix + (author.flatMap(device) ?? "?")
    return record
  }

  /// The place of the newest value that the item does not have.
  private func loser(of conflict: SyncConflict) -> Int? {
    guard let winner = conflict.values.last, conflict.values.count == conflict.dots.count else { return nil }
    // A merged text has all of them.
    if conflict.kind == .text { return conflict.values.indices.first }
    return conflict.values.lastIndex { $0 != winner }
  }

  /// The name of the device that wrote a dot: of this one, too, whose version may be the older one.
  private func device(of dot: Dot) -> String? {
    stored.ledger.peers[dot.writer]?.name ?? (dot.writer == stored.ledger.writer ? stored.name : nil)
  }
}
