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
    switch conflict.kind {
    case .removedElsewhere: break
    case .circle:
      guard let field = conflict.field else { return nil }
      record.theirs = JSONValue.object([field.text: .string(JSONValue.array(conflict.values).description)]).description
    case .values, .text:
      guard let field = conflict.field, let value = loser(of: conflict) else { return nil }
      record.theirs = JSONValue.object(collection.columns(of: field, value)).description
    }
    record.source = ConflictRecord.devicePrefix + (device(of: conflict.dots) ?? "?")
    return record
  }

  /// The newest value that the item does not have.
  private func loser(of conflict: SyncConflict) -> JSONValue? {
    guard let winner = conflict.values.last else { return nil }
    // A merged text has all of them.
    if conflict.kind == .text { return conflict.values.first }
    return conflict.values.last { $0 != winner }
  }

  /// The name of the other device that wrote one of these dots.
  private func device(of dots: [Dot]) -> String? {
    dots.lazy.compactMap { stored.ledger.peers[$0.writer]?.name }.first
  }
}
