import SQLite
import Wire

/// Taking back a commit, and bringing it back.
///
/// An undo is itself a commit, so it is told, logged and undone like any other; a redo is the undo of an undo. What a
/// commit changed is written back column by column from its `before` values; what it removed comes back with its id.
extension Transaction {
  /// Whether the caller may take this commit back: its own connection made it, or one of the same client name.
  package func mayUndo(_ clock: Int64) throws -> Bool? {
    try db.first("SELECT client, connection FROM commits WHERE clock = ?", [.integer(clock)]) { row in
      let (client, connection) = (try row.requiredText(0), try row.requiredText(1))
      return connection == caller.connectionID || (!client.isEmpty && client == caller.clientName)
    }
  }

  /// Whether a commit can still be taken back: it was undoable, its old values are kept, nobody took it back.
  package func isUndoable(_ clock: Int64) throws -> Bool {
    try db.first(
      "SELECT 1 FROM commits c WHERE c.clock = ? AND c.undoable AND \(Self.standing)", [.integer(clock)], { _ in })
      != nil
  }

  /// Writes back what was before commit `clock`, newest change first. An item that has moved on since is a conflict,
  /// unless `force`. Returns the slice before it where it is one of a series, which is to be undone next, in a slice of
  /// its own: so an undo is no longer than what it takes back.
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
    // What is given up is nobody's any more, whatever came since.
    let before = try force || isGivingUp ? [:] : itemsThatMayRefuse(changes)
    for change in changes {
      try undoChange(change, of: commit, force: force, origins: &origins)
    }
    for (key, payload) in before { try requireNoRefusal(of: key, before: payload) }
    if notes.isEmpty {
      // Everything is as it was before already. No commit says so, and without this the next undo would find it again.
      keepSilent()
      try db.run("UPDATE commits SET undoable = 0 WHERE clock = ?", [.integer(commit)])
    }
    try tellRestored()
    return try slice(before: commit)
  }

  /// The items of which others may need what they are now, as clients see them.
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

  /// - Throws: `StoreError.broken` for a collection that there is not: others may have made the library.
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

  private func tellRestored() throws {
    for note in notes where !note.isVoid {
      guard let restored = schema.collection(note.key.collection).description.restored else { continue }
      // Without names all fields changed.
      let isShown = note.fields.isEmpty || note.fields.contains(where: restored.columns.contains)
      if isShown { try restored.tell(note.key.id, self) }
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
    // A change without old values was not undoable when it was made: a position, a fetched cover. It stays.
    if kind != .added, before == nil { return }
    let current = try row(of: collection, id: id)
    if !force || isGivingUp {
      let isGone = current == nil
      let isUntouched =
        try isGone == (kind == .removed)
        && origins.isAsAfter(commit, collection: collection.name, id: id)
      // What somebody has made of it since is theirs, and was promised to stay.
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
        // A forced undo of an update whose item has gone has only some of its columns: nothing to bring back.
        if kind == .removed { try bringBack(before!, in: collection, id: id) }
      }
    } catch let error as DatabaseError where error.code == .constraint {
      // Another item took its place meanwhile, such as a second bookmark of the same page. It is somebody's, and what is
      // given up is nobody's any more.
      if isGivingUp { return }
      throw try undoConflict(collection: collection.name, id: id)
    }
  }

  /// What somebody made in the item since would be left where nobody can reach it. Parts that the same commit added are
  /// gone already.
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

  /// The refusal of an undo or a redo for the sake of an item that somebody has changed or put in its place.
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
    // People know it by its title.
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

/// A change as it lies in the log, unread.
private struct LoggedChange {
  var collection: String
  var id: String
  var kind: String
  var before: String?

  /// - Throws: `StoreError.broken` with the column that holds no text.
  init(row: Columns) throws(StoreError) {
    collection = try row.requiredText(0)
    id = try row.requiredText(1)
    kind = try row.requiredText(2)
    before = row.isNull(3) ? nil : try row.requiredText(3)
  }
}
