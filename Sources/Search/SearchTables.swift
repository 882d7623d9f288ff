import SearchEngine
import Store

/// The tables of the searches.
enum SearchTables {
  static let migrations = [
    Migration("search/001", sql: searches), Migration("search/002", sql: saved),
    Migration("search/003", sql: passages),
  ]

  /// When passages were shown by chance, see ``PassageMemory``.
  private static let passages = """
    CREATE TABLE passageSeen (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX passageSeenByTime ON passageSeen (at);
    """

  private static let saved = """
    CREATE TABLE savedSearch (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT, text TEXT NOT NULL, collections TEXT);
    CREATE INDEX savedSearchByCreation ON savedSearch (createdAt, id);
    CREATE INDEX savedSearchByRevision ON savedSearch (revision);
    """

  /// The second index makes searches unique. With a row in the last table, no history is stored.
  private static let searches = """
    CREATE TABLE search (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      text TEXT NOT NULL, folded TEXT NOT NULL, scope TEXT NOT NULL, target TEXT, place TEXT, count INTEGER,
      searchedAt INTEGER NOT NULL);
    CREATE INDEX searchByTime ON search (scope, searchedAt, id);
    CREATE UNIQUE INDEX searchByText ON search (scope, folded, ifnull(target, ''), ifnull(place, ''));
    CREATE INDEX searchByRevision ON search (revision);
    CREATE TABLE searchHistoryOff (one INTEGER PRIMARY KEY CHECK (one = 1));
    """
}
