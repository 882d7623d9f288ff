import Store

/// The tables of the boards.
enum BoardTables {
  static let migrations = [
    Migration("boards/001", sql: sources + boards + posts + marks + derived + clients),
    Migration("boards/002", sql: accounts),
    Migration("boards/003", sql: spans),
    Migration("boards/004", sql: tags),
    Migration("boards/005", sql: typed),
    Migration("boards/006", sql: timeline + sourceCounts),
    Migration("boards/007", sql: rules + limits),
    Migration("boards/008", sql: articles),
    Migration("boards/009", sql: shared),
    Migration("boards/010", sql: apps),
    Migration("boards/011", sql: notes),
    Migration("boards/012", sql: threads),
    Migration("boards/013", sql: files),
    Migration("boards/014", sql: writers),
    Migration("boards/015", sql: sums),
    Migration("boards/016", sql: accountMarks),
  ]

  private static let sources = """
    CREATE TABLE boardSource (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      kind TEXT NOT NULL, url TEXT NOT NULL, title TEXT, credential TEXT, folder TEXT, "foreign" TEXT,
      foundTitle TEXT, movedTo TEXT, state TEXT, fetchedAt INTEGER, nextAt INTEGER, failures INTEGER NOT NULL,
      failure TEXT, isStopped INTEGER NOT NULL);
    CREATE UNIQUE INDEX boardSourceByURL ON boardSource (kind, url);
    CREATE INDEX boardSourceByTime ON boardSource (nextAt) WHERE isStopped = 0;

    """

  private static let boards = """
    CREATE TABLE board (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      source TEXT NOT NULL, remoteID TEXT NOT NULL, displayName TEXT NOT NULL, position INTEGER NOT NULL,
      isGone INTEGER NOT NULL, remoteTotal INTEGER, cursor TEXT, frontier INTEGER, state TEXT, fetchedAt INTEGER,
      freshUntil INTEGER, failure TEXT);
    CREATE UNIQUE INDEX boardByRemoteID ON board (source, remoteID);

    """

  /// Whom posts are from, for a search that names a part of a writer.
  private static let writers = "CREATE INDEX postByWriter ON post (writer, id) WHERE NOT isAnonymous;"

  /// Whether a person typed the URL of a source. Older sources have no such record, so they count as typed.
  private static let typed = "ALTER TABLE boardSource ADD COLUMN isTyped INTEGER NOT NULL DEFAULT 1;"

  /// The few posts that several sources have: the counts of the sources have each of them several times.
  private static let shared = "CREATE INDEX postOfSeveral ON post (id) WHERE \(isShared);"

  /// Whether a post has places in several sources, as SQL that the index is chosen by.
  static let isShared = """
    json_array_length(placements) > 1 AND instr(
      replace(placements, '"source":"' || (placements ->> '$[0].source') || '"', ''), '"source":"')
    """

  /// When a source's whole articles are fetched, where they are on its pages, the posts whose article could not be
  /// fetched, and the passages that the user marked.
  private static let articles = """
    ALTER TABLE boardSource ADD COLUMN wholeText TEXT NOT NULL DEFAULT 'never';
    ALTER TABLE boardSource ADD COLUMN selector TEXT;
    ALTER TABLE postMark ADD COLUMN quotes TEXT NOT NULL DEFAULT '[]';
    CREATE INDEX postMarkByQuotes ON postMark (updatedAt, id) WHERE quotes <> '[]';
    CREATE TABLE articleFailure (
      post TEXT PRIMARY KEY, failures INTEGER NOT NULL, nextAt INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER articleFailureWent AFTER DELETE ON post BEGIN
      DELETE FROM articleFailure WHERE post = old.id;
    END;
    """

  /// The user's notes on posts, and the elements of pages without a feed that are their posts.
  private static let notes = """
    ALTER TABLE boardSource ADD COLUMN items TEXT;
    ALTER TABLE postMark ADD COLUMN note TEXT;
    CREATE INDEX postMarkByNote ON postMark (updatedAt, id) WHERE note IS NOT NULL;
    """

  /// The attachments that were downloaded.
  private static let files = """
    ALTER TABLE postMark ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
    CREATE INDEX postMarkByFiles ON postMark (updatedAt, id) WHERE files <> '[]';
    """

  /// The posts of a thread. The parts of threads that were stored before are unknown, so that their bodies count as
  /// out of date: they are fetched again when they are opened.
  private static let threads = """
    ALTER TABLE post ADD COLUMN thread TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE postAccount ADD COLUMN thread TEXT NOT NULL DEFAULT '[]';
    UPDATE post SET bodyMark = '' WHERE bodyMark IS NOT NULL
      AND placements ->> '$[0].source' IN (SELECT id FROM boardSource WHERE kind = 'discourse');
    UPDATE postAccount SET bodyMark = '' WHERE bodyMark IS NOT NULL
      AND source IN (SELECT id FROM boardSource WHERE kind = 'discourse');
    """

  /// The columns that lists show precede the long texts, whose database pages a list then never reads.
  private static let posts = """
    CREATE TABLE post (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      remoteID TEXT NOT NULL, at INTEGER NOT NULL, title TEXT NOT NULL, isTitleCut INTEGER NOT NULL, writer TEXT,
      address TEXT, isAnonymous INTEGER NOT NULL, publishedAt INTEGER, publishedText TEXT, editedAt INTEGER, link TEXT,
      kind TEXT, hasReply INTEGER NOT NULL, isNewPost INTEGER, isOwner INTEGER, hasInlineImage INTEGER,
      viewCount INTEGER, commentsCount INTEGER, attachmentsCount INTEGER, attachments TEXT NOT NULL,
      categories TEXT NOT NULL, placements TEXT NOT NULL, keys TEXT NOT NULL, preview TEXT NOT NULL, bodyMark TEXT,
      isWhole INTEGER NOT NULL, images TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL);
    CREATE INDEX postByTime ON post (at, id);

    """

  /// The user's marks on a post. They outlive the post, so that a post that returns is still read.
  private static let marks = """
    CREATE TABLE postMark (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      readAt INTEGER, savedAt INTEGER);
    CREATE INDEX postMarkByReading ON postMark (readAt, id) WHERE readAt IS NOT NULL;
    CREATE INDEX postMarkBySaving ON postMark (savedAt, id) WHERE savedAt IS NOT NULL;

    """

  /// Tables that triggers derive, so that they are right also if undo or an archive writes the rows: the posts of
  /// each board, the id of a post in each source and its other keys, and the number of posts.
  private static let derived = """
    CREATE TABLE boardPost (
      board TEXT NOT NULL, post TEXT NOT NULL, pinned INTEGER NOT NULL, at INTEGER NOT NULL, isRead INTEGER NOT NULL,
      arrivedAt INTEGER NOT NULL, PRIMARY KEY (board, post)) WITHOUT ROWID;
    CREATE INDEX boardPostByPlace ON boardPost (board, pinned, at, post, arrivedAt);
    CREATE INDEX boardPostUnread ON boardPost (board, pinned, at, post, arrivedAt) WHERE isRead = 0;
    CREATE INDEX boardPostByTime ON boardPost (board, at, post);
    CREATE INDEX boardPostByArrival ON boardPost (board, arrivedAt);
    CREATE INDEX boardPostByPost ON boardPost (post);
    CREATE TABLE boardCount (board TEXT PRIMARY KEY, count INTEGER NOT NULL, unread INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE postOrigin (
      source TEXT NOT NULL, remoteID TEXT NOT NULL, post TEXT NOT NULL,
      PRIMARY KEY (source, remoteID, post)) WITHOUT ROWID;
    CREATE INDEX postOriginByPost ON postOrigin (post);
    CREATE TABLE postKey (key TEXT NOT NULL, post TEXT NOT NULL, PRIMARY KEY (key, post)) WITHOUT ROWID;
    CREATE INDEX postKeyByPost ON postKey (post);

    CREATE TRIGGER postCame AFTER INSERT ON post BEGIN
      INSERT OR IGNORE INTO boardPost
        SELECT value ->> 'board', new.id, value ->> 'pinned', value ->> 'at',
          EXISTS (SELECT 1 FROM postMark WHERE postMark.id = new.id AND readAt IS NOT NULL), value ->> 'arrivedAt'
        FROM json_each(new.placements);
      INSERT OR IGNORE INTO postOrigin
        SELECT value ->> 'source', value ->> 'remoteID', new.id FROM json_each(new.placements);
      INSERT OR IGNORE INTO postKey SELECT value, new.id FROM json_each(new.keys);
    END;
    CREATE TRIGGER postPlaced AFTER UPDATE OF placements ON post WHEN new.placements <> old.placements BEGIN
      DELETE FROM boardPost WHERE post = new.id
        AND board NOT IN (SELECT value ->> 'board' FROM json_each(new.placements));
      INSERT INTO boardPost
        SELECT value ->> 'board', new.id, value ->> 'pinned', value ->> 'at',
          EXISTS (SELECT 1 FROM postMark WHERE postMark.id = new.id AND readAt IS NOT NULL), value ->> 'arrivedAt'
        FROM json_each(new.placements) WHERE 1
        ON CONFLICT (board, post) DO UPDATE SET pinned = excluded.pinned, at = excluded.at;
      DELETE FROM postOrigin WHERE post = new.id;
      INSERT OR IGNORE INTO postOrigin
        SELECT value ->> 'source', value ->> 'remoteID', new.id FROM json_each(new.placements);
    END;
    CREATE TRIGGER postNamed AFTER UPDATE OF keys ON post WHEN new.keys <> old.keys BEGIN
      DELETE FROM postKey WHERE post = new.id;
      INSERT OR IGNORE INTO postKey SELECT value, new.id FROM json_each(new.keys);
    END;
    CREATE TRIGGER postWent AFTER DELETE ON post BEGIN
      DELETE FROM boardPost WHERE post = old.id;
      DELETE FROM postOrigin WHERE post = old.id;
      DELETE FROM postKey WHERE post = old.id;
    END;

    CREATE TRIGGER boardPostCame AFTER INSERT ON boardPost BEGIN
      INSERT INTO boardCount VALUES (new.board, 1, 1 - new.isRead)
        ON CONFLICT (board) DO UPDATE SET count = count + 1, unread = unread + 1 - new.isRead;
    END;
    CREATE TRIGGER boardPostRead AFTER UPDATE OF isRead ON boardPost WHEN new.isRead <> old.isRead BEGIN
      UPDATE boardCount SET unread = unread + old.isRead - new.isRead WHERE board = new.board;
    END;
    CREATE TRIGGER boardPostWent AFTER DELETE ON boardPost BEGIN
      UPDATE boardCount SET count = count - 1, unread = unread - 1 + old.isRead WHERE board = old.board;
    END;

    CREATE TRIGGER postMarkCame AFTER INSERT ON postMark WHEN new.readAt IS NOT NULL BEGIN
      UPDATE boardPost SET isRead = 1 WHERE post = new.id;
    END;
    CREATE TRIGGER postMarkChanged AFTER UPDATE OF readAt ON postMark
      WHEN (new.readAt IS NULL) <> (old.readAt IS NULL) BEGIN
      UPDATE boardPost SET isRead = new.readAt IS NOT NULL WHERE post = new.id;
    END;
    CREATE TRIGGER postMarkWent AFTER DELETE ON postMark WHEN old.readAt IS NOT NULL BEGIN
      UPDATE boardPost SET isRead = 0 WHERE post = old.id;
    END;

    """

  /// The content of a post in further sources.
  private static let accounts = """
    CREATE TABLE postAccount (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      post TEXT NOT NULL, source TEXT NOT NULL,
      remoteID TEXT NOT NULL, at INTEGER NOT NULL, title TEXT NOT NULL, isTitleCut INTEGER NOT NULL, writer TEXT,
      address TEXT, isAnonymous INTEGER NOT NULL, publishedAt INTEGER, publishedText TEXT, editedAt INTEGER, link TEXT,
      kind TEXT, hasReply INTEGER NOT NULL, isNewPost INTEGER, isOwner INTEGER, hasInlineImage INTEGER,
      viewCount INTEGER, commentsCount INTEGER, attachmentsCount INTEGER, attachments TEXT NOT NULL,
      categories TEXT NOT NULL, placements TEXT NOT NULL, keys TEXT NOT NULL, preview TEXT NOT NULL, bodyMark TEXT,
      isWhole INTEGER NOT NULL, images TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL);
    CREATE INDEX postAccountByPost ON postAccount (post, source);
    CREATE INDEX postAccountBySource ON postAccount (source);
    """

  /// The tags of posts, folded, from every source that carries them. `holder` is the row that has the tag.
  private static let tags =
    """
    CREATE TABLE postTag (
      tag TEXT NOT NULL, holder TEXT NOT NULL, post TEXT NOT NULL, PRIMARY KEY (tag, holder)) WITHOUT ROWID;
    CREATE INDEX postTagByHolder ON postTag (holder);

    """ + holding("post", "id") + holding("postAccount", "post")

  private static func holding(_ table: String, _ post: String) -> String {
    """
    INSERT OR IGNORE INTO postTag
      SELECT fold(value), \(table).id, \(table).\(post) FROM \(table), json_each(\(table).categories)
      WHERE \(table).categories <> '[]';
    CREATE TRIGGER \(table)TagCame AFTER INSERT ON \(table) WHEN new.categories <> '[]' BEGIN
      INSERT OR IGNORE INTO postTag SELECT fold(value), new.id, new.\(post) FROM json_each(new.categories);
    END;
    CREATE TRIGGER \(table)TagChanged AFTER UPDATE OF categories, \(post) ON \(table)
      WHEN new.categories <> old.categories OR new.\(post) <> old.\(post) BEGIN
      DELETE FROM postTag WHERE holder = old.id;
      INSERT OR IGNORE INTO postTag SELECT fold(value), new.id, new.\(post) FROM json_each(new.categories);
    END;
    CREATE TRIGGER \(table)TagWent AFTER DELETE ON \(table) WHEN old.categories <> '[]' BEGIN
      DELETE FROM postTag WHERE holder = old.id;
    END;

    """
  }

  /// The selected board of each client, by the client's name. Part of no collection: it concerns that client only.
  private static let clients = """
    CREATE TABLE boardSelection (
      client TEXT PRIMARY KEY, board TEXT NOT NULL, generation INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE boardVisit (
      client TEXT NOT NULL, board TEXT NOT NULL, at INTEGER NOT NULL, previous INTEGER,
      PRIMARY KEY (client, board)) WITHOUT ROWID;
    """

  /// How many posts a board has in a span of time, see ``BoardSpans``.
  private static let spans = """
    CREATE TABLE boardSpan (
      board TEXT NOT NULL, pinned INTEGER NOT NULL, span INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (board, pinned, span)) WITHOUT ROWID;
    INSERT INTO boardSpan
      SELECT board, pinned, at >> \(BoardSpans.bits), count(*) FROM boardPost GROUP BY 1, 2, 3;
    CREATE TRIGGER boardSpanGrew AFTER INSERT ON boardPost BEGIN
      INSERT INTO boardSpan VALUES (new.board, new.pinned, new.at >> \(BoardSpans.bits), 1)
        ON CONFLICT (board, pinned, span) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER boardSpanMoved AFTER UPDATE OF pinned, at ON boardPost
      WHEN new.pinned <> old.pinned OR new.at >> \(BoardSpans.bits) <> old.at >> \(BoardSpans.bits) BEGIN
      UPDATE boardSpan SET count = count - 1
        WHERE board = old.board AND pinned = old.pinned AND span = old.at >> \(BoardSpans.bits);
      INSERT INTO boardSpan VALUES (new.board, new.pinned, new.at >> \(BoardSpans.bits), 1)
        ON CONFLICT (board, pinned, span) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER boardSpanShrank AFTER DELETE ON boardPost BEGIN
      UPDATE boardSpan SET count = count - 1
        WHERE board = old.board AND pinned = old.pinned AND span = old.at >> \(BoardSpans.bits);
    END;
    CREATE TRIGGER boardSpanEmptied AFTER UPDATE OF count ON boardSpan WHEN new.count = 0 BEGIN
      DELETE FROM boardSpan WHERE board = new.board AND pinned = new.pinned AND span = new.span;
    END;
    """

  /// Whether the post of this id was read, as SQL.
  static func isRead(_ id: String) -> String {
    "EXISTS (SELECT 1 FROM postMark WHERE postMark.id = \(id) AND readAt IS NOT NULL)"
  }

  /// The unread and the saved posts of all sources by time, and how many of each list are in a span of time, see
  /// ``PostTimeline``. Posts without a board are in the lists too: saved ones whose source was removed.
  private static let timeline = """
    CREATE TABLE listedPost (
      list INTEGER NOT NULL, at INTEGER NOT NULL, post TEXT NOT NULL, PRIMARY KEY (list, at, post)) WITHOUT ROWID;
    CREATE TABLE postSpan (
      list INTEGER NOT NULL, span INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (list, span)) WITHOUT ROWID;
    INSERT INTO listedPost SELECT 1, at, id FROM post WHERE NOT \(isRead("post.id")) ORDER BY at, id;
    INSERT INTO listedPost
      SELECT 2, at, post.id FROM postMark JOIN post ON post.id = postMark.id WHERE savedAt IS NOT NULL;
    INSERT INTO postSpan SELECT 0, at >> \(BoardSpans.bits), count(*) FROM post GROUP BY 2;
    INSERT INTO postSpan SELECT list, at >> \(BoardSpans.bits), count(*) FROM listedPost GROUP BY 1, 2;

    CREATE TRIGGER postSpanEmptied AFTER UPDATE OF count ON postSpan WHEN new.count = 0 BEGIN
      DELETE FROM postSpan WHERE list = new.list AND span = new.span;
    END;
    CREATE TRIGGER listedPostAdded AFTER INSERT ON listedPost BEGIN
      INSERT INTO postSpan VALUES (new.list, new.at >> \(BoardSpans.bits), 1)
        ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER listedPostRemoved AFTER DELETE ON listedPost BEGIN
      UPDATE postSpan SET count = count - 1 WHERE list = old.list AND span = old.at >> \(BoardSpans.bits);
    END;

    CREATE TRIGGER postTimed AFTER INSERT ON post BEGIN
      INSERT INTO postSpan VALUES (0, new.at >> \(BoardSpans.bits), 1)
        ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
      INSERT INTO listedPost SELECT 1, new.at, new.id WHERE NOT \(isRead("new.id"));
      INSERT INTO listedPost SELECT 2, new.at, new.id FROM postMark WHERE id = new.id AND savedAt IS NOT NULL;
    END;
    CREATE TRIGGER postRetimed AFTER UPDATE OF at ON post WHEN new.at <> old.at BEGIN
      INSERT INTO postSpan VALUES (0, new.at >> \(BoardSpans.bits), 1)
        ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
      UPDATE postSpan SET count = count - 1 WHERE list = 0 AND span = old.at >> \(BoardSpans.bits);
      INSERT INTO listedPost SELECT list, new.at, post FROM listedPost
        WHERE list IN (1, 2) AND at = old.at AND post = old.id;
      DELETE FROM listedPost WHERE list IN (1, 2) AND at = old.at AND post = old.id;
    END;
    CREATE TRIGGER postUntimed AFTER DELETE ON post BEGIN
      UPDATE postSpan SET count = count - 1 WHERE list = 0 AND span = old.at >> \(BoardSpans.bits);
      DELETE FROM listedPost WHERE list IN (1, 2) AND at = old.at AND post = old.id;
    END;

    CREATE TRIGGER postMarkListed AFTER INSERT ON postMark BEGIN
      DELETE FROM listedPost WHERE list = 1 AND post = new.id AND new.readAt IS NOT NULL
        AND at = (SELECT at FROM post WHERE post.id = new.id);
      INSERT INTO listedPost SELECT 2, at, id FROM post WHERE id = new.id AND new.savedAt IS NOT NULL;
    END;
    CREATE TRIGGER postMarkRelisted AFTER UPDATE OF readAt, savedAt ON postMark BEGIN
      DELETE FROM listedPost WHERE list = 1 AND post = new.id AND new.readAt IS NOT NULL AND old.readAt IS NULL
        AND at = (SELECT at FROM post WHERE post.id = new.id);
      INSERT INTO listedPost SELECT 1, at, id FROM post
        WHERE id = new.id AND new.readAt IS NULL AND old.readAt IS NOT NULL;
      DELETE FROM listedPost WHERE list = 2 AND post = new.id AND new.savedAt IS NULL AND old.savedAt IS NOT NULL
        AND at = (SELECT at FROM post WHERE post.id = new.id);
      INSERT INTO listedPost SELECT 2, at, id FROM post
        WHERE id = new.id AND new.savedAt IS NOT NULL AND old.savedAt IS NULL;
    END;
    CREATE TRIGGER postMarkUnlisted AFTER DELETE ON postMark BEGIN
      INSERT INTO listedPost SELECT 1, at, id FROM post WHERE id = old.id AND old.readAt IS NOT NULL;
      DELETE FROM listedPost WHERE list = 2 AND post = old.id AND old.savedAt IS NOT NULL
        AND at = (SELECT at FROM post WHERE post.id = old.id);
    END;

    """

  /// The number of a source's posts, and of its unread ones. A post on several of its boards counts once.
  private static let sourceCounts = """
    CREATE TABLE sourceCount (
      source TEXT PRIMARY KEY, count INTEGER NOT NULL, unread INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO sourceCount
      SELECT source, count(*), sum(NOT \(isRead("post"))) FROM (SELECT DISTINCT source, post FROM postOrigin)
      GROUP BY source;
    CREATE TRIGGER postOriginCounted AFTER INSERT ON postOrigin
      WHEN NOT EXISTS (
        SELECT 1 FROM postOrigin WHERE post = new.post AND source = new.source AND remoteID <> new.remoteID) BEGIN
      INSERT INTO sourceCount SELECT new.source, 1, NOT \(isRead("new.post")) WHERE 1
        ON CONFLICT (source) DO UPDATE SET count = count + 1, unread = unread + excluded.unread;
    END;
    CREATE TRIGGER postOriginUncounted AFTER DELETE ON postOrigin
      WHEN NOT EXISTS (SELECT 1 FROM postOrigin WHERE post = old.post AND source = old.source) BEGIN
      UPDATE sourceCount SET count = count - 1, unread = unread - (NOT \(isRead("old.post"))) WHERE source = old.source;
    END;
    CREATE TRIGGER sourceCountEmptied AFTER UPDATE OF count ON sourceCount WHEN new.count = 0 BEGIN
      DELETE FROM sourceCount WHERE source = new.source;
    END;
    CREATE TRIGGER postMarkCounted AFTER INSERT ON postMark WHEN new.readAt IS NOT NULL BEGIN
      UPDATE sourceCount SET unread = unread - 1 WHERE source IN (SELECT source FROM postOrigin WHERE post = new.id);
    END;
    CREATE TRIGGER postMarkRecounted AFTER UPDATE OF readAt ON postMark
      WHEN (new.readAt IS NULL) <> (old.readAt IS NULL) BEGIN
      UPDATE sourceCount SET unread = unread + iif(new.readAt IS NULL, 1, -1)
        WHERE source IN (SELECT source FROM postOrigin WHERE post = new.id);
    END;
    CREATE TRIGGER postMarkUncounted AFTER DELETE ON postMark WHEN old.readAt IS NOT NULL BEGIN
      UPDATE sourceCount SET unread = unread + 1 WHERE source IN (SELECT source FROM postOrigin WHERE post = old.id);
    END;
    """
}
