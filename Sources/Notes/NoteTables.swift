import Kit
import Store

/// The tables of notes.
enum NoteTables {
  static let migrations = [
    Migration("notes/001", sql: notes + tags + drafts), Migration("notes/002", sql: mirror),
    Migration("notes/003", sql: untriggered),
  ]

  /// The notes that a day's page lists.
  static let added = FoldedItems(in: "note", collection: NoteRecord.collectionName)

  /// `title` is derived from `text`, for lists by title. The index on `taken` finds the note that was imported from a
  /// path.
  private static let notes = """
    CREATE TABLE note (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      text TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL, frontMatter TEXT NOT NULL, taken TEXT,
      formerTitles TEXT);
    CREATE INDEX noteByTitle ON note (fold(title), id);
    CREATE INDEX noteByCreation ON note (createdAt, id);
    CREATE INDEX noteByChange ON note (updatedAt, id);
    CREATE INDEX noteByRevision ON note (revision);
    CREATE INDEX noteByPath ON note (json_extract(taken, '$.path')) WHERE taken IS NOT NULL;

    """

  /// The tags of notes, folded. They follow from the rows (`FollowingRows.tags`), so that they are right even when undo
  /// or an archive writes these.
  private static let tags = """
    CREATE TABLE noteTag (tag TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (tag, note)) WITHOUT ROWID;
    CREATE INDEX noteTagByNote ON noteTag (note);
    CREATE TRIGGER noteTagCame AFTER INSERT ON note WHEN new.tags <> '[]' BEGIN
      INSERT OR IGNORE INTO noteTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER noteTagChanged AFTER UPDATE OF tags ON note WHEN new.tags <> old.tags BEGIN
      DELETE FROM noteTag WHERE note = old.id;
      INSERT OR IGNORE INTO noteTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER noteTagWent AFTER DELETE ON note WHEN old.tags <> '[]' BEGIN
      DELETE FROM noteTag WHERE note = old.id;
    END;

    """

  /// The tags of a note are written with it, not by triggers.
  private static let untriggered = """
    DROP TRIGGER IF EXISTS noteTagCame;
    DROP TRIGGER IF EXISTS noteTagChanged;
    DROP TRIGGER IF EXISTS noteTagWent;
    """

  /// The path of the mirror; no row without a mirror.
  private static let mirror = """
    CREATE TABLE noteMirror (one INTEGER PRIMARY KEY CHECK (one = 1), path TEXT NOT NULL, confinement TEXT);
    """

  /// The unsaved text of each client. Part of no collection: only the client that wrote it sees it.
  private static let drafts = """
    CREATE TABLE noteDraft (
      note TEXT NOT NULL, connection TEXT NOT NULL, client TEXT NOT NULL, text TEXT NOT NULL, revision INTEGER,
      startedAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, PRIMARY KEY (note, connection));
    CREATE INDEX noteDraftByTime ON noteDraft (updatedAt, note, connection);
    """
}
