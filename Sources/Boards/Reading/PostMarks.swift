import Contract
import Kit
import SearchEngine
import Store
import Wire

/// Sets and removes the user's marks on posts, and reports the changes.
///
/// The marks are items of their own, so that undo reverts a mark and not later fetches. Clients see them on the
/// posts, and so are notified of the posts too.
enum PostMarks {
  /// False if nothing had to be changed.
  @discardableResult
  static func set(
    _ post: String, in transaction: Transaction, _ body: (inout PostMarkRecord) -> Void
  ) throws -> Bool {
    let known = try transaction.snapshot.find(PostMarkRecord.self, id: post)
    if let known {
      guard try transaction.change(known, body).revision != known.revision else { return false }
    } else {
      var mark = PostMarkRecord()
      mark.id = post
      body(&mark)
      guard !mark.isEmpty else { return false }
      try transaction.insert(mark)
    }
    try notify(post, in: transaction)
    return true
  }

  /// Reports that a post has other marks than before, and its boards other counts.
  static func notify(_ post: String, in transaction: Transaction) throws {
    guard
      let revision = try transaction.db.first(
        "SELECT revision FROM post WHERE id = ?", [.text(post)], { $0.integer(0) })
    else { return }
    transaction.touch(
      collection: PostRecord.collectionName, id: post, revision: revision,
      fields: ["read", "saved", "hidden", "tags", "rules", "quotes", "note", "files"])
    // By its places: a hidden post is in no list of a board.
    var boards: [(id: String, revision: Int64)] = []
    try transaction.db.each(
      """
      SELECT DISTINCT board.id, board.revision FROM post, json_each(post.placements) AS place
      JOIN board ON board.id = place.value ->> 'board' WHERE post.id = ?
      """, [.text(post)]
    ) { boards.append(($0.text(0), $0.integer(1))) }
    for board in boards {
      transaction.touch(
        collection: BoardRecord.collectionName, id: board.id, revision: board.revision, fields: ["count", "unread"])
    }
  }
}

extension Transaction {
  /// Inserts a post. A note on it may be here before it, from another device: it is indexed with the time of the post.
  ///
  /// - Throws: `DatabaseError`, or the error of a value that cannot be encoded.
  func insert(post: PostRecord) throws {
    try insert(post)
    let hasNote =
      try db.first("SELECT 1 FROM postMark WHERE id = ? AND note IS NOT NULL", [.text(post.id)]) { _ in true } ?? false
    if hasNote { reindex(collection: PostMarkRecord.collectionName, id: post.id) }
  }
}

extension PostMarkRecord {
  /// Adds a tag of the user's, or removes it, in any spelling.
  ///
  /// - Returns: false if the tag cannot be stored.
  @discardableResult
  mutating func setTag(_ tag: String, _ isSet: Bool) -> Bool {
    let folded = foldedText(tag)
    if !isSet {
      tags.removeAll { foldedText($0) == folded }
    } else if !tags.contains(where: { foldedText($0) == folded }) {
      let count = tags.count
      tags = TagList.possible(tags + [tag])
      return tags.count > count
    }
    return true
  }
}
