import Store

/// The numbers of marks of each document. Each reply with a document shows them, and some documents have hundreds.
enum MarkTotals {
  static let table = """
    CREATE TABLE documentMarks (
      document TEXT PRIMARY KEY, highlights INTEGER NOT NULL DEFAULT 0, bookmarks INTEGER NOT NULL DEFAULT 0,
      memos INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    INSERT INTO documentMarks SELECT document, sum(highlights), sum(bookmarks), sum(memos) FROM (
      SELECT document, 1 AS highlights, 0 AS bookmarks, 0 AS memos FROM highlight
      UNION ALL SELECT document, 0, 1, 0 FROM bookmark UNION ALL SELECT document, 0, 0, 1 FROM memo)
    GROUP BY document;
    """

  static let highlights = total("highlights")
  static let bookmarks = total("bookmarks")
  static let memos = total("memos")

  private static func total(_ column: String) -> FollowingRows {
    FollowingRows(
      on: ["document"],
      added: [
        """
        INSERT INTO documentMarks (document, \(column)) VALUES (new.document, 1)
        ON CONFLICT (document) DO UPDATE SET \(column) = \(column) + 1
        """
      ],
      removed: [
        "UPDATE documentMarks SET \(column) = \(column) - 1 WHERE document = old.document",
        "DELETE FROM documentMarks WHERE document = old.document AND highlights + bookmarks + memos = 0",
      ])
  }
}
