import Contract
import Display
import Store
import Wire

/// The items that were added to a table on one day, for `diary/day`. An import adds all items of a file in one commit, at
/// the same moment. They are shown as a single item of the day, or they would hide the others.
package struct AddedItems {
  private let table: String
  private let collection: String

  /// The most items of one moment that are listed one by one.
  package static let mostSingle = 12

  package init(in table: String, collection: String) {
    (self.table, self.collection) = (table, collection)
  }

  /// SQL for the moments in order, with the first item and the number of items of each. Its parameters are
  /// `DayQuery.bounds`.
  package var moments: String {
    """
    SELECT min(id), title, createdAt, count(*) FROM \(table) WHERE createdAt >= ? AND createdAt < ?
    GROUP BY createdAt ORDER BY createdAt LIMIT ?
    """
  }

  /// SQL for the items of a moment. Its parameters are the moment and a limit.
  package var ofMoment: String { "SELECT id, title FROM \(table) WHERE createdAt = ? ORDER BY id LIMIT ?" }

  package func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var moments: [(id: String, title: String, at: Int64, count: Int)] = []
    try snapshot.db.each(self.moments, query.bounds) { row in
      moments.append((row.text(0), row.text(1), row.integer(2), row.int(3)))
    }
    return try moments.flatMap { moment -> [DayItem] in
      if moment.count == 1 { return [item(moment.id, moment.title, at: moment.at, in: snapshot)] }
      let isFolded = moment.count > Self.mostSingle
      var single: [(id: String, title: String)] = []
      let limit = isFolded ? DayItem.mostActs : Self.mostSingle
      try snapshot.db.each(ofMoment, [.integer(moment.at), .integer(Int64(limit))]) { row in
        single.append((row.text(0), row.text(1)))
      }
      guard isFolded else { return single.map { item($0.id, $0.title, at: moment.at, in: snapshot) } }
      return [
        DayItem(
          .added, collection: collection, id: moment.id, at: moment.at, title: moment.title, count: moment.count,
          acts: single.map {
            DayItem.Act(
              collection: collection, id: ItemID(unchecked: $0.id), at: Instant(milliseconds: moment.at),
              text: $0.title, page: nil)
          },
          name: Text("day.many.\(collection)", ["count": String(moment.count)]), in: snapshot)
      ]
    }
  }

  private func item(_ id: String, _ title: String, at: Int64, in snapshot: Snapshot) -> DayItem {
    DayItem(.added, collection: collection, id: id, at: at, title: title, in: snapshot)
  }
}
