import Kit
import SQLite
import Store
import Wire

/// A collection that devices share, with the conversion between its columns and the fields of states.
struct SharedCollection: Sendable {
  let name: ByteKey
  let items: ItemCollection
  let synced: SyncedCollection
  private let fields: [SyncedColumns]

  /// The field of the time at which an item was added. It is no column of a feature.
  static let createdAt: ByteKey = "createdAt"

  /// - Returns: nil for a collection that is not shared.
  init?(_ items: ItemCollection) {
    guard let sync = items.sync else { return nil }
    let fields = items.columns.shared
    var kinds: [ByteKey: SyncedField] = [Self.createdAt: .quiet]
    for field in fields { kinds[ByteKey(field.name)] = SyncedField(field.sync) }
    var synced = SyncedCollection(
      kinds, holder: sync.holder.map { ByteKey($0) }, acyclic: sync.acyclic.map { ByteKey($0) })
    synced.permanentHolders = Set(sync.permanentHolders.map { ByteKey($0) })
    let identity = fields.first { field in sync.identity.contains { field.columns.contains($0) } }
    synced.identity = identity.map { ByteKey($0.name) }
    if let identity, identity.columns.count > 1 { synced.identityMembers = sync.identity }
    synced.isKnown = { name, value in
      guard let field = fields.first(where: { ByteKey($0.name) == name }) else { return true }
      if field.columns.count > 1 { return field.columns.allSatisfy { items.accepts($0, value[$0] ?? .null) } }
      switch field.sync {
      case .set, .references, .objects:
        return items.accepts(field.name, .string(Self.list([value], of: field.sync).description))
      case .own, .quiet, .latest, .maximum, .text, .reference: return items.accepts(field.name, value)
      }
    }
    (name, self.items, self.fields) = (ByteKey(items.name), items, fields)
    if let unset = try? items.sharing.unset() { synced.unset = Self.row(unset, fields).filter { !$0.value.isNull } }
    self.synced = synced
  }

  /// The condition of the shared rows, in SQL.
  var condition: String { items.sync?.rows ?? "1" }

  /// What `StoredLedger` notes for a field. A list of objects has its kind with its name: earlier versions shared such a
  /// list as one value, so that the name alone would seem to be known.
  func noted(_ field: ByteKey) -> String {
    let sync = fields.first { ByteKey($0.name) == field }?.sync
    return sync == .objects ? "\(field.text):objects" : field.text
  }

  /// The shared columns of an item; nil if there is none, or if it stays on this device.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func row(_ id: ByteKey, in db: Database) throws -> JSONObject? {
    try isShared(id, in: db) ? try items.sharing.row(id.text, db) : nil
  }

  /// Removes an item, if it is there and is shared.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func remove(_ id: ByteKey, in transaction: Transaction) throws {
    if try isShared(id, in: transaction.db) { try items.sharing.remove(id.text, transaction) }
  }

  private func isShared(_ id: ByteKey, in db: Database) throws -> Bool {
    guard items.sync?.rows != nil else { return true }
    return try db.first(
      "SELECT 1 FROM \(items.table) WHERE id = ? AND (\(condition))", [.text(id.text)], { _ in true }) ?? false
  }

  /// The fields of a row.
  ///
  /// - Parameter columns: all shared columns, and `createdAt`.
  func row(_ columns: JSONObject) -> SyncedRow { Self.row(columns, fields) }

  private static func row(_ columns: JSONObject, _ fields: [SyncedColumns]) -> SyncedRow {
    var row: SyncedRow = [createdAt: columns["createdAt"] ?? .null]
    for field in fields {
      let value = columns[field.name] ?? .null
      if field.columns.count > 1 {
        let members = field.columns.map { JSONObject.Member(key: $0, value: columns[$0] ?? .null) }
        let isNothing = members.allSatisfy(\.value.isNull)
        row[ByteKey(field.name)] = isNothing ? .null : JSONValue.object(JSONObject(members)).canonical
        continue
      }
      switch field.sync {
      case .set, .references:
        row[ByteKey(field.name)] = value.stringValue.flatMap { try? JSONParser.parse($0) } ?? .array([])
      case .objects:
        let elements = value.stringValue.flatMap { try? JSONParser.parse($0) }?.arrayValue ?? []
        // As they are written: each device has the same text for the same object.
        row[ByteKey(field.name)] = .array(elements.map { .string($0.description) })
      case .own, .quiet, .latest, .maximum, .text, .reference: row[ByteKey(field.name)] = value
      }
    }
    return row
  }

  /// Gives all fields of a row but those of some columns the values of another row.
  func revert(_ row: inout SyncedRow, to other: SyncedRow, besides columns: Set<String>) {
    for field in fields where columns.isDisjoint(with: field.columns) {
      row[ByteKey(field.name)] = other[ByteKey(field.name)]
    }
  }

  /// The columns of a row. A field without a value is empty.
  func columns(_ row: SyncedRow) -> JSONObject {
    var columns: JSONObject = [:]
    for field in fields { set(field, row[ByteKey(field.name)], in: &columns) }
    return columns
  }

  /// The columns of one field with a value.
  func columns(of name: ByteKey, _ value: JSONValue) -> JSONObject {
    var columns: JSONObject = [:]
    if let field = fields.first(where: { ByteKey($0.name) == name }) { set(field, value, in: &columns) }
    return columns
  }

  /// A value without what follows from it, such as when a card was moved to its column.
  func withoutFollowers(_ value: JSONValue, of name: ByteKey) -> JSONValue {
    guard case .object(var columns) = value, let field = fields.first(where: { ByteKey($0.name) == name }) else {
      return value
    }
    for column in field.followers { columns[column] = nil }
    return .object(columns)
  }

  /// The list that a column has for the elements of a field. An element that is no object makes it one that is refused.
  private static func list(_ elements: [JSONValue], of sync: FieldSync) -> JSONValue {
    guard sync == .objects else { return .array(elements) }
    return .array(elements.map { element in element.stringValue.flatMap { try? JSONParser.parse($0) } ?? element })
  }

  private func set(_ field: SyncedColumns, _ value: JSONValue?, in columns: inout JSONObject) {
    if field.columns.count > 1 {
      for column in field.columns {
        let member = value?[column] ?? .null
        if !member.isNull || items.accepts(column, .null) { columns[column] = member }
      }
      return
    }
    switch (field.sync, value) {
    case (.set, let value), (.references, let value), (.objects, let value):
      columns[field.name] = .string(Self.list(value?.arrayValue ?? [], of: field.sync).description)
    case (_, let value?) where !value.isNull: columns[field.name] = value
    case (_, _) where items.accepts(field.name, .null): columns[field.name] = .null
    case (.text, _): columns[field.name] = ""
    default: break
    }
  }
}

extension SyncedField {
  fileprivate init(_ sync: FieldSync) {
    self =
      switch sync {
      case .own, .quiet: .quiet
      case .latest: .latest
      case .maximum: .maximum
      case .text: .text
      case .set, .objects: .set
      case .reference(let collection): .reference(ByteKey(collection))
      case .references(let collection): .references(ByteKey(collection))
      }
  }
}

/// The collections that devices share, in the order in which rows are written.
struct SharedCollections: Sendable {
  let all: [SharedCollection]
  let schema: SyncSchema

  /// The version of the collections and fields in the headers of files; it is only shown.
  static let version: Int64 = 1

  init(_ library: any LibraryServices) {
    all = library.collections.compactMap { library.collection($0).flatMap { SharedCollection($0) } }
    schema = SyncSchema(
      version: Self.version, Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.synced) }))
  }

  subscript(name: ByteKey) -> SharedCollection? { all.first { $0.name == name } }

  /// The condition of the rows `h` of `changes` that concern shared items, in SQL.
  ///
  /// It must not choose the rows by their collections: the index of these has the whole log, which a run would read in
  /// each of its transactions. The few rows since some clock are found by it.
  var changes: String {
    let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
    let own = all.filter { $0.items.sync?.rows != nil }.map { collection in
      """
      AND (h.collection <> '\(collection.name)'
        OR EXISTS (SELECT 1 FROM \(collection.items.table) r WHERE r.id = h.id AND (\(collection.condition)))
        OR EXISTS (SELECT 1 FROM syncItem s WHERE s.collection = h.collection AND s.id = h.id))
      """
    }
    return (["+h.collection IN (\(names))"] + own).joined(separator: " ")
  }
}
