import Contract
import Kit
import SQLite
import Store
import Wire

/// A list of cards: a filter and an order.
struct ProjectListing {
  private let sort: ListProjects.Sort
  private let view: ProjectView
  private var cards: ItemListing<ProjectRecord>
  /// The columns in the list: board by board, from left to right.
  private var lanes: CardLanes

  init(_ sort: ListProjects.Sort, _ view: ProjectView, _ boards: [CardBoardRecord]) {
    self.sort = sort
    self.view = view
    cards = ItemListing(by: sort.order(on: view.today))
    lanes = CardLanes(of: view.boards, boards)
  }

  /// Keeps only the cards that match a condition.
  mutating func narrow(_ condition: String, _ values: [SQLValue] = []) { cards.narrow(condition, values) }

  mutating func narrow(toWords query: String) throws { try cards.narrow(toWords: query, in: view.snapshot.db) }

  mutating func narrow(toState state: String) {
    lanes = lanes.only { sameBytes($0.state, state) }
  }

  mutating func narrow(to columns: Set<CardLanes.Lane>) {
    lanes = lanes.only { columns.contains($0) }
  }

  mutating func narrow(toOpen isOpen: Bool) {
    lanes = lanes.only(open: isOpen)
  }

  /// `total` if the caller knows it. A part that would be larger than `size` bytes ends earlier.
  func page(_ part: ListPart, total: Int? = nil, size: Int = ListPart.size) throws -> Page<Project> {
    if sort == .board { return try pageByPlace(part, total: total, size: size) }
    return try inLanes.page(part, upTo: size, total: total ?? countOfColumns, in: view.snapshot, listed)
  }

  private func listed(_ card: ProjectRecord) throws -> Project { try Project(view.shown(card), isListed: true) }

  /// The number of cards if only columns are filtered, which needs no counting.
  private var countOfColumns: Int? {
    guard cards.conditions.isEmpty else { return nil }
    let wanted = Set(lanes.selected)
    return view.boards.counts.filter { wanted.contains(CardLanes.Lane(board: $0.board, state: $0.state)) }
      .reduce(0) { $0 + $1.count }
  }

  /// The cards of the columns in the list. Every card is in one of all columns, so these need no condition; with one,
  /// SQLite could not use an index by another key.
  private var inLanes: ItemListing<ProjectRecord> {
    if lanes.hasAllCards, sort == .changed { return cards }
    var listing = cards
    let condition = lanes.condition()
    listing.narrow(condition.sql, condition.values)
    return listing
  }

  /// The statement that selects the first part by the key of the order, for tests of SQLite's query plan.
  func idStatement(_ part: ListPart) -> (sql: String, values: [SQLValue]) { inLanes.idStatement(part) }

  // MARK: - Column by column

  /// The order of the boards: column by column.
  private static let places = Keyset(.text("board"), .text("state"), .text("rank"), .text("id"))

  /// The column of the last card of a part by place.
  static func lane(ofPart cursor: String) throws(RPCError) -> CardLanes.Lane { lane(try places.place(cursor)) }

  private static func lane(_ place: [SQLValue]) -> CardLanes.Lane {
    guard case .text(let board) = place[0], case .text(let state) = place[1] else {
      return CardLanes.Lane(board: "", state: "")
    }
    return CardLanes.Lane(board: board, state: state)
  }

  private func pageByPlace(_ part: ListPart, total: Int?, size: Int) throws -> Page<Project> {
    let (db, place) = (view.snapshot.db, try part.after.map { try Self.places.place($0) })
    let columns = try remaining(after: place).map { (cards: column($0.lane), place: $0.place) }
    let total = try total ?? countOfColumns ?? inLanes.count(in: db)
    var start = part.offset ?? 0
    if place != nil {
      start = try total - columns.reduce(0) { try $0 + $1.cards.count(after: $1.place, in: db) }
    }
    var ids: [String] = []
    var offset = place == nil ? start : 0
    for column in columns where ids.count <= part.limit && part.limit > 0 {
      let found = try column.cards.ids(
        after: column.place, ListPart(offset: offset, limit: part.limit - ids.count), in: db)
      if offset > 0, found.isEmpty { offset -= min(offset, try column.cards.count(in: db)) } else { offset = 0 }
      ids += found
    }
    let items = try Project.list(ids.prefix(part.limit), upTo: size, in: view.snapshot, listed)
    let last = items.count < ids.count && !items.isEmpty ? ids[items.count - 1] : nil
    return Page(
      items: items, offset: start, limit: part.limit, total: total, totalIsEstimate: !cards.isWhole,
      next: try last.map { try cards.cursor(of: $0, by: Self.places, in: db) })
  }

  /// One column in manual order: its index has this order, so only the requested cards are read.
  func column(_ lane: CardLanes.Lane) -> ItemListing<ProjectRecord> {
    var listing = cards
    listing.narrow("board = ? AND state = ?", [.text(lane.board), .text(lane.state)])
    return listing
  }

  /// The columns from that of `place` on, and where to continue in the first of them.
  private func remaining(after place: [SQLValue]?) throws -> [(lane: CardLanes.Lane, place: [SQLValue]?)] {
    let all = lanes.selected
    guard let place else { return all.map { ($0, nil) } }
    // A column that has been removed meanwhile had no cards left.
    guard let first = all.firstIndex(of: Self.lane(place)) else { return [] }
    return all[first...].enumerated().map { ($1, $0 == 0 ? Array(place.dropFirst(2)) : nil) }
  }
}
