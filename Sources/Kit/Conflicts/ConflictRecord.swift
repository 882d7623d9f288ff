import Contract
import Store
import Wire

/// A field of which two versions stand: the item has the one of here, and this the one of elsewhere, until somebody
/// settles it. An item of its own, so that undo, history and notifications treat it as any other.
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
  /// By columns, as the item would store it.
  package var theirs = "{}"
  package var source = ""

  package init() {}

  package static let fields = Fields<Self> {
    Field("collection", \.collection, "The item's collection.")
    Field("item", \.item, .form(.id), "The item.")
    Field("field", \.field, "Which field it is; a deadline has its time with it.")
    Field("theirs", \.theirs, .json(.dictionary(.any)), "The version of elsewhere, by the names of its fields.")
    Field("source", \.source, "Where that came from: the path of a file, or its format.")
      .called("origin")
  }
}

extension Transaction {
  /// Keeps the other version of fields that were changed here and elsewhere to different things. One that the same source
  /// brought before takes the place of that; where both say the same by now, there is none any more.
  ///
  /// - Parameters:
  ///   - fields: each by the name that it is merged under.
  ///   - theirs: the item as it is elsewhere.
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

  /// Removes for good the conflicts of items that are gone and of which no old version is left: an undo cannot bring them
  /// back, and nobody can name them any more.
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
