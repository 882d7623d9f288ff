import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SearchEngine
@testable import Store

@Suite struct SearchMergingTests {
  private static func entry(_ number: Int) -> SearchEntry {
    SearchEntry(collection: "toys", item: "\(number)", at: 0, title: "", body: "느린 강가에서 쓴 글 \(number)")
  }

  private static func segments(_ store: Store) throws -> Int {
    try store.pool.read { try $0.integer("SELECT count(DISTINCT segid) FROM search_text_idx") ?? 0 }
  }

  /// How many of the entries are found.
  private static func found(in store: Store) throws -> Int {
    try store.pool.read {
      try SearchIndex.candidates(matching: MatchQuery(userText: "강가"), limit: 99, now: 0, in: $0).count
    }
  }

  /// A library into whose index twenty commits have written, none of them by the queue of writes.
  private static func scattered(in folder: TemporaryFolder, limits: WALLimits = WALLimits()) throws -> Store {
    let store = try Store.toys(in: folder, limits: limits)
    for number in 0..<20 { try store.pool.write { try SearchIndex.put(entry(number), in: $0) } }
    return store
  }

  @Test("A write leaves the words of others where they are, and what writes have left is put together without them")
  func merging() throws {
    let folder = TemporaryFolder()
    let store = try Self.scattered(in: folder)
    #expect(try Self.segments(store) == 20)
    let merging = SearchMerging(writer: store.maintenance)
    while !merging.run() {}
    #expect(try Self.segments(store) < 5)
    #expect(merging.run())
    #expect(try Self.found(in: store) == 20)
    #expect(try store.pool.write { try SearchIndex.check($0) } == [])
    store.close()
  }

  /// The log is moved into the library at once when nothing is written.
  private static var hasty: WALLimits {
    var limits = WALLimits()
    (limits.idleCheckpoint, limits.idleTruncate) = (.milliseconds(1), .milliseconds(1))
    return limits
  }

  @Test("It is done when nothing was written for a moment", .timeLimit(.minutes(10)))
  func idle() async throws {
    let folder = TemporaryFolder()
    let store = try Self.scattered(in: folder)
    try await store.write { try $0.insert(ToyRecord.named("a")) }
    while try Self.segments(store) > 4 { await Task.yield() }
    #expect(try Self.found(in: store) == 20)
    store.close()
  }

  @Test("What it writes is moved out of the write-ahead log as what it is about was", .timeLimit(.minutes(10)))
  func logged() async throws {
    let folder = TemporaryFolder()
    let store = try Self.scattered(in: folder, limits: Self.hasty)
    try await store.write { try $0.insert(ToyRecord.named("a")) }
    while try Self.segments(store) > 4 { await Task.yield() }
    while store.walSize > 0 { await Task.yield() }
    #expect(try Self.segments(store) <= 4)
    store.close()
  }

  @Test("An index that was made anew is put together as well, without any write behind it", .timeLimit(.minutes(10)))
  func rebuilt() async throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder, limits: Self.hasty)
    try await store.write { for number in 0..<2_000 { try $0.insert(ToyRecord.named("\(number)")) } }
    // All that follows that write is done.
    while store.walSize > 0 { await Task.yield() }
    var left = 0
    try store.rebuildIndex { if $0 == 100 { left = try Self.segments(store) } }
    #expect(left > 10)
    while try Self.segments(store) > 4 { await Task.yield() }
    while store.walSize > 0 { await Task.yield() }
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
  }

  @Test("It gives way to those who ask, though not for ever")
  func courteous() throws {
    let folder = TemporaryFolder()
    let store = try Self.scattered(in: folder)
    let asked = Mutex(0)
    let merging = SearchMerging(writer: store.maintenance) {
      asked.withLock {
        $0 += 1
        return $0
      }
    }
    for _ in 0..<IdleYield.mostYields { #expect(!merging.run()) }
    #expect(try Self.segments(store) == 20)
    _ = merging.run()
    #expect(try Self.segments(store) < 20)
    store.close()
  }

  @Test("What a daemon left that ended before is put together by the next one", .timeLimit(.minutes(10)))
  func nextDaemon() async throws {
    let folder = TemporaryFolder()
    let store = try Self.scattered(in: folder)
    store.close()
    let next = try Store.toys(in: folder)
    while try Self.segments(next) > 4 { await Task.yield() }
    #expect(try Self.found(in: next) == 20)
    next.close()
  }

  @Test("An index of an earlier version is written to in the same way, and so is one that was made anew")
  func older() throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    let library = store.folder
    store.close()
    try OldLibraries.execute(
      """
      DELETE FROM search_text_config WHERE k IN ('automerge', 'crisismerge', 'hashsize');
      DELETE FROM grdb_migrations WHERE identifier IN ('store/005', 'store/006');
      """, in: library)
    let again = try Store.toys(in: folder)
    func settings() throws -> [Int64] {
      try again.pool.read {
        try $0.integers("SELECT v FROM search_text_config WHERE k <> 'version' ORDER BY k")
      }
    }
    #expect(try settings() == [0, 64, 8 << 20])
    try again.rebuildIndex { _ in }
    #expect(try settings() == [0, 64, 8 << 20])
    again.close()
  }
}
