import Kit
import SQLite
import Store
import Wire

/// The posts of a folder by time, the newest or the oldest first: those that are not hidden, or the unread ones, without the quiet
/// sources.
///
/// A page is merged from the boards, each of which has an index in this order, so that it costs the same in a library
/// of a million posts. A post on several boards of the folder is listed once, at its latest time.
struct FolderTimeline {
  /// A post of a board.
  private struct Row {
    var at: Int64
    var post: String
    var board: String

    static func precedes(_ left: Self, _ right: Self) -> Bool {
      if left.at != right.at { return left.at > right.at }
      if !sameBytes(left.post, right.post) { return right.post.utf8.lexicographicallyPrecedes(left.post.utf8) }
      return right.board.utf8.lexicographicallyPrecedes(left.board.utf8)
    }
  }

  /// The posts of a board that are pinned, or that are not; nil for both.
  private typealias Lane = (board: String, pinned: Bool?)

  private let db: Database
  private let onlyUnread: Bool
  private let isOldestFirst: Bool
  private let sources: [String]
  private let boards: [String]

  /// - Throws: `DatabaseError`.
  init(of folder: SourceFolder, onlyUnread: Bool, isOldestFirst: Bool, db: Database) throws {
    (self.db, self.onlyUnread, self.isOldestFirst) = (db, onlyUnread, isOldestFirst)
    sources =
      onlyUnread
      ? try db.texts(
        "SELECT id FROM boardSource WHERE NOT isQuiet AND id IN (SELECT value FROM json_each(?))",
        [.text(JSONList.json(folder.sources))]) : folder.sources
    boards = try SourceFolder(sources: sources).boards(in: db)
  }

  /// - Throws: `RPCError` for a cursor of another list, `DatabaseError`.
  func page(_ part: ListPart) throws -> TimelinePage {
    let after = try part.after.map { try PostTimeline.order.place($0) }
    var (rows, skipped, place) = ([Row](), after == nil ? part.offset ?? 0 : 0, after)
    while rows.count <= part.limit {
      let most = min(skipped + part.limit + 1 - rows.count, Self.mostAtOnce)
      let found = try firstRows(most, of: lanes, by: precedes) { lane, last in
        try read(lane, after: place, to: last?.at, most: most)
      }
      let new = try onFirstPlaces(found)
      rows += new.dropFirst(skipped)
      skipped -= min(skipped, new.count)
      guard found.count == most, let last = found.last else { break }
      place = Self.place(of: last)
    }
    let (total, isEstimate) = try total()
    let last = rows.count > part.limit ? rows[part.limit - 1] : nil
    return TimelinePage(
      posts: rows.prefix(part.limit).map(\.post), next: last.map { PostTimeline.order.cursor(Self.place(of: $0)) },
      offset: try after.map { try offset(after: $0, of: total) } ?? part.offset ?? 0, total: total,
      totalIsEstimate: isEstimate)
  }

  private func precedes(_ left: Row, _ right: Row) -> Bool {
    isOldestFirst ? Row.precedes(right, left) : Row.precedes(left, right)
  }

  /// The number of posts up to a place.
  private func offset(after place: [SQLValue], of total: Int) throws -> Int {
    let newest = try min(count(to: place), total)
    return isOldestFirst ? min(total - newest + 1, total) : newest
  }

  /// An offset far down the list is reached in steps of so many posts.
  private static let mostAtOnce = 1_000

  private static func place(of row: Row) -> [SQLValue] { [.integer(row.at), .text(row.post)] }

  // MARK: - Posts

  private var lanes: [Lane] {
    onlyUnread ? boards.flatMap { [($0, true), ($0, false)] } : boards.map { ($0, nil) }
  }

  /// Selects the newest or oldest posts of a board within bounds. SQLite reads them in order from an index. That of the
  /// unread posts begins with the pinned ones, so it is read twice.
  static func statement(onlyUnread: Bool, isOldestFirst: Bool) -> String {
    let bounds = isOldestFirst ? "(at, post) > (?, ?) AND at <= ?" : "(at, post) < (?, ?) AND at >= ?"
    return """
      SELECT at, post FROM boardPost WHERE board = ? \(onlyUnread ? "AND pinned = ? AND isRead = 0 " : "")\
      AND \(bounds) ORDER BY \(isOldestFirst ? "at, post" : "at DESC, post DESC") LIMIT ?
      """
  }

  private func read(_ lane: Lane, after place: [SQLValue]?, to end: Int64?, most: Int) throws -> [Row] {
    let chosen = [.text(lane.board)] + (lane.pinned.map { [SQLValue.bool($0)] } ?? [])
    let (first, last) = isOldestFirst ? (Int64.min, Int64.max) : (Int64.max, Int64.min)
    let bounds = (place ?? [.integer(first), .text("")]) + [.integer(end ?? last), .integer(most)]
    var rows: [Row] = []
    try db.each(Self.statement(onlyUnread: onlyUnread, isOldestFirst: isOldestFirst), chosen + bounds) {
      rows.append(Row(at: $0.integer(0), post: $0.text(1), board: lane.board))
    }
    return rows
  }

  /// The rows without those whose post another board of the folder has at a later time, or at the same time earlier in
  /// the list. One statement tests all of them.
  private func onFirstPlaces(_ rows: [Row]) throws -> [Row] {
    if boards.count == 1 { return rows }
    var isDouble = [Bool](repeating: false, count: rows.count)
    let lists = [rows.map(\.post), boards].map { SQLValue.text(JSONList.json($0)) }
    try db.each(Self.placesStatement, lists) { place in
      let index = place.int(0)
      let row = rows[index]
      let other = Row(at: place.integer(1), post: row.post, board: place.text(2))
      if other.at > row.at || other.at == row.at && precedes(other, row) { isDouble[index] = true }
    }
    return zip(rows, isDouble).filter { !$1 }.map(\.0)
  }

  /// Selects the places of posts on boards, with each post's index in its list.
  static let placesStatement = """
    SELECT listed.key, boardPost.at, boardPost.board
    FROM json_each(?) AS listed CROSS JOIN boardPost ON boardPost.post = listed.value
    WHERE +boardPost.board IN (SELECT value FROM json_each(?))
    """

  // MARK: - Counts

  /// The number of posts from the newest to a place. Further down the posts of several boards count for each of these.
  private func count(to place: [SQLValue]) throws -> Int {
    let rows = "board IN (SELECT value FROM json_each(?)) \(onlyUnread ? "AND pinned IN (0, 1) AND isRead = 0 " : "")"
    let listed = "FROM boardPost WHERE \(rows)AND (at, post) >= (?, ?)"
    let values = [SQLValue.text(JSONList.json(boards))] + place
    let near = try db.first(
      "SELECT count(*), count(DISTINCT post) FROM (SELECT post \(listed) LIMIT \(Self.mostNear + 1))", values
    ) { (rows: $0.int(0), posts: $0.int(1)) }
    if let near, near.rows <= Self.mostNear { return near.posts }
    guard !onlyUnread, case .integer(let at) = place.first else {
      return try db.first("SELECT count(*) \(listed)", values) { $0.int(0) } ?? 0
    }
    let span = at >> BoardSpans.bits
    return try db.first(
      """
      SELECT (SELECT coalesce(sum(count), 0) FROM boardSpan
          WHERE board IN (SELECT value FROM json_each(?1)) AND pinned IN (0, 1) AND span > ?4)
        + (SELECT count(*) FROM boardPost
          WHERE board IN (SELECT value FROM json_each(?1)) AND (at, post) >= (?2, ?3) AND at < ?5)
      """, values + [.integer(span), .integer((span + 1) << BoardSpans.bits)]
    ) { $0.int(0) } ?? 0
  }

  private static let mostNear = 2_000

  /// The counts of the sources, less what they count several times. Of many posts of several sources it is an estimate.
  private func total() throws -> (count: Int, isEstimate: Bool) {
    let folder = [SQLValue.text(JSONList.json(sources))]
    let counted = try db.first(
      """
      SELECT coalesce(sum(\(onlyUnread ? "unread" : "count")), 0) FROM sourceCount
      WHERE source IN (SELECT value FROM json_each(?))
      """, folder
    ) { $0.int(0) }
    let shared = try db.first(Self.sharedStatement(onlyUnread: onlyUnread), [.integer(Self.mostShared + 1)] + folder) {
      (posts: $0.int(0), again: $0.int(1))
    }
    guard let counted, let shared else { return (0, false) }
    return (counted - shared.again, shared.posts > Self.mostShared)
  }

  private static let mostShared = 200

  /// Counts the posts of several sources, and how often those of the folder count beyond once.
  static func sharedStatement(onlyUnread: Bool) -> String {
    """
    WITH shared AS (SELECT id FROM post WHERE \(BoardTables.isShared) LIMIT ?1)
    SELECT (SELECT count(*) FROM shared), coalesce(sum(sources - 1), 0) FROM (
      SELECT count(DISTINCT source) AS sources FROM shared CROSS JOIN postOrigin ON postOrigin.post = shared.id
      WHERE source IN (SELECT value FROM json_each(?2))
        AND EXISTS (SELECT 1 FROM boardPost WHERE boardPost.post = shared.id\(onlyUnread ? " AND isRead = 0" : ""))
      GROUP BY shared.id)
    """
  }
}
