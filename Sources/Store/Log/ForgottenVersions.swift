import Contract
import SQLite

/// What was forgotten here on purpose, until the devices that share the library are notified of it. A library that is
/// not shared keeps it for the day on which it is.
package struct ForgottenVersions: Sendable {
  /// The item; nil for all items.
  package let item: ItemKey?
  /// The moment up to which versions were forgotten, in milliseconds since 1970.
  package let until: Int64

  /// Rows of all items have an empty collection and an empty id.
  static let table = """
    CREATE TABLE forgotten (
      collection TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (collection, id)) WITHOUT ROWID
    """

  /// What no other device is notified of yet.
  ///
  /// - Throws: `DatabaseError`.
  package static func pending(in db: Database) throws -> [ForgottenVersions] {
    var pending: [ForgottenVersions] = []
    try db.each("SELECT collection, id, until FROM forgotten ORDER BY until, collection, id") {
      let key = ItemKey(collection: $0.text(0), id: $0.text(1))
      pending.append(ForgottenVersions(item: key.id.isEmpty ? nil : key, until: $0.integer(2)))
    }
    return pending
  }

  /// Deletes this from the pending ones, unless more was forgotten meanwhile.
  ///
  /// - Throws: `DatabaseError`.
  package func remove(from db: Database) throws {
    try db.run(
      "DELETE FROM forgotten WHERE collection = ? AND id = ? AND until <= ?",
      [.text(item?.collection ?? ""), .text(item?.id ?? ""), .integer(until)])
  }

  func insert(into db: Database) throws {
    try db.run(
      """
      INSERT INTO forgotten (collection, id, until) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET until = max(until, excluded.until)
      """, [.text(item?.collection ?? ""), .text(item?.id ?? ""), .integer(until)])
  }
}

extension Transaction {
  /// Notes that a person has forgotten the old versions of an item, or of all items before a moment, so that other
  /// devices do so too.
  ///
  /// - Throws: `DatabaseError`.
  package func noteForgotten(_ item: ItemKey?, until: Instant) throws {
    try deriving(from: 0) {
      try ForgottenVersions(item: item, until: until.milliseconds).insert(into: db)
    }
  }
}
