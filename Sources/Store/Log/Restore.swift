import Wire

extension Transaction {
  /// Brings a removed item back as it was, with its id and its history, whichever commit removed it.
  ///
  /// - Returns: false if it is in the library, or its old values are not stored.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func bringBack(collection name: String, id: String) throws -> Bool {
    guard let collection = schema.find(name), try row(of: collection, id: id) == nil else { return false }
    let last = try db.first(
      """
      SELECT kind, before FROM changes WHERE collection = ? AND id = ? ORDER BY clock DESC, place DESC LIMIT 1
      """, [.text(name), .text(id)]
    ) { row in (kind: try row.requiredText(0), before: row.isNull(1) ? nil : try row.requiredText(1)) }
    guard let last, last.kind == Change.Kind.removed.rawValue, let before = last.before else { return false }
    guard case .object(let object)? = try? JSONParser.parse(before) else {
      throw StoreError.broken(path: "", reason: "before")
    }
    var row = RowValues(json: object)
    row["revision"] = .integer(clock)
    try insertRow(row, into: collection, id: id)
    try collection.description.restored?.tell(id, self)
    return true
  }
}
