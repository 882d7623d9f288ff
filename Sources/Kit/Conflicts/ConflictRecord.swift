import Contract
import Store
import Wire

/// A field with two conflicting versions: the item has ours, and this record the other one, until the conflict is
/// resolved. It is an item of its own, so that undo, history and notifications apply to it as to any other.
package struct ConflictRecord: StoredItem {
  package static let collectionName = "conflicts"
  package static let tableName = "conflict"

  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  package var collection = ""
  package var item = ""
  package var field = ""
  /// The other version, by column, as the item would store it.
  package var theirs = "{}"
  package var source = ""

  package init() {}

  /// The field of a conflict about the item itself: another device removed it.
  package static let removal = "removed"

  /// How the source of a conflict between devices begins; the name of the other device follows.
  package static let devicePrefix = "sync: "

  /// The name of the other device; nil for a conflict with a file.
  package var device: String? {
    source.hasPrefix(Self.devicePrefix) ? String(source.dropFirst(Self.devicePrefix.count)) : nil
  }

  package static let fields = Fields<Self> {
    Field("collection", \.collection, "The item's collection.")
    Field("item", \.item, .form(.id), "The item.")
    Field("field", \.field, "The field; a deadline includes its time.")
    Field("theirs", \.theirs, .json(.dictionary(.any)), "The imported version, keyed by field name.")
    Field("source", \.source, .form(.namingFiles), "The origin of that version: the path of a file, or its format.")
      .called("origin")
  }
}

extension Transaction {
  /// Stores the other version of fields that were changed differently here and in a source. It replaces an earlier
  /// conflict of the same source; if both versions are equal by now, the conflict is removed.
  ///
  /// - Parameters:
  ///   - fields: the name under which each field is merged.
  ///   - theirs: the item as the source has it.
  /// - Throws: `StoreError.broken`, `DatabaseError`, or the error of a value that cannot be encoded.
  package func keepConflicts<Item: StoredItem>(in fields: [String], of theirs: Item, from source: String) throws {
    let known = try ConflictRecord.all(
      in: db, "WHERE item = ? AND collection = ? AND source = ?",
      [.text(theirs.id), .text(Item.collectionName), .text(source)])
    if !known.isEmpty {
      let ours = try snapshot.get(Item.self, id: theirs.id)
      for conflict in known where !fields.contains(conflict.field) {
        let columns = Item.columns(of: conflict.field)
        if try ours.content(of: columns) == theirs.content(of: columns) { try remove(conflict) }
      }
    }
    for field in fields {
      let content = JSONValue.object(try theirs.content(of: Item.columns(of: field))).description
      if let conflict = known.first(where: { sameBytes($0.field, field) }) {
        try change(conflict) { $0.theirs = content }
        continue
      }
      var record = ConflictRecord()
      record.id = services.newID()
      (record.collection, record.item, record.field) = (Item.collectionName, theirs.id, field)
      (record.theirs, record.source) = (content, source)
      try insert(record)
    }
  }

  /// Removes for good the conflicts of deleted items without old versions: undo cannot restore these items, and clients
  /// cannot refer to them any more.
  ///
  /// - Throws: `DatabaseError`.
  package func forgetConflictsOfLostItems() throws {
    let lost = try ConflictRecord.all(
      in: db,
      """
      WHERE NOT EXISTS (
        SELECT 1 FROM changes h WHERE h.collection = conflict.collection AND h.id = conflict.item AND h.before IS NOT NULL)
      """
    ).filter { conflict in
      try services.library.collection(conflict.collection)?.values(conflict.item, [], db) == nil
    }
    if lost.isEmpty { return }
    isOnlyNoted()
    for conflict in lost { try removeForGood(conflict) }
  }
}
