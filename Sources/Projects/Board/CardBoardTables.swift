/// The tables of boards of cards. Cards of earlier versions are on the default board.
enum CardBoardTables {
  static let sql = boards + cards + counts

  /// The default board has a row only once it was renamed or moved.
  private static let boards = """
    CREATE TABLE projectBoard (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT NOT NULL, rank TEXT NOT NULL, archived INTEGER NOT NULL);

    """

  /// Both indexes begin with the board, so that one board is read without the cards of the others.
  private static let cards = """
    ALTER TABLE project ADD COLUMN board TEXT NOT NULL DEFAULT 'default';
    DROP INDEX projectByPlace;
    DROP INDEX projectByDeadline;
    CREATE INDEX projectByPlace ON project (board, state, rank, id);
    CREATE INDEX projectByDeadline ON project (board, state, deadline, time, id) WHERE deadline IS NOT NULL;

    """

  /// The number of cards of each column of each board.
  private static let counts = """
    DROP TRIGGER projectCame;
    DROP TRIGGER projectMoved;
    DROP TRIGGER projectWent;
    DROP TABLE projectCount;
    CREATE TABLE projectCount (
      board TEXT NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (board, state)) WITHOUT ROWID;
    INSERT INTO projectCount SELECT board, state, count(*) FROM project GROUP BY board, state;
    CREATE TRIGGER projectCame AFTER INSERT ON project BEGIN
      INSERT INTO projectCount VALUES (new.board, new.state, 1)
        ON CONFLICT (board, state) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER projectMoved AFTER UPDATE OF board, state ON project
      WHEN new.state <> old.state OR new.board <> old.board
    BEGIN
      INSERT INTO projectCount VALUES (new.board, new.state, 1)
        ON CONFLICT (board, state) DO UPDATE SET count = count + 1;
      UPDATE projectCount SET count = count - 1 WHERE board = old.board AND state = old.state;
    END;
    CREATE TRIGGER projectWent AFTER DELETE ON project BEGIN
      UPDATE projectCount SET count = count - 1 WHERE board = old.board AND state = old.state;
    END;
    """
}
