import Contract
import Store
import Wire

/// Looks in what the library has: posts that hold all words of the query, whole or by their beginning, the newest first.
struct LocalPostSearch {
  private let board: String?
  private let expression: MatchExpression?

  /// So many hits are sorted; of more the list is gone through in its order, which then finds a page soon.
  private static let sorted = 2_000

  init(_ query: String, _ target: SearchTarget, board: String?) throws {
    self.board = board
    let asked: MatchQuery
    do {
      asked = try MatchQuery(userText: query, lastIsPrefix: true)
    } catch .tooManyTerms(let limit, _), .tooLong(let limit, _) {
      throw RPCError.invalidParams(field: "query", reason: Text("param.count.maximum", ["maximum": String(limit)]))
    }
    let part: SearchPart? =
      switch target {
      case .all: nil
      case .title: .title
      case .contents: .body
      case .writer: .tags
      }
    // What has no word and no letter stands nowhere.
    expression = MatchExpression(asked, collections: [PostRecord.collectionName], part: part)
  }

  struct Found: Sendable {
    var posts: [Place]
    /// How many come before them; 0 where there are too many to be counted.
    var before: Int
    var total: Int
    var totalIsEstimate: Bool
  }

  struct Place: Sendable {
    var at: Int64
    var post: String
  }

  /// So many behind a place, or from an offset on.
  func find(behind place: Place?, offset: Int, limit: Int, in snapshot: Snapshot) throws -> Found {
    guard let expression else { return Found(posts: [], before: 0, total: 0, totalIsEstimate: false) }
    let db = snapshot.db
    var items: [String] = []
    try db.each(
      """
      SELECT item FROM (SELECT rowid AS id FROM search_text WHERE search_text MATCH ? LIMIT ?)
      CROSS JOIN search_entry ON search_entry.rowid = id
      """, [.text(expression.match), .integer(Self.sorted + 1)]
    ) { items.append($0.text(0)) }
    if items.count <= Self.sorted {
      return try sorted(items, behind: place, offset: offset, limit: limit, in: snapshot)
    }
    return try walked(expression, behind: place, offset: offset, limit: limit, in: snapshot)
  }

  private func sorted(
    _ items: [String], behind place: Place?, offset: Int, limit: Int, in snapshot: Snapshot
  ) throws -> Found {
    var places: [Place] = []
    let ids = String(describing: JSONValue.array(items.map(JSONValue.string)))
    let from = board == nil ? "post WHERE id IN" : "boardPost WHERE board = ? AND post IN"
    try snapshot.db.each(
      """
      SELECT at, \(board == nil ? "id" : "post") FROM \(from) (SELECT value FROM json_each(?))
      """, (board.map { [.text($0)] } ?? []) + [.text(ids)]
    ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    places.sort { ($1.at, $1.post) < ($0.at, $0.post) }
    let behind = place.map { place in places.filter { ($0.at, $0.post) < (place.at, place.post) } } ?? places
    return Found(
      posts: Array(behind.dropFirst(offset).prefix(limit)), before: places.count - behind.count + offset,
      total: places.count, totalIsEstimate: false)
  }

  private func walked(
    _ expression: MatchExpression, behind place: Place?, offset: Int, limit: Int, in snapshot: Snapshot
  ) throws -> Found {
    let id = board == nil ? "post.id" : "boardPost.post"
    let table = board == nil ? "post" : "boardPost"
    var conditions = board == nil ? ["1"] : ["board = ?"]
    var values: [SQLValue] = board.map { [.text($0)] } ?? []
    if let place {
      conditions.append("(\(table).at, \(id)) < (?, ?)")
      values += [.integer(place.at), .text(place.post)]
    }
    var places: [Place] = []
    try snapshot.db.each(
      """
      SELECT \(table).at, \(id) FROM \(table) \(board == nil ? "" : "INDEXED BY boardPostByTime")
      CROSS JOIN search_entry ON collection = '\(PostRecord.collectionName)' AND item = \(id) AND part = 0
      WHERE \(conditions.joined(separator: " AND "))
        AND search_entry.rowid IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)
      ORDER BY \(table).at DESC, \(id) DESC LIMIT ? OFFSET ?
      """, values + [.text(expression.match), .integer(limit), .integer(offset)]
    ) { places.append(Place(at: $0.integer(0), post: $0.text(1))) }
    let total =
      try snapshot.db.first(
        "SELECT count(*) FROM search_text WHERE search_text MATCH ?", [.text(expression.match)]
      ) { $0.int(0) } ?? 0
    let most = try board.map { board in
      try snapshot.db.first("SELECT count FROM boardCount WHERE board = ?", [.text(board)]) { $0.int(0) } ?? 0
    }
    return Found(
      posts: places, before: offset, total: min(total, most ?? total), totalIsEstimate: board != nil)
  }
}
