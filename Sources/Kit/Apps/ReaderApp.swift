import Contract
import SQLite
import Store
import Wire

package struct ReaderAppID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// An app on another device that uses this library by an API of `commonplace web`: a feed reader on a phone, or KOReader
/// on an e-reader.
///
/// Part of no collection: it concerns this computer only, and an undo must not let an app in again.
package struct ReaderApp: Payload {
  package var id: ReaderAppID
  package var title: String
  package var createdAt: Instant
  package var usedAt: Instant?
  package static let example = ReaderApp(
    id: "0198", title: "Phone", createdAt: Instant(milliseconds: 1_795_225_445_678), usedAt: nil)
  package static let fields = [
    "id": "The app.", "title": "The title that the user gave it.", "createdAt": "When it was added.",
    "usedAt": "When it last asked for something, within an hour; absent if never.",
  ]

  /// The most apps of a library.
  package static let most = 100
  /// Requests within this time are not noted again.
  private static let interval: Int64 = 3_600_000

  package static func all(in db: Database) throws -> [ReaderApp] {
    var apps: [ReaderApp] = []
    try db.each("SELECT id, title, createdAt, usedAt FROM readerApp ORDER BY createdAt, id") { apps.append(app($0)) }
    return apps
  }

  /// The app that has this token.
  package static func find(token: String, in db: Database) throws -> ReaderApp? { try find("token", token, in: db) }

  /// The app whose token has this MD5 sum, which KOReader sends instead of it.
  package static func find(sum: String, in db: Database) throws -> ReaderApp? { try find("sum", sum, in: db) }

  private static func find(_ column: String, _ secret: String, in db: Database) throws -> ReaderApp? {
    try db.first(
      "SELECT id, title, createdAt, usedAt FROM readerApp WHERE \(column) = ?", [.text(hash(of: secret))], app)
  }

  private static func app(_ row: Columns) -> ReaderApp {
    ReaderApp(
      id: ReaderAppID(unchecked: row.text(0)), title: row.text(1), createdAt: Instant(milliseconds: row.integer(2)),
      usedAt: row.optionalInteger(3).map { Instant(milliseconds: $0) })
  }

  /// The library has neither tokens nor their sums, only hashes of them.
  package static func hash(of token: String) -> String { Blobs.hash(of: Array(token.utf8)) }

  package func isNoteDue(at now: Instant) -> Bool {
    now.milliseconds - (usedAt?.milliseconds ?? 0) >= Self.interval
  }

  /// Notes that the app has asked for something.
  package func note(in transaction: Transaction) throws {
    guard isNoteDue(at: transaction.now) else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE readerApp SET usedAt = ? WHERE id = ?", [.integer(transaction.now.milliseconds), .text(id.text)])
  }
}
