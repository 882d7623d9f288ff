import Kit
import SQLite
import Store
import Wire

/// The posts of all sources by time, the newest or the oldest first: all that are not hidden, the unread ones of those,
/// the saved ones, or the hidden ones.
///
/// The triggers of `BoardTables` maintain the other lists in time order (`listedPost`), and count each
/// list by spans of time (`postSpan`), so that a part of the list, its offset and the total cost the same in a library
/// of a million posts. The saved posts of a folder are picked out of all saved ones; its other posts are a
/// `FolderTimeline`.
struct PostTimeline: ListingCounts {
  /// The raw values are used in the tables.
  enum List: Int64 {
    case all, unread, saved, hidden
  }

  private static let oldest = Keyset(.integer("at"), .text("post"))
  static let order = oldest.descending

  let list: List
  let db: Database
  private var folder: SourceFolder?
  private let isOldestFirst: Bool
  private var order: Keyset { isOldestFirst ? Self.oldest : Self.order }

  init(list: List, of folder: SourceFolder? = nil, isOldestFirst: Bool = false, db: Database) {
    (self.list, self.folder, self.isOldestFirst, self.db) = (list, folder, isOldestFirst, db)
  }

  /// - Throws: `RPCError` for a cursor of another list, `DatabaseError`.
  func page(_ part: ListPart) throws -> TimelinePage {
    let (posts, next) = try self.part(part)
    let total = try total()
    let offset = try part.after.map { try total - count(after: order.place($0)) } ?? part.offset ?? 0
    return TimelinePage(posts: posts, next: next, offset: offset, total: total)
  }

  /// The posts of a part of the list, in order, and the cursor of the next part; nil at the end.
  func part(_ part: ListPart) throws -> (posts: [String], next: String?) {
    var found: [(post: String, place: [SQLValue])] = []
    let (sql, values) = try statement(part)
    try db.each(sql, values) { found.append(($0.text(0), order.place($0, from: 1))) }
    let last = found.count > part.limit ? found[part.limit - 1] : nil
    return (found.prefix(part.limit).map(\.post), last.map { order.cursor($0.place) })
  }

  /// Selects one post more than the part has.
  func statement(_ part: ListPart) throws -> (sql: String, values: [SQLValue]) {
    var (condition, values, skipped) = ("1", [SQLValue](), part.offset ?? 0)
    if let after = part.after {
      let place = order.condition(after: try order.place(after))
      (condition, values, skipped) = (place.sql, place.values, 0)
    } else if skipped > 0, folder == nil {
      let start = try skipping(skipped)
      (condition, values, skipped) = (start.sql, start.values, start.left)
    }
    let from = from
    return (
      """
      SELECT post, \(order.columns) FROM \(from.sql) \(condition) ORDER BY \(order.order) LIMIT ? OFFSET ?
      """, from.values + values + [.integer(part.limit + 1), .integer(skipped)]
    )
  }

  /// The rows of the list, up to the conditions on them.
  private var from: (sql: String, values: [SQLValue]) {
    guard let (condition, values) = folder?.condition else { return ("\(rows) WHERE", []) }
    return (
      """
      \(rows) AS listed WHERE EXISTS (
        SELECT 1 FROM boardPost JOIN board ON board.id = boardPost.board
        WHERE boardPost.post = listed.post AND \(condition)) AND
      """, values
    )
  }

  private var rows: String {
    list == .all
      ? """
      (SELECT at, id AS post FROM post WHERE NOT EXISTS (
        SELECT 1 FROM listedPost AS hidden WHERE list = \(List.hidden.rawValue) AND hidden.at = post.at AND post = post.id))
      """ : "(SELECT at, post FROM listedPost WHERE list = \(list.rawValue))"
  }

  func total() throws -> Int {
    if folder != nil { return try counted("1") }
    return try db.first(
      "SELECT coalesce(sum(count), 0) FROM postSpan WHERE list = ?", [.integer(list.rawValue)]
    ) { $0.int(0) } ?? 0
  }

  private func counted(_ condition: String, _ values: [SQLValue] = []) throws -> Int {
    let from = from
    return try db.first("SELECT count(*) FROM \(from.sql) \(condition)", from.values + values) { $0.int(0) } ?? 0
  }

  func count(after place: [SQLValue]) throws -> Int {
    isOldestFirst ? max(0, try total() - older(than: place) - 1) : try older(than: place)
  }

  private func older(than place: [SQLValue]) throws -> Int {
    if folder != nil { return try total() - counted("(at, post) >= (?, ?)", place) }
    guard case .integer(let at) = place.first else { return 0 }
    let span = at >> BoardSpans.bits
    let older = try db.first(
      "SELECT coalesce(sum(count), 0) FROM postSpan WHERE list = ? AND span < ?",
      [.integer(list.rawValue), .integer(span)]
    ) { $0.int(0) }
    let within = try db.first(
      "SELECT count(*) FROM \(rows) WHERE (at, post) < (?, ?) AND at >= ?", place + [.integer(span << BoardSpans.bits)]
    ) { $0.int(0) }
    return (older ?? 0) + (within ?? 0)
  }

  func skipping(_ offset: Int) throws -> (sql: String, values: [SQLValue], left: Int) {
    let direction = isOldestFirst ? "ASC" : "DESC"
    let start = try db.first(
      """
      SELECT span, total - count FROM
        (SELECT span, count, sum(count) OVER (ORDER BY span \(direction)) AS total FROM postSpan WHERE list = ?)
      WHERE total > ? ORDER BY span \(direction) LIMIT 1
      """, [.integer(list.rawValue), .integer(offset)]
    ) { (span: $0.integer(0), above: $0.int(1)) }
    guard let start else { return ("0", [], 0) }
    let left = offset - start.above
    return isOldestFirst
      ? ("at >= ?", [.integer(start.span << BoardSpans.bits)], left)
      : ("at < ?", [.integer((start.span + 1) << BoardSpans.bits)], left)
  }
}

/// A page of a list of posts by time.
struct TimelinePage {
  var posts: [String]
  /// The cursor of the next page; nil at the end.
  var next: String?
  var offset: Int
  var total: Int
  var totalIsEstimate = false
}
