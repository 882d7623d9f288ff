import Contract
import Kit
import SQLite
import Store

/// When a document was read, on this device: a row for each reading, in UTC milliseconds.
///
/// A day's end depends on the client's time zone, so no days are stored. A page turned within half an hour belongs to
/// the same reading.
///
///     10:00 page 1   10:02 page 2   10:02:01 page 3   10:30 page 4   10:31 page 5
///           └ 2 min ──┘└ leafed past ─┘└ 28 min, 5 of them count ┘└ 1 min ─┘   8 min 1 s, 3 pages
enum ReadingTimes {
  static let table = """
    CREATE TABLE documentReading (
      document TEXT NOT NULL, startedAt INTEGER NOT NULL, endedAt INTEGER NOT NULL, lastPage INTEGER NOT NULL,
      PRIMARY KEY (document, startedAt)) WITHOUT ROWID;
    CREATE INDEX documentReadingByEnd ON documentReading (endedAt, document);
    """

  /// How long a reading took, in milliseconds, and its pages. Of older readings only the first and the last turn of a
  /// page are known.
  static let amounts = """
    ALTER TABLE documentReading ADD COLUMN duration INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE documentReading ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
    UPDATE documentReading SET duration = endedAt - startedAt WHERE endedAt > startedAt;
    """

  /// The page that each document shows on this device, and since when. The reading position of the document is shared:
  /// it may be where another device reads.
  static let shownPages = """
    CREATE TABLE documentShown (document TEXT PRIMARY KEY, page INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER documentShownRemoved AFTER DELETE ON document BEGIN
      DELETE FROM documentShown WHERE document = old.id;
    END;
    """

  private static let pause: Int64 = 30 * 60_000
  /// No reading is longer, so that the readings of a day can be found by their ends.
  static let longest: Int64 = 86_400_000
  /// A page that is shown longer counts as this long: nobody knows whether it was read all the time.
  private static let longestOnPage: Int64 = 5 * 60_000
  /// A page that is shown shorter was leafed past.
  private static let shortestOnPage: Int64 = 3_000

  /// Each document once, with the furthest page of that day's readings. The readings of a removed document are
  /// hidden, and return when it is restored.
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

  /// A reading ends no earlier than it starts: so one that starts now continues, and none is added beside it.
  private struct Reading {
    var startedAt: Int64
    var endedAt: Int64

    init(_ row: Columns) throws {
      (startedAt, endedAt) = (row.integer(0), row.integer(1))
      guard startedAt <= endedAt else { throw StoreError.broken(path: "", reason: "documentReading.endedAt") }
    }
  }

  /// The page that a document shows on this device, and since when, in UTC milliseconds; nil if it was not read here.
  ///
  /// - Throws: `DatabaseError`.
  static func shown(_ document: String, in db: Database) throws -> (page: Int, at: Int64)? {
    try db.first("SELECT page, at FROM documentShown WHERE document = ?", [.text(document)]) {
      ($0.int(0), $0.integer(1))
    }
  }

  /// Notes that the user turned to a page, or is still on one.
  ///
  /// - Parameters:
  ///   - isMoved: whether the position changed. Otherwise no reading begins.
  ///   - before: what the document showed here before.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  static func note(
    _ page: Int, of document: String, isMoved: Bool, after before: (page: Int, at: Int64)?,
    in transaction: Transaction
  ) throws {
    let (db, now) = (transaction.db, transaction.now.milliseconds)
    var (duration, pages) = (Int64(0), 0)
    if let before, before.at <= now, before.at > now - pause {
      duration = min(now - before.at, longestOnPage)
      pages = now - before.at >= shortestOnPage && page != before.page ? 1 : 0
    }
    try db.run(
      "INSERT OR REPLACE INTO documentShown (document, page, at) VALUES (?, ?, ?)",
      [.text(document), .integer(page), .integer(now)])
    let latest = try db.first(
      "SELECT startedAt, endedAt FROM documentReading WHERE document = ? ORDER BY startedAt DESC LIMIT 1",
      [.text(document)], Reading.init)
    if let latest, now - latest.endedAt < pause, now - latest.startedAt < longest {
      try db.run(
        """
        UPDATE documentReading SET endedAt = max(endedAt, ?), lastPage = max(lastPage, ?),
          duration = min(duration + ?, \(longest)), pages = pages + ?
        WHERE document = ? AND startedAt = ?
        """,
        [
          .integer(now), .integer(page), .integer(duration), .integer(pages), .text(document),
          .integer(latest.startedAt),
        ])
    } else if isMoved {
      try db.run(
        """
        INSERT INTO documentReading (document, startedAt, endedAt, lastPage, duration, pages)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          .text(document), .integer(now), .integer(now), .integer(page), .integer(duration), .integer(pages),
        ])
    }
  }
}
