import Store

/// The tables of the diary.
enum DiaryTables {
  static let migrations = [
    Migration("diary/001", sql: entries), Migration("diary/002", sql: drafts),
    Migration("diary/003", sql: mirror), Migration("diary/004", sql: writing),
    Migration("diary/005", sql: titles), Migration("diary/006", sql: origins),
    Migration("diary/007", sql: files),
  ]

  /// The first index serves lists and the calendar, the second the days of the same date in all years.
  private static let entries = """
    CREATE TABLE diaryEntry (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      text TEXT NOT NULL, day TEXT NOT NULL, timeZone TEXT NOT NULL, writtenAt INTEGER NOT NULL);
    CREATE INDEX diaryEntryByDay ON diaryEntry (day, writtenAt, id);
    CREATE INDEX diaryEntryByDate ON diaryEntry (substr(day, 6), day, writtenAt, id);
    CREATE INDEX diaryEntryByChange ON diaryEntry (updatedAt, id);
    CREATE INDEX diaryEntryByRevision ON diaryEntry (revision);
    """

  /// What it was called when links led to it.
  private static let titles = "ALTER TABLE diaryEntry ADD COLUMN formerTitles TEXT;"

  /// From where it was imported, and what it was then.
  private static let origins = """
    ALTER TABLE diaryEntry ADD COLUMN origin TEXT;
    ALTER TABLE diaryEntry ADD COLUMN came TEXT;
    CREATE INDEX diaryEntryByOrigin ON diaryEntry (origin) WHERE origin IS NOT NULL;
    """

  /// Of which file of ours it was taken over.
  private static let files = "ALTER TABLE diaryEntry ADD COLUMN taken TEXT;"

  /// What was written on a day, whatever day it is about.
  private static let writing = "CREATE INDEX diaryEntryByWriting ON diaryEntry (writtenAt, id);"

  /// What is not saved yet, of each client. Part of no collection: it is nobody's but its writer's.
  private static let drafts = """
    CREATE TABLE diaryDraft (
      entry TEXT NOT NULL, connection TEXT NOT NULL, client TEXT NOT NULL, text TEXT NOT NULL, revision INTEGER,
      startedAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, PRIMARY KEY (entry, connection));
    CREATE INDEX diaryDraftByTime ON diaryDraft (updatedAt, entry, connection);
    """

  /// Where the entries are mirrored to; no row where they are not.
  private static let mirror = """
    CREATE TABLE diaryMirror (one INTEGER PRIMARY KEY CHECK (one = 1), path TEXT NOT NULL);
    """
}
