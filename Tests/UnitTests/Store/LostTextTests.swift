import Contract
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SearchEngine
@testable import Store

/// An index that has lost the texts it was made from cannot take their words out again.
@Suite(.timeLimit(.minutes(10))) struct LostTextTests {
  private let folder = TemporaryFolder()

  @Test(
    "what an entry was found by whose texts were lost is not found any more once it was changed or removed, not even by another entry in its place",
    arguments: [false, true])
  func nothingLingers(isRemoved: Bool) async throws {
    let lines = Mutex<[String]>([])
    let store = try Store.toys(in: folder, log: Log { level, line in lines.withLock { $0.append("\(level) \(line)") } })
    try await store.write { try $0.insert(ToyRecord.named("secret")) }
    try store.pool.write { try $0.execute("DELETE FROM search_body") }
    try await store.write { transaction in
      let toy = try transaction.snapshot.get(ToyRecord.self, id: "secret")
      if isRemoved { try transaction.remove(toy) } else { try transaction.change(toy) { $0.title = "river" } }
    }
    if isRemoved { try await store.write { try $0.insert(ToyRecord.named("river")) } }
    // The links are made anew behind the index.
    while store.needsIndexRebuild || store.isRebuilding.load(ordering: .acquiring) { await Task.yield() }
    func count(_ word: String) throws -> Int {
      let query = try MatchQuery(userText: word)
      return try store.pool.read { try SearchIndex.count(matching: query, in: $0) }
    }
    #expect(try count("secret") == 0)
    #expect(try count("river") == 1)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    let told = lines.withLock(\.self).filter { $0.hasPrefix("warning ") && $0.contains("search index") }
    #expect(told.count == 1, "\(told)")
    store.close()
  }

  @Test("what is lost at the end of a rebuild, when the new index is whole already, is mended by another one")
  func lostAtTheEnd() async throws {
    let store = try Store.toys(in: folder)
    try await store.write { try $0.insert(ToyRecord.named("river")) }
    var isLost = false
    try store.rebuildIndex { done in
      guard done == 100 else { return }
      try store.pool.write { db in
        try SearchIndex.put(SearchEntry(collection: "toys", item: "a", at: 0, title: "secret", body: ""), in: db)
        try db.execute("DELETE FROM search_body")
        try SearchIndex.remove(collection: "toys", item: "a", in: db)
      }
      isLost = try store.pool.read { try SearchIndex.needsRebuild($0) }
    }
    #expect(isLost)
    while store.needsIndexRebuild || store.isRebuilding.load(ordering: .acquiring) { await Task.yield() }
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
  }

  @Test("an index that must be made anew and was not is told by a check, and made anew by the next start")
  func due() throws {
    let store = try Store.toys(in: folder)
    let entry = SearchEntry(collection: "toys", item: "a", at: 0, title: "secret", body: "")
    try store.pool.write { db in
      try SearchIndex.put(entry, in: db)
      try db.execute("DELETE FROM search_body")
      try SearchIndex.remove(collection: "toys", item: "a", in: db)
    }
    #expect(try !store.pool.write { try SearchIndex.check($0) }.isEmpty)
    store.close()
    let next = try Store.toys(in: folder)
    #expect(next.needsIndexRebuild)
    try next.rebuildIndex { _ in }
    #expect(!next.needsIndexRebuild)
    #expect(try next.pool.write { try SearchIndex.check($0) } == [])
    next.close()
  }
}
