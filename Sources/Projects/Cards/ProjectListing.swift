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
  /// The columns in the list, from left to right.
  private var states: [String]

  init(_ sort: ListProjects.Sort, _ view: ProjectView) {
    self.sort = sort
    self.view = view
    cards = ItemListing(by: sort.order)
    states = view.columns.all.map(\.state)
  }

  /// Keeps only the cards that match a condition.
  mutating func narrow(_ condition: String, _ values: [SQLValue] = []) { cards.narrow(condition, values) }

  mutating func narrow(toWords query: String) throws { try cards.narrow(toWords: query, in: view.snapshot.db) }

  mutating func narrow(toState state: String) {
    states = states.filter { sameBytes($0, state) }
  }

  mutating func narrow(toOpen isOpen: Bool) {
    states = states.filter { view.columns.isOpen($0) == isOpen }
  }

  /// `total` if the caller knows it. A part that would be larger than `size` bytes ends earlier.
  func page(_ part: ListPart, total: Int? = nil, size: Int = ListPart.size) throws -> Page<Project> {
    if sort == .board { return try pageByPlace(part, total: total, size: size) }
    return try inStates.page(part, upTo: size, total: total ?? countOfColumns, in: view.snapshot, listed)
  }

  private func listed(_ card: ProjectRecord) throws -> Project { try Project(view.shown(card), isListed: true) }

  /// The number of cards if only columns are filtered, which needs no counting.
  private var countOfColumns: Int? {
    get throws {
      guard cards.conditions.isEmpty else { return nil }
      return try BoardColumns.counts(in: view.snapshot).filter { states.contains($0.state) }.reduce(0) {
        $0 + $1.count
      }
    }
  }

  /// The cards of the columns in the list. Every card is in one of the columns, so all columns need no condition; with
  /// one, SQLite could not use an index by another key.
  private var inStates: ItemListing<ProjectRecord> {
    if states.count == view.columns.all.count, sort == .changed { return cards }
    var listing = cards
    listing.narrow("state IN (\(states.map { _ in "?" }.joined(separator: ", ")))", states.map { .text($0) })
    return listing
  }

  /// The statement that selects the first part by the key of the order, for tests of SQLite's query plan.
  func idStatement(_ part: ListPart) -> (sql: String, values: [SQLValue]) { inStates.idStatement(part) }

  // MARK: - Column by column

  /// The order of the board: column by column.
  private static let places = Keyset(.text("state"), .text("rank"), .text("id"))

  /// The column of the last card of a part by place.
  static func state(ofPart cursor: String) throws(RPCError) -> String {
    guard case .text(let state) = try places.place(cursor)[0] else { return "" }
    return state
  }

  private func pageByPlace(_ part: ListPart, total: Int?, size: Int) throws -> Page<Project> {
    let (db, place) = (view.snapshot.db, try part.after.map { try Self.places.place($0) })
    let columns = try remaining(after: place).map { (cards: column($0.state), place: $0.place) }
    let total = try total ?? countOfColumns ?? inStates.count(in: db)
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
  func column(_ state: String) -> ItemListing<ProjectRecord> {
    var listing = cards
    listing.narrow("state = ?", [.text(state)])
    return listing
  }

  /// The columns from that of `place` on, and where to continue in the first of them.
  private func remaining(after place: [SQLValue]?) throws -> [(state: String, place: [SQLValue]?)] {
    guard let place, case .text(let state) = place[0] else { return states.map { ($0, nil) } }
    // A column that has been removed meanwhile had no cards left.
    guard let first = states.firstIndex(where: { sameBytes($0, state) }) else { return [] }
    return states[first...].enumerated().map { ($1, $0 == 0 ? Array(place.dropFirst()) : nil) }
  }
}

extension ListProjects.Sort {
  /// Cards without a deadline are after all days; by place, the order within one column.
  fileprivate var order: Keyset {
    switch self {
    case .board: Keyset(.text("rank"), .text("id"))
    case .deadline: Keyset(.text("ifnull(deadline, '~')"), .text("ifnull(time, '~')"), .text("id"))
    case .changed: .change
    }
  }
}
