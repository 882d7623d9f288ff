import SQLite

/// The columns by which a collection of documents is ordered and narrowed: tags, author, time of the last reading.
enum CatalogueColumns {
  /// Adds them, with the authors that the files of an older library state and the times of its readings.
  static func add(to db: Database) throws {
    try db.execute(columns)
    var authors: [(id: String, author: String)] = []
    try db.each(
      """
      SELECT document.id, pdf.author FROM document JOIN pdf ON pdf.hash = document.hash
      WHERE document.keepsText AND pdf.author IS NOT NULL
      """
    ) { row in
      if let author = DocumentRecord.line(row.text(1)) { authors.append((row.text(0), author)) }
    }
    for (id, author) in authors {
      try db.run("UPDATE document SET author = ? WHERE id = ?", [.text(author), .text(id)])
    }
  }

  /// The rows that follow from an added document are written with it, not by triggers; so are all tags.
  static let untriggered = """
    DROP TRIGGER IF EXISTS documentTagInserted;
    DROP TRIGGER IF EXISTS documentTagUpdated;
    DROP TRIGGER IF EXISTS documentTagDeleted;
    DROP TRIGGER IF EXISTS documentPropertyInserted;

    """

  /// The table of tags, folded. It follows from the rows, so that it is right also if undo or an archive writes these.
  private static let columns = """
    ALTER TABLE document ADD COLUMN author TEXT;
    ALTER TABLE document ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE document ADD COLUMN lastReadAt INTEGER;
    UPDATE document SET lastReadAt =
      (SELECT max(endedAt) FROM documentReading WHERE documentReading.document = document.id);
    CREATE INDEX documentByReading ON document (ifnull(lastReadAt, 0), id);
    CREATE TABLE documentTag (
      tag TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (tag, document)) WITHOUT ROWID;
    CREATE INDEX documentTagByDocument ON documentTag (document);
    CREATE TRIGGER documentTagInserted AFTER INSERT ON document WHEN new.tags <> '[]' BEGIN
      INSERT OR IGNORE INTO documentTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER documentTagUpdated AFTER UPDATE OF tags ON document WHEN new.tags <> old.tags BEGIN
      DELETE FROM documentTag WHERE document = old.id;
      INSERT OR IGNORE INTO documentTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER documentTagDeleted AFTER DELETE ON document WHEN old.tags <> '[]' BEGIN
      DELETE FROM documentTag WHERE document = old.id;
    END;
    """
}
