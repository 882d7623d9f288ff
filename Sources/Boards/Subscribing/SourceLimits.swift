import Contract
import SQLite
import Store

/// How many posts of a source are stored, and for how long.
///
/// A post that is saved, tagged, quoted, pinned, or carried by another source too is never dropped, and neither is one that
/// a link leads to. The ids of dropped posts are stored, so that a source that still lists them does not bring them back.
struct SourceLimits {
  /// The most posts that one commit drops.
  static let slice = 200
  /// The most dropped posts whose ids are stored for a source; most sources list fewer posts than this.
  private static let mostDropped = 10_000

  let source: SourceRecord
  let transaction: Transaction

  private static let day: Int64 = 86_400_000

  /// Whether a listed post that the library does not have is not stored.
  ///
  /// - Throws: `DatabaseError`.
  func exclude(_ fetched: FetchedPost, at: Int64) throws -> Bool {
    guard source.isLimited, !fetched.isPinned else { return false }
    if let oldest, at < oldest { return true }
    return try transaction.db.first(
      "SELECT 1 FROM droppedPost WHERE source = ? AND remoteID = ?", [.text(source.id), .text(fetched.id)]
    ) { _ in true } ?? false
  }

  /// Drops posts beyond the limits, the oldest first, at most `slice`. Returns how many.
  ///
  /// - Throws: `StoreError`, `DatabaseError`.
  func drop() throws -> Int {
    guard source.isLimited else { return 0 }
    let posts = try beyondLimits()
    if posts.isEmpty { return 0 }
    for id in posts {
      let post = try transaction.snapshot.get(PostRecord.self, id: id)
      for place in try post.head.placements.value() {
        try transaction.db.run(
          "INSERT OR REPLACE INTO droppedPost VALUES (?, ?, ?)",
          [.text(source.id), .text(place.remoteID), .integer(post.head.at.milliseconds)])
      }
      try PostRemoval.remove(post, in: transaction)
    }
    try transaction.db.run(
      """
      DELETE FROM droppedPost WHERE source = ?1 AND at <
        (SELECT at FROM droppedPost WHERE source = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)
      """, [.text(source.id), .integer(Self.mostDropped - 1)])
    try Self.reportCounts(of: source.id, in: transaction)
    return posts.count
  }

  /// Reports that the boards of a source, and all boards together, have other numbers of posts.
  ///
  /// - Throws: `DatabaseError`.
  static func reportCounts(of source: String, in transaction: Transaction) throws {
    for board in try BoardRecord.all(of: source, in: transaction.snapshot) {
      transaction.touch(
        collection: BoardRecord.collectionName, id: board.id, revision: board.revision, fields: ["count", "unread"])
    }
  }

  /// The time of the oldest posts that are stored, in UTC milliseconds; nil without such a limit.
  private var oldest: Int64? {
    source.keepDays.map { days in
      transaction.now.milliseconds - Int64(min(days, SourceRecord.daysKept.upperBound)) * Self.day
    }
  }

  private func beyondLimits() throws -> [String] {
    var posts: [String] = []
    if let oldest {
      posts = try transaction.db.texts(
        "SELECT post.id FROM \(Self.own) WHERE post.at < ?2 AND \(Self.isFree) ORDER BY post.at LIMIT ?3",
        [.text(source.id), .integer(oldest), .integer(Self.slice)])
    }
    if posts.isEmpty, let most = source.keepPosts {
      posts = try transaction.db.texts(
        """
        SELECT post.id FROM
          (SELECT post.id, post.at FROM \(Self.own) ORDER BY post.at DESC, post.id DESC LIMIT -1 OFFSET ?2) AS post
        WHERE \(Self.isFree) ORDER BY post.at LIMIT ?3
        """, [.text(source.id), .integer(most), .integer(Self.slice)])
    }
    return posts
  }

  /// The posts of the source.
  private static let own =
    "(SELECT DISTINCT post AS id FROM postOrigin WHERE source = ?1) AS own CROSS JOIN post ON post.id = own.id"

  /// Whether a post may be dropped, as SQL.
  private static let isFree = """
    NOT EXISTS (SELECT 1 FROM postMark WHERE postMark.id = post.id
        AND (savedAt IS NOT NULL OR tags <> '[]' OR quotes <> '[]' OR note IS NOT NULL
          OR files <> '[]'))
    AND NOT EXISTS (SELECT 1 FROM postOrigin AS other WHERE other.post = post.id AND other.source <> ?1)
    AND NOT EXISTS (SELECT 1 FROM boardPost WHERE boardPost.post = post.id AND pinned = 1)
    AND NOT EXISTS (SELECT 1 FROM link WHERE target = post.id AND targetCollection = '\(PostRecord.collectionName)')
    """
}
