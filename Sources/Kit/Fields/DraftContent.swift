import Contract
import Store
import Wire

/// The drafted fields of an item as a JSON object, in the order of their declaration.
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

  /// An item with only its drafted fields set.
  ///
  /// - Throws: `RPCError` for a content that is not valid.
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
  /// Deletes the drafts that were saved as this item.
  ///
  /// - Parameters:
  ///   - old: the item's revision before the save; nil for a new item.
  ///   - isSet: whether the save set the field of this name; other fields of a draft stay unchanged.
  ///   - settle: makes the fields of a draft consistent with each other.
  /// - Throws: `DatabaseError`, or the error of a content that cannot be encoded.
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
