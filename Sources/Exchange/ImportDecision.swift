import Kit
import Store

/// The effect of a file on an existing item.
///
///     the file is old, or unchanged since its last import    nothing
///     both have the same content, or only the item changed   the file is noted: its next edit is an edit of this state
///     only parts without a field changed in the file         the source text is stored again
///     the file has changed                                   the item follows the file, except for fields that were
///                                                              changed here; if both changed a field differently, the
///                                                              file's version is stored beside the item's
///
/// For another program's file, "unchanged" refers to its last import. For a file of ours, which states its revision and
/// history, `FileComparison` decides.
package struct ImportDecision<Item: StoredItem>: Sendable {
  package enum Effect: Sendable {
    case nothing, noteFile, storeSource, update
  }

  /// The item before the import.
  package let item: Item
  package let effect: Effect
  package let merge: ItemMerge<Item>
  /// Whether the report counts the item as updated.
  let isUpdate: Bool

  /// - Parameters:
  ///   - merge: the merge of item and file; by default the item is unchanged.
  ///   - isUpdate: whether the report counts the item as updated, if that does not follow from the effect.
  package init(_ effect: Effect, of item: Item, merge: ItemMerge<Item>? = nil, isUpdate: Bool? = nil) {
    (self.item, self.effect) = (item, effect)
    self.merge = merge ?? ItemMerge(Item.fields, keeping: item)
    self.isUpdate = isUpdate ?? (effect == .update)
  }

  /// The decision for a file that was changed since item and file were last the same.
  package init(_ merge: ItemMerge<Item>, of item: Item) {
    self.init(merge.isChange ? .update : .noteFile, of: item, merge: merge)
  }
}
