import SQLite

/// Counts of a list that do not need a scan of its items. In a library with a million items, counting them takes longer
/// than showing fifty.
package protocol ListingCounts {
  /// The number of items.
  ///
  /// - Throws: `DatabaseError`.
  func total() throws -> Int
  /// The number of items after a position.
  ///
  /// - Throws: `DatabaseError`.
  func count(after place: [SQLValue]) throws -> Int
  /// A condition after which the list begins `left` items before the one at `offset`.
  ///
  /// - Throws: `DatabaseError`.
  func skipping(_ offset: Int) throws -> (sql: String, values: [SQLValue], left: Int)
}
