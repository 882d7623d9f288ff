import SQLite

/// Changes of the index that belong together.
///
/// SQLite opens a savepoint for some statements on the rows of texts, and at every savepoint FTS5 writes out the terms
/// that it has collected. So all rows of a batch are written at once, and the index in one go at its end: what sixty-four
/// writes change in it is then one piece, and not a hundred and twenty-eight.
package struct SearchBatch {
  private let db: Database
  private let state: SearchIndex.State
  private var current = SearchTerms()
  private var next = SearchTerms()

  package init(in db: Database) throws {
    self.db = db
    state = try SearchIndex.state(of: db)
  }

  /// Adds an entry, or replaces the one of the same collection, item and part. What has not changed is not written, and
  /// a new `at` alone does not touch the index.
  ///
  /// - Parameter isNew: it is most likely not there, so it is not looked for first.
  package mutating func put(_ entry: SearchEntry, isNew: Bool = false) throws {
    try SearchTables.current.put(entry, isNew: isNew, noting: &current, in: db)
    if state.isBuilding { try SearchTables.next.put(entry, isNew: isNew, noting: &next, in: db) }
  }

  /// Removes one part of an item, or the whole item. No search finds it from now on; its words stay in the file until
  /// FTS5 merges or `rebuild` writes the index anew.
  package mutating func remove(collection: String, item: String, part: Int? = nil) throws {
    try SearchTables.current.remove(collection: collection, item: item, part: part, noting: &current, in: db)
    if state.isBuilding {
      try SearchTables.next.remove(collection: collection, item: item, part: part, noting: &next, in: db)
    }
  }

  /// Writes the index. A batch that is not finished leaves it behind its texts.
  ///
  /// - Returns: Whether words had to stay in it that nothing has any more. It is noted as due for a rebuild then: by the
  ///   number of their row they would be taken for those of the next text that gets it.
  @discardableResult
  package consuming func finish() throws -> Bool {
    if state.isReadable { try SearchTables.current.write(current, in: db) }
    if state.isBuilding { try SearchTables.next.write(next, in: db) }
    if current.areUnknown { try SearchIndex.noteStrayWords(in: db) }
    return current.areUnknown
  }
}

/// What the index has of an entry, column by column.
struct SearchTexts {
  let title, body, tags, collection: String
}

/// What changes in the index, row by row: the texts that are in it now, and those that are to be.
struct SearchTerms {
  struct Change {
    let row: Int64
    let old: SearchTexts?
    var new: SearchTexts?
  }

  private(set) var changes: [Change] = []
  /// Of an entry among them the texts that are in the index were lost, so that they cannot be taken out of it.
  var areUnknown = false
  private var places: [Int64: Int] = [:]

  /// Of a row that changes twice the first `old` holds, since that is what the index has, and the last `new`.
  mutating func note(_ row: Int64, old: SearchTexts?, new: SearchTexts?) {
    if let place = places[row] {
      changes[place].new = new
    } else {
      places[row] = changes.count
      changes.append(Change(row: row, old: old, new: new))
    }
  }
}
