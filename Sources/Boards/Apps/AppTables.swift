/// The apps that read along, see `ReaderApp`, and the posts in the order of their arrival, which is theirs.
extension BoardTables {
  static let apps = """
    CREATE TABLE readerApp (
      id TEXT PRIMARY KEY, title TEXT NOT NULL, token TEXT NOT NULL UNIQUE, createdAt INTEGER NOT NULL,
      usedAt INTEGER) WITHOUT ROWID;
    CREATE INDEX postByArrival ON post (createdAt, at, id);
    CREATE INDEX postWithoutBoard ON post (createdAt) WHERE placements = '[]';
    """

  /// The hash of the MD5 sum of an app's token. Apps that an earlier version added have none, and are no e-readers.
  static let sums = """
    ALTER TABLE readerApp ADD COLUMN sum TEXT;
    CREATE INDEX readerAppBySum ON readerApp (sum) WHERE sum IS NOT NULL;
    """
}
