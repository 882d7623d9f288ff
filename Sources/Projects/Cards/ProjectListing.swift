import Contract
import Kit
import SQLite
import Store
import Wire

/// One way of going through the cards: which, and in what order.
struct ProjectListing {
  private let sort: ListProjects.Sort
  private let view: ProjectView
  private var cards: ItemListing<ProjectRecord>
  /// The columns gone through, from left to right.
  private var states: [String]

  init(_ sort: ListProjects.Sort, _ view: ProjectView) {
    self.sort = sort
    self.view = view
    cards = ItemListing(by: sort.order)
    states = view.columns.all.map(\.state)
  }

  /// Leaves only cards for which this holds.
  mutating func narrow(_ condition: String, _ values: [SQLValue] = []) { cards.narrow(condition, values) }

  mutating func narrow(toWords query: String) throws { try cards.narrow(toWords: query, in: view.snapshot.db) }

  mutating func narrow(toState state: String) {
    states = states.filter { sameBytes($0, state) }
  }

  mutating func narrow(toOpen isOpen: Bool) {
    states = states.filter { view.columns.isOpen($0) == isOpen }
  }

  /// `total` where the caller knows it. A part that would be greater than `size` ends earlier.
  func page(_ part: ListPart, total: Int? = nil, size: Int = ListPart.size) throws -> Page<Project> {
    if sort == .board { return try pageByPlace(part, total: total, size: size) }
    return try inStates.page(part, upTo: size, total: total ?? countOfColumns, in: view.snapshot, listed)
  }

  private func listed(_ card: ProjectRecord) throws -> Project { try Project(view.shown(card), isListed: true) }

  /// How many there are where only columns were asked for, which is known without counting.
  private var countOfColumns: Int? {
    get throws {
      guard cards.conditions.isEmpty else { return nil }
      return try BoardColumns.counts(in: view.snapshot).filter { states.contains($0.state) }.reduce(0) {
        $0 + $1.count
      }
    }
  }

  /// The cards of the columns gone through. Every card stands in one of the columns, and an index by another key knows
  /// nothing of them.
  private var inStates: ItemListing<ProjectRecord> {
    if states.count == view.columns.all.count, sort == .changed { return cards }
    var listing = cards
    listing.narrow("state IN (\(states.map { _ in "?" }.joined(separator: ", ")))", states.map { .text($0) })
    return listing
  }

  /// What selects the first part by the key of the order, for a look at how SQLite goes about it.
  func idStatement(_ part: ListPart) -> (sql: String, values: [SQLValue]) { inStates.idStatement(part) }

  // MARK: - Column by column

  /// The board's places, column by column.
  private static let places = Keyset(.text("state"), .text("rank"), .text("id"))

  /// The column in which the last card of a part by place stood.
  static func state(ofPart cursor: String) throws(RPCError) -> String {
    guard case .text(let state) = try places.place(cursor)[0] else { return "" }
    return state
  }

  private func pageByPlace(_ part: ListPart, total: Int?, size: Int) throws -> Page<Project> {
    let (db, place) = (view.snapshot.db, try part.after.map { try Self.places.place($0) })
    let columns = try remaining(behind: place).map { (cards: column($0.state), place: $0.place) }
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

  /// One column in the order kept by hand: its index has it in this order, so none but the cards asked for are read.
  func column(_ state: String) -> ItemListing<ProjectRecord> {
    var listing = cards
    listing.narrow("state = ?", [.text(state)])
    return listing
  }

  /// The columns from that of a place on, and where to go on in the first of them.
  private func remaining(behind place: [SQLValue]?) throws -> [(state: String, place: [SQLValue]?)] {
    guard let place, case .text(let state) = place[0] else { return states.map { ($0, nil) } }
    // A column that has gone meanwhile had no cards left.
    guard let first = states.firstIndex(where: { sameBytes($0, state) }) else { return [] }
    return states[first...].enumerated().map { ($1, $0 == 0 ? Array(place.dropFirst()) : nil) }
  }
}

extension ListProjects.Sort {
  /// Those without a deadline come behind all days; by place, the order of one column.
  fileprivate var order: Keyset {
    switch self {
    case .board: Keyset(.text("rank"), .text("id"))
    case .deadline: Keyset(.text("ifnull(deadline, '~')"), .text("ifnull(time, '~')"), .text("id"))
    case .changed: .change
    }
  }
}
