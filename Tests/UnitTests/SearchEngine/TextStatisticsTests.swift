import Foundation
import TestSupport
import Testing

@testable import SQLite
@testable import SearchEngine
@testable import Store

@Suite struct TextStatisticsTests {
  private static func entry(_ number: Int, at: Int64 = 0, body: String) -> SearchEntry {
    SearchEntry(
      collection: number % 3 == 0 ? "posts" : "documents", item: "\(number / 4)", part: number % 4, at: at,
      title: number % 4 == 0 ? "강가 \(number)" : "", body: body, tags: number % 5 == 0 ? "river" : "")
  }

  private static func settle(_ store: Store) throws {
    while try !store.pool.writeWithoutTransaction({ store.textStatistics.step($0) }) {}
  }

  /// The figures of each row as they are in memory; nil of one that is not known.
  private static func known(_ store: Store) throws -> [Int64: Data?] {
    try store.pool.read { db in
      var known: [Int64: Data?] = [:]
      try db.each("SELECT rowid, cp_figures(rowid) FROM search_entry") { row in
        known.updateValue(row.isNull(1) ? nil : Data(row.bytes(1)), forKey: row.integer(0))
      }
      return known
    }
  }

  /// The same, as they are read anew.
  private static func fresh(_ store: Store) throws -> [Int64: Data?] {
    try store.pool.writeWithoutTransaction { db in
      store.textStatistics.forget()
      while !store.textStatistics.step(db) {}
    }
    return try known(store)
  }

  @Test("Whatever is written, taken back or rolled back, what memory says of a text is what the tables say or nothing")
  func follows() throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    struct Back: Error {}
    for seed in 1...20 {
      var random = SeededGenerator(seed: UInt64(seed))
      for _ in 0..<10 {
        let numbers = (0..<Int.random(in: 1...12, using: &random)).map { _ in Int.random(in: 0..<40, using: &random) }
        let fails = Int.random(in: 0..<4, using: &random) == 0
        _ = try? store.pool.write { db in
          for number in numbers {
            let entry = Self.entry(
              number, at: Int64.random(in: -9...9, using: &random),
              body: String(repeating: "느린 강 ", count: Int.random(in: 0...40, using: &random)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try SearchIndex.remove(collection: entry.collection, item: entry.item, in: db)
            default: try SearchIndex.put(entry, in: db)
            }
          }
          if fails { throw Back() }
        }
        if Bool.random(using: &random) { try store.pool.writeWithoutTransaction { store.textStatistics.follow($0) } }
      }
      let known = try Self.known(store)
      let fresh = try Self.fresh(store)
      #expect(fresh.values.allSatisfy { $0 != nil })
      for (row, figures) in known where figures != nil { #expect(figures == fresh[row], "seed \(seed), row \(row)") }
    }
    store.close()
  }

  @Test("A question has the same answer whether memory knows all, some or none of the texts")
  func same() throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    try store.pool.write { db in
      for number in 0..<600 {
        let body =
          "강가에서 " + String(repeating: "slow river ", count: number % 7) + String(repeating: "글 ", count: number % 50)
        try SearchIndex.put(Self.entry(number, at: Int64(number % 90) * 86_400_000, body: body), in: db)
      }
    }
    func answers() throws -> [[String]] {
      try ["강가", "slow river", "river OR 글", "독서", "\"느린 강\""].map { text in
        try store.pool.read { db in
          let ranking = try SearchIndex.ranking(of: MatchQuery(userText: text), now: 90 * 86_400_000, in: db)
          return try ranking.hits.map { text in
            let hit = try SearchIndex.hit(of: text, in: db)!
            return
              "\(hit.collection)/\(hit.item)/\(hit.part) \(text.collection.name) \(text.isPage) \(text.at) \(text.mark) \(text.rank)"
          }
        }
      }
    }
    try store.pool.writeWithoutTransaction { _ in store.textStatistics.forget() }
    let none = try answers()
    #expect(none[0].count == SearchIndex.mostHits)
    try Self.settle(store)
    #expect(try answers() == none)
    // The same texts once more: half of the rows are touched, and not read again.
    try store.pool.write { try $0.execute("UPDATE search_entry SET at = at WHERE rowid % 2 = 0") }
    #expect(try Self.known(store).values.count { $0 == nil } >= 300)
    #expect(try answers() == none)
    store.close()
  }

  @Test("Whoever reads an older state is told what a text was there, whatever its row has become")
  func older() throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    func write(_ body: (Database) throws -> Void) throws {
      try store.pool.write(body)
      try Self.settle(store)
    }
    try write { try SearchIndex.put(Self.entry(1, body: "slow river"), in: $0) }
    try store.pool.read { db in
      let before = try SearchIndex.candidates(matching: MatchQuery(userText: "river"), limit: 9, now: 0, in: db)
      try write { db in
        try SearchIndex.remove(collection: "documents", item: "0", in: db)
        try SearchIndex.put(Self.entry(3, body: "slow boat"), in: db)
      }
      let after = try SearchIndex.candidates(matching: MatchQuery(userText: "river"), limit: 9, now: 0, in: db)
      #expect(before.count == 1 && after.map { "\($0.collection)/\($0.item)/\($0.part)" } == ["documents/0/1"])
    }
    store.close()
  }

  @Test("A write through the queue is known behind its commit, and a rebuilt index by the numbers of its own rows")
  func writes() async throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    for name in ["slow boat", "fast boat", "boat"] {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        store.writes.add(
          WriteJob(caller: DaemonCaller(), label: "test") { transaction in
            try transaction.insert(ToyRecord.named(name))
            return []
          } completion: { result in
            done.resume(with: result.map { _ in })
          })
      }
    }
    // Behind the last reply the writer reads what it has touched.
    try Self.settle(store)
    #expect(try Self.known(store).values.allSatisfy { $0 != nil })
    // One that is given up changes no numbers, and nothing is read anew for it.
    #expect(throws: CancellationError.self) { try store.rebuildIndex { _ in throw CancellationError() } }
    #expect(try Self.known(store).values.allSatisfy { $0 != nil })
    try store.rebuildIndex { _ in }
    try Self.settle(store)
    let known = try Self.known(store)
    #expect(known.count == 3 && known.values.allSatisfy { $0 != nil })
    #expect(try Self.fresh(store) == known)
    store.close()
  }
}
