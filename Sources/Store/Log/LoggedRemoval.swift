import Contract
import SQLite
import Wire

/// A removed item that can be restored: the log has its values.
package struct LoggedRemoval: Sendable {
  package var collection: String
  package var id: String
  package var place: Place
  package var client: String
  /// The method that removed it.
  package var label: String
  package var at: Instant
  /// Its last values, by column.
  package var values: JSONValue

  /// The place of the removal in the log, by which lists continue.
  package struct Place: Sendable, Equatable {
    package var clock: Int64
    package var index: Int64

    package init(clock: Int64, index: Int64) { (self.clock, self.index) = (clock, index) }
  }

  /// For `LoggedRemoval` only: the log is large, and few of its changes are removals.
  package static let index = """
    CREATE INDEX changesRemoved ON changes (clock, place) WHERE kind = 'removed' AND before IS NOT NULL
    """

  /// The removed items of these collections, the last removed first. Parts are listed while their item is there, as
  /// they are restored with it otherwise.
  ///
  /// - Parameter size: the most bytes of values, as they are stored; one item is read in any case.
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  package static func list(
    of collections: [ItemCollection], among all: [ItemCollection], after place: Place?, limit: Int,
    upTo size: Int = .max, in snapshot: Snapshot
  ) throws -> [LoggedRemoval] {
    var items: [LoggedRemoval] = []
    var total = 0
    let place = place ?? Place(clock: .max, index: .max)
    try snapshot.db.each(
      """
      SELECT h.collection, h.id, h.clock, h.place, h.before, c.client, c.label, c.at
      FROM changes h INDEXED BY changesRemoved JOIN commits c ON c.clock = h.clock
      WHERE (h.clock, h.place) < (?1, ?2) AND \(condition(collections, all))
      ORDER BY h.clock DESC, h.place DESC LIMIT ?3
      """, [.integer(place.clock), .integer(place.index), .integer(Int64(limit))]
    ) { row in
      total += row.bytes(4).count
      guard total <= size || items.isEmpty else { return }
      items.append(
        LoggedRemoval(
          collection: try row.requiredText(0), id: try row.requiredText(1),
          place: Place(clock: row.integer(2), index: row.integer(3)), client: try row.requiredText(5),
          label: try row.requiredText(6), at: Instant(milliseconds: try row.requiredInteger(7)),
          values: try JSONParser.parse(row.requiredText(4))))
    }
    return items
  }

  /// The number of those items, up to and including a place if there is one.
  ///
  /// - Throws: `DatabaseError`.
  package static func count(
    of collections: [ItemCollection], among all: [ItemCollection], through place: Place? = nil, in snapshot: Snapshot
  ) throws -> Int {
    let place = place ?? Place(clock: 0, index: 0)
    return try snapshot.db.first(
      """
      SELECT count(*) FROM changes h INDEXED BY changesRemoved
      WHERE (h.clock, h.place) >= (?1, ?2) AND \(condition(collections, all))
      """, [.integer(place.clock), .integer(place.index)]
    ) { $0.int(0) } ?? 0
  }

  /// Whether an item was removed after a commit, even if it is back.
  ///
  /// - Throws: `DatabaseError`.
  package static func exists(of key: ItemKey, since clock: Int64, in snapshot: Snapshot) throws -> Bool {
    try snapshot.db.first(
      "SELECT 1 FROM changes WHERE collection = ? AND id = ? AND clock > ? AND kind = 'removed'",
      [.text(key.collection), .text(key.id), .integer(clock)]
    ) { _ in true } ?? false
  }

  /// The condition of a removal that is the last change of its item. Names of collections, tables and columns are those
  /// of declarations.
  private static func condition(_ collections: [ItemCollection], _ all: [ItemCollection]) -> String {
    let wholes = collections.compactMap { collection -> String? in
      guard let (table, column) = whole(of: collection, among: all) else { return nil }
      return """
        WHEN '\(collection.name)' THEN
          EXISTS (SELECT 1 FROM \(table) w WHERE w.id = json_extract(h.before, '$."\(column)"'))
        """
    }
    let names = collections.map { "'\($0.name)'" }.joined(separator: ", ")
    return """
      h.kind = 'removed' AND h.before IS NOT NULL AND h.collection IN (\(names))
      AND NOT EXISTS (
        SELECT 1 FROM changes l WHERE l.collection = h.collection AND l.id = h.id AND l.clock > h.clock)
      \(wholes.isEmpty ? "" : "AND CASE h.collection \(wholes.joined(separator: " ")) ELSE 1 END")
      """
  }

  /// The table of the items that parts of a collection belong to, and the parts' column with its id.
  private static func whole(
    of collection: ItemCollection, among all: [ItemCollection]
  ) -> (table: String, column: String)? {
    for owner in all {
      if let part = owner.parts.first(where: { sameBytes($0.collection, collection.name) }) {
        return (owner.table, part.column)
      }
    }
    return nil
  }
}
