import SQLite
import SearchEngine
import Store

/// The tables of the projects.
enum ProjectTables {
  static let migrations = [
    Migration("projects/001", sql: cards + derived + columns), Migration("projects/002", sql: drafts),
    Migration("projects/003", sql: moves), Migration("projects/004", sql: titles),
    Migration("projects/005", sql: files), Migration("projects/006", sql: CardBoardTables.sql),
    Migration("projects/007", sql: starts), Migration("projects/008", sql: parts),
    Migration("projects/009", sql: ReminderTables.sql), Migration("projects/010", sql: CalendarTables.sql),
    Migration("projects/011", sql: clock), Migration("projects/012", sql: agenda),
    Migration("projects/013", sql: TaskwarriorProperties.migration),
    // Their own fields are searched now.
    Migration("projects/014") { db in
      let cards = try db.texts("SELECT id FROM project WHERE properties <> '[]' LIMIT 1")
      if !cards.isEmpty { try SearchIndex.noteDueRebuild(in: db) }
    },
    Migration("projects/015", sql: untriggered),
  ]

  /// The first index orders the board, the second the due cards. The names of the others say what they are for.
  private static let cards = """
    CREATE TABLE project (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, rank TEXT NOT NULL, deadline TEXT, time TEXT,
      tags TEXT NOT NULL, blockedBy TEXT NOT NULL, recurrence TEXT, priority INTEGER, writtenAt INTEGER NOT NULL,
      startedAt INTEGER, completedAt INTEGER, "foreign" TEXT, foreignID TEXT);
    CREATE INDEX projectByPlace ON project (state, rank, id);
    CREATE INDEX projectByDeadline ON project (state, deadline, time, id) WHERE deadline IS NOT NULL;
    CREATE INDEX projectByChange ON project (updatedAt, id);
    CREATE INDEX projectByRevision ON project (revision);
    CREATE INDEX projectByCompletion ON project (completedAt, id) WHERE completedAt IS NOT NULL;
    CREATE INDEX projectByForeignID ON project (foreignID) WHERE foreignID IS NOT NULL;

    """

  /// Tables that follow from the cards, by `FollowingRows` and triggers, so that they are right even when undo or an
  /// archive writes the rows: the number of cards of each column, which card waits for which, and all tags, folded as
  /// search folds them.
  private static let derived = """
    CREATE TABLE projectCount (state TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER projectCame AFTER INSERT ON project BEGIN
      INSERT INTO projectCount VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER projectMoved AFTER UPDATE OF state ON project WHEN new.state <> old.state BEGIN
      INSERT INTO projectCount VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
      UPDATE projectCount SET count = count - 1 WHERE state = old.state;
    END;
    CREATE TRIGGER projectWent AFTER DELETE ON project BEGIN
      UPDATE projectCount SET count = count - 1 WHERE state = old.state;
    END;

    CREATE TABLE projectBlock (
      blocker TEXT NOT NULL, card TEXT NOT NULL, PRIMARY KEY (blocker, card)) WITHOUT ROWID;
    CREATE INDEX projectBlockByCard ON projectBlock (card);
    CREATE TRIGGER projectBlockCame AFTER INSERT ON project WHEN new.blockedBy <> '[]' BEGIN
      INSERT OR IGNORE INTO projectBlock SELECT value, new.id FROM json_each(new.blockedBy);
    END;
    CREATE TRIGGER projectBlockChanged AFTER UPDATE OF blockedBy ON project WHEN new.blockedBy <> old.blockedBy BEGIN
      DELETE FROM projectBlock WHERE card = old.id;
      INSERT OR IGNORE INTO projectBlock SELECT value, new.id FROM json_each(new.blockedBy);
    END;
    CREATE TRIGGER projectBlockWent AFTER DELETE ON project WHEN old.blockedBy <> '[]' BEGIN
      DELETE FROM projectBlock WHERE card = old.id;
    END;

    CREATE TABLE projectTag (tag TEXT NOT NULL, card TEXT NOT NULL, PRIMARY KEY (tag, card)) WITHOUT ROWID;
    CREATE INDEX projectTagByCard ON projectTag (card);
    CREATE TRIGGER projectTagCame AFTER INSERT ON project WHEN new.tags <> '[]' BEGIN
      INSERT OR IGNORE INTO projectTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER projectTagChanged AFTER UPDATE OF tags ON project WHEN new.tags <> old.tags BEGIN
      DELETE FROM projectTag WHERE card = old.id;
      INSERT OR IGNORE INTO projectTag SELECT fold(value), new.id FROM json_each(new.tags);
    END;
    CREATE TRIGGER projectTagWent AFTER DELETE ON project WHEN old.tags <> '[]' BEGIN
      DELETE FROM projectTag WHERE card = old.id;
    END;

    """

  /// The rows that follow from an added card are written with it, not by triggers; so are all tags.
  private static let untriggered = """
    DROP TRIGGER IF EXISTS projectCame;
    DROP TRIGGER IF EXISTS projectBlockCame;
    DROP TRIGGER IF EXISTS projectReminderCame;
    DROP TRIGGER IF EXISTS projectTagCame;
    DROP TRIGGER IF EXISTS projectTagChanged;
    DROP TRIGGER IF EXISTS projectTagWent;
    """

  static let counts = FollowingRows(added: [
    """
    INSERT INTO projectCount VALUES (new.board, new.state, 1) ON CONFLICT (board, state) DO UPDATE SET count = count + 1
    """
  ])
  static let blocks = FollowingRows(
    none: [("blockedBy", .text("[]"))],
    added: ["INSERT OR IGNORE INTO projectBlock SELECT value, new.id FROM json_each(new.blockedBy)"])

  /// The columns where they are not the usual three: one row, so that every change of them is one change of one item.
  private static let columns = """
    CREATE TABLE projectColumns (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      columns TEXT NOT NULL);
    """

  /// The unsaved text of each client. Part of no collection: only the client that wrote it sees it.
  private static let drafts = """
    CREATE TABLE projectDraft (
      card TEXT NOT NULL, connection TEXT NOT NULL, client TEXT NOT NULL, content TEXT NOT NULL, revision INTEGER,
      startedAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, PRIMARY KEY (card, connection));
    CREATE INDEX projectDraftByTime ON projectDraft (updatedAt, card, connection);
    """

  /// The earlier titles of a card, by which links may still name it.
  private static let titles = "ALTER TABLE project ADD COLUMN formerTitles TEXT;"

  /// The index finds the few cards whose clock runs.
  private static let clock = """
    ALTER TABLE project ADD COLUMN spent INTEGER;
    ALTER TABLE project ADD COLUMN clockedSince INTEGER;
    CREATE INDEX projectClocked ON project (clockedSince, id) WHERE clockedSince IS NOT NULL;
    """

  /// Each index has the cards of a column in the order of an agenda (`AgendaCards`), so that it reads no more of them
  /// than it lists.
  private static let agenda = """
    DROP INDEX projectByDeadline;
    CREATE INDEX projectByDeadline ON project (
      board, state, deadline, ifnull(time, '~'), ifnull(priority, 10), id) WHERE deadline IS NOT NULL;
    CREATE INDEX projectStarting ON project (
      board, state, start, ifnull(time, '~'), ifnull(priority, 10), id) WHERE start IS NOT NULL AND NOT someday;
    """

  /// Both indexes are of cards out of sight alone: most cards have neither.
  private static let starts = """
    ALTER TABLE project ADD COLUMN start TEXT;
    ALTER TABLE project ADD COLUMN someday INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX projectByStart ON project (start, someday, board, state) WHERE start IS NOT NULL;
    CREATE INDEX projectSomeday ON project (board, state) WHERE someday;
    """

  /// The first index counts the parts of a card, the second finds what recurs: most cards are neither. Cards that were
  /// imported from iCalendar get the parents that their source text names, unless they would be parts of themselves.
  private static let parts = """
    ALTER TABLE project ADD COLUMN parent TEXT;
    ALTER TABLE project ADD COLUMN steps TEXT NOT NULL DEFAULT '[]';
    CREATE INDEX projectByParent ON project (parent, board, state) WHERE parent IS NOT NULL;
    CREATE INDEX projectRecurring ON project (deadline, id) WHERE recurrence IS NOT NULL;
    WITH source AS (
        SELECT id, replace(replace(replace(replace(json_extract("foreign", '$.source.text'), char(13), ''),
          char(10) || ' ', ''), char(10) || char(9), ''), '="PARENT"', '=PARENT') AS text FROM project
        WHERE instr("foreign", 'RELATED-TO') AND json_extract("foreign", '$.source.format') = 'ics'),
      name AS (
        SELECT id, CASE
          WHEN instr(text, char(10) || 'RELATED-TO:') THEN substr(text, instr(text, char(10) || 'RELATED-TO:') + 12)
          ELSE substr(text, instr(text, char(10) || 'RELATED-TO;RELTYPE=PARENT:') + 27) END AS rest
        FROM source WHERE instr(text, char(10) || 'RELATED-TO:')
          OR instr(text, char(10) || 'RELATED-TO;RELTYPE=PARENT:'))
    UPDATE project SET parent = (
      SELECT other.id FROM name JOIN project other ON other.foreignID = substr(rest, 1, instr(rest, char(10)) - 1)
      WHERE name.id = project.id AND other.id <> project.id LIMIT 1)
    WHERE id IN (SELECT id FROM name);
    UPDATE project SET parent = NULL WHERE id IN (
      WITH RECURSIVE above(id, parent, depth) AS (
        SELECT id, parent, 1 FROM project WHERE parent IS NOT NULL
        UNION ALL SELECT above.id, project.parent, depth + 1 FROM above JOIN project ON project.id = above.parent
          WHERE project.parent IS NOT NULL AND above.id <> above.parent AND depth < 100)
      SELECT id FROM above WHERE id = parent);
    """

  /// The merge base: the state of the card when it was last imported from a Commonplace file (`MergeBase`).
  private static let files = "ALTER TABLE project ADD COLUMN came TEXT;"

  /// The times by which a day lists cards as added or moved. Of older cards only the start of work is recorded.
  private static let moves = """
    ALTER TABLE project ADD COLUMN movedAt INTEGER;
    UPDATE project SET movedAt = startedAt WHERE startedAt IS NOT NULL;
    CREATE INDEX projectByCreation ON project (createdAt, id);
    CREATE INDEX projectByMove ON project (movedAt, id) WHERE movedAt IS NOT NULL;
    """
}
