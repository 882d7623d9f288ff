import Contract
import Store
import Wire

/// How a feature saves a text of its items.
///
/// The text feature splits the work: `parse` gives the items of a text; it finds out which item of the library each one
/// is, what was added, moved and removed, and calls the other methods for that, all in one transaction.
package protocol TextEditing: Sendable {
  /// The collection of all items in these texts.
  var collection: String { get }
  /// Whether the order of the items in a lane is saved, and an item may be moved to another lane.
  var isOrdered: Bool { get }
  /// Whether an item that is missing in a saved text is removed. Otherwise its absence means nothing.
  var removesMissing: Bool { get }

  /// The items of a text. Never fails: what cannot be read is a problem of the item or of the text.
  ///
  /// - Parameter items: those of the version that the client edited.
  func parse(_ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot) throws -> ParsedText

  /// Adds a new item to its lane. Its place there is set afterwards, if the order is saved.
  ///
  /// - Returns: its id, which is that of the parsed item if it has one.
  /// - Throws: `RPCError` for an item that `…/add` would refuse.
  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String
  /// Applies the changes from one version of an item to another to the item in the library.
  ///
  /// - Throws: `RPCError` for values that `…/update` would refuse.
  func change(
    _ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction
  ) throws -> TextChange
  /// The lane in which an item is saved: the one in which it is written, or the one that its box asks for.
  ///
  /// - Parameter former: the lane in which the version that the client edited has it; nil for an item from elsewhere.
  func target(
    of content: String, in lane: String, formerly former: String?, on path: TextPath, in snapshot: Snapshot
  ) throws -> String
  /// The content of an item in this text, as `TextItem.content`; nil for one that is not in the library.
  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String?
  /// The lane in which the library has an item of this text; nil for an item of another text.
  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String?
  /// Moves an item to this text and lane: after an item of the lane, else before one, else to its end.
  ///
  /// - Returns: false if it is there already.
  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool
  func remove(_ id: String, in transaction: Transaction) throws
  /// The first line of an item as it should be written, without its anchor.
  ///
  /// - Parameter isWhole: whether its fields are written in their order; otherwise only days in words are written out.
  func written(
    _ line: String, of item: ParsedTextItem, isWhole: Bool, on path: TextPath, in snapshot: Snapshot
  ) throws -> String
  /// The first line of an item with an anchor; nil for a line that can have none.
  func anchored(_ line: String, with anchor: String) -> String?
  /// The title for messages.
  func title(of id: String, in snapshot: Snapshot) throws -> String
  /// The table in which clients that edit items find the unsaved version of a text's only item; nil for texts of several.
  var drafts: DraftTable? { get }
  /// The content of such a draft; nil for a text that the item cannot have.
  ///
  /// - Parameter item: as it is in the version that the client edited.
  /// - Throws: `RPCError` for a value that the item cannot have.
  func draftContent(of text: ParsedTextItem, since item: TextItem, in transaction: Transaction) throws -> String?
}

extension TextEditing {
  package var isOrdered: Bool { false }

  /// - Throws: nothing.
  package func target(
    of content: String, in lane: String, formerly former: String?, on path: TextPath, in snapshot: Snapshot
  ) throws -> String { lane }

  /// - Throws: nothing.
  package func written(
    _ line: String, of item: ParsedTextItem, isWhole: Bool, on path: TextPath, in snapshot: Snapshot
  ) throws -> String { line }

  package func anchored(_ line: String, with anchor: String) -> String? { line + " ^" + anchor }
  package var drafts: DraftTable? { nil }

  /// - Throws: nothing.
  package func draftContent(
    of text: ParsedTextItem, since item: TextItem, in transaction: Transaction
  ) throws -> String? { nil }
}

package struct ParsedText: Sendable {
  package var items: [ParsedTextItem]
  /// Lines that belong to no item, or differ from what the library can store.
  package var problems: [TextProblem]

  package init(items: [ParsedTextItem] = [], problems: [TextProblem] = []) {
    (self.items, self.problems) = (items, problems)
  }
}

/// An item as it is written in a text.
package struct ParsedTextItem: Sendable {
  package var anchor: String?
  package var lane: String
  package var lines: Range<Int>
  /// Without the anchor, as `TextItem.content`.
  package var content: String
  /// The id for a new item, if its anchor was reserved before it was saved.
  package var id: String?

  package init(anchor: String? = nil, lane: String = "", lines: Range<Int>, content: String) {
    (self.anchor, self.lane, self.lines, self.content) = (anchor, lane, lines, content)
  }
}

/// The effect of a save on an item that the text shows.
package enum TextChange: Sendable {
  case unchanged, changed
  /// It was changed, and fields that others have changed as well have the text's values now.
  ///
  /// - Parameter former: the others' values, as params of the collection's `update`.
  case replaced(former: JSONObject)
  /// The library and the text have changed the same lines differently: nothing was written.
  case conflict
}

extension TextChange {
  /// The effect of a save that perhaps has also changed something else of the item.
  package func with(otherChange isChanged: Bool) -> TextChange {
    if isChanged, case .unchanged = self { .changed } else { self }
  }
}

/// A place in a text that was not saved as it is written.
package struct TextProblem: Sendable, Equatable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The same lines were changed elsewhere.
    case conflict
    /// A part of the text that only shows something: it is put back.
    case readOnly
    /// It cannot be stored where it stands.
    case unsaved
    /// An anchor that the library does not know, or one that occurs twice.
    case anchor
    /// A text that is no day.
    case day
  }

  package var kind: Kind
  /// From 0.
  package var lines: Range<Int>
  package var message: Text
  /// The item, if it is one of the library.
  package var item: ItemKey?
  /// Whether others have removed the item: its line is not saved, and goes.
  package var isGone = false

  package init(_ kind: Kind, lines: Range<Int>, message: Text, item: ItemKey? = nil) {
    (self.kind, self.lines, self.message, self.item) = (kind, lines, message, item)
  }
}
