import Foundation
import TestSupport
import Testing

@testable import SearchEngine
@testable import Store

@Suite("Search: letters that stand for letters of ASCII") struct FoldedCharactersTests {
  @Test("All that Unicode takes apart into such letters, or writes in capitals with them, is known as such")
  func standIns() {
    for value in UInt32(0x80)...0x1FFFF {
      // Han and Hangul are made of none.
      if (0x3400...0x9FFF).contains(value) || (0xAC00...0xD7FF).contains(value) { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let letter = String(scalar)
      let parts = letter.decomposedStringWithCompatibilityMapping + scalar.properties.uppercaseMapping
      guard parts.unicodeScalars.contains(where: { $0.isASCII && $0.properties.isAlphabetic }) else { continue }
      if !FoldedCharacters.mayStand(in: letter) { Issue.record("U+\(String(value, radix: 16)) \(letter)") }
    }
  }

  @Test("Hangul, Han, kana, other alphabets and the usual signs are none, in texts of any length")
  func others() {
    var letters: [ClosedRange<UInt32>] = [
      0...0x7F, 0x3041...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x20100,
    ]
    letters += [0x1100...0x11FF, 0x391...0x3C9, 0x410...0x44F, 0x621...0x64A, 0x2010...0x203A, 0x1F600...0x1F64F]
    let all = letters.joined().compactMap(Unicode.Scalar.init).map { String($0) }
    #expect(!FoldedCharacters.mayStand(in: all.joined()))
    for letter in all where FoldedCharacters.mayStand(in: letter) { Issue.record("\(letter)") }
    for start in 0..<20 {
      let text = String(repeating: "a", count: start) + "책"
      #expect(FoldedCharacters.mayStand(in: text + "ſ") && FoldedCharacters.mayStand(in: "ß" + text))
      #expect(FoldedCharacters.mayStand(in: text + "e\u{301}") && !FoldedCharacters.mayStand(in: text + text))
    }
    #expect(!FoldedCharacters.mayStand(in: ""))
  }

  @Test(
    "letters with a stroke, and joined ones, are found by what is typed without them",
    arguments: [
      ("encyclopædia", "encyclopaedia"), ("œuvre", "oeuvre"), ("smørrebrød", "smorrebrod"), ("đường", "duong"),
      ("ħobż", "hobz"), ("ısı", "isi"), ("Łódź", "lodz"), ("مدرسة", "مدرسه"), ("على", "علي"), ("کتاب", "كتاب"),
      ("ٱلكتاب", "الكتاب"), ("كتـــاب", "كتاب"),
    ])
  func typedWithout(written: String, typed: String) throws {
    #expect(try SearchLibrary(written).find(typed) == [0] && SearchLibrary(typed).find(written) == [0])
  }

  /// Thirty texts, every third with ß; the later ones are newer.
  private static func library() throws -> SearchLibrary {
    try SearchLibrary(texts: (0..<30).map { $0 % 3 == 0 ? "die Maße \($0)" : "die Masse \($0)" })
  }

  private static func isThird(_ number: Int) -> Bool { number % 3 == 0 }

  @Test("A word comes first as it was typed, also where it is not known of a text which letters it has")
  func order() throws {
    let library = try Self.library()
    let known = try library.db.read { try $0.integers("SELECT folds FROM search_entry ORDER BY rowid").map { $0 != 0 } }
    #expect(known == (0..<30).map(Self.isThird))
    for _ in 0..<2 {
      let masses = try library.find("masse")
      #expect(masses.count == 30 && masses.suffix(10).allSatisfy(Self.isThird))
      #expect(try library.find("maße").prefix(10).allSatisfy(Self.isThird))
      #expect(try library.find("die masse").suffix(10).allSatisfy(Self.isThird))
      try library.db.write { try $0.execute("UPDATE search_entry SET folds = 1") }
    }
  }

  @Test("Of texts of ASCII letters none is read to be put in order, and a sign beside ss is looked for all the same")
  func unread() throws {
    let library = try Self.library()
    // Whoever reads this one finds it without the word.
    try library.db.write { try $0.execute("UPDATE search_body SET body = 'other' WHERE rowid = 30") }
    let first = try library.find("masse").first
    #expect(first == 29)
    try library.db.write { try $0.execute("UPDATE search_entry SET folds = 1 WHERE rowid = 30") }
    #expect(try library.find("masse").first != 29)
    let signs = try SearchLibrary(texts: (0..<30).map { $0 % 3 == 0 ? "#class \($0)" : "class \($0)" })
    #expect(try signs.find("#class").prefix(10).allSatisfy(Self.isThird))
  }

  @Test(
    "Other letters for those of a word with ss come behind, however often they stand there",
    arguments: [("passe", "passé"), ("Wasser", "Waſſer"), ("class", "ｃｌａｓｓ")])
  func often(typed: String, other: String) throws {
    let library = try SearchLibrary("it is \(typed) here", "it is \(other) \(other) \(other) here")
    let plain = try library.find(typed)
    // As where every text is read.
    try library.db.write { try $0.execute("UPDATE search_entry SET folds = 1") }
    #expect(try library.find(typed) == plain)
  }

  @Test("A text that gets or loses such a letter says so, and one of an earlier library may have any")
  func changes() throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    func known(in store: Store) throws -> [Bool] {
      try store.pool.read { try $0.integers("SELECT folds FROM search_entry ORDER BY rowid").map { $0 != 0 } }
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
    store.close()

    // That the index is to be made anew stays known, and a rebuild that was begun is begun anew.
    for (building, later) in [(0, 0), (1, 0), (2, 2), (3, 2)] {
      try OldLibraries.execute(
        """
        ALTER TABLE search_entry DROP COLUMN folds;
        UPDATE search_state SET building = \(building);
        DELETE FROM grdb_migrations WHERE identifier = 'store/009';
        """, in: library)
      let older = try Store.toys(in: folder)
      #expect(older.needsIndexRebuild == (later > 0))
      #expect(try older.pool.read { try $0.first("SELECT building FROM search_state") { $0.int(0) } } == later)
      #expect(try known(in: older) == [true, true])
      older.close()
    }
    let again = try Store.toys(in: folder)
    try again.pool.write { try SearchIndex.put(.diary(0, body: "viel Masse"), in: $0) }
    #expect(try known(in: again) == [false, true])
    again.close()
  }

  @Test("A check finds a text with such a letter that is taken for one without")
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
    try store.pool.write { try $0.execute("UPDATE search_entry SET folds = 0") }
    #expect(try store.check(CheckOptions()) { _ in }.findings.map(\.key) == ["check.index"])
    #expect(try store.check(CheckOptions(rebuildIndex: true)) { _ in }.findings == [])
    store.close()
  }
}
