import Contract
import Wire

/// One change of one item, with what it replaced.
package struct ItemVersion: Sendable {
  package var clock: Int64
  package var kind: Change.Kind
  package var client: String
  package var at: Instant
  package var fields: [String]
  /// The values of the changed columns before; nil where they are not kept.
  package var before: JSONValue?

  /// Newest first, before `clock` where given.
  ///
  /// - Parameter ofContent: without what was only told of the item, such as that it is free now: that made no revision.
  package static func history(
    of collection: String, id: String, before clock: Int64?, limit: Int, ofContent: Bool = false, in snapshot: Snapshot
  ) throws -> [ItemVersion] {
    var versions: [ItemVersion] = []
    try snapshot.db.each(
      """
      SELECT h.clock, h.kind, h.fields, h.before, c.client, c.at
      FROM changes h JOIN commits c ON c.clock = h.clock
      WHERE h.collection = ? AND h.id = ? AND h.clock < ? \
      \(ofContent ? "AND (h.revision = h.clock OR h.kind = 'removed')" : "") ORDER BY h.clock DESC LIMIT ?
      """, [.text(collection), .text(id), .integer(clock ?? .max), .integer(limit)]
    ) { row in
      let before = row.isNull(3) ? nil : try row.requiredText(3)
      versions.append(
        ItemVersion(
          clock: row.integer(0), kind: Change.Kind(rawValue: try row.requiredText(1)) ?? .updated,
          client: try row.requiredText(4), at: Instant(milliseconds: try row.requiredInteger(5)),
          fields: try row.requiredText(2).split(separator: ",").map(String.init),
          before: before.flatMap { try? JSONParser.parse($0) }.map(contentOnly)))
    }
    return versions
  }

  /// How many versions there are from `clock` on.
  package static func count(
    of collection: String, id: String, from clock: Int64 = 0, in snapshot: Snapshot
  ) throws -> Int {
    try snapshot.db.first(
      """
      SELECT count(*) FROM changes h JOIN commits c ON c.clock = h.clock
      WHERE h.collection = ? AND h.id = ? AND h.clock >= ?
      """, [.text(collection), .text(id), .integer(clock)]
    ) { $0.int(0) } ?? 0
  }

  /// What the transaction keeps of itself is in the version's own fields already, and in another form.
  private static func contentOnly(_ before: JSONValue) -> JSONValue {
    guard case .object(var object) = before else { return before }
    for column in Schema.kept + [FormerTitles.column] { object[column] = nil }
    return .object(object)
  }
}
