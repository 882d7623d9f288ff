import SQLite
import Wire

/// Undo and redo of a commit.
///
/// An undo is itself a commit, so it is reported, logged and undoable like any other; a redo is the undo of an undo.
/// The changed columns are restored from their `before` values; removed items are restored with their ids.
extension Transaction {
  /// Whether the caller may undo this commit: its own connection made it, or one of the same client name, or the daemon
  /// itself, such as a sync. Nil if there is no such commit.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  package func mayUndo(_ clock: Int64) throws -> Bool? {
    try db.first("SELECT client, connection, undoable FROM commits WHERE clock = ?", [.integer(clock)]) { row in
      let (client, connection) = (try row.requiredText(0), try row.requiredText(1))
      let isOfDaemon = try connection.isEmpty && row.requiredInteger(2) != 0
      return connection == caller.connectionID || (!client.isEmpty && client == caller.clientName) || isOfDaemon
    }
  }

  /// Whether a commit can still be undone: it was undoable, its old values are stored, and it was not undone yet.
  ///
  /// - Throws: `DatabaseError`.
  package func isUndoable(_ clock: Int64) throws -> Bool {
    try db.first(
      "SELECT 1 FROM commits c WHERE c.clock = ? AND c.undoable AND \(Self.notUndone)", [.integer(clock)], { _ in })
      != nil
  }

  /// Restores the state before commit `clock`, newest change first. In a chunked commit group, returns the preceding
  /// commit, which has to be undone next, in a transaction of its own: so an undo takes no longer than the write.
  ///
  /// - Parameter force: overwrites items that were changed since; otherwise they are a conflict.
  /// - Throws: `RPCError` of the kinds `nothingToUndo` and `conflict`, `StoreError.broken`, `DatabaseError`.
  @discardableResult
  package func undo(_ commit: Int64, force: Bool) throws -> Int64? {
    let undone = try db.first("SELECT action, label FROM commits WHERE clock = ?", [.integer(commit)]) { row in
      (action: try row.requiredText(0), label: try row.requiredText(1))
    }
    guard let undone else { throw RPCError(.nothingToUndo) }
    undoes = commit
    action = undone.action == CommitAction.undo.rawValue ? .redo : .undo
    label = undone.label
    var changes: [LoggedChange] = []
    try db.each(
      "SELECT collection, id, kind, before FROM changes WHERE clock = ? ORDER BY place DESC", [.integer(commit)]
    ) { changes.append(try LoggedChange(row: $0)) }
    var origins = Origins(db: db)
    // A failed long write is rolled back completely, whatever was written since.
    let before = try force || isGivingUp ? [:] : itemsThatMayRefuse(changes)
    for change in changes {
      try undoChange(change, of: commit, force: force, origins: &origins)
    }
    for (key, payload) in before { try requireNoRefusal(of: key, before: payload) }
    if notes.isEmpty {
      // All items already have their previous state. No commit records this undo, so without the update the next undo
      // would try the same commit again.
      keepSilent()
      try db.run("UPDATE commits SET undoable = 0 WHERE clock = ?", [.integer(commit)])
    }
    try reportRestored()
    return try slice(before: commit)
  }

  /// The current payloads of the items whose restoration other items may refuse.
  private func itemsThatMayRefuse(_ changes: [LoggedChange]) throws -> [ItemKey: JSONValue?] {
    var items: [ItemKey: JSONValue?] = [:]
    for change in changes {
      let collection = try collection(of: change)
      guard collection.description.restored?.refusal != nil else { continue }
      let key = ItemKey(collection: collection.name, id: change.id)
      items.updateValue(try collection.payload(key.id, snapshot), forKey: key)
    }
    return items
  }

  /// - Throws: `StoreError.broken` for an unknown collection: the library may be external.
  private func collection(of change: LoggedChange) throws -> Schema.Entry {
    guard let collection = schema.find(change.collection) else {
      throw StoreError.broken(path: "", reason: "collection")
    }
    return collection
  }

  private func requireNoRefusal(of key: ItemKey, before: JSONValue?) throws {
    let refusal = schema.collection(key.collection).description.restored?.refusal
    guard let text = try refusal?(key.id, before, self) else { return }
    var error = try conflict(collection: key.collection, id: key.id)
    error.text = text
    error.data["current"] = before ?? .null
    throw error
  }

  /// Reports changes of other items that show data of those that this write has restored.
  ///
  /// - Throws: what the collections' `restored` throw.
  package func reportRestored() throws {
    for note in notes where !note.isVoid {
      guard let restored = schema.collection(note.key.collection).description.restored else { continue }
      // An update without field names changed all fields.
      let isShown = note.fields.isEmpty || note.fields.contains(where: restored.columns.contains)
      if isShown { try restored.report(note.key.id, self) }
    }
  }

  private func undoChange(_ change: LoggedChange, of commit: Int64, force: Bool, origins: inout Origins) throws {
    let id = change.id
    let collection = try collection(of: change)
    guard let kind = Change.Kind(rawValue: change.kind) else {
      throw StoreError.broken(path: "", reason: "kind")
    }
    let before = try change.before.map { text -> RowValues in
      guard case .object(let object)? = try? JSONParser.parse(text) else {
        throw StoreError.broken(path: "", reason: "before")
      }
      return RowValues(json: object)
    }
    // A change without old values was not undoable when it was made, such as a position or a fetched cover. It stays.
    if kind != .added, before == nil { return }
    let current = try row(of: collection, id: id)
    if !force || isGivingUp {
      let isGone = current == nil
      let isUntouched =
        try isGone == (kind == .removed)
        && origins.isAsAfter(commit, collection: collection.name, id: id)
      // Changes that another client has made since must survive the rollback of a failed write.
      if isGivingUp, try !isUntouched || kind == .added && hasParts(in: collection, id: id) { return }
      guard isUntouched else { throw try undoConflict(collection: collection.name, id: id) }
    }
    do {
      switch (kind, current) {
      case (.added, .some):
        try removeParts(of: collection, id: id, force: force)
        try removeRow(in: collection, id: id)
      case (.added, nil): break
      case (_, .some): try restore(before!, in: collection, id: id)
      case (_, nil):
        // A forced undo of an update has only some columns of a deleted item, which is not enough to restore it.
        if kind == .removed { try bringBack(before!, in: collection, id: id) }
      }
    } catch let error as DatabaseError where error.code == .constraint {
      // Another item took its place meanwhile, such as a second bookmark of the same page. That item is preserved; the
      // change of a failed long write is dropped.
      if isGivingUp { return }
      throw try undoConflict(collection: collection.name, id: id)
    }
  }

  /// Removes the parts that other commits added, or refuses if `force` is false: they could not be reached any more.
  /// Parts of the same commit are already removed.
  private func removeParts(of collection: Schema.Entry, id: String, force: Bool) throws {
    for part in collection.description.parts {
      let ids = try ids(of: part, in: id)
      guard force || ids.isEmpty else { throw try undoConflict(collection: collection.name, id: id) }
      for id in ids { try removeRow(in: schema.collection(part.collection), id: id) }
    }
  }

  private func hasParts(in collection: Schema.Entry, id: String) throws -> Bool {
    try collection.description.parts.contains { try !ids(of: $0, in: id).isEmpty }
  }

  private func ids(of part: ItemCollection.Part, in id: String) throws -> [String] {
    var ids: [String] = []
    let table = schema.collection(part.collection).table
    try db.each("SELECT id FROM \(table) WHERE \"\(part.column)\" = ? ORDER BY id", [.text(id)]) {
      ids.append($0.text(0))
    }
    return ids
  }

  /// The error of an undo or redo that an item blocks, because it was changed or replaced since.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  package func undoConflict(collection: String, id: String) throws -> RPCError {
    var error = try conflict(collection: collection, id: id)
    let isRedo = action == .redo
    guard try row(of: schema.collection(collection), id: id) != nil else {
      let last = try ItemVersion.history(of: collection, id: id, before: nil, limit: 1, in: snapshot).first
      if let title = last?.before?["title"]?.stringValue, !title.isEmpty {
        let arguments = ["title": String(title.prefix(120))]
        error.text = isRedo ? Text("error.redoRemovedOf", arguments) : Text("error.undoRemovedOf", arguments)
      } else {
        let arguments = ["collection": collection, "id": id]
        error.text = isRedo ? Text("error.redoRemoved", arguments) : Text("error.undoRemoved", arguments)
      }
      return error
    }
    // Names the item by its title.
    if let title = error.data["current"]?["title"]?.stringValue, !title.isEmpty {
      let arguments = ["title": String(title.prefix(120))]
      error.text = isRedo ? Text("error.redoConflictOf", arguments) : Text("error.undoConflictOf", arguments)
    } else {
      let arguments = ["collection": collection, "id": id]
      error.text = isRedo ? Text("error.redoConflict", arguments) : Text("error.undoConflict", arguments)
    }
    return error
  }

  private func restore(_ before: RowValues, in collection: Schema.Entry, id: String) throws {
    _ = try updateRow(before, in: collection, id: id)
  }

  private func bringBack(_ before: RowValues, in collection: Schema.Entry, id: String) throws {
    var row = before
    row["revision"] = .integer(clock)
    try insertRow(row, into: collection, id: id)
  }
}

/// A change as stored in the log, not yet parsed.
private struct LoggedChange {
  var collection: String
  var id: String
  var kind: String
  var before: String?

  /// - Throws: `StoreError.broken` with the column that is not a text.
  init(row: Columns) throws(StoreError) {
    collection = try row.requiredText(0)
    id = try row.requiredText(1)
    kind = try row.requiredText(2)
    before = row.isNull(3) ? nil : try row.requiredText(3)
  }
}
