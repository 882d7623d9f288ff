import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// A set of posts, by the id that the API has for it. Hidden posts are in none.
enum AppStream: Sendable, Equatable {
  case all, read, unread, saved
  case feed(String)
  /// A folder of subscriptions or a tag of posts: the API does not distinguish them.
  case label(String)
  /// Any other state of the API: no post has it.
  case none

  /// Nil for what is no stream.
  init?(_ id: String) {
    if id.hasPrefix("feed/") {
      self = .feed(id)
      return
    }
    // `user/-/…`, or the user's id in place of the dash.
    let parts = id.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "user" else { return nil }
    switch (parts[2], parts[3]) {
    case ("label", let label): self = .label(String(label))
    case ("state", "com.google/reading-list"): self = .all
    case ("state", "com.google/read"): self = .read
    case ("state", "com.google/kept-unread"), ("state", "com.google/unread"): self = .unread
    case ("state", "com.google/starred"): self = .saved
    case ("state", _): self = .none
    default: return nil
    }
  }

  static func state(_ name: String) -> String { "user/-/state/com.google/" + name }

  private static let isRead = BoardTables.isRead("post.id")

  /// The boards whose posts it has.
  func boards(_ feeds: AppFeeds) -> [String] {
    switch self {
    case .all, .unread: feeds.feeds.flatMap(\.boards)
    case .feed(let id): feeds.feed(id)?.boards ?? []
    case .label(let label): feeds.boards(labelled: label)
    case .read, .saved, .none: []
    }
  }

  /// About how many posts it has; nil for all or nearly all of them.
  func size(_ feeds: AppFeeds, in db: Database) throws -> Int? {
    switch self {
    case .all, .read: return nil
    case .none, .saved, .feed(AppFeeds.pages): return 0
    case .unread: return try db.first("SELECT coalesce(sum(unread), 0) FROM boardCount") { $0.int(0) }
    case .feed, .label:
      return try db.first(
        "SELECT coalesce(sum(count), 0) FROM boardCount WHERE board IN (SELECT value FROM json_each(?))",
        [.text(JSONList.json(boards(feeds)))]
      ) { $0.int(0) }
    }
  }

  /// The condition on `post`.
  ///
  /// - Parameter isListed: whether the posts of the stream are listed for it, since they are few. Otherwise it tests one
  ///   post after the other.
  func condition(_ feeds: AppFeeds, isListed: Bool) -> (sql: String, values: [SQLValue]) {
    func onBoards() -> (sql: String, value: SQLValue) {
      let boards = "(SELECT value FROM json_each(?))"
      return (
        isListed
          ? "post.id IN (SELECT post FROM boardPost WHERE board IN \(boards))"
          : "EXISTS (SELECT 1 FROM boardPost WHERE boardPost.post = post.id AND +board IN \(boards))",
        .text(JSONList.json(self.boards(feeds)))
      )
    }
    switch self {
    case .all: return ("1", [])
    case .none: return ("0", [])
    case .read: return (Self.isRead, [])
    case .unread:
      let pages = "placements = '[]' AND NOT \(Self.isRead)"
      return (
        isListed
          ? """
          post.id IN (SELECT post FROM boardPost INDEXED BY boardPostUnread WHERE isRead = 0
            UNION ALL SELECT id FROM post WHERE \(pages))
          """
          : """
          (EXISTS (SELECT 1 FROM boardPost WHERE boardPost.post = post.id AND +isRead = 0) OR post.\(pages))
          """, []
      )
    case .saved: return ("post.id IN (SELECT id FROM postMark WHERE savedAt IS NOT NULL)", [])
    case .feed(AppFeeds.pages): return ("post.placements = '[]'", [])
    case .feed:
      let boards = onBoards()
      return (boards.sql, [boards.value])
    case .label(let label):
      let boards = onBoards()
      let labelled =
        isListed
        ? "post.id IN (SELECT post FROM postLabel WHERE tag = ?)"
        : "EXISTS (SELECT 1 FROM postLabel WHERE tag = ? AND postLabel.post = post.id)"
      return ("(\(boards.sql) OR \(labelled))", [boards.value, .text(foldedText(label))])
    }
  }

  /// Unread posts of the stream that are on none of its boards, in the order of their ids.
  ///
  /// - Throws: `DatabaseError`.
  func unreadBesidesBoards(after post: String, upTo: Instant?, in db: Database) throws -> [String] {
    let listed: (sql: String, value: SQLValue)? =
      switch self {
      case .all, .unread, .feed(AppFeeds.pages): ("SELECT id AS post FROM post WHERE placements = '[]'", .null)
      case .saved: ("SELECT id AS post FROM postMark WHERE +savedAt IS NOT NULL AND readAt IS NULL", .null)
      case .label(let label): ("SELECT post FROM postLabel WHERE tag = ?3", .text(foldedText(label)))
      case .feed, .read, .none: nil
      }
    guard let listed else { return [] }
    return try db.texts(
      """
      SELECT post.id FROM (\(listed.sql)) AS listed CROSS JOIN post ON post.id = listed.post
      WHERE listed.post > ?1 AND (?2 IS NULL OR post.createdAt <= ?2) AND ?3 IS ?3
        AND NOT \(Self.isRead) AND \(Self.visible)
      ORDER BY listed.post LIMIT 100
      """, [.text(post), .integer(upTo?.milliseconds), listed.value])
  }

  /// A post that is not hidden, on `post`.
  static let visible = """
    (EXISTS (SELECT 1 FROM boardPost WHERE boardPost.post = post.id)
      OR post.placements = '[]' AND NOT \(BoardTables.isHidden("post.id")))
    """

  /// The posts of no board.
  static func pagesCondition(first: Bool) -> String {
    "SELECT 1 FROM post WHERE placements = '[]' AND NOT \(BoardTables.isHidden("post.id"))" + (first ? " LIMIT 1" : "")
  }

  /// The number of the unread posts of no board, and when the newest of these arrived.
  static let unreadPages = """
    SELECT count(*), max(createdAt) FROM post
    WHERE placements = '[]' AND NOT \(isRead) AND NOT \(BoardTables.isHidden("post.id"))
    """
}

/// A part of a stream, in the order in which its posts arrived here.
///
/// By arrival, not by their own dates: an app requests only what arrived since its last request, and a feed may bring
/// a post of last week today.
struct AppQuery: Sendable {
  var stream: AppStream
  /// The posts of these are left out.
  var excluded: [AppStream] = []
  /// Only posts of all of these.
  var included: [AppStream] = []
  /// The time of arrival in UTC milliseconds, inclusive.
  var from: Int64?
  var upTo: Int64?
  var oldestFirst = false
  var limit: Int
  var after: String?

  /// The most posts of a part by number, and by content.
  static let (mostIDs, mostItems) = (10_000, 1_000)

  /// - Throws: `invalidParams` of what is no stream or no number.
  init(_ request: AppRequest, stream id: String, most: Int) throws(RPCError) {
    stream = try Self.stream(id)
    excluded = try Self.streams(request, "xt")
    included = try Self.streams(request, "it")
    from = try Self.time(request.first("ot"), field: "ot")
    upTo = try Self.time(request.first("nt"), field: "nt")
    oldestFirst = request.first("r") == "o"
    limit = min(max(try Self.number(request.first("n"), field: "n") ?? 20, 1), most)
    after = request.first("c").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The most streams that a request may add to its own, or exclude from it: each is a condition of the statement.
  private static let mostStreams = 10

  private static func streams(_ request: AppRequest, _ field: String) throws(RPCError) -> [AppStream] {
    let ids = request.all(field)
    guard ids.count <= mostStreams else {
      throw .invalidParams(
        field: field, reason: Text("param.badCursor", ["value": "\(ids.count) > \(mostStreams)"]))
    }
    var streams: [AppStream] = []
    for id in ids { streams.append(try stream(id)) }
    return streams
  }

  private static func stream(_ id: String) throws(RPCError) -> AppStream {
    guard let stream = AppStream(id) else {
      throw .invalidParams(field: "s", reason: Text("param.badCursor", ["value": id]))
    }
    return stream
  }

  private static func number(_ text: String?, field: String) throws(RPCError) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .invalidParams(field: field, reason: Text("param.badCursor", ["value": text]))
    }
    return number
  }

  /// A moment in seconds, milliseconds or microseconds, whichever an app writes, in milliseconds.
  static func time(_ text: String?, field: String) throws(RPCError) -> Int64? {
    guard let number = try number(text, field: field) else { return nil }
    switch Int64(number) {
    case 0: return nil
    case let seconds where seconds < 100_000_000_000: return seconds * 1_000
    case let milliseconds where milliseconds < 100_000_000_000_000: return milliseconds
    case let microseconds: return microseconds / 1_000
    }
  }

  struct Found: Sendable {
    var id: String
    var arrivedAt: Int64
    /// The cursor of what follows it.
    var cursor: String
  }

  /// Whether the posts are so few that sorting them is cheaper than a walk through all posts by time, in which every
  /// eighth or more is one of them.
  private func isSmall(_ streams: [AppStream], _ feeds: AppFeeds, in db: Database) throws -> Bool {
    guard let size = try streams.compactMap({ try $0.size(feeds, in: db) }).min() else { return false }
    return try size * 8 < PostTimeline(list: .all, db: db).total()
  }

  /// The posts of the part, and one more if there is one.
  ///
  /// - Throws: `invalidParams` of a cursor that is none; `DatabaseError`.
  func found(_ feeds: AppFeeds, in db: Database) throws -> [Found] {
    // What is not read is unread, of which there may be few.
    let wanted = [stream] + included + (excluded.contains(.read) ? [.unread] : [])
    let isSmall = try isSmall(wanted, feeds, in: db)
    var (conditions, values) = ([AppStream.visible], [SQLValue]())
    for stream in wanted {
      let condition = stream.condition(feeds, isListed: isSmall)
      conditions.append(condition.sql)
      values += condition.values
    }
    for stream in excluded {
      let condition = stream.condition(feeds, isListed: false)
      conditions.append("NOT \(condition.sql)")
      values += condition.values
    }
    if let from { (conditions, values) = (conditions + ["post.createdAt >= ?"], values + [.integer(from)]) }
    if let upTo { (conditions, values) = (conditions + ["post.createdAt <= ?"], values + [.integer(upTo)]) }
    let keys: Keyset =
      isSmall
      ? Keyset(.integer("+post.createdAt"), .integer("post.at"), .text("post.id"))
      : Keyset(.integer("post.createdAt"), .integer("post.at"), .text("post.id"))
    let order = oldestFirst ? keys : keys.descending
    if let after {
      let place = order.condition(after: try order.place(after))
      (conditions, values) = (conditions + [place.sql], values + place.values)
    }
    var found: [Found] = []
    try db.each(
      """
      SELECT post.id, post.createdAt, post.at FROM post WHERE \(conditions.joined(separator: " AND "))
      ORDER BY \(order.order) LIMIT ?
      """, values + [.integer(limit + 1)]
    ) { row in
      let place: [SQLValue] = [.integer(row.integer(1)), .integer(row.integer(2)), .text(row.text(0))]
      found.append(Found(id: row.text(0), arrivedAt: row.integer(1), cursor: order.cursor(place)))
    }
    return found
  }
}
