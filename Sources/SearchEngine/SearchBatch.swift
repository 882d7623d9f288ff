import SQLite

/// A batch of index changes.
///
/// SQLite opens a savepoint for some statements on the rows of texts, and at every savepoint FTS5 flushes its pending
/// terms. So all rows of a batch are written first, and the index once at its end: the changes of sixty-four writes are
/// then one segment, and not a hundred and twenty-eight.
package struct SearchBatch {
  private let db: Database
  private let state: SearchIndex.State
  private var current = SearchTerms()
  private var next = SearchTerms()

  /// - Throws: `DatabaseError`.
  package init(in db: Database) throws {
    self.db = db
    state = try SearchIndex.state(of: db)
  }

  /// Adds an entry, or replaces the one of the same collection, item and part. Unchanged entries are not written, and a
  /// new `at` alone does not change the index.
  ///
  /// - Parameter isNew: whether the entry most likely does not exist, so that it is inserted without a lookup.
  /// - Throws: `DatabaseError`.
  package mutating func put(_ entry: SearchEntry, isNew: Bool = false) throws {
    try SearchTables.current.put(entry, isNew: isNew, noting: &current, in: db)
    if state.isBuilding { try SearchTables.next.put(entry, isNew: isNew, noting: &next, in: db) }
  }

  /// Removes one part of an item, or the whole item. No search matches it from now on; its words stay in the file until
  /// FTS5 merges or `rebuild` rewrites the index.
  ///
  /// - Throws: `DatabaseError`.
  package mutating func remove(collection: String, item: String, part: Int? = nil) throws {
    try SearchTables.current.remove(collection: collection, item: item, part: part, noting: &current, in: db)
    if state.isBuilding {
      try SearchTables.next.remove(collection: collection, item: item, part: part, noting: &next, in: db)
    }
  }

  /// Writes the index. Without this call the index is out of date with its texts.
  ///
  /// - Returns: Whether words had to stay in the index that no text contains any more. A rebuild is then recorded as
  ///   due: otherwise they would count as words of the next text with their row number.
  /// - Throws: `DatabaseError`.
  @discardableResult
  package consuming func finish() throws -> Bool {
    if state.isReadable { try SearchTables.current.write(current, in: db) }
    if state.isBuilding { try SearchTables.next.write(next, in: db) }
    if current.areUnknown { try SearchIndex.noteStrayWords(in: db) }
    return current.areUnknown
  }
}

/// The indexed columns of an entry.
struct SearchTexts {
  let title, body, tags, collection: String
}

/// The changes of the index by row: the currently indexed texts, and the new ones.
struct SearchTerms {
  struct Change {
    let row: Int64
    let old: SearchTexts?
    var new: SearchTexts?
  }

  private(set) var changes: [Change] = []
  /// Whether the indexed texts of one of the entries were lost, so that they cannot be removed from the index.
  var areUnknown = false
  private var places: [Int64: Int] = [:]

  /// If a row changes twice, the first `old` is used, since that is indexed, and the last `new`.
  mutating func note(_ row: Int64, old: SearchTexts?, new: SearchTexts?) {
    if let place = places[row] {
      changes[place].new = new
    } else {
      places[row] = changes.count
      changes.append(Change(row: row, old: old, new: new))
    }
  }
}
