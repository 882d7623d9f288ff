/// The rules for posts, and what they add to the user's marks.
///
/// A hidden post (`PostMarkRecord.isHidden`) is in no list and no count: the triggers that derive the posts of boards,
/// the lists by time and the counts leave it out, and list it in `PostTimeline.List.hidden` instead. It stays known by
/// its ids, so that it is not inserted again.
extension BoardTables {
  static let rules =
    """
    CREATE TABLE postRule (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT, text TEXT NOT NULL, sources TEXT NOT NULL, boards TEXT NOT NULL, hides INTEGER NOT NULL,
      reads INTEGER NOT NULL, saves INTEGER NOT NULL, tags TEXT NOT NULL);
    ALTER TABLE postMark ADD COLUMN hiddenAt INTEGER;
    ALTER TABLE postMark ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE postMark ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';

    """ + labels + boardsOfVisible + listsOfVisible + countsOfVisible

  /// The user's tags of posts, folded.
  private static let labels = """
    CREATE TABLE postLabel (tag TEXT NOT NULL, post TEXT NOT NULL, PRIMARY KEY (tag, post)) WITHOUT ROWID;
    CREATE INDEX postLabelByPost ON postLabel (post);
    CREATE TRIGGER postMarkTagged AFTER INSERT ON postMark WHEN new.tags <> '[]' BEGIN
      INSERT OR IGNORE INTO postLabel SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER postMarkRetagged AFTER UPDATE OF tags ON postMark WHEN new.tags <> old.tags BEGIN
      DELETE FROM postLabel WHERE post = old.id;
      INSERT OR IGNORE INTO postLabel SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER postMarkUntagged AFTER DELETE ON postMark WHEN old.tags <> '[]' BEGIN
      DELETE FROM postLabel WHERE post = old.id;
    END;

    """

  // MARK: - Conditions

  /// Conditions on a mark: the row `new` or `old` of a trigger on `postMark`, or nil for a post without a mark.
  private struct Mark {
    let row: String?
    static let (new, old, none) = (Mark(row: "new"), Mark(row: "old"), Mark(row: nil))

    var isHidden: String { row.map { "(\($0).hiddenAt IS NOT NULL AND \($0).savedAt IS NULL)" } ?? "0" }
    var isVisible: String { "(NOT \(isHidden))" }
    var isSaved: String { row.map { "(\($0).savedAt IS NOT NULL)" } ?? "0" }
    /// Whether the post is among the unread ones.
    var isUnread: String { row.map { "(\($0).readAt IS NULL AND \(isVisible))" } ?? "1" }
  }

  /// Whether the post of this id is hidden, as SQL.
  static func isHidden(_ id: String) -> String {
    "EXISTS (SELECT 1 FROM postMark WHERE postMark.id = \(id) AND hiddenAt IS NOT NULL AND savedAt IS NULL)"
  }

  // MARK: - The posts of boards

  private static let boardsOfVisible = """
    DROP TRIGGER postCame;
    CREATE TRIGGER postCame AFTER INSERT ON post BEGIN
      INSERT OR IGNORE INTO boardPost \(places("new")) WHERE NOT \(isHidden("new.id"));
      INSERT OR IGNORE INTO postOrigin
        SELECT value ->> 'source', value ->> 'remoteID', new.id FROM json_each(new.placements);
      INSERT OR IGNORE INTO postKey SELECT value, new.id FROM json_each(new.keys);
    END;
    DROP TRIGGER postPlaced;
    CREATE TRIGGER postPlaced AFTER UPDATE OF placements ON post WHEN new.placements <> old.placements BEGIN
      DELETE FROM boardPost WHERE post = new.id
        AND board NOT IN (SELECT value ->> 'board' FROM json_each(new.placements));
      INSERT INTO boardPost \(places("new")) WHERE NOT \(isHidden("new.id"))
        ON CONFLICT (board, post) DO UPDATE SET pinned = excluded.pinned, at = excluded.at;
      DELETE FROM postOrigin WHERE post = new.id;
      INSERT OR IGNORE INTO postOrigin
        SELECT value ->> 'source', value ->> 'remoteID', new.id FROM json_each(new.placements);
    END;

    CREATE TRIGGER postMarkCameHidden AFTER INSERT ON postMark WHEN \(Mark.new.isHidden) BEGIN
      DELETE FROM boardPost WHERE post = new.id;
    END;
    CREATE TRIGGER postMarkHidden AFTER UPDATE OF hiddenAt, savedAt ON postMark
      WHEN \(Mark.new.isHidden) AND \(Mark.old.isVisible) BEGIN
      DELETE FROM boardPost WHERE post = new.id;
    END;
    CREATE TRIGGER postMarkShown AFTER UPDATE OF hiddenAt, savedAt ON postMark
      WHEN \(Mark.new.isVisible) AND \(Mark.old.isHidden) BEGIN
      INSERT OR IGNORE INTO boardPost \(places("post", from: "post, ")) WHERE post.id = new.id;
    END;
    CREATE TRIGGER postMarkWentHidden AFTER DELETE ON postMark WHEN \(Mark.old.isHidden) BEGIN
      INSERT OR IGNORE INTO boardPost \(places("post", from: "post, ")) WHERE post.id = old.id;
    END;

    """

  /// The rows of `boardPost` for the placements of a row of `post`.
  private static func places(_ row: String, from tables: String = "") -> String {
    """
    SELECT value ->> 'board', \(row).id, value ->> 'pinned', value ->> 'at', \(isRead("\(row).id")),
        value ->> 'arrivedAt'
      FROM \(tables)json_each(\(row).placements)
    """
  }

  // MARK: - The lists by time

  private static let listsOfVisible = """
    DROP TRIGGER postTimed;
    CREATE TRIGGER postTimed AFTER INSERT ON post BEGIN
      INSERT INTO postSpan SELECT 0, \(span("new.at")), 1 WHERE NOT \(isHidden("new.id"))
        ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
      INSERT INTO listedPost
        SELECT 1, new.at, new.id
        WHERE NOT \(isRead("new.id")) AND NOT \(isHidden("new.id")) AND NOT \(isOfQuiet("new.id"));
      INSERT INTO listedPost SELECT 2, new.at, new.id FROM postMark WHERE id = new.id AND savedAt IS NOT NULL;
      INSERT INTO listedPost SELECT 3, new.at, new.id WHERE \(isHidden("new.id"));
    END;
    DROP TRIGGER postRetimed;
    CREATE TRIGGER postRetimed AFTER UPDATE OF at ON post WHEN new.at <> old.at BEGIN
      INSERT INTO postSpan SELECT 0, \(span("new.at")), 1 WHERE NOT \(isHidden("new.id"))
        ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
      UPDATE postSpan SET count = count - 1
        WHERE list = 0 AND span = \(span("old.at")) AND NOT \(isHidden("new.id"));
      INSERT INTO listedPost SELECT list, new.at, post FROM listedPost
        WHERE list IN (1, 2, 3) AND at = old.at AND post = old.id;
      DELETE FROM listedPost WHERE list IN (1, 2, 3) AND at = old.at AND post = old.id;
    END;
    DROP TRIGGER postUntimed;
    CREATE TRIGGER postUntimed AFTER DELETE ON post BEGIN
      UPDATE postSpan SET count = count - 1
        WHERE list = 0 AND span = \(span("old.at")) AND NOT \(isHidden("old.id"));
      DELETE FROM listedPost WHERE list IN (1, 2, 3) AND at = old.at AND post = old.id;
    END;

    DROP TRIGGER postMarkListed;
    CREATE TRIGGER postMarkListed AFTER INSERT ON postMark BEGIN
      \(relisting("new.id", from: .none, to: .new))
    END;
    DROP TRIGGER postMarkRelisted;
    CREATE TRIGGER postMarkRelisted AFTER UPDATE OF readAt, savedAt, hiddenAt ON postMark BEGIN
      \(relisting("new.id", from: .old, to: .new))
    END;
    DROP TRIGGER postMarkUnlisted;
    CREATE TRIGGER postMarkUnlisted AFTER DELETE ON postMark BEGIN
      \(relisting("old.id", from: .old, to: .none))
    END;

    """

  /// Moves a post between the lists when its mark changes.
  private static func relisting(_ post: String, from old: Mark, to new: Mark) -> String {
    let lists = [
      (1, old.isUnread, "\(new.isUnread) AND NOT \(isOfQuiet(post))"), (2, old.isSaved, new.isSaved),
      (3, old.isHidden, new.isHidden),
    ]
    return lists.map { list, was, isNow in
      """
      DELETE FROM listedPost WHERE list = \(list) AND \(was) AND NOT (\(isNow)) AND post = \(post)
          AND at = (SELECT at FROM post WHERE post.id = \(post));
        INSERT INTO listedPost SELECT \(list), at, id FROM post WHERE id = \(post) AND \(isNow) AND NOT \(was);
      """
    }.joined(separator: "\n  ") + """

        UPDATE postSpan SET count = count - 1
          WHERE list = 0 AND \(new.isHidden) AND NOT \(old.isHidden)
          AND span = (SELECT \(span("at")) FROM post WHERE post.id = \(post));
        INSERT INTO postSpan
          SELECT 0, \(span("at")), 1 FROM post WHERE id = \(post) AND \(old.isHidden) AND NOT \(new.isHidden)
          ON CONFLICT (list, span) DO UPDATE SET count = count + 1;
      """
  }

  private static func span(_ moment: String) -> String { "\(moment) >> \(BoardSpans.bits)" }

  // MARK: - The counts of sources

  private static let countsOfVisible = """
    DROP TRIGGER postOriginCounted;
    CREATE TRIGGER postOriginCounted AFTER INSERT ON postOrigin
      WHEN NOT \(isHidden("new.post")) AND NOT EXISTS (
        SELECT 1 FROM postOrigin WHERE post = new.post AND source = new.source AND remoteID <> new.remoteID) BEGIN
      INSERT INTO sourceCount SELECT new.source, 1, NOT \(isRead("new.post")) WHERE 1
        ON CONFLICT (source) DO UPDATE SET count = count + 1, unread = unread + excluded.unread;
    END;
    DROP TRIGGER postOriginUncounted;
    CREATE TRIGGER postOriginUncounted AFTER DELETE ON postOrigin
      WHEN NOT \(isHidden("old.post"))
      AND NOT EXISTS (SELECT 1 FROM postOrigin WHERE post = old.post AND source = old.source) BEGIN
      UPDATE sourceCount SET count = count - 1, unread = unread - (NOT \(isRead("old.post"))) WHERE source = old.source;
    END;
    DROP TRIGGER postMarkCounted;
    CREATE TRIGGER postMarkCounted AFTER INSERT ON postMark
      \(recounting("new.id", from: .none, to: .new))
    END;
    DROP TRIGGER postMarkRecounted;
    CREATE TRIGGER postMarkRecounted AFTER UPDATE OF readAt, savedAt, hiddenAt ON postMark
      \(recounting("new.id", from: .old, to: .new))
    END;
    DROP TRIGGER postMarkUncounted;
    CREATE TRIGGER postMarkUncounted AFTER DELETE ON postMark
      \(recounting("old.id", from: .old, to: .none))
    END;
    """

  /// Counts a post anew in its sources when its mark changes. A source whose posts are all hidden has no row.
  private static func recounting(_ post: String, from old: Mark, to new: Mark) -> String {
    """
    WHEN \(new.isVisible) <> \(old.isVisible) OR \(new.isUnread) <> \(old.isUnread) BEGIN
      INSERT INTO sourceCount
        SELECT DISTINCT source, \(new.isVisible) - \(old.isVisible), \(new.isUnread) - \(old.isUnread)
        FROM postOrigin WHERE post = \(post)
        ON CONFLICT (source) DO UPDATE SET count = count + excluded.count, unread = unread + excluded.unread;
    """
  }
}
