import Contract
import Kit
import SQLite
import Store

/// The documents of a day: those that were added, those that were read and how far, and the marks that were made.
enum DocumentDay {
  static let added = FoldedItems(in: "document", collection: DocumentRecord.collectionName)

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    try added.items(query, in: snapshot) + (try marks(query, in: snapshot)) + (try readings(query, in: snapshot))
  }

  /// A mark, before it is decided whether it is shown.
  private struct Mark {
    var collection: String
    var id: String
    var at: Int64

    static func precedes(_ left: Mark, _ right: Mark) -> Bool {
      (left.at, left.collection, left.id) < (right.at, right.collection, right.id)
    }
  }

  static func made(in table: String) -> String {
    "SELECT document, id, createdAt FROM \(table) WHERE createdAt >= ? AND createdAt < ?"
  }

  /// The marks made on one document are one item, within the bounds of the day: so all of them are counted, and only
  /// those that are shown are read.
  private static func marks(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var byDocument: [String: [Mark]] = [:]
    func gather<Item: StoredItem>(_ type: Item.Type) throws {
      try snapshot.db.each(made(in: Item.tableName), Array(query.bounds.prefix(2))) { row in
        byDocument[row.text(0), default: []].append(
          Mark(collection: Item.collectionName, id: row.text(1), at: row.integer(2)))
      }
    }
    try gather(BookmarkRecord.self)
    try gather(HighlightRecord.self)
    try gather(MemoRecord.self)
    let groups = byDocument.map { (document: $0.key, marks: $0.value.sorted(by: Mark.precedes)) }
      .sorted { Mark.precedes($0.marks[0], $1.marks[0]) }
    var items: [DayItem] = []
    for group in groups where items.count < query.limit {
      guard let document = try DocumentRecord.find(group.document, in: snapshot.db) else { continue }
      let acts = try group.marks.prefix(DayItem.mostActs).compactMap { try act($0, in: snapshot) }
      guard let first = acts.first else { continue }
      items.append(
        DayItem(
          .marked, collection: first.collection, id: first.id.text, at: first.at.milliseconds, title: document.title,
          text: first.text, of: document.id, page: first.page, count: group.marks.count,
          acts: acts.count > 1 ? acts : nil, in: snapshot))
    }
    return items
  }

  private static func act(_ mark: Mark, in snapshot: Snapshot) throws -> DayItem.Act? {
    func act(_ page: Int?, _ text: String?) -> DayItem.Act {
      DayItem.Act(
        collection: mark.collection, id: ItemID(unchecked: mark.id), at: Instant(milliseconds: mark.at), text: text,
        page: page)
    }
    switch mark.collection {
    case BookmarkRecord.collectionName:
      return try BookmarkRecord.find(mark.id, in: snapshot.db).map { act($0.page, $0.title) }
    case HighlightRecord.collectionName:
      return try HighlightRecord.find(mark.id, in: snapshot.db).map { act($0.page, $0.keptWords) }
    default: return try MemoRecord.find(mark.id, in: snapshot.db).map { act($0.page, $0.text) }
    }
  }

  private static func readings(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    try snapshot.db.each(ReadingTimes.ofDay, ReadingTimes.bounds(of: query)) { row in
      let (isFinished, lastPage) = (row.int(2) + 1 >= row.int(4), row.int(2))
      items.append(
        DayItem(
          isFinished ? .finished : .read, collection: DocumentRecord.collectionName, id: row.text(0),
          at: max(row.integer(1), query.instants.lowerBound), title: row.text(3), page: lastPage, in: snapshot))
    }
    return items
  }
}
