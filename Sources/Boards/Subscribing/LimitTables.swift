/// The limits of sources, the posts that they dropped, and the posts of quiet sources.
extension BoardTables {
  static let limits =
    """
    ALTER TABLE boardSource ADD COLUMN keepDays INTEGER;
    ALTER TABLE boardSource ADD COLUMN keepPosts INTEGER;
    ALTER TABLE boardSource ADD COLUMN every INTEGER;
    ALTER TABLE boardSource ADD COLUMN isQuiet INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX boardSourceQuiet ON boardSource (id) WHERE isQuiet = 1;
    CREATE TABLE droppedPost (
      source TEXT NOT NULL, remoteID TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (source, remoteID)) WITHOUT ROWID;
    CREATE INDEX droppedPostByTime ON droppedPost (source, at);
    CREATE TRIGGER boardSourceWent AFTER DELETE ON boardSource BEGIN
      DELETE FROM droppedPost WHERE source = old.id;
    END;

    """ + quiet

  /// The posts all of whose sources are quiet: they are not in the list of the unread posts of all sources
  /// (`PostTimeline.List.unread`), and not in its number.
  private static let quiet = """
    CREATE TABLE quietPost (post TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TRIGGER postOriginQuieted AFTER INSERT ON postOrigin
      WHEN EXISTS (SELECT 1 FROM boardSource WHERE isQuiet = 1) BEGIN
      DELETE FROM quietPost WHERE post = new.post AND NOT \(isQuiet("new.post"));
      INSERT OR IGNORE INTO quietPost SELECT new.post WHERE \(isQuiet("new.post"));
    END;
    CREATE TRIGGER postOriginUnquieted AFTER DELETE ON postOrigin
      WHEN EXISTS (SELECT 1 FROM boardSource WHERE isQuiet = 1) BEGIN
      DELETE FROM quietPost WHERE post = old.post AND NOT \(isQuiet("old.post"));
      INSERT OR IGNORE INTO quietPost SELECT old.post WHERE \(isQuiet("old.post"));
    END;
    CREATE TRIGGER boardSourceQuieted AFTER UPDATE OF isQuiet ON boardSource WHEN new.isQuiet <> old.isQuiet BEGIN
      DELETE FROM quietPost WHERE new.isQuiet = 0 AND post IN (SELECT post FROM postOrigin WHERE source = new.id);
      INSERT OR IGNORE INTO quietPost
        SELECT DISTINCT post FROM postOrigin AS origin WHERE source = new.id AND new.isQuiet = 1
        AND \(isQuiet("origin.post"));
    END;
    CREATE TRIGGER boardSourceCameQuiet AFTER INSERT ON boardSource WHEN new.isQuiet = 1 BEGIN
      INSERT OR IGNORE INTO quietPost
        SELECT DISTINCT post FROM postOrigin AS origin WHERE source = new.id AND \(isQuiet("origin.post"));
    END;
    CREATE TRIGGER boardSourceWentQuiet AFTER DELETE ON boardSource WHEN old.isQuiet = 1 BEGIN
      DELETE FROM quietPost WHERE post IN (SELECT post FROM postOrigin WHERE source = old.id);
    END;

    CREATE TRIGGER quietPostAdded AFTER INSERT ON quietPost BEGIN
      DELETE FROM listedPost WHERE list = 1 AND post = new.post AND at = (SELECT at FROM post WHERE id = new.post);
    END;
    CREATE TRIGGER quietPostRemoved AFTER DELETE ON quietPost BEGIN
      INSERT INTO listedPost SELECT 1, at, id FROM post
        WHERE id = old.post AND NOT \(isRead("old.post")) AND NOT \(isHidden("old.post"));
    END;
    """

  /// Whether the post of this id is in `quietPost`, as SQL.
  static func isOfQuiet(_ id: String) -> String { "EXISTS (SELECT 1 FROM quietPost WHERE quietPost.post = \(id))" }

  /// Whether all sources of the post of this id are quiet, as SQL. A source that was removed is not.
  private static func isQuiet(_ id: String) -> String {
    """
    (EXISTS (SELECT 1 FROM postOrigin WHERE post = \(id)) AND NOT EXISTS (
      SELECT 1 FROM postOrigin AS other WHERE other.post = \(id)
      AND NOT EXISTS (SELECT 1 FROM boardSource WHERE boardSource.id = other.source AND isQuiet = 1)))
    """
  }
}
