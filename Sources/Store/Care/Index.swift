import SQLite
import SearchEngine
import Wire

extension Store {
  /// Whether another tokenizer built the index.
  package var needsIndexRebuild: Bool {
    (try? pool.read { try SearchIndex.needsRebuild($0) }) ?? false
  }

  /// Rebuilds the search index and the tables of links from the data, beside running reads, in slices between which
  /// other writes run.
  ///
  /// One rebuild runs at a time: two would fill the same tables, and the first to finish would replace the whole index
  /// with a half-built one.
  ///
  /// Searches use the old index until the rebuild finishes. A failure is returned to the caller and also logged;
  /// the daemon starts an unfinished rebuild again when it starts.
  ///
  /// - Throws: `RPCError.busy` while another rebuild runs, `DatabaseError`, `StoreError`, and whatever `progress`
  ///   throws.
  package func rebuildIndex(progress: (Int) throws -> Void) throws {
    guard !isRebuilding.exchange(true, ordering: .acquiringAndReleasing) else {
      throw RPCError(.busy, text: Text("check.rebuilding"))
    }
    var isWhole = false
    defer {
      isRebuildExpected.store(false, ordering: .releasing)
      isRebuilding.store(false, ordering: .releasing)
      if isWhole { pendingReindex.lookAgain() }
    }
    do {
      try fillIndex(progress: progress)
      isWhole = true
    } catch {
      // The half-built tables take disk space, and every write would also go into them.
      abandonedTables.note()
      removeAbandonedTables()
      let isWanted = error is CancellationError || (error as? RPCError) == .shuttingDown
      log(
        "the search index was not rebuilt; this is tried again when the daemon starts: \(error)",
        as: isWanted ? .info : .error)
      throw error
    }
  }

  private func fillIndex(progress: (Int) throws -> Void) throws {
    // Each slice leaves FTS5 segments, which are merged as those of other writes are.
    defer { writes.noteWritten() }
    // A rebuild that a crash interrupted has left its tables.
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
        let slice = try maintenance.write { try index(collection, after: place, in: $0) }
        last = slice.last
        done += slice.count
        // Items may have been inserted meanwhile.
        try progress(min(99, done * 100 / max(1, total)))
      }
    }
    try maintenance.write { try SearchIndex.finishRebuild(in: $0) }
    abandonedTables.note()
    removeAbandonedTables()
    try progress(99)
    // The ranking statistics of the texts are read again meanwhile.
    writes.noteWritten()
    try rebuildLinks()
    checkpointer.empty()
    try progress(100)
  }

  /// Drops the abandoned tables. Those that cannot be dropped now are retried in the writer's idle time.
  private func removeAbandonedTables() {
    do {
      try abandonedTables.removeAll(with: maintenance)
    } catch {
      log("the tables of an unused index could not be dropped yet: \(error)", as: .info)
    }
  }

  private static let indexedItems = 100
  /// A document has one entry for each page.
  private static let indexedEntries = 500

  /// Adds the next items of a collection to the index that is being built. `last` is nil after the last item.
  private func index(
    _ collection: Schema.Entry, after place: String, in db: Database
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

  /// Compares the index with itself and with the entries that follow from the data, and the tables of links likewise.
  ///
  /// FTS5 treats its own check as a write, and reads every text for it: in the library it would block the writer, and
  /// every client that writes, for seconds to minutes. So it needs a copy. If there is no space for one, the writer is
  /// blocked after all: on a full disk little can be written anyway.
  ///
  /// - Parameter isRebuilding: whether a rebuild runs or is about to run, so that an unfinished one is no finding.
  func indexFindings(on copy: Database?, isRebuilding: Bool) throws -> [Text] {
    guard let copy else { return try pool.write { try indexFindings($0, isRebuilding: isRebuilding) } }
    return try indexFindings(copy, isRebuilding: isRebuilding)
  }

  /// A copy of the library as of now for scans of the whole file, so that the read snapshot is pinned only while the
  /// pages are copied. It is an unlinked file that SQLite creates in its temporary folder (`TMPDIR`, else `/var/tmp`)
  /// and that disappears with the connection, also when the daemon is killed. Nil if there is no space for it.
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
