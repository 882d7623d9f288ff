import Contract
import Store
import Wire

/// A client's unsaved version of an item, as clients see it: the item has only the drafted fields.
package protocol ShownDraft: ShownItem {
  var row: StoredDraft { get }
  /// The revision of the saved item; nil if it is not saved.
  var savedRevision: Int64? { get }
}

extension ShownDraft {
  /// Included in lists, from which clients restore drafts.
  package static var fields: [Field<Item>] {
    Item.fields.all.filter { $0.traits.contains(.isDrafted) }.map(\.keptInLists)
  }

  package static var head: [DerivedMember<Self>] {
    let instant = JSONValue.string(example.updatedAt.description)
    return [
      DerivedMember("id", "The item; for a new one, the id to add it with.", example: .string(example.id)) {
        ItemID(unchecked: $0.row.item)
      },
      DerivedMember("connection", "The connection that wrote the draft.", example: "0193") { $0.row.connection },
      DerivedMember("client", "The name of that client.", example: "nvim") { $0.row.client },
      DerivedMember("startedAt", "When the draft was begun.", example: instant) { $0.row.startedAt },
      DerivedMember("updatedAt", "When the draft was last stored.", example: instant) { $0.row.updatedAt },
      DerivedMember("isNew", "True if the item does not exist yet, or no longer.", example: false) {
        $0.savedRevision == nil
      },
      DerivedMember("isOutdated", "True if the item has changed since the draft was begun.", example: false) {
        $0.savedRevision != $0.row.revision
      },
      DerivedMember(
        "revision", "The item's revision when the draft was begun, for `ifRevision`; absent for a new item.",
        example: .integer(example.revision)
      ) { $0.row.revision },
    ]
  }
}
