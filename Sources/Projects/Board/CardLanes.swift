import SQLite

/// Columns of one board or of several, as a selection of their cards.
struct CardLanes {
  struct Lane: Hashable {
    var board: String
    var state: String
  }

  /// All columns of these boards.
  private let all: [(lane: Lane, isOpen: Bool)]
  /// The selected ones: board by board, from left to right.
  private(set) var selected: [Lane]
  private let isWhole: Bool

  /// All columns of all boards, or of some.
  init(of boards: CardBoards, _ some: [CardBoardRecord]? = nil) {
    all = (some ?? boards.all).flatMap { board in
      boards.columns(of: board.id).all.map { (Lane(board: board.id, state: $0.state), $0.isOpen) }
    }
    selected = all.map(\.lane)
    isWhole = some == nil || some?.count == boards.all.count
  }

  /// Whether every card of the library is in one of the columns.
  var hasAllCards: Bool { isWhole && selected.count == all.count }

  func only(open isOpen: Bool) -> CardLanes {
    let fitting = Set(all.lazy.filter { $0.isOpen == isOpen }.map(\.lane))
    return only { fitting.contains($0) }
  }

  func only(_ isIncluded: (Lane) -> Bool) -> CardLanes {
    var some = self
    some.selected = selected.filter(isIncluded)
    return some
  }

  /// The condition for a card to be in one of the columns. SQLite can use the indexes that begin with board and state.
  ///
  /// - Parameter table: the name or alias of the table of cards.
  func condition(_ table: String = "project") -> (sql: String, values: [SQLValue]) {
    let (boards, states) = (unique(selected.map(\.board)), unique(selected.map(\.state)))
    let (chosen, named, here) = (Set(selected), Set(states), Set(boards))
    // A column of the same name may be open on one board and closed on another.
    let others = all.map(\.lane).filter {
      named.contains($0.state) && here.contains($0.board) && !chosen.contains($0)
    }
    func pairs(_ lanes: [Lane]) -> (sql: String, values: [SQLValue]) {
      let sql = "(\(table).board, \(table).state) IN (VALUES \(lanes.map { _ in "(?, ?)" }.joined(separator: ", ")))"
      return (sql, lanes.flatMap { [.text($0.board), .text($0.state)] })
    }
    // Boards whose columns have other names each: the combinations would be far more than the columns.
    if boards.count * states.count > 4 * selected.count + 16 { return pairs(selected) }
    var (sql, values) = (
      "\(table).board IN (\(places(boards))) AND \(table).state IN (\(places(states)))",
      (boards + states).map(SQLValue.text)
    )
    if !others.isEmpty {
      let except = pairs(others)
      (sql, values) = ("\(sql) AND NOT \(except.sql)", values + except.values)
    }
    return (sql, values)
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func places(_ values: [String]) -> String { values.map { _ in "?" }.joined(separator: ", ") }
}
