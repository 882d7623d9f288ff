import Contract
import SQLite
import Wire

extension Transaction {
  /// Brings a removed item back as it was, with its id and its history, whichever commit removed it.
  ///
  /// - Returns: false if it is in the library, or its old values are not stored.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func bringBack(collection name: String, id: String) throws -> Bool {
    guard let collection = schema.find(name), try row(of: collection, id: id) == nil,
      let removal = try lastRemoval(of: name, id: id), let before = removal.before
    else { return false }
    guard case .object(let object)? = try? JSONParser.parse(before) else {
      throw StoreError.broken(path: "", reason: "before")
    }
    var row = RowValues(json: object)
    row["revision"] = .integer(clock)
    try insertRow(row, into: collection, id: id)
    try collection.description.restored?.report(id, self)
    return true
  }

  /// The removal of an item that is its last change; nil if there is none.
  private func lastRemoval(of collection: String, id: String) throws -> (clock: Int64, before: String?)? {
    let last = try db.first(
      """
      SELECT kind, before, clock FROM changes WHERE collection = ? AND id = ? ORDER BY clock DESC, place DESC LIMIT 1
      """, [.text(collection), .text(id)]
    ) { row in
      (
        kind: try row.requiredText(0), before: row.isNull(1) ? nil : try row.requiredText(1),
        clock: try row.requiredInteger(2)
      )
    }
    return last.flatMap { $0.kind == Change.Kind.removed.rawValue ? ($0.clock, $0.before) : nil }
  }

  /// The most items that are restored with one.
  private static var mostWithOne: Int { 10_000 }

  /// Restores a removed item, and what was removed with it: its parts, and the items that are not listed as removed
  /// (`ItemCollection.listsRemoved`), such as the boards and posts of a source.
  ///
  /// - Parameter names: the collections in which the item may be.
  /// - Returns: the item, and the number of others that were restored with it.
  /// - Throws: `RPCError` of the kinds `exists` for an item that is in the library, `notFound` for one that was not
  ///   removed or whose values are forgotten, `conflict` if the item that it is a part of is gone or another item has
  ///   taken its place, `tooLarge`; `StoreError.broken`, `DatabaseError`. Then nothing is changed.
  package func restoreRemoved(_ id: String, in names: [String]) throws -> (key: ItemKey, others: Int) {
    var last: (key: ItemKey, clock: Int64, before: String?)?
    for name in names {
      guard let removal = try lastRemoval(of: name, id: id), removal.clock > last?.clock ?? 0 else { continue }
      last = (ItemKey(collection: name, id: id), removal.clock, removal.before)
    }
    guard let last else {
      for name in names where try row(of: schema.collection(name), id: id) != nil {
        throw RPCError(.exists, text: Text("changes.notRemoved", ["id": id]))
      }
      throw RPCError(.notFound, text: Text("changes.neverRemoved", ["id": id]))
    }
    let key = last.key
    let gone: JSONObject = ["collection": .string(key.collection), "id": .string(id)]
    guard let before = last.before else {
      throw RPCError(.notFound, text: Text("changes.forgotten", ["id": id]), data: gone)
    }
    let values = try JSONParser.parse(before)
    try requireWhole(of: key.collection) { values[$0]?.stringValue }
    let others = try removed(with: key, at: last.clock)
    if others.count > Self.mostWithOne {
      throw RPCError(.tooLarge, text: Text("changes.restoresTooMuch", ["clock": String(last.clock)]))
    }
    return try attempt {
      do {
        var count = 0
        for item in [key] + others where try bringBack(collection: item.collection, id: item.id) { count += 1 }
        for item in [key] + others { try requireSense(of: item) }
        return (key, count - 1)
      } catch let error as DatabaseError where error.code == .constraint {
        throw RPCError(.conflict, text: Text("changes.replaced", ["id": id]), data: gone)
      }
    }
  }

  /// Refuses an item without the one that it belongs to: a mark can only be reached through its document, and a card is
  /// on a board.
  ///
  /// - Parameters:
  ///   - name: the item's collection.
  ///   - value: the text in one of its columns.
  /// - Throws: `RPCError` of the kind `conflict` with the missing item in its data; what `value` throws; `DatabaseError`.
  func requireWhole(of name: String, _ value: (_ column: String) throws -> String?) throws {
    for (owner, column, permanent) in wholes(of: name) {
      guard let id = try value(column), !permanent.contains(where: { sameBytes($0, id) }),
        try row(of: owner, id: id) == nil
      else { continue }
      throw RPCError(
        .conflict, text: Text("changes.wholeGone", ["collection": owner.name, "id": id]),
        data: ["collection": .string(owner.name), "id": .string(id)])
    }
  }

  /// The collections that the items of one belong to, with the column that has the id, and the ids that need no row.
  private func wholes(of name: String) -> [(owner: Schema.Entry, column: String, permanent: [String])] {
    var wholes: [(owner: Schema.Entry, column: String, permanent: [String])] = []
    for owner in schema.all {
      guard let part = owner.description.parts.first(where: { sameBytes($0.collection, name) }) else { continue }
      wholes.append((owner, part.column, []))
    }
    let collection = schema.collection(name).description
    if let sync = collection.sync, let holder = sync.holder,
      case .reference(let owner)? = collection.columns.shared.first(where: { sameBytes($0.name, holder) })?.sync,
      !wholes.contains(where: { sameBytes($0.column, holder) })
    {
      wholes.append((schema.collection(owner), holder, sync.permanentHolders))
    }
    return wholes
  }

  /// The items to restore with an item, in the order in which an undo restores them: of the same commit or chunked
  /// commit group, with the item's id among their values.
  private func removed(with whole: ItemKey, at clock: Int64) throws -> [ItemKey] {
    let parts = schema.collection(whole.collection).description.parts.map(\.collection)
    let names = schema.all.map(\.description).filter { !$0.listsRemoved || parts.contains($0.name) }.map(\.name)
    guard !names.isEmpty else { return [] }
    var keys: [ItemKey] = []
    // The values of a column that is JSON have a backslash before each quote.
    try db.each(
      """
      SELECT collection, id FROM changes INDEXED BY changesRemoved
      WHERE clock IN (
          SELECT ?1 UNION SELECT clock FROM commits
          WHERE series IS NOT NULL AND series = (SELECT series FROM commits WHERE clock = ?1))
        AND kind = 'removed' AND before IS NOT NULL
        AND collection IN (\(names.map { "'\($0)'" }.joined(separator: ", ")))
        AND instr(replace(before, '\\', ''), ?2) > 0
      ORDER BY clock DESC, place DESC LIMIT \(Self.mostWithOne + 1)
      """, [.integer(clock), .text("\"\(whole.id)\"")]
    ) { keys.append(ItemKey(collection: try $0.requiredText(0), id: try $0.requiredText(1))) }
    return keys
  }

  /// Whether the item can be as it was, among the items that are there now.
  private func requireSense(of key: ItemKey) throws {
    let collection = schema.collection(key.collection).description
    var text = try collection.restored?.refusal?(key.id, nil, self)
    do {
      try collection.requireSense(key.id, snapshot)
    } catch let error as RPCError {
      text = error.text
    }
    guard let text else { return }
    throw RPCError(
      .conflict, text: text, data: ["collection": .string(key.collection), "id": .string(key.id)])
  }
}
