import Wire

extension ItemVersion {
  /// A column's text as of a commit: the value that the next change of the column replaced, or the current value.
  ///
  /// Nil if the item did not exist then, or if the replaced value is not stored.
  ///
  /// - Throws: `DatabaseError`.
  package static func text(
    _ column: String, of collection: String, table: String, id: String, after clock: Int64, in snapshot: Snapshot
  ) throws -> String? {
    // An update without field names changed all fields.
    let change = try snapshot.db.first(
      """
      SELECT kind, before FROM changes WHERE collection = ?1 AND id = ?2 AND clock > ?3
        AND (kind <> 'updated' OR fields = '' OR instr(',' || fields || ',', ',' || ?4 || ',') > 0)
      ORDER BY clock LIMIT 1
      """, [.text(collection), .text(id), .integer(clock), .text(column)]
    ) { (kind: $0.text(0), before: $0.optionalText(1)) }
    guard let change else {
      return try snapshot.db.first("SELECT \"\(column)\" FROM \(table) WHERE id = ?", [.text(id)]) {
        $0.optionalText(0)
      }.flatMap(\.self)
    }
    guard change.kind != Change.Kind.added.rawValue, let before = change.before else { return nil }
    let value = try JSONParser.parse(before)[column]
    return value?.stringValue ?? value?.integerValue.map(String.init)
  }
}
