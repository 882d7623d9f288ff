import Contract
import SQLite
import Store

/// Keeps what each source says of a post that several carry. The first source's words are the post's own row; all others
/// have a row of their own beside it.
///
///     A carries it            post: A's words
///     B carries it too        post: A's words      account: B's words
///     it lies on B's host     post: B's words      account: A's words     (B takes over)
///     B is removed            post: A's words
struct AccountIntake {
  /// So many sources of one post have words of their own; of further ones the post's are shown.
  static let limit = 64

  let transaction: Transaction

  /// What a source says that is not the first. Returns whether what it says is other than before.
  func take(_ fetched: FetchedPost, of post: String, from source: String, at: Int64) throws -> Bool {
    let snapshot = transaction.snapshot
    guard let known = try PostAccount.find(of: post, from: source, in: snapshot) else {
      guard try PostAccount.all(of: post, in: snapshot).count < Self.limit else { return false }
      var account = PostAccount(of: post, from: source)
      account.head.remoteID = fetched.id
      account.head.at = Instant(milliseconds: at)
      try account.take(fetched)
      account.head.take(counts: fetched)
      try transaction.insert(account)
      return true
    }
    let changed = try transaction.change(known) { account in
      account.head.remoteID = fetched.id
      try account.take(fetched)
    }
    try QuietColumns.write(
      [("at", .integer(at))] + QuietColumns.counts(of: fetched), of: PostAccount.self, id: known.id, in: transaction)
    return changed.revision != known.revision
  }

  /// Sets aside what the first source said, since another is first from now on.
  func setAside(_ post: PostRecord, of source: String) throws {
    var account = PostAccount(of: post.id, from: source)
    guard try transaction.snapshot.find(PostAccount.self, id: account.id) == nil else { return }
    account.takeContent(of: post)
    account.head.at = post.head.at
    try transaction.insert(account)
  }

  /// Takes away what a source said, and gives the post the words of whoever is first now. `rest` is where the post still
  /// stands.
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
  /// The counts that a source tells of a post.
  static func counts(of fetched: FetchedPost) -> [(column: String, value: SQLValue)] {
    var values: [(column: String, value: SQLValue)] = []
    if let count = fetched.viewCount { values.append(("viewCount", .integer(count))) }
    if let count = fetched.commentsCount { values.append(("commentsCount", .integer(count))) }
    if let isNew = fetched.isNewPost { values.append(("isNewPost", .bool(isNew))) }
    return values
  }
}
