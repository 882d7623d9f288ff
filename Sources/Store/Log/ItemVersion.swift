import Contract
import Wire

/// One change of one item, with the replaced values.
package struct ItemVersion: Sendable {
  package var clock: Int64
  package var kind: Change.Kind
  package var client: String
  package var at: Instant
  package var fields: [String]
  /// The previous values of the changed columns; nil if they are not stored.
  package var before: JSONValue?

  /// The changes of an item, newest first, before `clock` if given.
  ///
  /// - Parameters:
  ///   - ofContent: skips changes without a revision, such as a card that became unblocked.
  ///   - size: the most bytes of previous values, as they are stored; one version is read in any case.
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  package static func history(
    of collection: String, id: String, before clock: Int64?, limit: Int, ofContent: Bool = false, upTo size: Int = .max,
    in snapshot: Snapshot
  ) throws -> [ItemVersion] {
    var versions: [ItemVersion] = []
    var total = 0
    try snapshot.db.each(
      """
      SELECT h.clock, h.kind, h.fields, h.before, c.client, c.at
      FROM changes h JOIN commits c ON c.clock = h.clock
      WHERE h.collection = ? AND h.id = ? AND h.clock < ? \
      \(ofContent ? "AND (h.revision = h.clock OR h.kind = 'removed')" : "") ORDER BY h.clock DESC LIMIT ?
      """, [.text(collection), .text(id), .integer(clock ?? .max), .integer(limit)]
    ) { row in
      total += row.bytes(3).count
      guard total <= size || versions.isEmpty else { return }
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

  /// The number of versions from `clock` on.
  ///
  /// - Throws: `DatabaseError`.
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

  /// Drops the columns that the transaction maintains: the version has them as fields of its own.
  private static func contentOnly(_ before: JSONValue) -> JSONValue {
    guard case .object(var object) = before else { return before }
    for column in Schema.commonColumns + [FormerTitles.column] { object[column] = nil }
    return .object(object)
  }
}
