/// The marks that an account and the library agree on, see `AccountMarks`.
extension BoardTables {
  static let accountMarks = """
    CREATE TABLE accountMark (
      source TEXT NOT NULL, remoteID TEXT NOT NULL, isRead INTEGER NOT NULL, isSaved INTEGER NOT NULL,
      PRIMARY KEY (source, remoteID)) WITHOUT ROWID;
    CREATE TRIGGER accountMarksForgotten AFTER DELETE ON boardSource BEGIN
      DELETE FROM accountMark WHERE source = old.id;
    END;
    """
}
