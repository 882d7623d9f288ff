import GRDB
import Wire

extension Store {
  /// Whether the index was made by another tokenizer than ours.
  package var needsIndexRebuild: Bool {
    (try? pool.read { try SearchIndex.needsRebuild($0) }) ?? false
  }

  /// Makes the search index anew from the data, in slices that let writes through, beside running reads.
  package func rebuildIndex(progress: (Int) -> Void) throws {
    try pool.write { try SearchIndex.beginRebuild(in: $0) }
    let collections = schema.all.filter(\.description.isSearched)
    for (number, collection) in collections.enumerated() {
      var last = ""
      while true {
        // One slice is one transaction: a write waits for one of them at most.
        let ids = try pool.write { db -> [String] in
          let ids = try String.fetchAll(
            db, sql: "SELECT id FROM \(collection.table) WHERE id > ? ORDER BY id LIMIT 100", arguments: [last])
          for id in ids {
            for entry in try collection.description.searchEntries(id, true, db) {
              try SearchIndex.add(entry, in: db)
            }
          }
          return ids
        }
        guard let newest = ids.last else { break }
        last = newest
      }
      progress((number + 1) * 100 / collections.count)
    }
    try pool.write { try SearchIndex.finishRebuild(in: $0) }
  }

  /// Compares the index with itself and with the entries that the data gives.
  func indexFindings(_ db: Database) throws -> [Text] {
    var items = try schema.all.filter(\.description.isSearched).flatMap { collection in
      try String.fetchAll(db, sql: "SELECT id FROM \(collection.table)").map { (collection, $0) }
    }[...]
    var entries: ArraySlice<SearchEntry> = []
    let cursor = AnyCursor<SearchEntry> {
      while entries.isEmpty, let (collection, id) = items.popFirst() {
        entries = try collection.description.searchEntries(id, true, db)[...]
      }
      return entries.popFirst()
    }
    return try SearchIndex.check(db, against: cursor).map { Text("check.index", ["finding": $0]) }
  }
}
