import Exchange
import Kit
import Store

/// The texts that show a file, as the table of links has them.
enum FileUses {
  /// A condition on a row of `file`.
  static let isUsed =
    "EXISTS (SELECT 1 FROM link WHERE target = file.id AND targetCollection = '\(FileRecord.collectionName)')"

  /// The title of one of the items whose texts show the file; nil if none does.
  static func first(of id: String, in snapshot: Snapshot) throws -> String? {
    let item = try snapshot.db.first(
      "SELECT collection, item FROM link WHERE target = ? AND targetCollection = ? ORDER BY collection, item LIMIT 1",
      [.text(id), .text(FileRecord.collectionName)]
    ) { ItemKey(collection: $0.text(0), id: $0.text(1)) }
    guard let item else { return nil }
    let shown = try snapshot.services.library.links(of: item.collection)?.linking.shown(item.id, snapshot)
    return shown?.title ?? item.id
  }

  /// The number of items whose texts show the file.
  static func count(of id: String, in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first(
      "SELECT count(*) FROM (SELECT DISTINCT collection, item FROM link WHERE target = ? AND targetCollection = ?)",
      [.text(id), .text(FileRecord.collectionName)]
    ) { Int($0.integer(0)) } ?? 0
  }

  /// Which of these files the old versions of texts show that commits after `start` up to `end` have replaced.
  ///
  /// - Throws: `DatabaseError`.
  static func versions(
    showing ids: Set<String>, after start: Int64, through end: Int64, in snapshot: Snapshot
  ) throws -> Set<String> {
    try snapshot.db.mentions(
      of: ids,
      in: """
        SELECT before FROM changes WHERE clock > ? AND clock <= ? AND collection <> '\(FileRecord.collectionName)'
          AND before IS NOT NULL
        """, [.integer(start), .integer(end)])
  }
}
