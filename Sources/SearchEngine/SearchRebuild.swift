import CTokenizer
import SQLite

extension SearchIndex {
  /// Whether another version of the tokenizer wrote the index, the index has words of texts that were lost, or a
  /// rebuild was begun and never finished.
  ///
  /// - Throws: `DatabaseError`.
  package static func needsRebuild(_ db: Database) throws -> Bool {
    let state = try state(of: db)
    return !state.isReadable || state.isBuilding || state.hasStrayWords || state.isDue
  }

  /// Rebuilds the index in the caller's transaction, while readers use the old one.
  ///
  /// - Parameters:
  ///   - next: returns the next entry, or nil after the last.
  ///   - progress: called with the number of entries done, from time to time; may throw to cancel.
  /// - Throws: `DatabaseError`, and whatever `next` and `progress` throw.
  package static func rebuild(
    in db: Database, from next: () throws -> SearchEntry?, progress: (Int) throws -> Void = { _ in }
  ) throws {
    try beginRebuild(in: db)
    var count = 0
    while let entry = try next() {
      try add(entry, in: db)
      count += 1
      if count.isMultiple(of: 1000) { try progress(count) }
    }
    try progress(count)
    try finishRebuild(in: db)
    while try DiscardedTables.removeSlice(in: db) {}
  }

  /// Begins a rebuild between whose transactions other writes can run: call `add` in any number of transactions, then
  /// `finishRebuild`. Writes meanwhile go into both indexes; so entries must be read in the transaction that adds them,
  /// or a removed item would reappear.
  ///
  /// - Throws: `DatabaseError`.
  package static func beginRebuild(in db: Database) throws {
    // A caller that wants a short WAL has already removed them.
    while try DiscardedTables.removeSlice(in: db) {}
    try SearchTables.next.drop(in: db)
    try SearchTables.next.create(in: db)
    try db.run("UPDATE search_state SET building = 1")
  }

  /// Adds an entry to the index being built, unless a later write has already added it.
  ///
  /// - Throws: `DatabaseError`.
  package static func add(_ entry: SearchEntry, in db: Database) throws {
    guard try !SearchTables.next.holds(entry, in: db) else { return }
    var terms = SearchTerms()
    try SearchTables.next.put(entry, noting: &terms, in: db)
    try SearchTables.next.write(terms, in: db)
  }

  /// Replaces the old index with the new one.
  ///
  /// The old tables become `DiscardedTables`. No forgotten text is left in the file once these are removed and the WAL
  /// has been checkpointed and truncated.
  ///
  /// - Throws: `DatabaseError`.
  package static func finishRebuild(in db: Database) throws {
    // The view first: SQLite refuses to rename a table while a view refers to a missing one.
    try db.execute("DROP VIEW search_source")
    try DiscardedTables.add(.current, in: db)
    try db.execute(
      """
      ALTER TABLE \(SearchTables.next.entry) RENAME TO \(SearchTables.current.entry);
      ALTER TABLE \(SearchTables.next.body) RENAME TO \(SearchTables.current.body);
      ALTER TABLE \(SearchTables.next.text) RENAME TO \(SearchTables.current.text);
      INSERT OR REPLACE INTO search_state (id, tokenizer, building) VALUES (1, \(CP_TOKENIZER_VERSION), 0);
      """)
    try SearchTables.createSource(in: db)
  }

  /// Abandons a rebuild: the half-built tables become `DiscardedTables`. The index in use is complete, and the rebuild
  /// stays pending.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `DatabaseError`.
  package static func abandonRebuild(in db: Database) throws -> Bool {
    guard try state(of: db).isBuilding else { return false }
    try DiscardedTables.add(.next, in: db)
    try noteAbandonedRebuild(in: db)
    return true
  }

  /// Every entry in the index, oldest first.
  ///
  /// - Throws: `DatabaseError`.
  package static func storedEntries(in db: Database) throws -> [SearchEntry] {
    var entries: [SearchEntry] = []
    try db.each(
      """
      SELECT collection, item, part, at, title, body, tags
      FROM search_entry AS entry CROSS JOIN search_body AS texts ON texts.rowid = entry.rowid ORDER BY entry.rowid
      """
    ) { entries.append(SearchEntry(row: $0)) }
    return entries
  }

  /// The problems of the index, one sentence each; empty if there are none. For the writing connection: FTS5 treats its
  /// own check as a write.
  ///
  /// Compares every token of the index with the stored texts, and these with their entries.
  ///
  /// - Parameter isRebuilding: whether a rebuild runs, so that it is not reported.
  /// - Throws: `DatabaseError`.
  package static func check(_ db: Database, isRebuilding: Bool = false) throws -> [String] {
    var problems: [String] = []
    let state = try state(of: db)
    if state.isBuilding, !isRebuilding { problems.append("A rebuild of the search index was begun and not finished.") }
    if state.hasStrayWords { problems.append("The search index has words of texts that were lost.") }
    guard state.isReadable else {
      return problems + ["The search index was written by another version of the tokenizer."]
    }
    do {
      // Rank 1 makes FTS5 read the texts too, which it skips for external content.
      try db.run("INSERT INTO search_text (search_text, rank) VALUES ('integrity-check', 1)")
    } catch let error as DatabaseError where error.code == .corrupt {
      problems.append("The search index does not agree with the texts it was made from.")
    }
    for (tables, problem) in pairings {
      let count = try db.first("SELECT count(*) FROM \(tables)") { $0.int(0) } ?? 0
      if count > 0 { problems.append("The search index has \(count) \(problem).") }
    }
    return problems
  }

  /// Rows without their counterpart in the other table.
  private static let pairings = [
    (
      "search_entry AS entry WHERE NOT EXISTS (SELECT 1 FROM search_body WHERE rowid = entry.rowid)",
      "entries without their texts"
    ),
    (
      "search_body AS texts WHERE NOT EXISTS (SELECT 1 FROM search_entry WHERE rowid = texts.rowid)",
      "texts without an entry"
    ),
  ]

  private static let held = CachedStatement(
    """
    SELECT collection, item, part, at, ifnull(title, ''), ifnull(body, ''), ifnull(tags, ''), lists, folds
    FROM search_entry AS entry LEFT JOIN search_body AS texts ON texts.rowid = entry.rowid
    WHERE collection = ? AND item = ? AND part = ?
    """)

  /// The same, and whether the index contains exactly these entries, which the features derive from their data.
  ///
  /// - Parameter next: returns the next entry, or nil after the last.
  /// - Throws: `DatabaseError`, and whatever `next` throws.
  package static func check(
    _ db: Database, against next: () throws -> SearchEntry?, isRebuilding: Bool = false
  ) throws -> [String] {
    var problems = try check(db, isRebuilding: isRebuilding)
    var (found, missing, different, misjudged, plain) = (0, 0, 0, 0, 0)
    while let entry = try next() {
      let held = try db.first(
        held,
        {
          $0.add(entry.collection)
          $0.add(entry.item)
          $0.add(entry.part)
        }, { (entry: SearchEntry(row: $0), lists: $0.bool(7), folds: $0.bool(8)) })
      guard let held else {
        missing += 1
        continue
      }
      found += 1
      if held.entry != entry { different += 1 } else if held.lists != entry.lists { misjudged += 1 }
      if entry.mayFold, !held.folds { plain += 1 }
    }
    let surplus = (try db.first("SELECT count(*) FROM search_entry") { $0.int(0) } ?? 0) - found
    if missing > 0 { problems.append("The search index lacks \(missing) texts.") }
    if different > 0 { problems.append("The search index has \(different) texts that have changed since.") }
    if misjudged > 0 {
      problems.append("The search index ranks \(misjudged) pages as lists that are none, or not as such.")
    }
    if plain > 0 {
      problems.append("The search index takes \(plain) texts with letters beyond ASCII for such as have none.")
    }
    if surplus > 0 { problems.append("The search index has \(surplus) texts that are no longer there.") }
    return problems
  }
}

extension SearchEntry {
  /// From the columns collection, item, part, at, title, body and tags.
  fileprivate init(row: Columns) {
    self.init(
      collection: row.text(0), item: row.text(1), part: row.int(2), at: row.integer(3), title: row.text(4),
      body: row.text(5), tags: row.text(6))
  }
}
