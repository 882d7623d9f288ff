import Contract
import SQLite
import SearchEngine
import Wire

/// A collection of items in the library: its name in change notifications, and its table.
///
/// The table has the columns `id` (text, primary key), `revision`, `createdAt`, `updatedAt` (UTC milliseconds), and
/// those of the feature. The columns have the names of the fields on the wire. Change rows, undo, history, conflicts
/// and the search index are derived from this declaration, so a feature writes none of them.
package struct ItemCollection: Sendable {
  package let name: String
  package let table: String
  /// Reads an item as its Swift type; throws for a row that no daemon writes. Used to validate rows.
  package let read: @Sendable (_ id: String, _ db: Database) throws -> Void
  /// The values of some columns of an item, as conflict records store them; nil if there is no such item.
  package let values: @Sendable (_ id: String, _ columns: [String], _ db: Database) throws -> JSONObject?
  /// The columns of a field that is merged as one value; empty for other fields.
  package let columnsOfField: @Sendable (_ field: String) -> [String]
  /// Resolves a conflict of a field; `theirs` is the other version, by column. If `revision` is given, only if the item
  /// still has it.
  package let settle: Settling
  /// Whether a field can have both of two versions, given by column.
  package let canHaveBoth: @Sendable (_ field: String, _ ours: JSONObject, _ theirs: JSONObject) -> Bool
  package typealias Settling =
    @Sendable (
      _ field: String, _ id: String, _ revision: Int64?, _ choice: FieldChoice, _ theirs: JSONObject,
      _ transaction: Transaction
    ) throws -> Void
  /// Refuses an item whose values are inconsistent with each other, or with other items.
  package let requireSense: @Sendable (_ id: String, _ snapshot: Snapshot) throws -> Void
  /// Whether this version can read a value of a column.
  package let accepts: @Sendable (_ column: String, _ value: JSONValue) -> Bool
  /// How devices share its items; nil if each device has its own.
  package var sync: CollectionSync?
  /// Reads and writes its rows for devices that share them.
  package let sharing: SharedRows
  /// The declarations of its fields.
  package var columns: ColumnTraits { declared() }
  /// Computed lazily: the command line creates all collections and needs none of this.
  private let declared: @Sendable () -> ColumnTraits
  /// The columns with 0 and 1 for false and true.
  package let booleans: @Sendable () -> [String]
  /// Tables of data derived from blobs, with the column of the blob's hash; swept with the blob.
  package var derived: [Derived]

  /// Collections whose items belong to an item of this one and cannot be reached without it.
  package var parts: [Part]

  /// The collection whose items add and remove these, so that reporting their number is enough: the posts of a source.
  package var holder: String?

  /// Whether removed items can be listed and restored one by one. False for those that are only removed with others, and
  /// for those that the daemon writes by itself.
  package var listsRemoved: Bool

  package struct Part: Sendable {
    package var collection: String
    /// The column with the id of the item to which they belong.
    package var column: String

    package init(collection: String, column: String) {
      self.collection = collection
      self.column = column
    }
  }

  package struct Derived: Sendable {
    package var table: String
    package var column: String
    /// The type of every column. A row of an archive with any other type is refused.
    package var columns: [String: ColumnContent]

    package init(table: String, column: String, columns: [String: ColumnContent]) {
      self.table = table
      self.column = column
      self.columns = columns
    }
  }

  /// Returns a function that gives the items of a snapshot as clients see them; nil for an item that no client can see
  /// any more.
  package let payloads: @Sendable (_ snapshot: Snapshot) throws -> (_ id: String) throws -> JSONValue?
  /// The text of a removed item, from its stored columns; see `StoredItem`.
  package let text: @Sendable (_ values: JSONValue) -> String?
  /// The shape of those values.
  package let shape: @Sendable () -> Shape
  /// Whether clients are notified of changes only if they subscribe to this collection, as for the search history.
  package let isSilent: Bool
  /// The search entries of an item, computed after the write, in its transaction. Empty if nothing is indexed.
  package var searchEntries: SearchEntries
  package var isSearched: Bool

  /// `isWhole` requests all parts, as for an item that was added; otherwise only those in the item's own row.
  package typealias SearchEntries =
    @Sendable (_ id: String, _ isWhole: Bool, _ db: Database) throws -> [SearchEntry]

  /// Reports changes of other items that show data of this one and whose own rows did not change, by `touch`. The
  /// feature's writes do that themselves when they change these columns; an undo cannot. Called once for each item that
  /// an undo or redo added, removed, or changed in one of `columns`, after all of its commit is restored.
  package struct Restored: Sendable {
    package var columns: Set<String>
    package var report: @Sendable (_ id: String, _ transaction: Transaction) throws -> Void
    /// Why the item cannot be restored, if newer items depend on its current state: a conflict unless the undo is
    /// forced. `before` is the item as clients saw it before the undo.
    package var refusal: Refusal?

    package typealias Refusal =
      @Sendable (_ id: String, _ before: JSONValue?, _ transaction: Transaction) throws -> Text?

    package init(
      _ columns: Set<String>, report: @escaping @Sendable (_ id: String, _ transaction: Transaction) throws -> Void
    ) {
      self.columns = columns
      self.report = report
    }

    package init(refusal: @escaping Refusal) {
      columns = []
      report = { _, _ in }
      self.refusal = refusal
    }
  }
  package var restored: Restored?

  /// The readable form of a column's value that refers to something else, in the user's language: for a card's column
  /// its title. Nil for a value that is shown unchanged.
  package typealias Wording =
    @Sendable (_ column: String, _ value: JSONValue, _ snapshot: Snapshot) throws -> String?
  package var wording: Wording?
  /// What clients count and the changes of a commit have changed, among them some of this collection. Called by the writer
  /// before the commit, with its changes in the snapshot: it must read a few rows by an index.
  package typealias Counts = @Sendable (_ changes: [Change], _ snapshot: Snapshot) throws -> [ItemCount]
  package var counts: Counts?
  /// How items take part in links; nil if they contain no user-written links and cannot be linked to.
  package var linking: Linking?
  /// Rows of other tables that follow from its own.
  package var following: [FollowingRows] = []

  /// - Parameters:
  ///   - type: the type of a row of the table. Rows of an archive are decoded as it before they are accepted.
  ///   - payloads: returns a function that gives items as clients see them, or nil for an item that no client can see
  ///     any more. Shared data is looked up once per call.
  ///   - sense: refuses fields whose values are inconsistent with each other.
  package init<Item: StoredItem, Reply: Payload>(
    _ type: Item.Type, derived: [Derived] = [], parts: [Part] = [], holder: String? = nil, isSilent: Bool = false,
    listsRemoved: Bool = true,
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
    self.listsRemoved = listsRemoved && holder == nil && !isSilent
    self.payloads = { snapshot in
      let payload = try payloads(snapshot)
      return { id in
        guard let item = try snapshot.find(Item.self, id: id) else { return nil }
        return try payload(item).map { try JSONParser.parse($0.json()) }
      }
    }
    text = { Item.text(in: $0) }
    shape = { Shape.of(Reply.self) }
    self.searchEntries = searchEntries ?? { _, _, _ in [] }
    self.isSearched = searchEntries != nil
    self.restored = restored
    self.wording = wording
    self.linking = linking
    self.counts = counts
    read = { id, db in
      guard let item = try Item.find(id, in: db) else { return }
      try Item.fields.check(item)
      try item.check()
    }
    values = { id, columns, db in try Item.find(id, in: db)?.content(of: columns) }
    columnsOfField = { Item.columns(of: $0) }
    accepts = { column, value in
      var item = Item()
      guard let field = Item.fields[column] else { return false }
      do {
        try field.read(SQLValue(json: value), &item)
        // A missing value is that of an item without it.
        if !value.isNull { try field.check(item) }
        return true
      } catch {
        return false
      }
    }
    sharing = SharedRows(type)
    requireSense = { id, snapshot in
      guard let item = try snapshot.find(Item.self, id: id) else { return }
      try sense?(item, snapshot)
    }
    canHaveBoth = { field, ours, theirs in
      guard let merging = Item.fields[field]?.merging, let column = Item.columns(of: field).first,
        let ours = ours[column]?.stringValue, let theirs = theirs[column]?.stringValue
      else { return false }
      return (try? merging.both(.text(ours), .text(theirs))) != nil
    }
    settle = { field, id, revision, choice, theirs, transaction in
      let item = try transaction.snapshot.get(Item.self, id: id)
      try transaction.require(item, at: revision)
      var settled = item
      try settled.settle(field, by: choice, theirs: theirs, in: transaction.snapshot)
      try sense?(settled, transaction.snapshot)
      try transaction.requireWhole(of: Item.collectionName) { try settled.content(of: [$0])[$0]?.stringValue }
      try transaction.change(item) { $0 = settled }
    }
  }
}

extension ItemCollection {
  /// A collection whose items can be shown without shared data.
  ///
  /// - Parameter payload: the item as clients see it; nil for one that no client can see any more.
  package init<Item: StoredItem, Reply: Payload>(
    _ type: Item.Type, derived: [Derived] = [], parts: [Part] = [], holder: String? = nil, isSilent: Bool = false,
    listsRemoved: Bool = true,
    payload: @escaping @Sendable (_ item: Item, _ snapshot: Snapshot) throws -> Reply?,
    searchEntries: SearchEntries? = nil, restored: Restored? = nil, wording: Wording? = nil, linking: Linking? = nil
  ) {
    self.init(
      type, derived: derived, parts: parts, holder: holder, isSilent: isSilent, listsRemoved: listsRemoved,
      payloads: { snapshot in { try payload($0, snapshot) } }, searchEntries: searchEntries, restored: restored,
      wording: wording, linking: linking)
  }

  /// The same collection, shared between devices.
  package func shared(_ sync: CollectionSync = CollectionSync()) -> ItemCollection {
    var collection = self
    collection.sync = sync
    return collection
  }

  /// The same with rows of other tables that follow from its own.
  package func followed(by following: FollowingRows...) -> ItemCollection {
    var collection = self
    collection.following += following
    return collection
  }

  /// The item as clients see it, for conflicts and history.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  package func payload(_ id: String, _ snapshot: Snapshot) throws -> JSONValue? { try payloads(snapshot)(id) }

  /// The description of the items for the protocol reference.
  package var description: ItemDescription {
    ItemDescription(collection: name, shape: shape(), isSilent: isSilent)
  }

  /// The first line of an item's title; nil if it has none.
  ///
  /// - Parameter item: the item as clients see it, or the stored columns of a deleted one.
  package func title(of item: JSONValue?) -> String? {
    shape().titles.lazy.compactMap { path in
      let words = path.reduce(item) { $0?[$1] }?.stringValue
      return words?.split(whereSeparator: \.isNewline).first { !$0.isBlank }.map(String.init)
    }.first
  }
}
