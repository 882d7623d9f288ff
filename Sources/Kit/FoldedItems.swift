import Contract
import Display
import SQLite
import Store
import Wire

/// The changes of the items of a table on one day, for `diary/day`. One commit, such as an import or a board that is
/// marked as read, gives many items the same moment. They are shown as a single item of the day, or they would hide the
/// others.
package struct FoldedItems {
  private let kind: DayItem.Kind
  private let collection: String
  private let table: String
  private let id: String
  private let moment: String
  private let title: String
  private let text: String
  private let condition: String

  /// Up to so many items of one moment are listed one by one.
  package static let mostSingle = 12

  /// - Parameters:
  ///   - table: a table, or tables that are joined.
  ///   - id: the column of the ids.
  ///   - moment: the column of the moments, in UTC milliseconds.
  ///   - title: an expression.
  ///   - text: an expression of the beginning of a text; NULL for none.
  ///   - condition: which rows, in SQL whose values `items` gets.
  package init(
    _ kind: DayItem.Kind = .added, in table: String, collection: String, id: String = "id",
    at moment: String = "createdAt", title: String = "title", text: String = "NULL", where condition: String = "1"
  ) {
    (self.kind, self.table, self.collection, self.id) = (kind, table, collection, id)
    (self.moment, self.title, self.text, self.condition) = (moment, title, text, condition)
  }

  /// With the beginning and the end of a day, the values of the condition, and a limit: the moments in order, of each
  /// the first item and how many there are.
  package var moments: String {
    """
    SELECT min(\(id)), \(moment), count(*), \(title), \(text) FROM \(table)
    WHERE \(moment) >= ? AND \(moment) < ? AND (\(condition)) GROUP BY \(moment) ORDER BY \(moment) LIMIT ?
    """
  }

  /// With a moment, the values of the condition, and a limit.
  package var ofMoment: String {
    """
    SELECT \(id), \(title), \(text) FROM \(table) WHERE \(moment) = ? AND (\(condition)) ORDER BY \(id) LIMIT ?
    """
  }

  /// An item as its row has it.
  package typealias Found = (id: String, title: String, text: String?)

  /// - Parameters:
  ///   - values: for the places of the condition.
  ///   - shown: makes what is shown of an item of its row.
  /// - Throws: `DatabaseError`.
  package func items(
    _ query: DayQuery, _ values: [SQLValue] = [], in snapshot: Snapshot, shown: (Found) -> Found = { $0 }
  ) throws -> [DayItem] {
    var moments: [(found: Found, at: Int64, count: Int)] = []
    let (bounds, limit) = (Array(query.bounds.prefix(2)), Array(query.bounds.suffix(1)))
    try snapshot.db.each(self.moments, bounds + values + limit) { row in
      moments.append(((row.text(0), row.text(3), row.isNull(4) ? nil : row.text(4)), row.integer(1), row.int(2)))
    }
    return try moments.flatMap { moment -> [DayItem] in
      if moment.count == 1 { return [item(shown(moment.found), at: moment.at, in: snapshot)] }
      let isFolded = moment.count > Self.mostSingle
      var single: [Found] = []
      let limit = isFolded ? DayItem.mostActs : Self.mostSingle
      try snapshot.db.each(ofMoment, [.integer(moment.at)] + values + [.integer(limit)]) { row in
        single.append(shown((row.text(0), row.text(1), row.isNull(2) ? nil : row.text(2))))
      }
      guard isFolded else { return single.map { item($0, at: moment.at, in: snapshot) } }
      return [
        DayItem(
          kind, collection: collection, id: moment.found.id, at: moment.at, title: shown(moment.found).title,
          count: moment.count,
          acts: single.map {
            DayItem.Act(
              collection: collection, id: ItemID(unchecked: $0.id), at: Instant(milliseconds: moment.at),
              text: $0.title, page: nil)
          },
          name: Text("day.many.\(collection)", ["count": String(moment.count)]), in: snapshot)
      ]
    }
  }

  private func item(_ found: Found, at: Int64, in snapshot: Snapshot) -> DayItem {
    DayItem(kind, collection: collection, id: found.id, at: at, title: found.title, text: found.text, in: snapshot)
  }
}
