import Contract
import Kit
import SQLite
import Store
import Wire

/// The cards of one column that are due on a day, for `diary/day`. Many cards of one commit, such as an import, are a
/// single item of the day, as `FoldedItems` has those that were added.
struct DueCards {
  private let condition: String
  /// The label of the kind, if it is not the usual one.
  private let word: Text?

  /// - Parameter condition: which cards, in SQL whose values `items` gets.
  init(where condition: String = "1", word: Text? = nil) {
    (self.condition, self.word) = (condition, word)
  }

  private var column: String { "FROM project WHERE board = ? AND state = ? AND deadline = ? AND (\(condition))" }

  /// With a column, a day, the values of the condition, and a limit: of each commit's cards the first and how many there
  /// are, in the order of the ids.
  var commits: String { "SELECT min(id), createdAt, count(*), title \(column) GROUP BY createdAt ORDER BY 1 LIMIT ?" }

  /// With a column, a day, the values of the condition, the moment of a commit, and a limit. The `+` keeps SQLite from
  /// `projectByCreation`, which has the order but reads all cards of the commit, due that day or not.
  var ofCommit: String { "SELECT id, title \(column) AND +createdAt = ? ORDER BY id LIMIT ?" }

  /// - Parameter values: of a column, a day and the condition.
  /// - Throws: `DatabaseError`.
  func items(_ query: DayQuery, _ values: [SQLValue], in snapshot: Snapshot) throws -> [DayItem] {
    var commits: [(id: String, title: String, moment: Int64, count: Int)] = []
    try snapshot.db.each(self.commits, values + [.integer(Int64(query.limit))]) { row in
      commits.append((row.text(0), row.text(3), row.integer(1), row.int(2)))
    }
    return try commits.flatMap { commit -> [DayItem] in
      if commit.count == 1 { return [item(commit.id, commit.title, in: snapshot)] }
      let isFolded = commit.count > FoldedItems.mostSingle
      var cards: [(id: String, title: String)] = []
      let limit = isFolded ? DayItem.mostActs : FoldedItems.mostSingle
      try snapshot.db.each(ofCommit, values + [.integer(commit.moment), .integer(Int64(limit))]) { row in
        cards.append((row.text(0), row.text(1)))
      }
      guard isFolded else { return cards.map { item($0.id, $0.title, in: snapshot) } }
      let acts = cards.map { card in
        DayItem.Act(
          collection: ProjectRecord.collectionName, id: ItemID(unchecked: card.id),
          at: Instant(milliseconds: query.instants.lowerBound), text: card.title, page: nil)
      }
      let name = Text("day.many.\(ProjectRecord.collectionName)", ["count": String(commit.count)])
      return [item(commit.id, commit.title, count: commit.count, acts: acts, name: name, in: snapshot)]
    }
  }

  private func item(
    _ id: String, _ title: String, count: Int = 1, acts: [DayItem.Act]? = nil, name: Text? = nil, in snapshot: Snapshot
  ) -> DayItem {
    DayItem(
      .due, collection: ProjectRecord.collectionName, id: id, at: nil, title: title, count: count, acts: acts,
      word: word, name: name, in: snapshot)
  }
}
