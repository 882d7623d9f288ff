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
  ///
  /// - Parameter isTheirs: whether an account made the change, which need not be informed of it.
  @discardableResult
  static func set(
    _ post: String, in transaction: Transaction, isTheirs: Bool = false, _ body: (inout PostMarkRecord) -> Void
  ) throws -> Bool {
    guard let mark = try put(at: post, in: transaction, body) else { return false }
    if !isTheirs { try AccountMarks.hurry(post, in: transaction) }
    for id in try otherIDs(of: post, in: transaction) {
      try put(at: id, in: transaction) { $0.takeReading(of: mark) }
    }
    return true
  }

  /// Gives a post that has come to another source the marks that it has under the ids of all its sources, of other
  /// devices too, and these the post's.
  ///
  /// - Throws: `DatabaseError`, or the error of a value that cannot be encoded.
  static func join(_ post: String, in transaction: Transaction) throws {
    let others = try otherIDs(of: post, in: transaction)
    if others.isEmpty { return }
    let ids = [post] + others
    let marks = try ids.compactMap { try transaction.snapshot.find(PostMarkRecord.self, id: $0) }
    var joined = PostMarkRecord()
    joined.readAt = marks.compactMap(\.readAt).max()
    joined.savedAt = marks.compactMap(\.savedAt).max()
    joined.hiddenAt = marks.compactMap(\.hiddenAt).max()
    for id in ids { try put(at: id, in: transaction) { $0.takeReading(of: joined) } }
  }

  /// - Returns: the mark; nil if nothing had to be changed.
  @discardableResult
  private static func put(
    at id: String, in transaction: Transaction, _ body: (inout PostMarkRecord) -> Void
  ) throws -> PostMarkRecord? {
    var mark = PostMarkRecord()
    if let known = try transaction.snapshot.find(PostMarkRecord.self, id: id) {
      mark = try transaction.change(known, body)
      guard mark.revision != known.revision else { return nil }
    } else {
      mark.id = id
      body(&mark)
      guard !mark.isEmpty else { return nil }
      try transaction.insert(mark)
    }
    try notify(id, in: transaction)
    return mark
  }

  /// The ids that a post has where it was met in another of its sources first, such as on another device.
  private static func otherIDs(of post: String, in transaction: Transaction) throws -> [String] {
    var places: [(source: String, remoteID: String)] = []
    try transaction.db.each("SELECT source, remoteID FROM postOrigin WHERE post = ?", [.text(post)]) {
      places.append(($0.text(0), $0.text(1)))
    }
    // Most are in one source.
    guard places.count > 1 else { return [] }
    let ids = try places.compactMap { place in
      try transaction.snapshot.find(SourceRecord.self, id: place.source).map {
        PostIdentity.id(place.remoteID, at: $0.home)
      }
    }
    return Set(ids).subtracting([post]).sorted()
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
  /// What stands for all ids of a post. Tags and what was written on it belong to one: a search would find them twice.
  fileprivate mutating func takeReading(of other: PostMarkRecord) {
    (readAt, savedAt, hiddenAt) = (other.readAt, other.savedAt, other.hiddenAt)
  }

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
