import Contract
import Kit
import SQLite
import Store

/// The marks of an account's posts, merged both ways.
///
/// For each post the library stores the mark on which the account and the library last agreed, and no row for one without
/// any mark. A side whose mark is another has changed it since:
///
///     agreed   here     there
///     unread   unread   read     read there: it becomes read here
///     unread   read     unread   read here: pending, until the account accepts it
///     read     unread   read     unread again here: pending
///     unread   read     read     read on both sides: agreed
///
/// Each mark has two values, so if both sides have changed one they agree, and the later change of one side is not lost.
/// The pending marks are the difference, so nothing else is stored of what was marked offline.
struct AccountMarks {
  let source: String
  let transaction: Transaction

  /// The time for further marks before the account is informed of them.
  static let pause: Int64 = 60_000

  /// Gives a post the marks that the account has changed since they agreed.
  ///
  /// - Throws: `DatabaseError`, or the error of a value that cannot be encoded.
  func meet(_ remote: RemoteMark, _ remoteID: String, of post: String) throws {
    let agreed = try Self.agreed(source, remoteID, in: transaction.db)
    guard remote != agreed, try transaction.snapshot.find(PostSummary.self, id: post) != nil else { return }
    try agree([remoteID], on: remote)
    let now = transaction.now
    try PostMarks.set(post, in: transaction, isTheirs: true) { mark in
      if remote.isRead != agreed.isRead { mark.readAt = remote.isRead ? mark.readAt ?? now : nil }
      if remote.isSaved != agreed.isSaved { mark.savedAt = remote.isSaved ? mark.savedAt ?? now : nil }
    }
  }

  /// Notes that the account has accepted a change.
  ///
  /// - Throws: `DatabaseError`.
  func accepted(_ change: MarkChange, _ remoteIDs: [String]) throws {
    for id in remoteIDs {
      var mark = try Self.agreed(source, id, in: transaction.db)
      switch change {
      case .read: mark.isRead = true
      case .unread: mark.isRead = false
      case .saved: mark.isSaved = true
      case .unsaved: mark.isSaved = false
      }
      try agree([id], on: mark)
    }
  }

  private func agree(_ remoteIDs: [String], on mark: RemoteMark) throws {
    transaction.keepSilent()
    for id in remoteIDs {
      if mark == RemoteMark() {
        try transaction.db.run(
          "DELETE FROM accountMark WHERE source = ? AND remoteID = ?", [.text(source), .text(id)])
      } else {
        try transaction.db.run(
          "INSERT OR REPLACE INTO accountMark VALUES (?, ?, ?, ?)",
          [.text(source), .text(id), .bool(mark.isRead), .bool(mark.isSaved)])
      }
    }
  }

  private static func agreed(_ source: String, _ remoteID: String, in db: Database) throws -> RemoteMark {
    try db.first(
      "SELECT isRead, isSaved FROM accountMark WHERE source = ? AND remoteID = ?", [.text(source), .text(remoteID)]
    ) { RemoteMark(isRead: $0.int(0) == 1, isSaved: $0.int(1) == 1) } ?? RemoteMark()
  }

  /// Makes the accounts that have a post due soon, after a mark of it was changed here: not at once, since marks are
  /// set one after another. Accounts whose last request failed, or that the user has slowed down, wait for their turn.
  ///
  /// - Throws: `DatabaseError`.
  static func hurry(_ post: String, in transaction: Transaction) throws {
    let soon = transaction.now.milliseconds + pause
    try transaction.db.run(
      """
      UPDATE boardSource SET nextAt = ?1 WHERE id IN (SELECT source FROM postOrigin WHERE post = ?2)
        AND kind = ?3 AND nextAt > ?1 AND failures = 0 AND NOT isStopped AND every IS NULL
      """, [.integer(soon), .text(post), .text(SourceKind.greader.rawValue)])
    guard transaction.db.changesCount > 0 else { return }
    transaction.wakeRefresher()
  }
}

/// A post of an account, with the marks of both sides.
struct AccountPost: Sendable {
  var remoteID: String
  var post: String
  /// The marks here.
  var here: RemoteMark
  var agreed: RemoteMark

  /// The changes that the account has not accepted yet.
  var pending: [MarkChange] {
    var changes: [MarkChange] = []
    if here.isRead != agreed.isRead { changes.append(here.isRead ? .read : .unread) }
    if here.isSaved != agreed.isSaved { changes.append(here.isSaved ? .saved : .unsaved) }
    return changes
  }

  /// The ids of all posts of a source, with hidden ones and those of boards that the account lists no more.
  ///
  /// - Throws: `DatabaseError`.
  static func ids(of source: String, in snapshot: Snapshot) throws -> Set<String> {
    Set(try snapshot.db.texts("SELECT remoteID FROM postOrigin WHERE source = ?", [.text(source)]))
  }

  /// The posts of a source whose marks are exchanged: not hidden ones, and not those of a board that the account lists no
  /// more.
  ///
  /// - Throws: `DatabaseError`.
  static func all(of source: String, in snapshot: Snapshot) throws -> [AccountPost] {
    var posts: [AccountPost] = []
    // With `+` the boards of each post are read, and not each board for each post.
    try snapshot.db.each(
      """
      SELECT postOrigin.remoteID, postOrigin.post, postMark.readAt IS NOT NULL, postMark.savedAt IS NOT NULL,
        ifnull(accountMark.isRead, 0), ifnull(accountMark.isSaved, 0)
      FROM postOrigin
      LEFT JOIN postMark ON postMark.id = postOrigin.post
      LEFT JOIN accountMark
        ON accountMark.source = postOrigin.source AND accountMark.remoteID = postOrigin.remoteID
      WHERE postOrigin.source = ?1 AND EXISTS (
        SELECT 1 FROM boardPost WHERE boardPost.post = postOrigin.post
          AND +boardPost.board IN (SELECT id FROM board WHERE source = ?1 AND NOT isGone))
      """, [.text(source)]
    ) { row in
      posts.append(
        AccountPost(
          remoteID: row.text(0), post: row.text(1),
          here: RemoteMark(isRead: row.int(2) == 1, isSaved: row.int(3) == 1),
          agreed: RemoteMark(isRead: row.int(4) == 1, isSaved: row.int(5) == 1)))
    }
    return posts
  }
}
