import Contract
import SQLite
import SearchEngine
import Wire

/// One kind of item that the library keeps: its name in change notifications, and its table.
///
/// The table has the columns `id` (text, primary key), `revision`, `createdAt`, `updatedAt` (UTC milliseconds), and
/// whatever the feature adds. The columns are named as the fields are on the wire. From this row alone come change
/// rows, undo, history, conflicts and the search index, so a feature writes none of them.
package struct ItemCollection: Sendable {
  package let name: String
  package let table: String
  /// Finds an item as its type has it, which throws for a row that no daemon writes.
  package let read: @Sendable (_ id: String, _ db: Database) throws -> Void
  /// The values of some columns of an item, as conflicts keep them; nil where there is no such item.
  package let values: @Sendable (_ id: String, _ columns: [String], _ db: Database) throws -> JSONObject?
  /// The columns of a field that is merged as one value; none for what is no such field.
  package let columnsOfField: @Sendable (_ field: String) -> [String]
  /// Gives a field another value where two versions of it stand; `theirs` is the other one, by columns. With `revision`
  /// only of the item as it was then.
  package let settle: Settling
  package typealias Settling =
    @Sendable (
      _ field: String, _ id: String, _ revision: Int64?, _ choice: FieldChoice, _ theirs: JSONObject,
      _ transaction: Transaction
    ) throws -> Void
  /// What its fields declare.
  package var columns: ColumnTraits { declared() }
  /// Only when they are asked for: the command line makes all collections and asks for none.
  private let declared: @Sendable () -> ColumnTraits
  /// The columns that hold 0 and 1 for yes and no.
  package let booleans: @Sendable () -> [String]
  /// Tables of what was derived from blobs, with the column that names the blob; swept with it.
  package var derived: [Derived]

  /// Collections whose items belong to one of these and cannot be reached without it.
  package var parts: [Part]

  /// The collection whose items bring these along and take them away, of which it is then enough to say how many they
  /// were: the posts of a source.
  package var holder: String?

  package struct Part: Sendable {
    package var collection: String
    /// The column that names the item they belong to.
    package var column: String

    package init(collection: String, column: String) {
      self.collection = collection
      self.column = column
    }
  }

  package struct Derived: Sendable {
    package var table: String
    package var column: String
    /// What every column holds. A row of an archive that holds anything else is refused.
    package var columns: [String: ColumnContent]

    package init(table: String, column: String, columns: [String: ColumnContent]) {
      self.table = table
      self.column = column
      self.columns = columns
    }
  }

  /// Makes what shows the items of one state of the library as clients see them; nil for one that none can see any more.
  package let payloads: @Sendable (_ snapshot: Snapshot) throws -> (_ id: String) throws -> JSONValue?
  /// What that looks like.
  package let shape: @Sendable () -> Shape
  /// Whether people are notified of changes only if they ask for this collection, as of what was searched for.
  package let isSilent: Bool
  /// What search finds of an item; called after the write, in its transaction. Empty where nothing is indexed.
  package var searchEntries: SearchEntries
  package var isSearched: Bool

  /// `isWhole` asks for all parts, as of an item that was added; otherwise those will do that the item's own row holds.
  package typealias SearchEntries =
    @Sendable (_ id: String, _ isWhole: Bool, _ db: Database) throws -> [SearchEntry]

  /// Tells of items that show something of this one and whose own rows did not change, by `touch`: what the feature's
  /// writes tell by themselves when they change these columns, an undo does not know. Called once for each item that an
  /// undo or a redo brought, took away, or changed in one of `columns`, when all of its commit is as it was.
  package struct Restored: Sendable {
    package var columns: Set<String>
    package var tell: @Sendable (_ id: String, _ transaction: Transaction) throws -> Void
    /// Why the item cannot be so any more, where others that came since need what it was: a conflict unless the undo is
    /// forced. `before` is the item as clients saw it until then.
    package var refusal: Refusal?

    package typealias Refusal =
      @Sendable (_ id: String, _ before: JSONValue?, _ transaction: Transaction) throws -> Text?

    package init(
      _ columns: Set<String>, tell: @escaping @Sendable (_ id: String, _ transaction: Transaction) throws -> Void
    ) {
      self.columns = columns
      self.tell = tell
    }

    package init(refusal: @escaping Refusal) {
      columns = []
      tell = { _, _ in }
      self.refusal = refusal
    }
  }
  package var restored: Restored?

  /// What people call the value of a column that is the name of something else, in the reader's language: of a card's
  /// column its title. Nil for what is read as it is.
  package typealias Wording =
    @Sendable (_ column: String, _ value: JSONValue, _ snapshot: Snapshot) throws -> String?
  package var wording: Wording?
  /// What clients count and the changes of a commit have changed, among them some of this collection. Called by the writer
  /// before the commit, with its changes in the snapshot: it must read a few rows by an index.
  package typealias Counts = @Sendable (_ changes: [Change], _ snapshot: Snapshot) throws -> [ItemCount]
  package var counts: Counts?
  /// What links have to do with it; nil where no link stands in it that a reader wrote, and none is shown to lead to it.
  package var linking: Linking?

  /// - Parameters:
  ///   - type: what a row of the table is. Rows of an archive are read as it before they are accepted.
  ///   - payloads: makes what shows items as clients see them, which returns nil for one that none can see any more. What
  ///     all items need is looked up once then.
  ///   - sense: refuses fields that make no sense together.
  package init<Item: StoredItem, Reply: Payload>(
    _ type: Item.Type, derived: [Derived] = [], parts: [Part] = [], holder: String? = nil, isSilent: Bool = false,
    payloads: @escaping @Sendable (_ snapshot: Snapshot) throws -> (_ item: Item) throws -> Reply?,
    searchEntries: SearchEntries? = nil, restored: Restored? = nil, wording: Wording? = nil, linking: Linking? = nil,
    counts: Counts? = nil,
    sense: (@Sendable (_ item: Item, _ snapshot: Snapshot) throws -> Void)? = nil
  ) {
    name = Item.collectionName
    table = Item.tableName
    declared = { Item.fields.columns }
    booleans = { Item.fields.all.filter { $0.shape == .boolean }.map(\.name) }
    self.derived = derived
    self.parts = parts
    self.holder = holder
    self.isSilent = isSilent
    self.payloads = { snapshot in
      let payload = try payloads(snapshot)
      return { id in
        guard let item = try snapshot.find(Item.self, id: id) else { return nil }
        return try payload(item).map { try JSONParser.parse($0.json()) }
      }
    }
    shape = { Shape.of(Reply.self) }
    self.searchEntries = searchEntries ?? { _, _, _ in [] }
    self.isSearched = searchEntries != nil
    self.restored = restored
    self.wording = wording
    self.linking = linking
    self.counts = counts
    read = { id, db in try Item.find(id, in: db)?.check() }
    values = { id, columns, db in try Item.find(id, in: db)?.content(of: columns) }
    columnsOfField = { Item.columns(of: $0) }
    settle = { field, id, revision, choice, theirs, transaction in
      let item = try transaction.snapshot.get(Item.self, id: id)
      try transaction.require(item, at: revision)
      var settled = item
      try settled.settle(field, by: choice, theirs: theirs, in: transaction.snapshot)
      try sense?(settled, transaction.snapshot)
      try transaction.change(item) { $0 = settled }
    }
  }
}

extension ItemCollection {
  /// A collection whose items need nothing in common to be shown.
  ///
  /// - Parameter payload: the item as clients see it; nil for one that none can see any more.
  package init<Item: StoredItem, Reply: Payload>(
    _ type: Item.Type, derived: [Derived] = [], parts: [Part] = [], holder: String? = nil, isSilent: Bool = false,
    payload: @escaping @Sendable (_ item: Item, _ snapshot: Snapshot) throws -> Reply?,
    searchEntries: SearchEntries? = nil, restored: Restored? = nil, wording: Wording? = nil, linking: Linking? = nil
  ) {
    self.init(
      type, derived: derived, parts: parts, holder: holder, isSilent: isSilent,
      payloads: { snapshot in { try payload($0, snapshot) } }, searchEntries: searchEntries, restored: restored,
      wording: wording, linking: linking)
  }

  /// The item as clients see it, for conflicts and history.
  package func payload(_ id: String, _ snapshot: Snapshot) throws -> JSONValue? { try payloads(snapshot)(id) }

  /// What the reference says of the items.
  package var description: ItemDescription {
    ItemDescription(collection: name, shape: shape(), isSilent: isSilent)
  }

  /// The first line of an item's title; nil where it has none.
  ///
  /// - Parameter item: as clients see it, or the columns that were kept of one that is gone.
  package func title(of item: JSONValue?) -> String? {
    shape().titles.lazy.compactMap { path in
      let words = path.reduce(item) { $0?[$1] }?.stringValue
      return words?.split(whereSeparator: \.isNewline).first { !$0.isBlank }.map(String.init)
    }.first
  }
}

/// A row of a collection's table as a Swift value.
package protocol StoredItem: Sendable {
  static var collectionName: String { get }
  static var tableName: String { get }
  var id: String { get set }
  /// The clock of the commit that last changed the item. Set by the transaction.
  var revision: Int64 { get set }
  var createdAt: Instant { get set }
  var updatedAt: Instant { get set }

  /// An item with nothing in it, into which a row is read.
  init()
  /// What a write would refuse of an item beside the types of its columns. An archive's items are checked by it.
  func check() throws
  /// Every column but the four above.
  static var fields: Fields<Self> { get }
}

extension StoredItem {
  package func check() throws {}
}
