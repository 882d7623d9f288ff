import Contract
import Kit
import Store
import Wire

enum RemoveSource: LongWriteMethod, ManyItemsMethod {
  static let name = "boards/removeSource"
  static let summary =
    "Removes a source with its boards and posts, in one undo step. Saved, noted, tagged and quoted posts stay, and "
    + "so do those that another source has. Read marks stay, for posts that return."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.conflict, .notFound]

  struct Params: Payload {
    var id: SourceID
    var ifRevision: Int64?
    static let example = Params(id: "0191", ifRevision: nil)
    static let fields = [
      "id": "The source.", "ifRevision": "Fails with `conflict` if the source has another revision.",
    ]
  }

  struct Result: Payload {
    var removed: SourceID
    var boards: Int
    var posts: Int
    static let example = Result(removed: "0191", boards: 4, posts: 137)
    static let fields = [
      "removed": "The removed source.", "boards": "The number of boards removed with it.",
      "posts": "The number of posts removed with it.",
    ]
  }

  /// The end of the last slice.
  struct Position: Sendable {
    var boards = 0
    var posts = 0
  }

  /// The source is removed first: from then on nothing fetched for it is stored.
  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    let snapshot = transaction.snapshot
    var position = try position ?? Position(boards: removeSource(params, in: transaction))
    while let post = try Self.firstPost(of: params.id.text, in: snapshot) {
      guard transaction.hasRoom else { return .more(position) }
      if try PostRemoval.detach(post, from: params.id.text, in: transaction) { position.posts += 1 }
    }
    return .done(Result(removed: params.id, boards: position.boards, posts: position.posts))
  }

  /// Removes the source with its boards, and returns their number.
  private static func removeSource(_ params: Params, in transaction: Transaction) throws -> Int {
    let record = try transaction.snapshot.get(SourceRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let boards = try BoardRecord.all(of: record.id, in: transaction.snapshot)
    for board in boards { try transaction.remove(board) }
    try transaction.remove(record)
    return boards.count
  }

  private static func firstPost(of source: String, in snapshot: Snapshot) throws -> PostRecord? {
    try PostRecord.first(
      in: snapshot.db, "WHERE id = (SELECT post FROM postOrigin WHERE source = ? LIMIT 1)", [.text(source)])
  }
}

/// Removes or detaches the posts of a removed source.
enum PostRemoval {
  /// True if the post was removed too.
  static func detach(_ post: PostRecord, from source: String, in transaction: Transaction) throws -> Bool {
    let rest = try post.head.placements.value().filter { !sameBytes($0.source, source) }
    let isKept = try transaction.snapshot.find(PostMarkRecord.self, id: post.id)?.isKept ?? false
    let heir = try AccountIntake(transaction: transaction).remove(source, of: post, leaving: rest)
    guard rest.isEmpty, !isKept else {
      try transaction.change(post) { post in
        if let heir { post.takeContent(of: heir) }
        post.head.placements = try StoredJSON(rest)
      }
      if let heir {
        try QuietColumns.write(
          [
            ("viewCount", .integer(heir.head.viewCount.map(Int64.init))),
            ("commentsCount", .integer(heir.head.commentsCount.map(Int64.init))),
            ("isNewPost", heir.head.isNewPost.map { .bool($0) } ?? .null), ("bodyMark", .text(heir.head.bodyMark)),
          ], of: PostRecord.self, id: post.id, in: transaction)
      }
      return false
    }
    try remove(post, in: transaction)
    return true
  }

  /// Removes a post, and its whole article.
  static func remove(_ post: PostRecord, in transaction: Transaction) throws {
    if let article = try PostAccount.article(of: post.id, in: transaction.snapshot) { try transaction.remove(article) }
    try transaction.remove(post)
  }

  /// After an undo removed an added source: the posts fetched for it meanwhile are removed too.
  static func sweep(source: String, in transaction: Transaction) throws {
    guard try transaction.snapshot.find(SourceRecord.self, id: source) == nil else { return }
    let posts = try PostRecord.all(
      in: transaction.db, "WHERE id IN (SELECT post FROM postOrigin WHERE source = ?)", [.text(source)])
    for post in posts { _ = try detach(post, from: source, in: transaction) }
    for board in try BoardRecord.all(of: source, in: transaction.snapshot) { try transaction.remove(board) }
  }
}
