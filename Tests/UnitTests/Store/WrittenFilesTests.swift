import CStore
import Foundation
import SQLite
import Store
import TestSupport
import Testing

/// The layer below SQLite that writes the write-ahead log in large pieces, and statement journals in small ones.
@Suite("What SQLite writes") struct WrittenFilesTests {
  private let folder: TemporaryFolder

  init() {
    folder = TemporaryFolder()
    #expect(cp_sqlite_configure() == 0)
  }

  /// `prepare` holds for each connection.
  private func open(_ prepare: String = "") throws -> Database {
    let database = try Database(path: folder.file("library.sqlite")) { db in
      try db.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(prepare)")
    }
    try database.write { try $0.execute("CREATE TABLE IF NOT EXISTS text (id INTEGER PRIMARY KEY, body TEXT)") }
    return database
  }

  private static let insert = "INSERT INTO text (body) VALUES (?)"

  private func fill(_ db: Database, _ count: Int, with letter: Character) throws {
    for _ in 0..<count { try db.run(Self.insert, [.text(String(repeating: letter, count: 4_000))]) }
  }

  /// How many writes this thread has made.
  private func writes() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8).split(separator: "\n")
    return try #require(lines.first { $0.hasPrefix("syscw:") }?.split(separator: " ").last.flatMap { Int($0) })
  }

  @Test("a commit of hundreds of pages comes to the log in a few writes")
  func few() throws {
    let database = try open("PRAGMA synchronous = FULL")
    let before = try writes()
    try database.write { try fill($0, 300, with: "a") }
    let count = try writes() - before
    let size = try FileManager.default.attributesOfItem(atPath: folder.file("library.sqlite-wal"))[.size] as? Int
    #expect(try #require(size) > 300 * 4_096)
    #expect(count < 30)
  }

  @Test(
    "another connection reads what was committed, all of it and nothing else, however the log is synced",
    arguments: ["OFF", "NORMAL", "FULL"])
  func others(sync: String) throws {
    // Ten pages are kept at hand, so that most of a transaction is in the log before its end.
    let writer = try open("PRAGMA synchronous = \(sync); PRAGMA cache_size = 10")
    let reader = try open()
    func seen() throws -> [String] {
      try reader.read { try $0.texts("SELECT substr(body, 3999) FROM text ORDER BY id") }
    }
    for round in 1...3 {
      try writer.write { db in
        try fill(db, 20, with: "a")
        try db.execute("SAVEPOINT part")
        try fill(db, 50, with: "b")
        try db.execute("ROLLBACK TO part; RELEASE part")
        try fill(db, 20, with: "c")
        #expect(try db.integer("SELECT count(*) FROM text WHERE body LIKE 'c%'") == 20 * round)
        #expect(try seen().count == 40 * (round - 1))
      }
      try writer.execute("BEGIN IMMEDIATE")
      try fill(writer, 60, with: "d")
      try writer.execute("ROLLBACK")
      #expect(
        try seen() == (1...round).flatMap { _ in Array(repeating: "aa", count: 20) + Array(repeating: "cc", count: 20) }
      )
    }
    #expect(try reader.read { try $0.text("PRAGMA integrity_check") } == "ok")
    try writer.truncateLog()
    #expect(try seen().count == 120)
  }

  @Test("a savepoint that changed thousands of pages is taken back")
  func largeSavepoint() throws {
    let database = try open()
    try database.write { try fill($0, 2_000, with: "a") }
    try database.write { db in
      try db.execute("SAVEPOINT part")
      try db.execute("UPDATE text SET body = replace(body, 'a', 'b')")
      try db.execute("ROLLBACK TO part; RELEASE part")
      #expect(try db.integer("SELECT count(*) FROM text WHERE body LIKE 'aa%'") == 2_000)
    }
  }
}
