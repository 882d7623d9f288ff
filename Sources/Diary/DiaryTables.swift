import Store

/// The tables of the diary.
enum DiaryTables {
  static let migrations = [
    Migration("diary/001", sql: entries), Migration("diary/002", sql: drafts),
    Migration("diary/003", sql: mirror), Migration("diary/004", sql: writing),
    Migration("diary/005", sql: titles), Migration("diary/006", sql: origins),
    Migration("diary/007", sql: files), Migration("diary/008", sql: spans),
    Migration("diary/009", sql: confinements), Migration("diary/010", sql: tags),
    Migration("diary/011", sql: stars), Migration("diary/012", sql: details),
    Migration("diary/013", sql: untriggered), Migration("diary/014", sql: matter),
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

  /// The earlier titles of an entry, by which links may still name it.
  private static let titles = "ALTER TABLE diaryEntry ADD COLUMN formerTitles TEXT;"

  /// The origin of an imported entry, and its state at the import.
  private static let origins = """
    ALTER TABLE diaryEntry ADD COLUMN origin TEXT;
    ALTER TABLE diaryEntry ADD COLUMN came TEXT;
    CREATE INDEX diaryEntryByOrigin ON diaryEntry (origin) WHERE origin IS NOT NULL;
    """

  /// The merge base: the file of ours that it was last imported from.
  private static let files = "ALTER TABLE diaryEntry ADD COLUMN taken TEXT;"

  /// The entries written on a day, whatever day they are about.
  private static let writing = "CREATE INDEX diaryEntryByWriting ON diaryEntry (writtenAt, id);"

  /// The number of entries of each day and month. It follows from the rows (`counts`, and triggers on changed and
  /// removed ones), so that it is right even when undo or an archive writes them.
  private static let spans = """
    CREATE TABLE diaryDay (day TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE diaryMonth (month TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO diaryDay SELECT day, count(*) FROM diaryEntry GROUP BY day;
    INSERT INTO diaryMonth SELECT substr(day, 1, 7), sum(entries) FROM diaryDay GROUP BY 1;
    CREATE TRIGGER diaryEntryCame AFTER INSERT ON diaryEntry BEGIN
      INSERT INTO diaryDay VALUES (new.day, 1) ON CONFLICT (day) DO UPDATE SET entries = entries + 1;
      INSERT INTO diaryMonth VALUES (substr(new.day, 1, 7), 1)
        ON CONFLICT (month) DO UPDATE SET entries = entries + 1;
    END;
    CREATE TRIGGER diaryEntryMoved AFTER UPDATE OF day ON diaryEntry WHEN new.day <> old.day BEGIN
      INSERT INTO diaryDay VALUES (new.day, 1) ON CONFLICT (day) DO UPDATE SET entries = entries + 1;
      INSERT INTO diaryMonth VALUES (substr(new.day, 1, 7), 1)
        ON CONFLICT (month) DO UPDATE SET entries = entries + 1;
      UPDATE diaryDay SET entries = entries - 1 WHERE day = old.day;
      UPDATE diaryMonth SET entries = entries - 1 WHERE month = substr(old.day, 1, 7);
    END;
    CREATE TRIGGER diaryEntryWent AFTER DELETE ON diaryEntry BEGIN
      UPDATE diaryDay SET entries = entries - 1 WHERE day = old.day;
      UPDATE diaryMonth SET entries = entries - 1 WHERE month = substr(old.day, 1, 7);
    END;
    """

  /// The tags of entries, folded. They follow from the rows (`FollowingRows.tags`), so that they are right even when
  /// undo or an archive writes these.
  private static let tags = """
    ALTER TABLE diaryEntry ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE diaryTag (tag TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (tag, entry)) WITHOUT ROWID;
    CREATE INDEX diaryTagByEntry ON diaryTag (entry);
    CREATE TRIGGER diaryTagCame AFTER INSERT ON diaryEntry WHEN new.tags <> '[]' BEGIN
      INSERT OR IGNORE INTO diaryTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER diaryTagChanged AFTER UPDATE OF tags ON diaryEntry WHEN new.tags <> old.tags BEGIN
      DELETE FROM diaryTag WHERE entry = old.id;
      INSERT OR IGNORE INTO diaryTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER diaryTagWent AFTER DELETE ON diaryEntry WHEN old.tags <> '[]' BEGIN
      DELETE FROM diaryTag WHERE entry = old.id;
    END;
    """

  /// The index is of starred entries alone: most are not.
  private static let stars = """
    ALTER TABLE diaryEntry ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX diaryEntryStarred ON diaryEntry (day, writtenAt, id) WHERE starred;
    """

  /// The numbers of entries of the journals follow as those of days do. Most entries are in none: the index
  /// is of the others alone.
  private static let details = """
    ALTER TABLE diaryEntry ADD COLUMN journal TEXT NOT NULL DEFAULT '';
    ALTER TABLE diaryEntry ADD COLUMN place TEXT NOT NULL DEFAULT '';
    ALTER TABLE diaryEntry ADD COLUMN coordinates TEXT NOT NULL DEFAULT '';
    ALTER TABLE diaryEntry ADD COLUMN weather TEXT NOT NULL DEFAULT '';
    ALTER TABLE diaryEntry ADD COLUMN mood TEXT NOT NULL DEFAULT '';
    CREATE INDEX diaryEntryByJournal ON diaryEntry (journal, day, writtenAt, id) WHERE journal <> '';
    CREATE TABLE diaryJournal (journal TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO diaryJournal SELECT '', count(*) FROM diaryEntry;
    CREATE TRIGGER diaryJournalCame AFTER INSERT ON diaryEntry BEGIN
      INSERT INTO diaryJournal VALUES (new.journal, 1) ON CONFLICT (journal) DO UPDATE SET entries = entries + 1;
    END;
    CREATE TRIGGER diaryJournalMoved AFTER UPDATE OF journal ON diaryEntry WHEN new.journal <> old.journal BEGIN
      INSERT INTO diaryJournal VALUES (new.journal, 1) ON CONFLICT (journal) DO UPDATE SET entries = entries + 1;
      UPDATE diaryJournal SET entries = entries - 1 WHERE journal = old.journal;
    END;
    CREATE TRIGGER diaryJournalWent AFTER DELETE ON diaryEntry BEGIN
      UPDATE diaryJournal SET entries = entries - 1 WHERE journal = old.journal;
    END;
    """

  /// The rows that follow from an added entry are written with it, not by triggers; so are all tags.
  private static let untriggered = """
    DROP TRIGGER IF EXISTS diaryEntryCame;
    DROP TRIGGER IF EXISTS diaryJournalCame;
    DROP TRIGGER IF EXISTS diaryTagCame;
    DROP TRIGGER IF EXISTS diaryTagChanged;
    DROP TRIGGER IF EXISTS diaryTagWent;
    """

  /// The front matter of an entry's file, and the members of its entry of Day One (`DayOneEntry`).
  private static let matter = """
    ALTER TABLE diaryEntry ADD COLUMN frontMatter TEXT NOT NULL DEFAULT '';
    ALTER TABLE diaryEntry ADD COLUMN dayOne TEXT;
    """

  static let counts = FollowingRows(added: [
    "INSERT INTO diaryDay VALUES (new.day, 1) ON CONFLICT (day) DO UPDATE SET entries = entries + 1",
    """
    INSERT INTO diaryMonth VALUES (substr(new.day, 1, 7), 1) ON CONFLICT (month) DO UPDATE SET entries = entries + 1
    """,
    "INSERT INTO diaryJournal VALUES (new.journal, 1) ON CONFLICT (journal) DO UPDATE SET entries = entries + 1",
  ])

  /// The unsaved text of each client. Part of no collection: only the client that wrote it sees it.
  private static let drafts = """
    CREATE TABLE diaryDraft (
      entry TEXT NOT NULL, connection TEXT NOT NULL, client TEXT NOT NULL, text TEXT NOT NULL, revision INTEGER,
      startedAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, PRIMARY KEY (entry, connection));
    CREATE INDEX diaryDraftByTime ON diaryDraft (updatedAt, entry, connection);
    """

  /// The path of the mirror; no row without a mirror.
  private static let mirror = """
    CREATE TABLE diaryMirror (one INTEGER PRIMARY KEY CHECK (one = 1), path TEXT NOT NULL);
    """
  private static let confinements = "ALTER TABLE diaryMirror ADD COLUMN confinement TEXT;"
}
