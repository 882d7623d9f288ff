/// The apps that read along, see `ReaderApp`, and the posts in the order of their arrival, which is theirs.
extension BoardTables {
  static let apps = """
    CREATE TABLE readerApp (
      id TEXT PRIMARY KEY, title TEXT NOT NULL, token TEXT NOT NULL UNIQUE, createdAt INTEGER NOT NULL,
      usedAt INTEGER) WITHOUT ROWID;
    CREATE INDEX postByArrival ON post (createdAt, at, id);
    CREATE INDEX postWithoutBoard ON post (createdAt) WHERE placements = '[]';
    """
}
