import Contract
import GRDB
import Store
import Wire

/// One way of going through the cards: which, and in what order.
///
/// A cursor is the sort key and the id of the last card, so that what is inserted meanwhile moves nothing.
struct ProjectListing {
  private let sort: ListProjects.Sort
  private let view: ProjectView
  private var conditions: [String] = []
  private var values: [SQLValue] = []
  /// The columns gone through, from left to right.
  private var states: [String]

  init(_ sort: ListProjects.Sort, _ view: ProjectView) {
    self.sort = sort
    self.view = view
    states = view.columns.all.map(\.state)
  }

  /// Leaves only cards for which this holds.
  mutating func narrow(_ condition: String, _ values: [SQLValue] = []) {
    conditions.append(condition)
    self.values += values
  }

  mutating func narrow(toState state: String) {
    states = states.filter { sameBytes($0, state) }
  }

  mutating func narrow(toOpen isOpen: Bool) {
    states = states.filter { view.columns.isOpen($0) == isOpen }
  }

  /// The column in which the last card of a part by place stood.
  static func state(ofPart cursor: String) throws(RPCError) -> String { try Cursor(cursor, of: .board).state }

  /// What the cards of one part may take in a reply, in bytes, about: a hundred tags and a hundred blockers are forty
  /// kilobytes a card, and no frame may be greater than 16 MiB.
  static let partSize = 4 << 20

  /// `total` where the caller knows it. A part that would be greater than `size` ends earlier.
  func page(
    after: String?, offset: Int?, limit: Int, total: Int? = nil, size: Int = partSize
  ) throws -> Page<Project> {
    let cursor = try after.map { try Cursor($0, of: sort) }
    let total = try total ?? count(nil)
    let start = try cursor.map { try total - count($0) } ?? offset ?? 0
    // The ids alone first: a hundred cards may have a hundred megabytes, of which a list shows the beginnings.
    let ids =
      limit == 0
      ? [] : try sort == .board ? idsByPlace(cursor, offset ?? 0, limit + 1) : ids(cursor, offset ?? 0, limit + 1)
    var items: [Project] = []
    var last: ProjectRecord?
    var taken = 0
    for id in ids.prefix(limit) {
      let record = try view.snapshot.get(ProjectRecord.self, id: id)
      let item = try Project(view.shown(record), isListed: true)
      taken += item.bytes.count
      if taken > size, !items.isEmpty { break }
      items.append(item)
      last = record
    }
    return Page(
      items: items, offset: start, limit: limit, total: total,
      next: items.count < ids.count ? last.map { Cursor($0, sort).text } : nil)
  }

  private func ids(_ selection: String, _ values: [SQLValue]) throws -> [String] {
    var ids: [String] = []
    try view.snapshot.db.each("SELECT id FROM project " + selection, values) { ids.append($0.text(0)) }
    return ids
  }

  // MARK: - Column by column

  private func idsByPlace(_ cursor: Cursor?, _ offset: Int, _ limit: Int) throws -> [String] {
    var ids: [String] = []
    var offset = offset
    for (state, key) in remaining(cursor) {
      let found = try self.ids(
        statementByPlace(isBehind: key != nil),
        values + [.text(state)] + (key ?? []) + [.integer(limit - ids.count), .integer(offset)])
      ids += found
      if ids.count >= limit { break }
      if offset > 0, found.isEmpty { offset -= min(offset, try count(in: [state], nil)) } else { offset = 0 }
    }
    return ids
  }

  /// One column in the order kept by hand: its index has it in this order, so none but the cards asked for are read.
  func statementByPlace(isBehind: Bool) -> String {
    "WHERE \(condition("state = ?"))\(isBehind ? " AND (rank, id) > (?, ?)" : "") ORDER BY rank, id LIMIT ? OFFSET ?"
  }

  /// The columns from that of a cursor on, and where to go on in the first of them.
  private func remaining(_ cursor: Cursor?) -> [(state: String, key: [SQLValue]?)] {
    guard let cursor else { return states.map { ($0, nil) } }
    // A column that has gone meanwhile had no cards left.
    guard let place = states.firstIndex(where: { sameBytes($0, cursor.state) }) else { return [] }
    return states[place...].enumerated().map { ($1, $0 == 0 ? cursor.values : nil) }
  }

  // MARK: - By another key

  private func ids(_ cursor: Cursor?, _ offset: Int, _ limit: Int) throws -> [String] {
    let (statement, values) = statementByKey(cursor)
    return try ids(statement, values + [.integer(limit), .integer(offset)])
  }

  private func statementByKey(_ cursor: Cursor?) -> (statement: String, values: [SQLValue]) {
    let (condition, values) = selection(behind: cursor, in: states)
    let order = sort.keys.map { "\($0) \(sort.isDescending ? "DESC" : "ASC")" }.joined(separator: ", ")
    // What is sorted are keys and ids, which an index has, and not whole cards.
    let ids = "SELECT id FROM project WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?"
    return ("WHERE id IN (\(ids)) ORDER BY \(order)", values)
  }

  /// What selects the first part by the key of the order, for a look at how SQLite goes about it.
  var firstStatement: (statement: String, values: [SQLValue]) { statementByKey(nil) }

  private func selection(behind cursor: Cursor?, in states: [String]) -> (condition: String, values: [SQLValue]) {
    // Every card stands in one of the columns, and an index by another key knows nothing of them.
    let isWhole = states.count == view.columns.all.count && sort == .changed
    var condition = condition(isWhole ? "1" : "state IN (\(states.map { _ in "?" }.joined(separator: ", ")))")
    var values = values + (isWhole ? [] : states.map { .text($0) })
    if let cursor {
      let places = sort.keys.map { _ in "?" }.joined(separator: ", ")
      condition += " AND (\(sort.keys.joined(separator: ", "))) \(sort.isDescending ? "<" : ">") (\(places))"
      values += cursor.values
    }
    return (condition, values)
  }

  // MARK: - Counts

  /// How many there are, or how many behind a cursor.
  private func count(_ cursor: Cursor?) throws -> Int {
    guard sort == .board, let cursor else { return try count(in: states, cursor) }
    let states = remaining(cursor).map(\.state)
    guard let first = states.first else { return 0 }
    return try count(in: [first], cursor) + count(in: Array(states.dropFirst()), nil)
  }

  private func count(in states: [String], _ cursor: Cursor?) throws -> Int {
    if states.isEmpty { return 0 }
    if conditions.isEmpty, cursor == nil {
      return try BoardColumns.counts(in: view.snapshot).filter { states.contains($0.state) }.reduce(0) { $0 + $1.count }
    }
    let (condition, values) = selection(behind: cursor, in: states)
    return try view.snapshot.db.first("SELECT count(*) FROM project WHERE \(condition)", values) { $0.int(0) } ?? 0
  }

  private func condition(_ last: String) -> String { (conditions + [last]).joined(separator: " AND ") }
}

extension ListProjects.Sort {
  /// What the cards are sorted by, the id last; those without a deadline come behind all days.
  fileprivate var keys: [String] {
    switch self {
    case .board: ["rank", "id"]
    case .deadline: ["ifnull(deadline, '~')", "ifnull(time, '~')", "id"]
    case .changed: ["updatedAt", "id"]
    }
  }

  fileprivate var isDescending: Bool { self == .changed }
}

/// The last card of a part.
private struct Cursor {
  /// `id/key`, or `id/key/key`: an id has no slash, and neither has a key.
  let text: String
  let values: [SQLValue]
  let state: String

  init(_ record: ProjectRecord, _ sort: ListProjects.Sort) {
    let keys =
      switch sort {
      case .board: [record.rank, record.state]
      case .deadline: [record.deadline?.description ?? "~", record.time ?? "~"]
      case .changed: [String(record.updatedAt.milliseconds)]
      }
    text = ([record.id] + keys).joined(separator: "/")
    values = []
    state = record.state
  }

  init(_ text: String, of sort: ListProjects.Sort) throws(RPCError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let refusal = RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    guard parts.count == (sort == .changed ? 2 : 3), ItemID(validating: parts[0]) != nil else { throw refusal }
    self.text = text
    switch sort {
    case .board:
      state = parts[2]
      values = [.text(parts[1]), .text(parts[0])]
    case .deadline:
      state = ""
      values = [.text(parts[1]), .text(parts[2]), .text(parts[0])]
    case .changed:
      guard let instant = Int64(parts[1]) else { throw refusal }
      state = ""
      values = [.integer(instant), .text(parts[0])]
    }
  }
}
