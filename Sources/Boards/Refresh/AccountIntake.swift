import Contract
import Kit
import SQLite
import Store

/// Stores the content of a post from each source that carries it. The first source's content is in the post's own
/// row; all others have a row of their own.
///
///     A carries it            post: A's content
///     B carries it too        post: A's content    account: B's content
///     it is on B's host       post: B's content    account: A's content     (B becomes first)
///     B is removed            post: A's content
struct AccountIntake {
  /// The most sources of one post whose own content is stored; for further ones the post's is shown.
  static let limit = 64

  let transaction: Transaction

  /// Stores the content of a source that is not the first. Returns whether the content has changed.
  func take(_ fetched: FetchedPost, of post: String, from source: String, at: Int64) throws -> Bool {
    let snapshot = transaction.snapshot
    guard let known = try PostAccount.find(of: post, from: source, in: snapshot) else {
      guard try PostAccount.all(of: post, in: snapshot).count < Self.limit else { return false }
      var account = PostAccount(of: post, from: source)
      account.head.remoteID = fetched.id
      account.head.at = Instant(milliseconds: at)
      try account.take(fetched, at: transaction.now)
      account.head.take(counts: fetched)
      try transaction.insert(account)
      return true
    }
    let changed = try transaction.change(known) { account in
      account.head.remoteID = fetched.id
      try account.take(fetched, at: transaction.now)
    }
    try QuietColumns.write(
      [("at", .integer(at))] + QuietColumns.counts(of: fetched), of: PostAccount.self, id: known.id, in: transaction)
    return changed.revision != known.revision
  }

  /// Moves the first source's content to an account, since another source is first from now on.
  func setAside(_ post: PostRecord, of source: String) throws {
    var account = PostAccount(of: post.id, from: source)
    guard try transaction.snapshot.find(PostAccount.self, id: account.id) == nil else { return }
    account.takeContent(of: post)
    account.head.at = post.head.at
    try transaction.insert(account)
  }

  /// Removes a source's content, and gives the post the content of its new first source. `rest` are the post's
  /// remaining places.
  func remove(_ source: String, of post: PostRecord, leaving rest: [PostPlace]) throws -> PostAccount? {
    let snapshot = transaction.snapshot
    if let account = try PostAccount.find(of: post.id, from: source, in: snapshot) { try transaction.remove(account) }
    let first = try post.head.placements.value().first?.source
    guard let heir = rest.first?.source, first != heir,
      let account = try PostAccount.find(of: post.id, from: heir, in: snapshot)
    else { return nil }
    try transaction.remove(account)
    return account
  }
}

extension QuietColumns {
  /// The counts that a source states of a post.
  static func counts(of fetched: FetchedPost) -> [(column: String, value: SQLValue)] {
    var values: [(column: String, value: SQLValue)] = []
    if let count = fetched.viewCount { values.append(("viewCount", .integer(count))) }
    if let count = fetched.commentsCount { values.append(("commentsCount", .integer(count))) }
    if let isNew = fetched.isNewPost { values.append(("isNewPost", .bool(isNew))) }
    return values
  }
}
