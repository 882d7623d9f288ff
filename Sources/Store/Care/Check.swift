import SQLite
import Wire

/// What a check looks at beside the library file itself.
package struct CheckOptions: Sendable {
  /// Takes out what is certainly useless: files that no row names, rows of blobs that nothing needs. Makes an index anew
  /// that does not agree with the texts. Rewrites a library of an earlier version that has many free pages.
  package var repair = false
  /// Makes the search index anew, and leaves nothing of what was forgotten: files that no row names go before, too.
  package var rebuildIndex = false

  package init(repair: Bool = false, rebuildIndex: Bool = false) {
    self.repair = repair
    self.rebuildIndex = rebuildIndex
  }
}

package struct CheckReport: Sendable, Equatable {
  /// A sentence each; empty when all is well.
  package var findings: [Text] = []
  package var items = 0
  package var blobs = 0
  package var isIndexRebuilt = false
  package var removedFiles = 0
}

extension Store {
  /// Looks through the whole library while it goes on being used: it reads, and holds back no write. Only repairs
  /// write, in small pieces. `progress` gets 0 to 100.
  package func check(_ options: CheckOptions, progress: @Sendable (Int) throws -> Void) throws -> CheckReport {
    var report = CheckReport()
    if options.rebuildIndex {
      // The text of pages goes with its file, and that of a forgotten one is to be in the library no more. First: what is
      // deleted after the rebuild would stay in the write-ahead log, which that empties.
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
    // A rebuild may begin or end while the copy is made.
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

  /// Whether the index is being made anew, or will be as soon as the daemon that opened the library gets to it.
  private var willRebuild: Bool {
    isRebuilding.load(ordering: .acquiring) || isRebuildExpected.load(ordering: .acquiring)
  }

  /// Reads a copy; without one the library itself, for as long as the write-ahead log lets it.
  func read<Result>(_ copy: Database?, _ body: (Database) throws -> Result) throws -> Result {
    guard let copy else { return try reads.readWhole { db, _ in try body(db) } }
    return try body(copy)
  }

  private func integrity(_ db: Database) throws -> [Text] {
    let findings = try db.texts("PRAGMA integrity_check")
    return findings == ["ok"] ? [] : findings.map { Text("check.file", ["finding": $0]) }
  }

  /// The clock is the newest commit; every item's revision is a commit; no commit lies in the future.
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
          """
        ).map { Text("check.blobUnknown", ["collection": collection.name, "hash": $0]) }
      }
    }
  }
}
