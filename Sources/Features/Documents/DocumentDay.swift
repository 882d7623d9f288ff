import Contract
import GRDB
import Store

/// What documents have of a day: which came, which were read and how far, and the marks that were made.
enum DocumentDay {
  static let created = "WHERE createdAt >= ? AND createdAt < ? ORDER BY createdAt, id LIMIT ?"

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    let db = snapshot.db
    var documents: [String: DocumentRecord] = [:]
    let added = try DocumentRecord.all(in: db, created, query.bounds)
    for document in added { documents[document.id] = document }
    func document(_ id: String) throws -> DocumentRecord? {
      if documents[id] == nil { documents[id] = try DocumentRecord.find(id, in: db) }
      return documents[id]
    }
    func mark(_ item: some StoredItem, of id: String, page: Int, text: String?) throws -> DayItem? {
      try document(id).map { document in
        DayItem(
          .marked, collection: type(of: item).collectionName, id: item.id, at: item.createdAt.milliseconds,
          title: document.title, text: text, of: id, page: page, in: snapshot)
      }
    }
    var items = added.map { document in
      DayItem(
        .added, collection: DocumentRecord.collectionName, id: document.id, at: document.createdAt.milliseconds,
        title: document.title, in: snapshot)
    }
    items += try BookmarkRecord.all(in: db, created, query.bounds).compactMap {
      try mark($0, of: $0.document, page: $0.page, text: nil)
    }
    items += try HighlightRecord.all(in: db, created, query.bounds).compactMap {
      try mark($0, of: $0.document, page: $0.page, text: $0.keptWords)
    }
    items += try MemoRecord.all(in: db, created, query.bounds).compactMap {
      try mark($0, of: $0.document, page: $0.page, text: $0.text)
    }
    return items + (try readings(query, in: snapshot))
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

/// When a document was read: a row for each time that somebody sat down with it, in UTC milliseconds.
///
/// A day's end depends on who asks, so no days are kept. What follows within half an hour is the same reading.
enum ReadingTimes {
  static let table = """
    CREATE TABLE documentReading (
      document TEXT NOT NULL, startedAt INTEGER NOT NULL, endedAt INTEGER NOT NULL, lastPage INTEGER NOT NULL,
      PRIMARY KEY (document, startedAt)) WITHOUT ROWID;
    CREATE INDEX documentReadingByEnd ON documentReading (endedAt, document);
    """

  private static let pause: Int64 = 30 * 60_000
  /// No reading is longer, so that those of a day can be found by their ends.
  private static let longest: Int64 = 86_400_000

  /// Each document once, with the furthest page of that day's readings. A document that has gone takes them out of
  /// sight, and brings them back.
  static let ofDay = """
    SELECT r.document, min(r.startedAt), max(r.lastPage), d.title, d.pageCount
    FROM documentReading r CROSS JOIN document d ON d.id = r.document
    WHERE r.endedAt >= ? AND r.endedAt < ? AND r.startedAt < ?
    GROUP BY r.document ORDER BY min(r.startedAt), r.document LIMIT ?
    """

  static func bounds(of query: DayQuery) -> [SQLValue] {
    [
      .integer(query.instants.lowerBound), .integer(query.instants.upperBound + longest),
      .integer(query.instants.upperBound), .integer(Int64(query.limit)),
    ]
  }

  /// The reader went to a page.
  static func note(_ page: Int, of document: String, in transaction: Transaction) throws {
    let (db, now) = (transaction.db, transaction.now.milliseconds)
    let latest = try db.first(
      "SELECT startedAt, endedAt FROM documentReading WHERE document = ? ORDER BY startedAt DESC LIMIT 1",
      [.text(document)]
    ) { (startedAt: $0.integer(0), endedAt: $0.integer(1)) }
    if let latest, now - latest.endedAt < pause, now - latest.startedAt < longest {
      try db.run(
        "UPDATE documentReading SET endedAt = max(endedAt, ?), lastPage = max(lastPage, ?) WHERE document = ? AND startedAt = ?",
        [.integer(now), .integer(page), .text(document), .integer(latest.startedAt)])
    } else {
      try db.run(
        "INSERT INTO documentReading (document, startedAt, endedAt, lastPage) VALUES (?, ?, ?, ?)",
        [.text(document), .integer(now), .integer(now), .integer(page)])
    }
  }
}
