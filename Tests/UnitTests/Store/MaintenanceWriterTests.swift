import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SearchEngine
@testable import Store

/// Writes beside the queue of writes, and rebuilds that do not end.
@Suite(.timeLimit(.minutes(10))) struct MaintenanceWriterTests {
  private let folder = TemporaryFolder()

  /// A library of toys with texts of some twelve megabytes in all.
  private func filled(_ limits: WALLimits = WALLimits()) async throws -> Store {
    let store = try Store.toys(in: folder, limits: limits)
    for start in stride(from: 0, to: 600, by: 50) {
      try await store.write { transaction in
        for number in start..<start + 50 {
          var toy = ToyRecord.named("toy \(number)")
          toy.body = String(repeating: "a long text \(number) of letters and words ", count: 500)
          try transaction.insert(toy)
        }
      }
    }
    return store
  }

  private func tables(of store: Store, like names: String) throws -> [String] {
    try store.pool.read {
      try $0.texts("SELECT name FROM sqlite_master WHERE name LIKE ? ESCAPE '\\'", [.text(names)])
    }
  }

  @Test(
    "a rebuild of the index keeps the log short between its slices, and the library's file as large as the log wants")
  func shortLog() async throws {
    var limits = WALLimits()
    limits.checkpointBytes = 128 << 10
    limits.restartBytes = 256 << 10
    limits.idleCheckpoint = .seconds(3_600)
    limits.idleTruncate = .seconds(3_600)
    let store = try await filled(limits)
    _ = store.checkpointer.truncate()
    var longest: Int64 = 0
    var isRoomThere = true
    try store.rebuildIndex { percentage in
      guard percentage < 100 else { return }
      longest = max(longest, store.walSize)
      let size = try store.pool.read {
        try Int64(($0.integer("PRAGMA page_count") ?? 0) * ($0.integer("PRAGMA page_size") ?? 0))
      }
      var information = stat()
      isRoomThere = isRoomThere && stat(store.folder.database, &information) == 0 && information.st_size >= size
    }
    // A slice is some six megabytes, the whole rebuild several times as many. The last measure is taken when the tables
    // of the old index are removed; the file of the log has not become shorter since it was longest.
    #expect(longest < 12 << 20, "\(longest)")
    #expect(store.walSize == 0)
    #expect(try tables(of: store, like: "search%\\_old%") == [])
    #expect(isRoomThere)
    store.close()
  }

  @Test("a rebuild that fails leaves no half-built tables, and the index in use goes on; the rebuild stays due")
  func abandoned() async throws {
    struct Failure: Error {}
    let store = try await filled()
    var slices = 0
    #expect(throws: Failure.self) {
      try store.rebuildIndex { _ in
        #expect(try tables(of: store, like: "search%\\_next%") != [])
        slices += 1
        if slices == 3 { throw Failure() }
      }
    }
    for names in ["search%\\_next%", "search%\\_old%"] { #expect(try tables(of: store, like: names) == []) }
    #expect(store.needsIndexRebuild)
    try await store.write { try $0.insert(ToyRecord.named("zebra")) }
    let query = try MatchQuery(userText: "zebra")
    #expect(try store.pool.read { try SearchIndex.count(matching: query, in: $0) } == 1)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    try store.rebuildIndex { _ in }
    #expect(!store.needsIndexRebuild)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
  }

  @Test("tables that an earlier daemon has left are removed when nobody writes, in slices, and every search goes on")
  func leftTables() async throws {
    let store = try await filled()
    try store.pool.write { db in
      try SearchIndex.beginRebuild(in: db)
      try SearchIndex.finishRebuild(in: db)
    }
    #expect(try tables(of: store, like: "search%\\_old%") != [])
    store.close()
    let next = try Store.toys(in: folder)
    #expect(next.abandonedTables.areLeft)
    var slices = 0
    while !next.abandonedTables.step(with: next.maintenance) { slices += 1 }
    // Two megabytes each.
    #expect(slices > 3)
    #expect(!next.abandonedTables.areLeft)
    #expect(try tables(of: next, like: "search%\\_old%") == [])
    #expect(try next.pool.read { try SearchIndex.needsRebuild($0) } == false)
    next.close()
  }

  @Test("the tables of a rebuild that fails while others are removed are removed as well")
  func leftMeanwhile() async throws {
    let store = try await filled()
    let left = store.abandonedTables
    try store.pool.write { try SearchIndex.beginRebuild(in: $0) }
    left.note()
    #expect(!left.step(with: store.maintenance))
    // The next rebuild begins with what is left of the one before it, and fails.
    try store.pool.write { db in
      try SearchIndex.beginRebuild(in: db)
      left.forget()
    }
    left.note()
    while !left.step(with: store.maintenance) {}
    for names in ["search%\\_next%", "search%\\_old%"] { #expect(try tables(of: store, like: names) == []) }
    #expect(!left.areLeft && store.needsIndexRebuild)
    store.close()
  }

  @Test("a full disk is asked for room again after 2, 4, 8 and at most 300 seconds, and never by a write")
  func fullDisk() async throws {
    let store = try await filled()
    try store.pool.write { try SearchIndex.beginRebuild(in: $0) }
    let time = Mutex(ContinuousClock.now)
    let left = AbandonedTables { time.withLock(\.self) }
    left.note()
    var attempts = 0
    /// As a full disk refuses it.
    func attempt() throws -> Bool {
      try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 1") }
      defer { try? store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 0") } }
      return left.step(with: store.maintenance)
    }
    for wait in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      #expect(try !attempt())
      attempts += 1
      // A write has room again; that by itself is no reason for another attempt, nor is the time up to the wait's end.
      if attempts == 1 { try await store.write { try $0.insert(ToyRecord.named("zebra")) } }
      time.withLock { $0 += .seconds(wait) - .milliseconds(1) }
      #expect(!left.step(with: store.maintenance))
      #expect(try tables(of: store, like: "search%\\_next%") != [], "after \(wait) seconds")
      time.withLock { $0 += .milliseconds(1) }
    }
    while !left.step(with: store.maintenance) {}
    for names in ["search%\\_next%", "search%\\_old%"] { #expect(try tables(of: store, like: names) == []) }
    // What has succeeded is no failure any more: the wait is short again.
    try store.pool.write { try SearchIndex.beginRebuild(in: $0) }
    left.note()
    #expect(try !attempt())
    time.withLock { $0 += .seconds(2) }
    _ = left.step(with: store.maintenance)
    #expect(try tables(of: store, like: "search%\\_next%") == [])
    // Who rebuilds the index does not wait for the next attempt.
    #expect(try !attempt())
    try left.removeAll(with: store.maintenance)
    #expect(try tables(of: store, like: "search%\\_old%") == [] && !left.areLeft)
    store.close()
  }

  @Test("a rebuild that a full disk has ended is no damage while its tables cannot be dropped")
  func endedByFullDisk() async throws {
    let store = try await filled()
    // As a full disk refuses everything from then on.
    #expect(throws: (any Error).self) {
      try store.rebuildIndex { _ in
        try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 1") }
      }
    }
    #expect(try tables(of: store, like: "search%\\_next%") != [])
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 0") }
    try store.abandonedTables.removeAll(with: store.maintenance)
    #expect(store.needsIndexRebuild)
    try store.rebuildIndex { _ in }
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
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
    store.close()
    let next = try Store.toys(in: folder)
    #expect(next.needsIndexRebuild)
    #expect(try next.check(CheckOptions()) { _ in }.findings == [])
    try next.rebuildIndex { _ in }
    #expect(try next.check(CheckOptions()) { _ in }.findings == [])
    // One that nobody will make is found.
    try next.pool.write { try SearchIndex.beginRebuild(in: $0) }
    #expect(try next.check(CheckOptions()) { _ in }.findings.count == 1)
    next.close()
  }

  @Test("a library whose unfinished long writes cannot be read is not opened as if there were none")
  func unreadableSeries() throws {
    let store = try Store.toys(in: folder)
    let library = store.folder
    store.close()
    try OldLibraries.execute("ALTER TABLE openSeries RENAME COLUMN first TO other", in: library)
    #expect(throws: StoreError.self) { try Store.toys(in: folder) }
  }
}
