import Contract
import SQLite
import SearchEngine
import Store
import Wire

/// Searches the stored posts for all words of the query, whole or as prefixes, the newest first.
struct LocalPostSearch {
  private let board: String?
  private let asked: MatchQuery
  private let part: SearchPart?

  /// The posts with their first source's content, and the content of all others.
  private static let collections = [PostRecord.collectionName, PostAccount.collectionName]

  /// The most hits that are sorted; with more, the list is scanned in its order, which then finds a page soon.
  private static let sorted = 2_000

  init(_ query: String, _ target: SearchTarget, board: String?) throws {
    self.board = board
    do {
      asked = try MatchQuery(userText: query, lastIsPrefix: true)
    } catch .tooManyTerms(let limit, _), .tooLong(let limit, _) {
      throw RPCError.invalidParams(field: "query", reason: Text("param.count.maximum", ["maximum": String(limit)]))
    }
    part =
      switch target {
      case .all: nil
      case .title: .title
      case .contents: .body
      case .writer: .tags
      }
  }

  struct Found: Sendable {
    var posts: [Place]
    /// How many hits precede them; 0 if there are too many to be counted.
    var before: Int
    var total: Int
    var totalIsEstimate: Bool
  }

  struct Place: Sendable {
    var at: Int64
    var post: String
  }

  /// `limit` hits after a place, or from an offset on.
  func find(after place: Place?, offset: Int, limit: Int, in snapshot: Snapshot) throws -> Found {
    let db = snapshot.db
    // A query without a word matches nothing.
    guard let rows = try MatchingRows(asked, in: Self.collections, part: part, db: db) else {
      return Found(posts: [], before: 0, total: 0, totalIsEstimate: false)
    }
    let items = try db.texts(
      """
      SELECT item FROM (SELECT rowid AS id FROM (\(rows.sql)) LIMIT ?)
      CROSS JOIN search_entry ON search_entry.rowid = id
      """, rows.values + [.integer(Self.sorted + 1)])
    var found =
      items.count <= Self.sorted
      ? try sorted(items, after: place, offset: offset, limit: limit, in: snapshot)
      : try walked(rows, after: place, offset: offset, limit: limit, in: snapshot)
    if !rows.isAll { found.totalIsEstimate = true }
    return found
  }

  private func sorted(
    _ items: [String], after place: Place?, offset: Int, limit: Int, in snapshot: Snapshot
  ) throws -> Found {
    var places: [Place] = []
    let hits: SQLValue = .text(String(describing: JSONValue.array(items.map(JSONValue.string))))
    if let board {
      // On a board a post is found by the content of the board's source.
      let source = try source(of: board, in: snapshot)
      try snapshot.db.each(
        """
        SELECT at, post FROM boardPost WHERE board = ? AND post IN (
          SELECT value FROM json_each(?)
            WHERE NOT EXISTS (SELECT 1 FROM postAccount WHERE post = value AND source = ?)
          UNION SELECT post FROM postAccount
            WHERE id IN (SELECT value FROM json_each(?)) AND source IN (?, '\(PostAccount.page)'))
        """, [.text(board), hits, source, hits, source]
      ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    } else {
      try snapshot.db.each(
        """
        SELECT at, id FROM post WHERE id IN (
          SELECT value FROM json_each(?)
          UNION SELECT post FROM postAccount WHERE id IN (SELECT value FROM json_each(?)))
        """, [hits, hits]
      ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    }
    places.sort { ($1.at, $1.post) < ($0.at, $0.post) }
    let following = place.map { place in places.filter { ($0.at, $0.post) < (place.at, place.post) } } ?? places
    return Found(
      posts: Array(following.dropFirst(offset).prefix(limit)), before: places.count - following.count + offset,
      total: places.count, totalIsEstimate: false)
  }

  private func source(of board: String, in snapshot: Snapshot) throws -> SQLValue {
    .text(try snapshot.db.first("SELECT source FROM board WHERE id = ?", [.text(board)]) { $0.text(0) } ?? "")
  }

  private func walked(
    _ rows: MatchingRows, after place: Place?, offset: Int, limit: Int, in snapshot: Snapshot
  ) throws -> Found {
    let following = place.map { [SQLValue.integer($0.at), .text($0.post)] } ?? []
    let bounds: [SQLValue] = [.integer(limit), .integer(offset)]
    var places: [Place] = []
    if let board {
      try snapshot.db.each(
        """
        SELECT boardPost.at, boardPost.post FROM boardPost INDEXED BY boardPostByTime
        CROSS JOIN search_entry ON collection IN (\(Self.names)) AND part = 0 AND item = ifnull(
          (SELECT id FROM postAccount WHERE postAccount.post = boardPost.post AND source = ?), boardPost.post)
        WHERE board = ? \(place == nil ? "" : "AND (boardPost.at, boardPost.post) < (?, ?)")
          AND search_entry.rowid IN (\(rows.sql))
        ORDER BY boardPost.at DESC, boardPost.post DESC LIMIT ? OFFSET ?
        """, [try source(of: board, in: snapshot), .text(board)] + following + rows.values + bounds
      ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    } else {
      try snapshot.db.each(
        """
        SELECT post.at, post.id FROM post
        CROSS JOIN search_entry ON collection = '\(PostRecord.collectionName)' AND item = post.id AND part = 0
        WHERE \(place == nil ? "1" : "(post.at, post.id) < (?, ?)")
          AND (search_entry.rowid IN (\(rows.sql))
            OR EXISTS (
              SELECT 1 FROM postAccount CROSS JOIN search_entry AS entry
                ON entry.collection = '\(PostAccount.collectionName)' AND entry.item = postAccount.id AND entry.part = 0
              WHERE postAccount.post = post.id
                AND entry.rowid IN (\(rows.sql))))
        ORDER BY post.at DESC, post.id DESC LIMIT ? OFFSET ?
        """, following + rows.values + rows.values + bounds
      ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    }
    let total = try snapshot.db.first("SELECT count(*) FROM (\(rows.sql))", rows.values) { $0.int(0) } ?? 0
    let most = try board.map { board in
      try snapshot.db.first("SELECT count FROM boardCount WHERE board = ?", [.text(board)]) { $0.int(0) } ?? 0
    }
    // An item that several sources carry is counted by each of them.
    let isShared = try snapshot.db.first("SELECT 1 FROM postAccount LIMIT 1") { _ in true } ?? false
    return Found(
      posts: places, before: offset, total: min(total, most ?? total), totalIsEstimate: board != nil || isShared)
  }

  private static var names: String { collections.map { "'\($0)'" }.joined(separator: ", ") }
}
