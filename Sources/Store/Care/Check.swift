import SQLite
import Wire

/// The parts of a check beyond the inspection of the library file.
package struct CheckOptions: Sendable {
  /// Removes files to which no row refers, and rows of blobs that nothing uses. Rebuilds an index that disagrees with
  /// the texts. Rewrites a library of an earlier version that has many free pages.
  package var repair = false
  /// Rebuilds the search index, and removes all remains of forgotten items: files to which no row refers are deleted
  /// first.
  package var rebuildIndex = false

  package init(repair: Bool = false, rebuildIndex: Bool = false) {
    self.repair = repair
    self.rebuildIndex = rebuildIndex
  }
}

package struct CheckReport: Sendable, Equatable {
  /// One sentence each; empty if no problem was found.
  package var findings: [Text] = []
  package var items = 0
  package var blobs = 0
  package var isIndexRebuilt = false
  package var removedFiles = 0
}

extension Store {
  /// Checks the whole library while it stays in use: it only reads, and blocks no write. Only repairs write, in small
  /// batches. `progress` gets 0 to 100.
  ///
  /// - Throws: `RPCError.busy` while the index is being rebuilt, `DatabaseError`, and whatever `progress` throws.
  package func check(_ options: CheckOptions, progress: @Sendable (Int) throws -> Void) throws -> CheckReport {
    var report = CheckReport()
    if options.rebuildIndex {
      // The text of pages is deleted with its file, and the text of a forgotten file must not remain in the library.
      // Before the rebuild: the rebuild empties the WAL, and rows deleted after it would remain there.
      report.removedFiles = try sweepBlobs(olderThan: Self.sweptAge)
      try rebuildIndex { try progress($0 / 5) }
      report.isIndexRebuilt = true
    }
    let wasRebuilding = willRebuild
    let copy = try temporaryCopy { try progress(20) }
    let named = try read(copy) { db in
      report.findings += try integrity(db)
      report.findings += try logFindings(db)
      for collection in schema.all {
        report.items += try collection.count(in: db)
      }
      report.findings += try blobReferences(db)
      return Set(try db.texts("SELECT hash FROM blob"))
    }
    try progress(30)
    // A rebuild may begin or end during the copy.
    let indexFindings = try indexFindings(on: copy, isRebuilding: wasRebuilding || willRebuild)
    report.findings += indexFindings
    if options.repair, !indexFindings.isEmpty {
      try rebuildIndex { _ in try progress(40) }
      report.isIndexRebuilt = true
    }
    try progress(40)
    for (index, hash) in named.sorted().enumerated() {
      if !blobs.contains(hash) {
        report.findings.append(Text("check.blobMissing", ["hash": hash]))
      } else if !blobs.isIntact(hash) {
        report.findings.append(Text("check.blobDamaged", ["hash": hash]))
      }
      try progress(40 + (index + 1) * 60 / named.count)
    }
    report.blobs = named.count
    if options.repair {
      report.removedFiles += try sweepBlobs(olderThan: Self.sweptAge)
      if let bytes = try reclaimer.repair() {
        report.findings.append(Text("check.noRoomToShrink", ["bytes": String(bytes)]))
      }
    }
    return report
  }

  /// Whether the index is being rebuilt, or will be as soon as the daemon that opened the library starts the rebuild; or
  /// whether a rebuild has failed, as on a full disk, and its tables could not be dropped yet: the index in use is whole.
  private var willRebuild: Bool {
    isRebuilding.load(ordering: .acquiring) || isRebuildExpected.load(ordering: .acquiring) || abandonedTables.areLeft
  }

  /// Reads a copy. Without one, reads the library itself, for as long as the WAL allows.
  func read<Result>(_ copy: Database?, _ body: (Database) throws -> Result) throws -> Result {
    guard let copy else { return try reads.readWhole { db, _ in try body(db) } }
    return try body(copy)
  }

  private func integrity(_ db: Database) throws -> [Text] {
    let findings = try db.texts("PRAGMA integrity_check")
    return findings == ["ok"] ? [] : findings.map { Text("check.file", ["finding": $0]) }
  }

  /// Checks that the clock is the newest commit, that every item's revision is a commit, and that no commit lies in the
  /// future.
  private func logFindings(_ db: Database) throws -> [Text] {
    var findings: [Text] = []
    let clock = try db.first("SELECT clock FROM library") { $0.integer(0) } ?? 0
    let newest = try db.first("SELECT max(clock) FROM commits") { $0.optionalInteger(0) ?? clock } ?? clock
    if newest != clock {
      findings.append(Text("check.clock", ["clock": String(clock), "newest": String(newest)]))
    }
    for collection in schema.all {
      let ahead =
        try db.first(
          "SELECT count(*) FROM \(collection.table) WHERE revision > ? OR revision < 1", [.integer(clock)]
        ) { $0.int(0) } ?? 0
      if ahead > 0 {
        findings.append(Text("check.revision", ["collection": collection.name, "count": String(ahead)]))
      }
    }
    return findings
  }

  private func blobReferences(_ db: Database) throws -> [Text] {
    try schema.all.flatMap { collection in
      try collection.description.columns.blobs.flatMap { column in
        try db.texts(
          """
          SELECT DISTINCT \(column) FROM \(collection.table)
          WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT hash FROM blob)
            AND \(column) NOT IN (SELECT hash FROM blobElsewhere)
          """
        ).map { Text("check.blobUnknown", ["collection": collection.name, "hash": $0]) }
      }
    }
  }
}
