import SQLite

/// What a list knows without a pass through its items. Where a library has a million, counting them takes longer than
/// showing fifty.
package protocol ListingCounts {
  /// How many items there are.
  func total() throws -> Int
  /// How many of them follow a place.
  func behind(_ place: [SQLValue]) throws -> Int
  /// What narrows the list so that its items begin `left` before the one at `offset`.
  func skipping(_ offset: Int) throws -> (sql: String, values: [SQLValue], left: Int)
}
