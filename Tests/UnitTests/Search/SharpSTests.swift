import Foundation
import GRDB
import TestSupport
import Testing

@testable import Store

@Suite("Search: ß and ss") struct SharpSTests {
  @Test("Both of its forms are seen wherever they stand, and nothing else is")
  func stands() {
    for text in ["ß", "Maße", "STRAẞE", "aaß", "한글 ß 책"] { #expect(SharpS.stands(in: text), "\(text)") }
    for text in ["", "ss", "Masse", "Ÿ", "Þ", "책", "ẝ", "\u{C3}"] { #expect(!SharpS.stands(in: text), "\(text)") }
  }

  /// Thirty texts, every third with ß; the later ones are newer.
  private static func library() throws -> SearchLibrary {
    try SearchLibrary(texts: (0..<30).map { $0 % 3 == 0 ? "die Maße \($0)" : "die Masse \($0)" })
  }

  private static func isThird(_ number: Int) -> Bool { number % 3 == 0 }

  @Test("A word comes first as it was typed, also where it is not known of a text whether ß stands in it")
  func order() throws {
    let library = try Self.library()
    let known = try library.queue.read { try Bool.fetchAll($0, sql: "SELECT sharpS FROM search_entry ORDER BY rowid") }
    #expect(known == (0..<30).map(Self.isThird))
    for _ in 0..<2 {
      let masses = try library.find("masse")
      #expect(masses.count == 30 && masses.suffix(10).allSatisfy(Self.isThird))
      #expect(try library.find("maße").prefix(10).allSatisfy(Self.isThird))
      #expect(try library.find("die masse").suffix(10).allSatisfy(Self.isThird))
      try library.queue.write { try $0.execute(sql: "UPDATE search_entry SET sharpS = 1") }
    }
  }

  @Test("Of texts without ß none is read to be put in order, and a sign beside ss is looked for all the same")
  func unread() throws {
    let library = try Self.library()
    // Whoever reads this one finds it without the word.
    try library.queue.write { try $0.execute(sql: "UPDATE search_body SET body = 'other' WHERE rowid = 30") }
    let first = try library.find("masse").first
    #expect(first == 29)
    try library.queue.write { try $0.execute(sql: "UPDATE search_entry SET sharpS = 1 WHERE rowid = 30") }
    #expect(try library.find("masse").first != 29)
    let signs = try SearchLibrary(texts: (0..<30).map { $0 % 3 == 0 ? "#class \($0)" : "class \($0)" })
    #expect(try signs.find("#class").prefix(10).allSatisfy(Self.isThird))
  }

  @Test("A text that gets or loses its ß says so, and one of an earlier library may have any")
  func changes() throws {
    let folder = TemporaryFolder()
    func close(_ store: Store) { store.close(deadline: Date(timeIntervalSinceNow: 5)) }
    let store = try Store.toys(in: folder)
    func known(in store: Store) throws -> [Bool] {
      try store.pool.read { try Bool.fetchAll($0, sql: "SELECT sharpS FROM search_entry ORDER BY rowid") }
    }
    try store.pool.write { db in
      for number in 0..<2 { try SearchIndex.put(.diary(number, body: "Masse"), in: db) }
    }
    #expect(try known(in: store) == [false, false])
    try store.pool.write { try SearchIndex.put(.diary(1, title: "Maße", body: "Masse"), in: $0) }
    #expect(try known(in: store) == [false, true])
    try store.pool.write { try SearchIndex.put(.diary(1, body: "Masse"), in: $0) }
    #expect(try known(in: store) == [false, false])
    let library = store.folder
    close(store)

    try OldLibraries.execute(
      """
      ALTER TABLE search_entry DROP COLUMN sharpS;
      DELETE FROM grdb_migrations WHERE identifier = 'store/009';
      """, in: library)
    let again = try Store.toys(in: folder)
    #expect(!again.needsIndexRebuild)
    #expect(try known(in: again) == [true, true])
    try again.pool.write { try SearchIndex.put(.diary(0, body: "viel Masse"), in: $0) }
    #expect(try known(in: again) == [false, true])
    close(again)
  }

  @Test("A check finds a text with ß that is taken for one without")
  func check() async throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "test") { transaction in
          try transaction.insert(ToyRecord.named("Maße"))
          return []
        } completion: { result in
          done.resume(with: result.map { _ in })
        })
    }
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    try store.pool.write { try $0.execute(sql: "UPDATE search_entry SET sharpS = 0") }
    #expect(try store.check(CheckOptions()) { _ in }.findings.map(\.key) == ["check.index"])
    #expect(try store.check(CheckOptions(rebuildIndex: true)) { _ in }.findings == [])
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }
}
