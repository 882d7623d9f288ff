import Foundation
import SearchEngine
import Store
import TestSupport
import Testing

/// A letter inside a run has no token of its own: it is found as the first of a pair, or the last of its run.
@Suite struct LetterTests {
  /// Letters, and one word, blank or pictograph between them.
  private static func pieces(_ random: inout SeededGenerator) -> [String] {
    let alphabet = "독서책을가느린강ほんをよむ读天气我𠮷".map(String.init)
    var pieces: [String] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      for _ in 0..<[1, 1, 2, 3].randomElement(using: &random)! {
        pieces.append(alphabet.randomElement(using: &random)!)
      }
      pieces += [[" "], ["abc"], [" ", "abc"], ["abc", " "], [" ", "abc", " "], ["🎂"], [" "]]
        .randomElement(using: &random)!
    }
    return pieces
  }

  private struct Parts {
    let title: [String], body: [String], tags: [String]
    /// The texts as they are looked through, which is done a million times.
    private let plain: [ContiguousArray<CChar>]

    init(_ random: inout SeededGenerator) {
      title = LetterTests.pieces(&random)
      body = LetterTests.pieces(&random)
      tags = LetterTests.pieces(&random)
      plain = [title, body, tags].map { LetterTests.plain($0.joined()) }
    }

    func has(_ part: SearchPart, _ wanted: ContiguousArray<CChar>) -> Bool {
      let text =
        switch part {
        case .title: plain[0]
        case .body: plain[1]
        case .tags: plain[2]
        }
      return text.withUnsafeBufferPointer { text in
        wanted.withUnsafeBufferPointer { strstr(text.baseAddress!, $0.baseAddress!) != nil }
      }
    }

    func text(_ part: SearchPart) -> String {
      switch part {
      case .title: title.joined()
      case .body: body.joined()
      case .tags: tags.joined()
      }
    }

    func entry(_ number: Int) -> SearchEntry {
      let isDecomposed = number.isMultiple(of: 2)
      func written(_ part: SearchPart) -> String {
        isDecomposed ? text(part).decomposedStringWithCanonicalMapping : text(part)
      }
      return SearchEntry(
        collection: "diary", item: String(number), at: 0, title: written(.title), body: written(.body),
        tags: written(.tags))
    }
  }

  @Test("Every letter, and every phrase that begins or ends with one, is found just where a plain scan finds it")
  func letters() throws {
    let seed: UInt64 = 20_261_123
    var random = SeededGenerator(seed: seed)
    var texts = (0..<200).map { _ in Parts(&random) }
    let library = try SearchLibrary()
    try library.db.write { db in
      for (number, parts) in texts.enumerated() { try SearchIndex.put(parts.entry(number), in: db) }
    }
    for round in 0..<2 {
      for sample in 0..<400 {
        let parts = texts.randomElement(using: &random)!
        let pieces = [parts.title, parts.body, parts.tags].randomElement(using: &random)!
        let start = Int.random(in: 0..<pieces.count, using: &random)
        let length = Int.random(in: 1...4, using: &random)
        let wanted = pieces[start..<min(pieces.count, start + length)].joined()
          .trimmingCharacters(in: .whitespaces)
        if wanted.isEmpty { continue }
        let asked = sample.isMultiple(of: 3) ? wanted.decomposedStringWithCanonicalMapping : wanted
        let plain = Self.plain(wanted)
        func expect(_ found: Set<String>, _ condition: (Parts) -> Bool, _ place: String) {
          let expected = Set(texts.indices.filter { condition(texts[$0]) }.map(String.init))
          #expect(found == expected, "seed \(seed), round \(round), sample \(sample), \(wanted) in \(place)")
        }
        for part in [SearchPart.title, .body, .tags] {
          expect(try Self.items(asked, part, in: library), { $0.has(part, plain) }, part.rawValue)
        }
        expect(
          try Self.items(asked, in: library),
          { $0.has(.title, plain) || $0.has(.body, plain) || $0.has(.tags, plain) }, "any part")
        expect(try Self.items(asked, inTitle: true, in: library), { $0.has(.title, plain) }, "titles")
      }
      // Once more with half of the texts changed, which takes all of the old ones out of the index.
      for number in stride(from: 0, to: texts.count, by: 2) { texts[number] = Parts(&random) }
      try library.db.write { db in
        for (number, parts) in texts.enumerated() { try SearchIndex.put(parts.entry(number), in: db) }
      }
      #expect(try library.problems() == [])
    }
    try library.db.write { db in
      for number in texts.indices { try SearchIndex.remove(collection: "diary", item: String(number), in: db) }
      try db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search_text, instance)")
      #expect(try db.integer("SELECT count(*) FROM temp.vocabulary") == 0)
    }
    #expect(try library.problems() == [])
  }

  /// A blank says nothing where a word begins or ends that is written in other letters.
  private static func plain(_ text: String) -> ContiguousArray<CChar> {
    text.replacingOccurrences(of: " abc", with: "abc").replacingOccurrences(of: "abc ", with: "abc").utf8CString
  }

  private static func items(
    _ text: String, _ part: SearchPart? = nil, inTitle: Bool = false, in library: SearchLibrary
  ) throws -> Set<String> {
    let query = MatchQuery(.term(try #require(MatchQuery.Term(text, inTitle: inTitle))))
    return try library.db.read { db in
      let rows = try #require(try MatchingRows(query, in: ["diary"], part: part, db: db))
      var items: Set<String> = []
      try db.each("SELECT item FROM search_entry WHERE rowid IN (\(rows.sql))", rows.values) { row in
        items.insert(row.text(0))
      }
      return items
    }
  }

  @Test("One letter that begins a word comes before the same inside of one, and a title of no more than it first")
  func rank() throws {
    let library = try SearchLibrary("빈책 여기", "책상 여기", "다른 글")
    try library.db.write { db in
      try SearchIndex.put(.diary(3, title: "책장", body: ""), in: db)
      try SearchIndex.put(.diary(4, title: "책", body: ""), in: db)
    }
    #expect(try library.find("책") == [4, 3, 1, 0])
    #expect(try library.find("책 여기") == [1, 0])
  }

  @Test("A letter with marks is another one than the letter alone, wherever in a run it stands")
  func marks() throws {
    let library = try SearchLibrary("กิน", "กน", "นกิ", "นก", "กิ่น")
    #expect(try library.find("ก").sorted() == [1, 3])
    #expect(try library.find("กิ").sorted() == [0, 2])
    #expect(try library.find("กิ่") == [4])
    #expect(try library.find("กิน") == [0])
    #expect(try library.problems() == [])
  }

  @Test("What of a title has a token of its own is one letter, and what texts have is a pair")
  func tokens() throws {
    let library = try SearchLibrary()
    try library.db.write { try SearchIndex.put(.diary(0, title: "책장", body: "책장 빈"), in: $0) }
    func terms(_ column: String) throws -> Set<String> {
      try library.db.write { db in
        try db.execute(
          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, search_text, instance)")
        return Set(
          try db.texts("SELECT term FROM temp.vocabulary WHERE col = ?", [.text(column)]))
      }
    }
    #expect(try terms("body") == ["\u{2}책장", "장", "\u{2}빈"])
    let typed = try terms("title").filter { $0.hasPrefix("\u{5}") }
    #expect(
      try terms("title").subtracting(typed) == ["\u{2}책장", "\u{3}\u{2}책장", "\u{3}\u{2}책", "장", "\u{3}장"])
  }
}
