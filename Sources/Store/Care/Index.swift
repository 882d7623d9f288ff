import SQLite
import SearchEngine
import Wire

extension Store {
  /// Whether the index was made by another tokenizer than ours.
  package var needsIndexRebuild: Bool {
    (try? pool.read { try SearchIndex.needsRebuild($0) }) ?? false
  }

  /// Makes the search index and the tables of links anew from the data, in slices that let writes through, beside running reads.
  ///
  /// One at a time: two would fill the same tables, and the first to end would put half an index in the place of the
  /// whole one. A second is refused as busy.
  ///
  /// Searches use the old index until it ends. One that fails is told in the log, whoever asked for it: what was begun is
  /// made anew when the daemon starts.
  package func rebuildIndex(progress: (Int) throws -> Void) throws {
    guard !isRebuilding.exchange(true, ordering: .acquiringAndReleasing) else {
      throw RPCError(.busy, text: Text("check.rebuilding"))
    }
    defer {
      isRebuildExpected.store(false, ordering: .releasing)
      isRebuilding.store(false, ordering: .releasing)
    }
    do {
      try fillIndex(progress: progress)
    } catch {
      // The half-built tables take the room that others need, and every write would go into them.
      abandonedTables.note()
      removeAbandonedTables()
      let isWanted = error is CancellationError || (error as? RPCError) == .shuttingDown
      log(
        "the search index was not made anew, which is tried again when the daemon starts: \(error)",
        as: isWanted ? .info : .error)
      throw error
    }
  }

  private func fillIndex(progress: (Int) throws -> Void) throws {
    // Each slice has left words of its own, which are put together as those of writes are.
    defer { writes.noteWritten() }
    // A rebuild that a crash cut off has left its tables.
    abandonedTables.note()
    try abandonedTables.removeAll(with: maintenance)
    try maintenance.write { db in
      try SearchIndex.beginRebuild(in: db)
      abandonedTables.forget()
    }
    let collections = schema.all.filter(\.description.isSearched)
    let total = try pool.read { db in
      try collections.reduce(0) { try $0 + $1.count(in: db) }
    }
    var done = 0
    for collection in collections {
      var last: String? = ""
      while let place = last {
        // One slice is one transaction: a write waits for one of them at most.
        let slice = try maintenance.write { try index(collection, behind: place, in: $0) }
        last = slice.last
        done += slice.count
        // Items may have come meanwhile.
        try progress(min(99, done * 100 / max(1, total)))
      }
    }
    try maintenance.write { try SearchIndex.finishRebuild(in: $0) }
    abandonedTables.note()
    removeAbandonedTables()
    try progress(99)
    // What its texts are ranked by is read anew meanwhile.
    writes.noteWritten()
    try rebuildLinks()
    care.empty()
    try progress(100)
  }

  /// What cannot be removed now is tried again when nobody writes.
  private func removeAbandonedTables() {
    do {
      try abandonedTables.removeAll(with: maintenance)
    } catch {
      log("the tables of an index that is not in use stay for a while: \(error)", as: .info)
    }
  }

  private static let indexedItems = 100
  /// A document has one for each page.
  private static let indexedEntries = 500

  /// Puts the next items of a collection into the index that is being built. `last` is nil behind all of them.
  private func index(
    _ collection: Schema.Entry, behind place: String, in db: Database
  ) throws -> (last: String?, count: Int) {
    let ids = try db.texts(
      "SELECT id FROM \(collection.table) WHERE id > ? ORDER BY id LIMIT ?",
      [.text(place), .integer(Self.indexedItems)])
    var (count, written) = (0, 0)
    for id in ids {
      for entry in try collection.description.searchEntries(id, true, db) {
        try SearchIndex.add(entry, in: db)
        written += 1
      }
      count += 1
      if written >= Self.indexedEntries { break }
    }
    return (count > 0 ? ids[count - 1] : nil, count)
  }

  /// Compares the index with itself and with the entries that the data gives, and so the tables of links.
  ///
  /// FTS5 takes its own check for a write, and reads every text for it: in the library it would hold the writer for
  /// seconds to minutes, and with it every client that writes. So it wants a copy. Where there is no room for one, the
  /// writer is held after all: on a full disk little can be written anyway.
  ///
  /// - Parameter isRebuilding: whether a rebuild runs or is about to run, so that an unfinished one is no finding.
  func indexFindings(on copy: Database?, isRebuilding: Bool) throws -> [Text] {
    guard let copy else { return try pool.write { try indexFindings($0, isRebuilding: isRebuilding) } }
    return try indexFindings(copy, isRebuilding: isRebuilding)
  }

  /// A copy of this moment for who wants to look through all of it, so that the state is held only as long as it takes to
  /// copy the pages. It is a file without a name that SQLite makes in its temporary folder (`TMPDIR`, else `/var/tmp`) and
  /// that is gone with the connection, also when the daemon is killed. Nil where there is no room for one.
  func temporaryCopy(_ checkCancelled: () throws -> Void) throws -> Database? {
    do {
      let copy = try Self.openCopy(Database.temporary)
      try copyState(to: copy) { _ in try checkCancelled() }
      return copy
    } catch {
      switch StoreError(error, path: folder.path) {
      case .diskFull?, .readOnly?: return nil
      default: throw error
      }
    }
  }

  private func indexFindings(_ db: Database, isRebuilding: Bool) throws -> [Text] {
    var items = try schema.all.filter(\.description.isSearched).flatMap { collection in
      try db.texts("SELECT id FROM \(collection.table)").map { (collection, $0) }
    }[...]
    var entries: ArraySlice<SearchEntry> = []
    func next() throws -> SearchEntry? {
      while entries.isEmpty, let (collection, id) = items.popFirst() {
        entries = try collection.description.searchEntries(id, true, db)[...]
      }
      return entries.popFirst()
    }
    let findings = try SearchIndex.check(db, against: next, isRebuilding: isRebuilding)
    return try findings.map { Text("check.index", ["finding": $0]) } + linkFindings(db)
  }
}
