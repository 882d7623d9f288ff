import Store

/// The tables of the states that devices share, and of the files that contain them.
enum SyncTables {
  static let migrations = [
    Migration("sync/001", sql: sql), Migration("sync/002", sql: files), Migration("sync/003", sql: hidden),
    Migration("sync/004", sql: parts), Migration("sync/005", sql: writers),
  ]

  /// - `syncItem`: the state of each item, as `[writers, line]`, and the file that has it; an item without a file has to
  ///   be written.
  /// - `syncLink`: the references of states by which items have to be shown together: `same`, `holder`, `edge`.
  /// - `syncFile`: the log files (`FileLedger.Record`); `syncStaged`: their bytes, until they lie at the target.
  /// - `syncSpace`: one row while the library is shared, with the rest of the ledger.
  private static let sql = """
    CREATE TABLE syncItem (
      collection TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, file TEXT,
      PRIMARY KEY (collection, id)) WITHOUT ROWID;
    CREATE INDEX syncItemUnwritten ON syncItem (collection, id) WHERE file IS NULL;
    CREATE INDEX syncItemByFile ON syncItem (file) WHERE file IS NOT NULL;
    CREATE TABLE syncLink (
      collection TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, toCollection TEXT NOT NULL, toID TEXT NOT NULL,
      PRIMARY KEY (collection, id, kind, toCollection, toID)) WITHOUT ROWID;
    CREATE INDEX syncLinkTo ON syncLink (toCollection, toID);
    CREATE INDEX syncLinkSame ON syncLink (collection, id) WHERE kind = 'same';
    CREATE TABLE syncFile (name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE syncStaged (name TEXT PRIMARY KEY, place INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE TABLE syncSpace (one INTEGER PRIMARY KEY CHECK (one = 1), space TEXT NOT NULL, ledger TEXT NOT NULL,
      isPaused INTEGER NOT NULL DEFAULT 0);
    """

  /// - `syncStagedPart`: what follows the bytes in `syncStaged` of a larger file; written before them, and removed after.
  private static let parts = """
    CREATE TABLE syncStagedPart (name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (name, part));
    """

  /// What grows with each start of a machine, which is another writer then. The row of `syncSpace` is written with most
  /// transactions of a run.
  ///
  /// - `syncPeer`: the other writers (`FileLedger.Peer`).
  /// - `syncSeen`: the number up to which all files of a writer were read.
  private static let writers = """
    CREATE TABLE syncPeer (writer TEXT PRIMARY KEY, peer TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE syncSeen (writer TEXT PRIMARY KEY, upTo INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO syncPeer SELECT value ->> '$.writer', value FROM syncSpace, json_each(ledger, '$.peers');
    INSERT INTO syncSeen SELECT value ->> '$[0]', value ->> '$[1]' FROM syncSpace, json_each(ledger, '$.seen[0]');
    UPDATE syncSpace SET ledger = json_set(
      json_remove(ledger, '$.peers', '$.seen'), '$.also', json(coalesce(ledger -> '$.seen[1]', '[]')));
    """

  /// - `syncHidden`: the items that this version cannot show.
  private static let hidden = """
    CREATE TABLE syncHidden (collection TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (collection, id)) WITHOUT ROWID;
    """

  /// - `syncSent`: the files whose pieces lay at the target when they were last looked at, and the generation of the
  ///   secret by which the pieces are named.
  /// - `syncUnnamed`: the pieces that no state names, and since when this device has seen that.
  private static let files = """
    CREATE TABLE syncSent (hash TEXT PRIMARY KEY, generation INTEGER NOT NULL, checkedAt INTEGER NOT NULL)
      WITHOUT ROWID;
    CREATE TABLE syncUnnamed (name TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
    ALTER TABLE syncSpace ADD COLUMN sweptAt INTEGER NOT NULL DEFAULT 0;
    """
}
