import Foundation
import TestSupport
import Testing

@testable import SearchEngine
@testable import Store

@Suite struct ListedPageTests {
  /// The page of a document after that with the title.
  private static func page(_ number: Int, _ body: String) -> SearchEntry {
    SearchEntry(collection: "documents", item: "book", part: number, at: 0, title: "", body: body)
  }

  static let contents = """
    Contents
    1  Slow rivers . . . . . . . . . . . . . . . . 1
    1.1  The course of a slow river . . . . . . . . 3
    1.2  Banks of slow rivers  . . . . . . . . . . . 5
    2  Bridges . . . . . . . . . . . . . . . . . . . 9
    2.1  Bridges over slow rivers  . . . . . . . . . 12
    """

  static let text = """
    A slow river does not go where it likes. It is led by its banks, and by whoever built
    something there. So much was known to those who drew the first maps of this valley, and they
    left the river out of them, as one leaves out what will not be there when the map is read.
    """

  @Test("A table of contents comes behind the pages that it leads to, and is found all the same")
  func order() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(Self.page(2, Self.contents), in: db)
      for number in 3..<9 { try SearchIndex.put(Self.page(number, Self.text), in: db) }
      let other = String(repeating: "Of something else, on another page. ", count: 7)
      for number in 9..<40 { try SearchIndex.put(Self.page(number, other), in: db) }
    }
    func parts(_ text: String) throws -> [Int] {
      try library.db.read {
        try SearchIndex.candidates(matching: MatchQuery(userText: text), limit: 99, now: 0, in: $0).map(\.part)
      }
    }
    #expect(try parts("slow river") == [3, 4, 5, 6, 7, 8, 2])
    #expect(try parts("slow") == [3, 4, 5, 6, 7, 8, 2])
    #expect(try parts("bridges") == [2])
    // What is no longer one is no longer taken for one.
    try library.db.write { try SearchIndex.put(Self.page(2, "slow river, slow river"), in: $0) }
    #expect(try parts("slow river").first == 2)
    // A list in a text of one's own is meant.
    try library.db.write { try SearchIndex.put(.diary(0, body: Self.contents), in: $0) }
    let first = try library.db.read {
      try SearchIndex.candidates(matching: MatchQuery(userText: "slow river"), limit: 2, now: 0, in: $0)
    }
    #expect(first.map(\.collection) == ["documents", "diary"])
  }

  @Test("The check finds a page that is falsely taken for a list, or falsely for none, and an index made anew has none")
  func checked() throws {
    let library = try SearchLibrary()
    let data = [Self.page(2, Self.contents), Self.page(3, Self.text), .diary(0, body: Self.contents)]
    try library.db.write { db in
      for entry in data { try SearchIndex.put(entry, in: db) }
      func findings() throws -> [String] { try SearchIndex.check(db, against: supply(data)) }
      #expect(try findings() == [])
      for damage in [
        "lists = 0 WHERE part = 2", "lists = 1 WHERE part = 3", "lists = 1 WHERE collection = 'diary'",
      ] {
        try db.execute("UPDATE search_entry SET \(damage)")
        let found = try findings()
        #expect(found.count == 1 && found[0].contains("1 pages as lists"), "\(damage): \(found)")
        try SearchIndex.rebuild(in: db, from: supply(data))
        #expect(try findings() == [], "\(damage)")
      }
    }
  }

  @Test("A library from before lists were told apart takes writes at once, and its index is made anew")
  func older() throws {
    let folder = TemporaryFolder()
    func open() throws -> Store { try Store.toys(in: folder) }
    let store = try open()
    #expect(!store.needsIndexRebuild)
    let library = store.folder
    store.close()
    // One that was killed while it made an index, too.
    try OldLibraries.execute(
      """
      ALTER TABLE search_entry DROP COLUMN lists;
      CREATE TABLE search_entry_next (rowid INTEGER PRIMARY KEY);
      UPDATE search_state SET tokenizer = 4, building = 1;
      DELETE FROM grdb_migrations WHERE identifier = 'store/004';
      """, in: library)
    let again = try open()
    #expect(again.needsIndexRebuild)
    try again.pool.write { try SearchIndex.put(Self.page(2, Self.contents), in: $0) }
    let lists = try again.pool.read { try $0.integers("SELECT lists FROM search_entry") }
    #expect(lists == [1])
    try again.rebuildIndex { _ in }
    #expect(!again.needsIndexRebuild)
    #expect(try again.check(CheckOptions()) { _ in }.findings == [])
    again.close()
  }

  @Test(
    "Leaders tell a list, with the numbers of the pages behind them, below them or between, and so do numbers that rise",
    arguments: [
      ListedPageTests.contents, ListedPageTests.contents.replacing(" . ", with: "."),
      ListedPageTests.contents.replacing(" .", with: "…"),
      "차례\n제1장 느린 강 ········ 1\n제2장 강둑 ········ 12\n제3장 다리 ········ 40\n부록 ········ xii\n",
      "1.1 A . . . . . . .\n3\n1.2 B . . . . . . .\n5\n1.3 C . . . . . . .\n9\n1.4 D . . . . . . .\n12\n",
      "目次\n第一章　はじめに　・・・・・・　1\n第二章　川　・・・・・・　7\n第三章　橋　・・・・・・　19\n索引　・・・・・・　30",
      "Contents\nSlow rivers 1\nBanks 7\nBridges 19\nFords 24\nFerries 31\nIndex 40",
    ])
  func lists(_ text: String) {
    #expect(ListedPage.holds(text))
  }

  @Test(
    "What only has dots and numbers is none",
    arguments: [
      "", "\n\n", ListedPageTests.text, "...", "Wait.....\nWhat.....", "1\n2\n3\n4\n5\n6\n7\n8",
      "Alaska 733\nTexas 29145\nOhio 11799\nUtah 3271\nIowa 3190\nMaine 1362\nIdaho 1839",
      "In 1999\nthe river\nrose, and in 2003\nit rose again\nas it had in\n1987.",
      ListedPageTests.text + "\n" + (1...5).map { "Note \($0) " }.joined(separator: "\n") + "\n" + ListedPageTests.text,
      "drwxr-xr-x root/root ... ./usr/\ndrwxr-xr-x root/root ... ./usr/lib/\n-rw-r--r-- root/root ... ./a\nx ... ./b\n",
    ])
  func others(_ text: String) {
    #expect(!ListedPage.holds(text))
  }
}
