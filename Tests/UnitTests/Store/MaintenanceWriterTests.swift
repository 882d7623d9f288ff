import Contract
import Foundation
import GRDB
import TestSupport
import Testing
import Wire

@testable import Store

/// Writes beside the queue of writes, and rebuilds that do not end.
@Suite(.timeLimit(.minutes(2))) struct MaintenanceWriterTests {
  private let folder = TemporaryFolder()

  /// A library of toys with texts of some twelve megabytes in all.
  private func filled(_ limits: LogLimits = LogLimits()) async throws -> Store {
    let store = try Store.toys(in: folder, limits: limits)
    for start in stride(from: 0, to: 600, by: 50) {
      await write(to: store) { transaction in
        for number in start..<start + 50 {
          var toy = ToyRecord.named("toy \(number)")
          toy.body = String(repeating: "a long text \(number) of letters and words ", count: 500)
          try transaction.insert(toy)
        }
      }
    }
    return store
  }

  private func write(to store: Store, _ body: @escaping @Sendable (Transaction) throws -> Void) async {
    await withCheckedContinuation { continuation in
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "test") { transaction in
          try body(transaction)
          return []
        } completion: { result in
          if case .failure(let error) = result { Issue.record("\(error)") }
          continuation.resume()
        })
    }
  }

  private func close(_ store: Store) {
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }

  @Test(
    "a rebuild of the index keeps the log short between its slices, and the library's file as large as the log wants")
  func shortLog() async throws {
    var limits = LogLimits()
    limits.checkpointBytes = 128 << 10
    limits.restartBytes = 256 << 10
    limits.idleCheckpoint = .seconds(3_600)
    limits.idleTruncate = .seconds(3_600)
    let store = try await filled(limits)
    _ = store.care.truncate()
    var longest: Int64 = 0
    var isRoomThere = true
    try store.rebuildIndex { percentage in
      guard percentage < 100 else { return }
      longest = max(longest, store.walSize)
      let size = try store.pool.read {
        try (Int64.fetchOne($0, sql: "PRAGMA page_count") ?? 0) * (Int64.fetchOne($0, sql: "PRAGMA page_size") ?? 0)
      }
      var information = stat()
      isRoomThere = isRoomThere && stat(store.folder.database, &information) == 0 && information.st_size >= size
    }
    // A slice is some six megabytes, the whole rebuild several times as many.
    #expect(longest < 12 << 20, "\(longest)")
    #expect(isRoomThere)
    close(store)
  }

  @Test("a rebuild that fails leaves no half-built tables, and the index in use goes on; the rebuild stays due")
  func abandoned() async throws {
    struct Failure: Error {}
    let store = try await filled()
    var slices = 0
    #expect(throws: Failure.self) {
      try store.rebuildIndex { _ in
        slices += 1
        if slices == 3 { throw Failure() }
      }
    }
    let tables = try store.pool.read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'search_next%'")
    }
    #expect(tables == [])
    #expect(store.needsIndexRebuild)
    await write(to: store) { try $0.insert(ToyRecord.named("zebra")) }
    let query = try MatchQuery(userText: "zebra")
    #expect(try store.pool.read { try SearchIndex.count(matching: query, in: $0) } == 1)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    try store.rebuildIndex { _ in }
    #expect(!store.needsIndexRebuild)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    close(store)
  }

  @Test("a check beside a rebuild, and one before the rebuild of a killed daemon is begun anew, find nothing wrong")
  func checkBesideRebuild() async throws {
    let store = try await filled()
    var checked = 0
    try store.rebuildIndex { percentage in
      guard checked == 0, percentage > 0, percentage < 100 else { return }
      checked += 1
      let findings = try store.check(CheckOptions()) { _ in }.findings
      #expect(findings == [])
    }
    #expect(checked == 1)
    // As a daemon leaves it that is killed.
    try store.pool.write { try SearchIndex.beginRebuild(in: $0) }
    close(store)
    let next = try Store.toys(in: folder)
    #expect(next.needsIndexRebuild)
    #expect(try next.check(CheckOptions()) { _ in }.findings == [])
    try next.rebuildIndex { _ in }
    #expect(try next.check(CheckOptions()) { _ in }.findings == [])
    // One that nobody will make is found.
    try next.pool.write { try SearchIndex.beginRebuild(in: $0) }
    #expect(try next.check(CheckOptions()) { _ in }.findings.count == 1)
    close(next)
  }

  @Test("a library whose unfinished long writes cannot be read is not opened as if there were none")
  func unreadableSeries() throws {
    let store = try Store.toys(in: folder)
    let library = store.folder
    close(store)
    try OldLibraries.execute("ALTER TABLE openSeries RENAME COLUMN first TO other", in: library)
    #expect(throws: StoreError.self) { try Store.toys(in: folder) }
  }
}
