import Store

/// The number of a board's posts in each span of time, as the triggers of ``BoardTables`` count them: a post far down
/// a long board is found, and counted, without stepping over all posts above it.
struct BoardSpans {
  /// A span is 2^27 milliseconds, some 37 hours: few of them in years, and few posts in one.
  static let bits = 27

  let board: String
  let snapshot: Snapshot

  /// The start for finding the post at `offset` in the order of ``PostListing``: the newest post with `(pinned, at) <
  /// (pinned, end)`, and `rest` posts after it. Nil beyond the last post.
  func start(of offset: Int) throws -> (pinned: Int64, end: Int64, rest: Int)? {
    var start: (pinned: Int64, end: Int64, rest: Int)?
    var above = 0
    try snapshot.db.each(
      "SELECT pinned, span, count FROM boardSpan WHERE board = ? ORDER BY pinned DESC, span DESC", [.text(board)]
    ) { row in
      let count = row.int(2)
      if start == nil, above + count > offset {
        start = (row.integer(0), (row.integer(1) + 1) << Self.bits, offset - above)
      }
      above += count
    }
    return start
  }

  /// The number of posts from the first down to and including `(pinned, at, post)`; without a post, down to all of
  /// `(pinned, at)`.
  func count(downTo pinned: Int64, _ at: Int64, _ post: String?) throws -> Int {
    let span = at >> Self.bits
    let above = try snapshot.db.first(
      "SELECT coalesce(sum(count), 0) FROM boardSpan WHERE board = ? AND (pinned, span) > (?, ?)",
      [.text(board), .integer(pinned), .integer(span)]
    ) { $0.int(0) }
    let within = try snapshot.db.first(
      """
      SELECT count(*) FROM boardPost
      WHERE board = ? AND (pinned, at, post) >= (?, ?, ?) AND (pinned, at) < (?, ?)
      """,
      [
        .text(board), .integer(pinned), .integer(at), .text(post ?? ""), .integer(pinned),
        .integer((span + 1) << Self.bits),
      ]
    ) { $0.int(0) }
    return (above ?? 0) + (within ?? 0)
  }
}
