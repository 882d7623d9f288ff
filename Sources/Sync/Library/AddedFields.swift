import SQLite
import Store
import Wire

/// Fields that an earlier version of this device did not share: the states that it wrote, or was sent, have no values
/// of this library for them.
///
/// At the first run of a version with more fields, each value of the library that no state has goes into the states
/// beside those of other devices, so that nobody's value is emptied or replaced unseen. Like all that nobody has just
/// edited, such a value precedes no edit.
///
/// A field that earlier versions shared as a value and this one shares as a list is such a field, too: the states have
/// a value, and no elements.
struct AddedFields: Sendable {
  /// By collection.
  let fields: [ByteKey: Set<ByteKey>]

  /// What the versions that noted no fields did not share: whole collections, and fields of others.
  private static let laterCollections: Set<String> = ["calendars", "posts"]
  private static let laterFields: [String: Set<ByteKey>] = ["diary": ["starred"], "postMarks": ["files"]]

  /// - Parameter known: the fields of the version that ran last, by collection; nil if it noted none.
  init(_ collections: SharedCollections, since known: [String: [String]]?) {
    var fields: [ByteKey: Set<ByteKey>] = [:]
    for collection in collections.all {
      let name = collection.name.text
      var new = Set(collection.synced.fields.keys)
      if let known {
        let known = Set(known[name] ?? [])
        new = new.filter { !known.contains(collection.noted($0)) }
      } else if !Self.laterCollections.contains(name) {
        new.formIntersection(Self.laterFields[name] ?? [])
      }
      if !new.isEmpty { fields[collection.name] = new }
    }
    self.fields = fields
  }

  /// Puts the values of a row beside those that the states of its item have.
  ///
  /// - Returns: whether the states had another value, or none, for any.
  static func adopt(
    _ fields: some Sequence<ByteKey>, of row: SyncedRow, into state: inout ItemState, _ collection: SyncedCollection,
    _ dot: Dot
  ) -> Bool {
    let (old, past) = (state, state.context)
    for field in fields {
      guard let kind = collection.fields[field], let value = row[field], !kind.isEmpty(value),
        value != collection.unset[field]
      else { continue }
      switch kind {
      case .latest, .quiet, .maximum, .reference:
        let heads = state.latest[field] ?? [:]
        if heads.values.contains(where: { $0.value == value.canonical }) { continue }
        state.latest[field, default: [:]][dot] = Register(at: 0, value: value.canonical)
      case .text:
        let text = value.stringValue ?? ""
        if (state.texts[field] ?? [:]).values.contains(where: { sameBytes($0.text, text) }) { continue }
        state.texts[field, default: [:]][dot] = TextHead(at: 0, text: text, past: past)
      case .set, .references:
        for (place, element) in (value.arrayValue ?? []).enumerated() {
          let element = ByteKey(element.stringValue ?? element.canonical.description)
          if state.sets[field]?[element] != nil { continue }
          state.sets[field, default: [:]][element] = [dot: ElementPlace(at: 0, place: Int64(place))]
        }
      }
    }
    if state == old { return false }
    state.context.insert(dot)
    return true
  }
}

extension SharedCollections {
  /// The shared fields by collection, as `StoredLedger` notes them.
  var fields: [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: all.map { collection in
        (collection.name.text, collection.synced.fields.keys.map(collection.noted).sorted())
      })
  }
}

extension SharedLibrary {
  /// Brings the values of fields that this version shares for the first time into the states. To be called at the begin
  /// of a run, before anything is absorbed: an empty value here would replace that of a device that shares the field
  /// already. Begun anew after a crash, it writes nothing twice.
  ///
  /// - Returns: the items that have to be shown as soon as all is absorbed, since other devices may have shared other
  ///   values of these fields; nil if no field is new.
  func adoptAddedFields() async throws -> [ItemKey]? {
    let isKnown = try await services.library.read(as: caller) { [collections] snapshot in
      try StoredLedger.fields(in: snapshot.db) == collections.fields
    }
    if isKnown { return nil }
    let items = try await services.library.read(as: caller) { [collections] in try collections.allItems(in: $0.db) }
    let keys = try await transact { sharing -> [ItemKey] in
      // All items are about to be absorbed.
      guard sharing.stored.absorbed != nil else { return [] }
      let added = AddedFields(sharing.collections, since: sharing.stored.fields)
      guard !added.fields.isEmpty else { return [] }
      // Numbers of the present writer are in the contexts of the items already: others would take the values for
      // replaced ones.
      var random = SystemRandomNumberGenerator()
      sharing.stored.ledger.renewWriter(using: &random)
      return items.filter { added.fields[$0.collection] != nil }
    }
    try await inSlices(of: keys) { sharing, keys, end in try sharing.adopt(keys, until: end) }
    return keys
  }

  /// Shows adopted items, and notes that this version's fields are in the states.
  func finishAdoption(of keys: [ItemKey]) async throws {
    try await show(keys)
    try await transact { $0.stored.fields = $0.collections.fields }
  }
}

extension SharingTransaction {
  /// Adopts the added fields of these items.
  ///
  /// - Returns: how many items it has done until `end`, which is at least one.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  fileprivate mutating func adopt(_ keys: some Collection<ItemKey>, until end: SliceEnd) throws -> Int {
    let added = AddedFields(collections, since: stored.fields)
    // Before all that is not absorbed yet: a conflict that was resolved meanwhile would seem to be absorbed already.
    let dot = Dot(stored.ledger.writer, max(1, stored.absorbed ?? 1))
    var count = 0
    for key in keys {
      if count > 0, end.isReached { break }
      count += 1
      guard let collection = collections[key.collection], let fields = added.fields[key.collection] else { continue }
      guard var state = try states.stored(key) else {
        _ = try absorbRows(of: [key], until: end)
        continue
      }
      guard let columns = try collection.row(key.id, in: transaction.db) else { continue }
      var row = collection.row(columns)
      if AddedFields.adopt(fields, of: row, into: &state, collection.synced, dot) { try states.write(state, of: key) }
      // From now on the row has what the states have: a difference would be absorbed as an edit.
      guard let shown = try view(of: [key]).rows.rows[key] else { continue }
      for field in fields { row[field] = shown[field] }
      _ = try put(row, of: key, collection, state)
    }
    return count
  }
}
