import Contract
import Wire

/// A row of a collection's table as a Swift value.
public protocol StoredItem: Sendable {
  static var collectionName: String { get }
  static var tableName: String { get }
  var id: String { get set }
  /// The clock of the commit that last changed the item. Set by the transaction.
  var revision: Int64 { get set }
  var createdAt: Instant { get set }
  var updatedAt: Instant { get set }

  /// An item with default values, into which a row is read.
  init()
  /// Refuses an item that a write would refuse for reasons beyond the types of its columns. Called for an archive's
  /// items.
  ///
  /// - Throws: `StoreError.broken` with the reason.
  func check() throws
  /// The text of an item whose title does not tell it from others: of a mark.
  ///
  /// - Parameter values: its columns, as the log stores them.
  static func text(in values: JSONValue) -> String?
  /// All columns except the four above.
  static var fields: Fields<Self> { get }
}

extension StoredItem {
  /// - Throws: nothing.
  package func check() throws {}

  /// The column `text`, if there is one.
  package static func text(in values: JSONValue) -> String? { values["text"]?.stringValue }
}
