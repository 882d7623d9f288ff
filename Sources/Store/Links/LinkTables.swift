import SQLite

/// The tables of links, and the statements that write to them. All rows are derived from the texts, the titles and the
/// former titles of the items, and are written in the same transaction.
///
///     link       the links in each field of each item
///     linkTitle  by which titles items are found: the present one, and former ones
///     linkPin    in which items a former title still means the item that had it
///
/// Titles are resolved when they are read (`LinkReads`), so a new or deleted title writes no link rows.
enum LinkTables {
  static func create(in db: Database) throws {
    try db.execute(
      """
      CREATE TABLE link (
        collection TEXT NOT NULL, item TEXT NOT NULL, field TEXT NOT NULL, name TEXT NOT NULL, key TEXT,
        targetCollection TEXT, target TEXT, wholeCollection TEXT, whole TEXT,
        PRIMARY KEY (collection, item, field, name)) WITHOUT ROWID;
      CREATE INDEX linkByKey ON link (key) WHERE key IS NOT NULL;
      CREATE INDEX linkByTarget ON link (target, targetCollection) WHERE target IS NOT NULL;
      CREATE INDEX linkByWhole ON link (whole, wholeCollection) WHERE whole IS NOT NULL;
      CREATE TABLE linkTitle (
        collection TEXT NOT NULL, item TEXT NOT NULL, isFormer INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (collection, item, isFormer, key)) WITHOUT ROWID;
      CREATE INDEX linkTitleByKey ON linkTitle (key, isFormer, at, collection, item);
      CREATE TABLE linkPin (
        sourceCollection TEXT NOT NULL, source TEXT NOT NULL, key TEXT NOT NULL, collection TEXT NOT NULL,
        item TEXT NOT NULL, PRIMARY KEY (sourceCollection, source, key, collection, item)) WITHOUT ROWID;
      CREATE INDEX linkPinByItem ON linkPin (collection, item);
      CREATE TABLE linkState (
        one INTEGER PRIMARY KEY CHECK (one = 1), isFilling INTEGER NOT NULL, collection TEXT NOT NULL,
        last TEXT NOT NULL);
      INSERT INTO linkState SELECT 1, EXISTS (SELECT 1 FROM commits), '', '';
      """)
  }

  // MARK: - Links

  private static let names = CachedStatement("SELECT name FROM link WHERE collection = ? AND item = ? AND field = ?")
  private static let insert = CachedStatement("INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  private static let delete = CachedStatement(
    "DELETE FROM link WHERE collection = ? AND item = ? AND field = ? AND name = ?")

  /// Sets the links of a field. `isFirst` states that the field has no link rows yet.
  static func write(_ rows: [LinkRow], of item: ItemKey, field: String, isFirst: Bool, in db: Database) throws {
    var known: Set<String> = []
    if !isFirst {
      try db.each(
        names,
        {
          $0.add(item.collection)
          $0.add(item.id)
          $0.add(field)
        }, { known.insert($0.text(0)) })
    }
    for row in rows where known.remove(row.name) == nil {
      try db.run(insert) {
        $0.add(item.collection)
        $0.add(item.id)
        $0.add(field)
        $0.add(row.name)
        $0.add(row.key)
        $0.add(row.target?.collection)
        $0.add(row.target?.id)
        $0.add(row.whole?.collection)
        $0.add(row.whole?.id)
      }
    }
    for name in known {
      try db.run(delete) {
        $0.add(item.collection)
        $0.add(item.id)
        $0.add(field)
        $0.add(name)
      }
    }
  }

  // MARK: - Titles

  private static let insertTitle = CachedStatement("INSERT OR IGNORE INTO linkTitle VALUES (?, ?, ?, ?, ?)")
  private static let deleteTitle = CachedStatement(
    "DELETE FROM linkTitle WHERE collection = ? AND item = ? AND isFormer = ?")
  private static let insertPin = CachedStatement("INSERT OR IGNORE INTO linkPin VALUES (?, ?, ?, ?, ?)")
  private static let deletePins = CachedStatement("DELETE FROM linkPin WHERE collection = ? AND item = ?")

  /// - Parameter at: when the item was created.
  static func addTitle(_ key: String, isFormer: Bool, of item: ItemKey, at: Int64, in db: Database) throws {
    try db.run(insertTitle) {
      $0.add(item.collection)
      $0.add(item.id)
      $0.add(isFormer)
      $0.add(key)
      $0.add(at)
    }
  }

  /// Sets when the item was created, in milliseconds, in the rows of its titles.
  static func setCreation(_ at: Int64, of item: ItemKey, in db: Database) throws {
    try db.run(
      "UPDATE linkTitle SET at = ? WHERE collection = ? AND item = ?",
      [.integer(at), .text(item.collection), .text(item.id)])
  }

  static func removeTitles(isFormer: Bool, of item: ItemKey, in db: Database) throws {
    try db.run(deleteTitle) {
      $0.add(item.collection)
      $0.add(item.id)
      $0.add(isFormer)
    }
  }

  /// Sets the former titles of an item.
  static func write(_ titles: FormerTitles, of item: ItemKey, at: Int64, in db: Database) throws {
    try removeTitles(isFormer: true, of: item, in: db)
    try db.run(deletePins) {
      $0.add(item.collection)
      $0.add(item.id)
    }
    for entry in titles.entries {
      try addTitle(entry.key, isFormer: true, of: item, at: at, in: db)
      for source in entry.sources.lazy.compactMap(FormerTitles.key(ofSource:)) {
        try db.run(insertPin) {
          $0.add(source.collection)
          $0.add(source.id)
          $0.add(entry.key)
          $0.add(item.collection)
          $0.add(item.id)
        }
      }
    }
  }

  // MARK: - Links that would change their target

  private static let firstOfKey = CachedStatement(
    "SELECT collection, item FROM linkTitle WHERE key = ? ORDER BY isFormer, at, collection, item LIMIT 1")
  private static let anyOfKey = CachedStatement("SELECT 1 FROM link WHERE key = ? LIMIT 1")
  private static let sourcesOfKey = CachedStatement(
    """
    SELECT DISTINCT l.collection, l.item FROM link l WHERE l.key = ?
      AND NOT EXISTS (SELECT 1 FROM linkPin p
        WHERE p.sourceCollection = l.collection AND p.source = l.item AND p.key = l.key)
    ORDER BY l.item DESC, l.collection LIMIT ?
    """)

  /// The items in which this title means this item and is not pinned yet. Nil if the title means another item, or no
  /// link uses it.
  static func sources(of key: String, leadingTo item: ItemKey, in db: Database) throws -> [ItemKey]? {
    guard try db.first(anyOfKey, { $0.add(key) }, { _ in }) != nil,
      try db.first(firstOfKey, { $0.add(key) }, { ItemKey(collection: $0.text(0), id: $0.text(1)) }) == item
    else { return nil }
    var sources: [ItemKey] = []
    try db.each(
      sourcesOfKey,
      {
        $0.add(key)
        $0.add(FormerTitles.mostSources)
      }, { sources.append(ItemKey(collection: $0.text(0), id: $0.text(1))) })
    return sources
  }
}
