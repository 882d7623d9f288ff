import Store
import TestSupport

/// What a library file says of itself, read without a daemon.
struct LibraryFacts {
  var findings: [String]
  var clock: Int64
  var newestCommit: Int64
  var commits: Int
  var toys: Int
  /// Commits that added a toy.
  var additions: Int

  init(database path: String) throws {
    let database = try SearchLibrary.open(path)
    self = try database.read { db in
      LibraryFacts(
        findings: try db.texts("PRAGMA integrity_check"),
        clock: try Int64(db.integer("SELECT clock FROM library") ?? -1),
        newestCommit: try Int64(db.integer("SELECT max(clock) FROM commits") ?? 0),
        commits: try db.integer("SELECT count(*) FROM commits") ?? 0,
        toys: try db.integer("SELECT count(*) FROM toy") ?? 0,
        additions: try db.integer(
          "SELECT count(DISTINCT clock) FROM changes WHERE collection = 'toys' AND kind = 'added'") ?? 0)
    }
    try database.close()
  }

  private init(findings: [String], clock: Int64, newestCommit: Int64, commits: Int, toys: Int, additions: Int) {
    self.findings = findings
    self.clock = clock
    self.newestCommit = newestCommit
    self.commits = commits
    self.toys = toys
    self.additions = additions
  }
}
