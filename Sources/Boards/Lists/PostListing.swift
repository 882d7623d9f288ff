import Contract
import SQLite
import Store
import Wire

/// An order of a board's posts: pinned posts first, then by date, the newest first.
///
/// A cursor is the place of the last post, so that posts inserted meanwhile shift nothing.
struct PostListing {
  struct Place: Sendable, Equatable {
    var pinned: Int64
    var at: Int64
    var post: String

    static let order = Keyset(.integer("pinned"), .integer("at"), .text("post")).descending

    var cursor: String { Self.order.cursor(values) }

    init(pinned: Int64, at: Int64, post: String) {
      (self.pinned, self.at, self.post) = (pinned, at, post)
    }

    init(cursor: String) throws(RPCError) {
      let place = try Self.order.place(cursor)
      guard case .integer(let pinned) = place[0], case .integer(let at) = place[1], case .text(let post) = place[2]
      else { preconditionFailure("a place has the kinds of its keys") }
      self.init(pinned: pinned, at: at, post: post)
    }

    fileprivate var values: [SQLValue] { [.integer(pinned), .integer(at), .text(post)] }
  }

  /// A post on the board.
  struct Listed: Sendable {
    var place: Place
    /// When it arrived there, in UTC milliseconds.
    var arrivedAt: Int64
    /// As the post is now.
    var state: PostState
  }

  let board: String
  let onlyUnread: Bool
  /// Posts below it are shown only when everything above them is there.
  let frontier: Int64?

  init(_ board: BoardRecord, onlyUnread: Bool, isClosed: Bool) {
    self.board = board.id
    self.onlyUnread = onlyUnread
    frontier = board.hasMore && !isClosed ? board.frontier?.milliseconds : nil
  }

  /// `limit` places after a cursor, or from an offset on.
  func places(after cursor: Place?, offset: Int, limit: Int, in snapshot: Snapshot) throws -> [Listed] {
    var condition = condition(hasCursor: cursor != nil)
    var values = values + (cursor?.values ?? [])
    var skipped = offset
    // Each skipped post costs a little.
    if cursor == nil, !onlyUnread, offset > 1_000 {
      guard let start = try BoardSpans(board: board, snapshot: snapshot).start(of: offset) else { return [] }
      condition += " AND (pinned, at) < (?, ?)"
      values += [.integer(start.pinned), .integer(start.end)]
      skipped = start.rest
    }
    var places: [Listed] = []
    // Skipped posts are not read further, so posts are joined to the few remaining ones only.
    try snapshot.db.each(
      """
      SELECT place.pinned, place.at, place.post, place.arrivedAt, \(PostState.columns) FROM
        (SELECT pinned, at, post, arrivedAt FROM boardPost WHERE \(condition)
        ORDER BY pinned DESC, at DESC, post DESC LIMIT ? OFFSET ?) AS place
      \(PostState.joins("place.post")) ORDER BY place.pinned DESC, place.at DESC, place.post DESC
      """, values + [.integer(limit), .integer(skipped)]
    ) { row in
      let place = Place(pinned: row.integer(0), at: row.integer(1), post: row.text(2))
      places.append(Listed(place: place, arrivedAt: row.integer(3), state: PostState(row, from: 4)))
    }
    return places
  }

  func count(in snapshot: Snapshot) throws -> Int {
    if let frontier, !onlyUnread {
      // All pinned posts are above it.
      return try BoardSpans(board: board, snapshot: snapshot).count(downTo: 0, frontier, nil)
    }
    if frontier == nil {
      let column = onlyUnread ? "unread" : "count"
      return try snapshot.db.first("SELECT \(column) FROM boardCount WHERE board = ?", [.text(board)]) { $0.int(0) }
        ?? 0
    }
    return try snapshot.db.first("SELECT count(*) FROM boardPost WHERE \(condition(hasCursor: false))", values) {
      $0.int(0)
    } ?? 0
  }

  /// The number of places up to and including the cursor.
  func count(upTo cursor: Place, in snapshot: Snapshot) throws -> Int {
    if !onlyUnread {
      return try BoardSpans(board: board, snapshot: snapshot).count(downTo: cursor.pinned, cursor.at, cursor.post)
    }
    let following = try snapshot.db.first(
      "SELECT count(*) FROM boardPost WHERE \(condition(hasCursor: true))", values + cursor.values
    ) { $0.int(0) }
    return try count(in: snapshot) - (following ?? 0)
  }

  private var values: [SQLValue] { [.text(board)] + (frontier.map { [.integer($0)] } ?? []) }

  private func condition(hasCursor: Bool) -> String {
    var condition = "board = ?"
    if onlyUnread { condition += " AND isRead = 0" }
    if frontier != nil { condition += " AND (pinned = 1 OR at >= ?)" }
    if hasCursor { condition += " AND (pinned, at, post) < (?, ?, ?)" }
    return condition
  }
}
