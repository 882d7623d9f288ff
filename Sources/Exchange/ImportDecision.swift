import Kit
import Store

/// What a file does to an item that is there.
///
///     the file is old, or contains what it contained before   nothing
///     the two contain the same, or only the item has changed  the file is noted: its next edit is an edit of this state
///     only what has no field here has changed in the file     that is stored again
///     the file has changed                                    the item follows, and keeps what was changed here; of a
///                                                               field that both changed to different things the file's
///                                                               version is stored beside it
///
/// "Before" is what another program's file contained when it was last imported; of a file of ours, which names the revision
/// and the history that it was written of, it is what `FileVerdict` finds.
package struct ImportDecision<Item: StoredItem>: Sendable {
  package enum Effect: Sendable {
    case nothing, noteFile, storeSource, update
  }

  /// The item as it is.
  package let item: Item
  package let effect: Effect
  package let merge: ItemMerge<Item>
  /// Whether the report counts the item as updated.
  let isUpdate: Bool

  /// - Parameters:
  ///   - merge: what the item and the file become together; the item as it is unless it is given.
  ///   - isUpdate: whether the report counts the item as updated, where that does not follow from the effect.
  package init(_ effect: Effect, of item: Item, merge: ItemMerge<Item>? = nil, isUpdate: Bool? = nil) {
    (self.item, self.effect) = (item, effect)
    self.merge = merge ?? ItemMerge(Item.fields, keeping: item)
    self.isUpdate = isUpdate ?? (effect == .update)
  }

  /// Of an item whose file was changed since the two last contained the same.
  package init(_ merge: ItemMerge<Item>, of item: Item) {
    self.init(merge.isChange ? .update : .noteFile, of: item, merge: merge)
  }
}
