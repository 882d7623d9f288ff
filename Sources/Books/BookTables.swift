import Store

/// The tables of the shelf.
enum BookTables {
  static let migrations = [
    Migration("books/001", sql: shelf + derived + reviews), Migration("books/002", sql: titles),
    Migration("books/003", sql: reads), Migration("books/004", sql: copies),
    Migration("books/005", sql: "ALTER TABLE book ADD COLUMN coverFile TEXT;"),
    Migration("books/006", sql: readerPositions),
  ]

  /// See `ReaderPosition`.
  private static let readerPositions = """
    CREATE TABLE readerPosition (
      document TEXT PRIMARY KEY, place TEXT NOT NULL, share REAL NOT NULL, device TEXT NOT NULL,
      deviceID TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX readerPositionByTime ON readerPosition (at);
    """

  /// The user's copy of a book, and the reading order.
  private static let copies = """
    ALTER TABLE book ADD COLUMN owned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE book ADD COLUMN place TEXT;
    ALTER TABLE book ADD COLUMN lentTo TEXT;
    ALTER TABLE book ADD COLUMN rank TEXT;
    CREATE INDEX bookByRank ON book (rank, id) WHERE rank IS NOT NULL;
    """

  /// The earlier titles of a book, by which links may still name it.
  private static let titles = "ALTER TABLE book ADD COLUMN formerTitles TEXT;"

  private static let shelf = """
    CREATE TABLE book (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT NOT NULL, facts TEXT NOT NULL, sameAs TEXT NOT NULL, raw TEXT, status TEXT NOT NULL,
      started TEXT, finished TEXT, page INTEGER, percent REAL, rating REAL, note TEXT NOT NULL, quotes TEXT NOT NULL,
      documents TEXT NOT NULL, tags TEXT NOT NULL, citationKey TEXT NOT NULL, addedAt INTEGER NOT NULL,
      origins TEXT NOT NULL, "foreign" TEXT);
    CREATE INDEX bookByStatus ON book (status, addedAt, id);
    CREATE INDEX bookByCreation ON book (createdAt, id);
    CREATE INDEX bookByStart ON book (started, id) WHERE started IS NOT NULL;
    CREATE INDEX bookByEnd ON book (finished, id) WHERE finished IS NOT NULL;
    CREATE INDEX bookByKey ON book (lower(citationKey));
    CREATE INDEX bookByRevision ON book (revision);

    """

  /// The names by which a book is found: its ISBNs, the ids of catalogues and other programs, its documents and its
  /// tags. Triggers derive them, so that they are right even when undo or an archive writes the rows.
  private static let derived = """
    CREATE TABLE bookName (
      kind TEXT NOT NULL, name TEXT NOT NULL, book TEXT NOT NULL, PRIMARY KEY (kind, name, book)) WITHOUT ROWID;
    CREATE INDEX bookNameByBook ON bookName (book);
    CREATE TRIGGER bookCame AFTER INSERT ON book BEGIN
    \(names)
    END;
    CREATE TRIGGER bookChanged AFTER UPDATE OF facts, sameAs, documents, tags, origins ON book BEGIN
      DELETE FROM bookName WHERE book = old.id;
    \(names)
    END;
    CREATE TRIGGER bookWent AFTER DELETE ON book BEGIN
      DELETE FROM bookName WHERE book = old.id;
    END;

    """

  private static let names = """
      INSERT OR IGNORE INTO bookName SELECT 'isbn', value, new.id FROM json_each(new.facts, '$.isbns');
      INSERT OR IGNORE INTO bookName SELECT 'catalogue', value, new.id FROM json_each(new.sameAs);
      INSERT OR IGNORE INTO bookName SELECT 'document', value, new.id FROM json_each(new.documents);
      INSERT OR IGNORE INTO bookName SELECT 'tag', fold(value), new.id FROM json_each(new.tags);
      INSERT OR IGNORE INTO bookName SELECT 'origin', value, new.id FROM json_each(new.origins);
    """

  /// Rows of imported files that wait for the user's decision.
  private static let reviews = """
    CREATE TABLE bookReview (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT NOT NULL, book TEXT NOT NULL, reason TEXT NOT NULL, candidates TEXT NOT NULL, line INTEGER NOT NULL,
      decision TEXT);
    CREATE INDEX bookReviewOpen ON bookReview (decision, createdAt, id);
    CREATE INDEX bookReviewByRevision ON bookReview (revision);
    """

  /// The earlier reads of a book, and the names of its series; both are found by `bookName` too.
  private static let reads = """
    ALTER TABLE book ADD COLUMN earlierReads TEXT;
    DROP TRIGGER bookCame;
    DROP TRIGGER bookChanged;
    CREATE TRIGGER bookCame AFTER INSERT ON book BEGIN
    \(names)\(moreNames)
    END;
    CREATE TRIGGER bookChanged AFTER UPDATE OF facts, sameAs, documents, tags, origins, earlierReads ON book BEGIN
      DELETE FROM bookName WHERE book = old.id;
    \(names)\(moreNames)
    END;
    CREATE TABLE readingGoal (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      books INTEGER, pages INTEGER);
    CREATE INDEX readingGoalByRevision ON readingGoal (revision);

    """

  private static let moreNames = """

      INSERT OR IGNORE INTO bookName
        SELECT 'series', fold(json_extract(value, '$.name')), new.id FROM json_each(new.facts, '$.series');
      INSERT OR IGNORE INTO bookName
        SELECT 'started', json_extract(value, '$.started'), new.id FROM json_each(new.earlierReads);
      INSERT OR IGNORE INTO bookName
        SELECT ifnull(json_extract(value, '$.status'), 'read'), json_extract(value, '$.finished'), new.id
        FROM json_each(new.earlierReads);
    """
}
