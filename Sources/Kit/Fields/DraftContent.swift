import Contract
import Store
import Wire

/// What stands in an editor of an item: its drafted fields as an object, in the order of their declaration.
extension StoredItem {
  package var draftContent: String {
    get throws {
      var json = JSONWriter()
      json.beginObject()
      for field in Self.draftedFields { try field.write(self, &json) }
      json.endObject()
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }

  /// An item of which only the drafted fields say anything.
  package init(draftContent: String) throws {
    self.init()
    guard let content = try JSONParser.parse(draftContent).objectValue else { return }
    for field in Self.draftedFields {
      if let value = content[field.name] { try field.assign(value, &self) }
    }
  }

  private static var draftedFields: [Field<Self>] { fields.all.filter { $0.traits.contains(.isDrafted) } }
}

extension DraftTable {
  /// Lets go of the drafts that have become this item, which had the revision `old`, or was none.
  ///
  /// - Parameters:
  ///   - isSet: whether the save set a field of this name; the others of a draft stay as they are in it.
  ///   - settle: what the fields of a draft must be together.
  package func settle<Item: StoredItem>(
    saving item: Item, over old: Int64?, setting isSet: (String) -> Bool, in transaction: Transaction,
    _ settle: (inout Item, _ saved: Item) -> Void = { _, _ in }
  ) throws {
    let revisions = (old: old, new: item.revision)
    try self.settle(item.id, saving: item.draftContent, revisions: revisions, in: transaction) { content in
      var draft = try Item(draftContent: content)
      for field in Item.fields.all where field.traits.contains(.isDrafted) && isSet(field.name) {
        field.copy(item, &draft)
      }
      settle(&draft, item)
      return try draft.draftContent
    }
  }
}
