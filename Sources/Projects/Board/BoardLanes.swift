import Contract
import Kit
import SQLite
import Store
import Wire

/// What a board's cards are grouped by across its columns, as rows that cross the columns of the board.
enum LaneKey: String, Choice {
  case tag, priority, parent, week

  static let note =
    "`tag`: a lane for each tag, in which a card with several is several times; `priority`; `parent`: the card that they "
    + "are parts of; `week`: the week of the deadline, from its Monday."

  /// The lane of a card, as a text; NULL if it is in none. Of `tag` there are several.
  private var expression: String {
    switch self {
    case .tag: "(SELECT tag FROM projectTag WHERE card = project.id)"
    case .priority: "CAST(project.priority AS TEXT)"
    case .parent: "project.parent"
    // The Monday of the week: six days before the Sunday that ends it.
    case .week: "date(project.deadline, 'weekday 0', '-6 days')"
    }
  }

  /// The condition for cards of one lane; nil is that of the cards in no other.
  func condition(_ lane: String?) -> (sql: String, values: [SQLValue]) {
    switch (self, lane) {
    case (.tag, let tag?):
      ("EXISTS (SELECT 1 FROM projectTag WHERE card = project.id AND tag = fold(?))", [.text(tag)])
    case (_, let lane?): ("\(expression) = ?", [.text(lane)])
    case (_, nil): ("\(expression) IS NULL", [])
    }
  }

  /// The lanes of a board's cards with their numbers, the cards in no lane last.
  ///
  /// - Throws: `DatabaseError`.
  fileprivate func counts(of board: String, in db: Database) throws -> [(lane: String?, count: Int)] {
    let (lane, source) =
      self == .tag
      ? ("projectTag.tag", "project LEFT JOIN projectTag ON projectTag.card = project.id") : (expression, "project")
    var counts: [(lane: String?, count: Int)] = []
    try db.each(
      """
      SELECT \(lane) AS lane, count(*) FROM \(source) WHERE project.board = ?
      GROUP BY lane ORDER BY lane IS NULL, lane LIMIT \(BoardLane.most)
      """, [.text(board)]
    ) { row in counts.append((row.optionalText(0), row.int(1))) }
    return counts
  }
}

/// A row of a board, across its columns.
struct BoardLane: Payload {
  var lane: String?
  var title: String?
  var count: Int

  /// The most lanes of a reply.
  static let most = 1_000

  static let example = BoardLane(lane: "errands", title: nil, count: 3)
  static let fields = [
    "lane":
      "`lane` for `projects/list`: the folded tag, the priority, the parent's id, or the Monday; absent for the cards in "
      + "none.",
    "title": "The parent's title.", "count": "The number of its cards in all columns.",
  ]

  static func all(of board: String, by key: LaneKey, in snapshot: Snapshot) throws -> [BoardLane] {
    try key.counts(of: board, in: snapshot.db).map { lane, count in
      let parent = key == .parent ? try lane.flatMap { try snapshot.find(ProjectRecord.self, id: $0) } : nil
      return BoardLane(lane: lane, title: parent?.title, count: count)
    }
  }
}
