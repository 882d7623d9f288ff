import GRDB
import Store

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
    var configuration = Configuration()
    configuration.prepareDatabase { try SearchIndex.prepare($0) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    self = try queue.read { db in
      LibraryFacts(
        findings: try String.fetchAll(db, sql: "PRAGMA integrity_check"),
        clock: try Int64.fetchOne(db, sql: "SELECT clock FROM library") ?? -1,
        newestCommit: try Int64.fetchOne(db, sql: "SELECT max(clock) FROM commits") ?? 0,
        commits: try Int.fetchOne(db, sql: "SELECT count(*) FROM commits") ?? 0,
        toys: try Int.fetchOne(db, sql: "SELECT count(*) FROM toy") ?? 0,
        additions: try Int.fetchOne(
          db, sql: "SELECT count(DISTINCT clock) FROM changes WHERE collection = 'toys' AND kind = 'added'") ?? 0)
    }
    try queue.close()
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
