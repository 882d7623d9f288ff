import CStore
import SQLite
import SearchEngine
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct FilteredScanTests {
  /// How many texts a filter was asked of.
  private final class Looks: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
  }

  /// Eight thousand texts with one word: more than are looked at one by one. Every fortieth has another, which begins as a
  /// great many words do.
  private static func library() throws -> (database: Database, looks: Looks) {
    let library = try SearchLibrary()
    let looks = Looks()
    try library.db.write { db in
      sqlite3_create_function_v2(
        db.sqliteConnection, "looked", 0, SQLITE_UTF8, Unmanaged.passRetained(looks).toOpaque(),
        { context, _, _ in
          Unmanaged<Looks>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue().add()
          sqlite3_result_int(context, 1)
        }, nil, nil, { Unmanaged<Looks>.fromOpaque($0!).release() })
      var batch = try SearchBatch(in: db)
      for number in 0..<count {
        let body = number % 40 == 0 ? "river bank" : "river"
        try batch.put(.diary(number, at: Int64(number), body: body), isNew: true)
      }
      try batch.finish()
    }
    return (library.db, looks)
  }

  private static let count = 8_000

  /// The texts of an age, and which items may be of it.
  private static func of(_ ages: Range<Int>, items: String?) -> SearchCondition {
    SearchCondition(
      "looked() AND entry.at BETWEEN ? AND ?", [.integer(ages.lowerBound), .integer(ages.upperBound - 1)],
      rows: items.map { .items(of: "diary", "SELECT CAST(i AS TEXT) AS id FROM (\(numbers($0)))") })
  }

  /// So many numbers, by an expression of `n`.
  private static func numbers(_ expression: String, _ many: Int = 0) -> String {
    """
    WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < \(max(many, count) - 1))
    SELECT \(expression) AS i FROM number
    """
  }

  /// What tells the rows, what holds, and how many texts are looked at: few rows, some thousands, and more than are told.
  static let filters: [(items: String, ages: Range<Int>, looked: ClosedRange<Int>)] = [
    ("min(n, 60)", 10..<50, 40...400), ("min(n, 1500)", 10..<50, 3_000...6_000),
    ("n * 7 % 3000", 0..<900, 3_000...9_000),
  ]

  @Test(
    "Of a word in very many texts those are looked at that a filter leaves, and all of them are found and counted",
    arguments: FilteredScanTests.filters)
  func filtered(_ items: String, _ ages: Range<Int>, _ looked: ClosedRange<Int>) throws {
    let (database, looks) = try Self.library()
    try database.read { db in
      let query = try MatchQuery(userText: "river")
      let told = Self.of(ages, items: "DISTINCT \(items)")
      let ranking = try SearchIndex.ranking(of: query, where: told, now: 0, in: db)
      #expect(looked.contains(looks.take()))
      #expect(ranking.found == ages.count)
      #expect(try Set(ranking.items(in: db)).isSubset(of: ages.map(String.init)))
      let untold = try SearchIndex.ranking(of: query, where: Self.of(ages, items: nil), now: 0, in: db)
      #expect(looks.take() == Self.count && untold.hits.map(\.row) == ranking.hits.map(\.row))
      #expect(try SearchIndex.count(matching: query, where: told, in: db) == ages.count)
      #expect(ranking.namedCounts == ["diary": ages.count])
      #expect(looks.take() < 2 * looked.upperBound)
      let rare = try SearchIndex.ranking(of: MatchQuery(userText: "bank"), where: told, now: 0, in: db)
      #expect(rare.found == ages.count { $0 % 40 == 0 } && looks.take() <= Self.count / 40)
    }
  }

  @Test("Where a filter leaves more than is told, what is found is enough or each text is looked at, and never is none")
  func partly() throws {
    let (database, looks) = try Self.library()
    try database.read { db in
      let query = try MatchQuery(userText: "river")
      /// Tells some items again and again, so that not all are told.
      func told(_ items: Int, _ ages: Range<Int>) -> SearchCondition {
        SearchCondition(
          "looked() AND entry.at BETWEEN ? AND ?", [.integer(ages.lowerBound), .integer(ages.upperBound - 1)],
          rows: .items(
            of: "diary", "SELECT CAST(i AS TEXT) AS id FROM (\(Self.numbers("n % \(items)", 30_000)))"))
      }
      let enough = try SearchIndex.ranking(of: query, where: told(600, 0..<1_000), now: 0, in: db)
      #expect(enough.found == nil && enough.hits.count == SearchIndex.mostHits)
      #expect(looks.take() < Self.count)
      var filter = enough.filter
      let count = try SearchIndex.count(matching: query, where: &filter, most: 1_000, in: db)
      #expect(count.count == 600 && !count.isAll && looks.take() < Self.count)
      let few = try SearchIndex.ranking(of: query, where: told(10, 0..<1_000), now: 0, in: db)
      #expect(try few.found == 1_000 && few.items(in: db).first == "999")
      let elsewhere = try SearchIndex.ranking(of: query, where: told(10, 20..<25), now: 0, in: db)
      #expect(elsewhere.found == 5)
      #expect(try SearchIndex.count(matching: query, where: told(10, 20..<25), in: db) == 5)
    }
  }

  @Test("What several filters leave is told by the one that leaves least, and what they leave out by what tells that")
  func together() throws {
    let (database, looks) = try Self.library()
    try database.read { db in
      let query = try MatchQuery(userText: "river")
      let old = SearchCondition(
        "looked() AND entry.at < 20",
        rows: .items(of: "diary", "SELECT CAST(i AS TEXT) AS id FROM (\(Self.numbers("n"))) WHERE i < 20"),
        others: .items(of: "diary", "SELECT CAST(i AS TEXT) AS id FROM (\(Self.numbers("n"))) WHERE i >= 20"))
      /// How many are found, and how many are looked at.
      func found(_ condition: SearchCondition) throws -> [Int?] {
        let found = try SearchIndex.ranking(of: query, where: condition, now: 0, in: db).found
        return [found, looks.take()]
      }
      let (mine, never) = (SearchCondition.within(["diary"]), SearchCondition("0"))
      #expect(try found(.all([mine, old])) == [20, 20])
      #expect(try found(!(!old)) == [20, 20])
      #expect(try found(.any([old, .all([old, mine])])).first == 20)
      #expect(try found(!SearchCondition.any([!old, !old])) == [20, 40])
      #expect(try found(.any([old, never])) == [20, Self.count])
      #expect(try found(.all([!old, SearchCondition("entry.at < 30")])).first == 10)
    }
  }

  @Test("Without words the texts that a filter tells are looked at, and no others, as often as they are asked for")
  func withoutWords() throws {
    let (database, looks) = try Self.library()
    try database.read { db in
      let query = MatchQuery(.within(["diary"]))
      // The oldest: behind all that would be looked at first.
      let condition = SearchCondition.all([
        Self.of(0..<900, items: "min(n, 899)"),
        SearchCondition("entry.part = 0", rows: .firstParts(of: ["diary"])),
      ])
      var ranking = try SearchIndex.ranking(of: query, where: condition, now: 0, in: db)
      #expect(looks.take() == 900)
      #expect(try ranking.found == 900 && ranking.items(in: db).first == "899" && ranking.hits.first?.rank == 0)
      #expect(ranking.hits.count == SearchIndex.mostHits)
      #expect(ranking.namedCounts == ["diary": 900])
      let (elsewhere, isAll) = try SearchIndex.count(
        matching: query, collections: ["posts"], where: &ranking.filter, most: 1_000, in: db)
      #expect(elsewhere == 0 && isAll && looks.take() == 0)
      // More than are told: the newest of them, and not each text.
      let most = try SearchIndex.ranking(of: query, where: Self.of(0..<7_000, items: "n"), now: 0, in: db)
      #expect(try most.found == nil && most.items(in: db).first == "6999" && looks.take() < 4_000)
    }
  }

  @Test("Of each item the first text is told without its pages")
  func firstParts() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      for (item, pages) in [("a", 9), ("b", 0), ("c", 3)] {
        for part in 0...pages {
          try SearchIndex.put(
            SearchEntry(collection: "documents", item: item, part: part, at: 0, title: "", body: "river"), in: db)
        }
      }
      let first = SearchCondition("entry.part = 0", rows: .firstParts(of: ["documents", "diary"]))
      let ranking = try SearchIndex.ranking(of: MatchQuery(.within(["documents"])), where: first, now: 0, in: db)
      #expect(try ranking.items(in: db) == ["c", "b", "a"] && ranking.found == 3)
    }
  }
}
