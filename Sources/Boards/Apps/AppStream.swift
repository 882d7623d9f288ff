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

  /// The condition on `post`, and whether the posts are few enough that sorting them is cheaper than a walk through all
  /// posts by time.
  func condition(_ feeds: AppFeeds) -> (sql: String, values: [SQLValue], isSmall: Bool) {
    func onBoards(_ boards: [String]) -> (sql: String, value: SQLValue) {
      (
        "post.id IN (SELECT post FROM boardPost WHERE board IN (SELECT value FROM json_each(?)))",
        .text(JSONList.json(boards))
      )
    }
    switch self {
    case .all: return ("1", [], false)
    case .none: return ("0", [], true)
    case .read: return (Self.isRead, [], false)
    case .unread:
      return (
        """
        post.id IN (SELECT post FROM boardPost INDEXED BY boardPostUnread WHERE isRead = 0
          UNION ALL SELECT id FROM post WHERE placements = '[]' AND NOT \(Self.isRead))
        """, [], true
      )
    case .saved: return ("post.id IN (SELECT id FROM postMark WHERE savedAt IS NOT NULL)", [], true)
    case .feed(AppFeeds.pages): return ("post.placements = '[]'", [], true)
    case .feed(let id):
      let boards = onBoards(feeds.feed(id)?.boards ?? [])
      return (boards.sql, [boards.value], true)
    case .label(let label):
      let boards = onBoards(feeds.boards(labelled: label))
      return (
        "(\(boards.sql) OR post.id IN (SELECT post FROM postLabel WHERE tag = ?))",
        [boards.value, .text(foldedText(label))], true
      )
    }
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

  init(stream: AppStream, unreadUpTo upTo: Int64?, after: String?, limit: Int) {
    (self.stream, self.upTo, self.after, self.limit) = (stream, upTo, after, limit)
    included = [.unread]
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

  /// The posts of the part, and one more if there is one.
  ///
  /// - Throws: `invalidParams` of a cursor that is none; `DatabaseError`.
  func found(_ feeds: AppFeeds, in db: Database) throws -> [Found] {
    var (conditions, values) = ([AppStream.visible], [SQLValue]())
    var isSmall = false
    for stream in [stream] + included {
      let condition = stream.condition(feeds)
      conditions.append(condition.sql)
      values += condition.values
      isSmall = isSmall || condition.isSmall
    }
    for stream in excluded {
      let condition = stream.condition(feeds)
      conditions.append("NOT \(condition.sql)")
      values += condition.values
      // What is not read is unread, of which there are few.
      if stream == .read {
        conditions.append(AppStream.unread.condition(feeds).sql)
        isSmall = true
      }
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
