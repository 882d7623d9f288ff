/// The tables of the texts that are made from the library. They belong to no collection, and to this library alone.
enum TextTables {
  /// - `textAnchor`: the anchors that texts have shown. They stay, also of removed items, which a pasted line brings
  ///   back.
  /// - `textBase`: the version that a client edits. `isLaid` for a file on the desk, of which there is one a path.
  /// - `textDraft`: the unsaved text of each client.
  static let sql = """
    CREATE TABLE textAnchor (
      collection TEXT NOT NULL, anchor TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (collection, anchor)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX textAnchorByItem ON textAnchor (collection, item);
    CREATE TABLE textBase (
      name TEXT PRIMARY KEY, path TEXT NOT NULL, isLaid INTEGER NOT NULL, usedAt INTEGER NOT NULL,
      size INTEGER NOT NULL, hash TEXT NOT NULL, base TEXT NOT NULL);
    CREATE INDEX textBaseByUse ON textBase (isLaid, usedAt, name, size);
    CREATE TABLE textDraft (
      path TEXT NOT NULL, connection TEXT NOT NULL, client TEXT NOT NULL, text TEXT NOT NULL, revision INTEGER,
      startedAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, PRIMARY KEY (path, connection));
    CREATE INDEX textDraftByTime ON textDraft (updatedAt, path, connection);
    """
}
