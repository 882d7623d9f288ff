import Contract
import Kit
import SQLite
import Store
import Wire

/// Inserts posts of a board into the library, or updates existing ones. Inside one write of the daemon.
struct PageIntake {
  /// The result for one post.
  struct Outcome: Sendable {
    var id: String
    var at: Int64
    var isPinned: Bool
    /// It stood on the board before, or at least in this write.
    var wasThere: Bool
    var isNew: Bool
    var isChanged: Bool
    /// A rule has hidden the new post.
    var isHidden = false
  }

  let source: SourceRecord
  let board: BoardRecord
  let transaction: Transaction
  let rules: PostRules
  /// The request that returned the posts.
  var origin = Origin.list

  enum Origin: Sendable {
    case list
    /// A search, which may return less of a post than a list: an existing post stays as it is.
    case search
    /// The post was requested alone, so its place in a list is unknown.
    case alone
  }

  private var now: Int64 { transaction.now.milliseconds }

  /// `keys` are the post's keys by ``PostIdentity``, and `place` is its index in the response, from 0: it orders
  /// posts without a date.
  func take(_ fetched: FetchedPost, keys: [String], place: Int) throws -> Outcome {
    guard let known = try find(fetched, keys: keys) else {
      let at = listed(fetched, before: nil, place: place)
      // A user who searches for a post, or opens it, wants to see it.
      if origin == .list, try SourceLimits(source: source, transaction: transaction).exclude(fetched, at: at) {
        return Outcome(
          id: PostIdentity.id(fetched.id, at: source.home), at: at, isPinned: false, wasThere: true, isNew: false,
          isChanged: false)
      }
      return try add(fetched, keys: keys, place: place)
    }
    return try update(known, with: fetched, keys: keys, place: place)
  }

  private func find(_ fetched: FetchedPost, keys: [String]) throws -> PostRecord? {
    let snapshot = transaction.snapshot
    if let known = try PostRecord.known(as: fetched.id, of: source.id, in: snapshot) { return known }
    if let known = try snapshot.find(PostRecord.self, id: PostIdentity.id(fetched.id, at: source.home)) {
      return known
    }
    for key in keys {
      // Not a post that this source has under another id: the source itself distinguishes them.
      let ids = try transaction.db.texts(
        """
        SELECT post FROM postKey WHERE key = ? AND NOT EXISTS
          (SELECT 1 FROM postOrigin WHERE postOrigin.post = postKey.post AND source = ?) LIMIT 2
        """, [.text(key), .text(source.id)])
      if ids.count == 1, let known = try snapshot.find(PostRecord.self, id: ids[0]),
        PostIdentity.holds(key, of: known.head)
      {
        return known
      }
    }
    return nil
  }

  // MARK: - A new post

  private func add(_ fetched: FetchedPost, keys: [String], place: Int) throws -> Outcome {
    let at = listed(fetched, before: nil, place: place)
    var record = PostRecord()
    record.id = PostIdentity.id(fetched.id, at: source.home)
    record.head.remoteID = fetched.id
    record.head.at = Instant(milliseconds: at)
    record.head.keys = try StoredJSON(keys)
    record.head.placements = try StoredJSON([placement(of: fetched, at: at)])
    try record.take(fetched, at: transaction.now)
    record.head.take(counts: fetched)
    try transaction.insert(post: record)
    return Outcome(
      id: record.id, at: at, isPinned: fetched.isPinned, wasThere: false, isNew: true, isChanged: false,
      isHidden: try rules.run(on: record))
  }

  private func placement(of fetched: FetchedPost, at: Int64) -> PostPlace {
    PostPlace(
      source: source.id, remoteID: fetched.id, board: board.id, pinned: fetched.isPinned ? 1 : 0, at: at,
      arrivedAt: now)
  }

  /// The time that orders a post on a board. A service whose clock is ahead does not keep its posts above all others.
  private func listed(_ fetched: FetchedPost, before: Int64?, place: Int) -> Int64 {
    if origin == .alone, let before { return before }
    guard let given = fetched.listedAt ?? fetched.publishedAt else { return before ?? now - Int64(place) }
    return min(given.milliseconds, max(before ?? now, now))
  }

  // MARK: - An existing post

  private func update(
    _ known: PostRecord, with fetched: FetchedPost, keys: [String], place: Int
  ) throws -> Outcome {
    var placements = try known.head.placements.value()
    let takesOver = try isRightful(fetched, among: placements)
    let isFirst = takesOver || placements.first.map { $0.source == source.id } ?? true
    let index = placements.firstIndex { $0.source == source.id && $0.board == board.id }
    if origin == .search, let index {
      return Outcome(
        id: known.id, at: placements[index].at, isPinned: placements[index].pinned == 1, wasThere: true, isNew: false,
        isChanged: false)
    }
    let at = listed(fetched, before: index.map { placements[$0].at }, place: place)
    let wasThere = index != nil
    if let index {
      placements[index].at = at
      if origin != .alone { placements[index].pinned = fetched.isPinned ? 1 : 0 }
    } else {
      placements.insert(placement(of: fetched, at: at), at: takesOver ? 0 : placements.count)
    }
    let placed = try StoredJSON(placements)
    let accounts = AccountIntake(transaction: transaction)
    if takesOver, let former = try known.head.placements.value().first?.source {
      try accounts.setAside(known, of: former)
    }
    let accountChanged =
      try !isFirst && accounts.take(fetched, of: known.id, from: source.id, at: at)
    let changed = try transaction.change(known) { record in
      if takesOver { record.forgetContent(of: fetched.id) }
      if isFirst { try record.take(fetched, at: transaction.now) }
      if !wasThere { record.head.placements = placed }
      if isFirst || !wasThere { record.head.keys = try StoredJSON(merged(known.head.keys.value(), keys)) }
    }
    if index == nil { try PostMarks.join(known.id, in: transaction) }
    if takesOver {
      try QuietColumns.write(
        [("viewCount", .null), ("commentsCount", .null), ("isNewPost", .null), ("bodyMark", .null)],
        of: PostRecord.self, id: known.id, in: transaction)
    }
    try note(known, fetched, isFirst: isFirst, placed: wasThere ? placed : nil, at: placements[0].at)
    if accountChanged {
      transaction.touch(
        collection: PostRecord.collectionName, id: known.id, revision: changed.revision, fields: ["title", "contents"])
    }
    return Outcome(
      id: known.id, at: at, isPinned: fetched.isPinned, wasThere: wasThere, isNew: false,
      isChanged: accountChanged || changed.revision != known.revision)
  }

  /// Whether the content is this source's from now on, since the post is on its host and not on that of the source
  /// that had it before.
  private func isRightful(_ fetched: FetchedPost, among placements: [PostPlace]) throws -> Bool {
    guard let first = placements.first, !placements.contains(where: { $0.source == source.id }),
      PostIdentity.owns(fetched.link, source)
    else { return false }
    guard let holder = try transaction.snapshot.find(SourceRecord.self, id: first.source) else { return true }
    return !PostIdentity.owns(fetched.link, holder)
  }

  private func merged(_ known: [String], _ new: [String]) -> [String] {
    Array((known + new.filter { !known.contains($0) }).suffix(8))
  }

  /// Frequent changes make no version: counts, and the post's place in the list.
  private func note(
    _ known: PostRecord, _ fetched: FetchedPost, isFirst: Bool, placed: StoredJSON<[PostPlace]>?, at: Int64
  ) throws {
    var values: [(column: String, value: SQLValue)] = []
    if let placed, placed.json != known.head.placements.json { values.append(("placements", .text(placed.json))) }
    values.append(("at", .integer(at)))
    if isFirst { values += QuietColumns.counts(of: fetched) }
    try QuietColumns.write(values, of: PostRecord.self, id: known.id, in: transaction)
  }
}
