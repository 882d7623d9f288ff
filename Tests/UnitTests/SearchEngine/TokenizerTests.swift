import Foundation
import Markup
import SQLite
import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct TokenizerTests {
  @Test(
    "What is written differently but reads the same finds the same",
    arguments: [
      ("한글".decomposedStringWithCanonicalMapping, "한글"), ("한글", "한글".decomposedStringWithCanonicalMapping),
      ("café", "cafe\u{301}"), ("cafe\u{301}", "café"), ("ｶﾞｯｺｳ", "ガッコウ"), ("ガッコウ", "ｶﾞｯｺｳ"), ("ＡＢＣ１２", "abc12"),
      ("abc12", "ＡＢＣ１２"), ("Straße", "STRASSE"), ("co\u{AD}operate", "cooperate"), ("ﬁnale", "finale"),
      ("İstanbul", "istanbul"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ﻢﺤﻤﺩ", "محمد"), ("㌔", "キロ"), ("ﾡￂ", "가"), ("ㄱㅏ", "가"),
      ("カメラ", "かめら"), ("かめら", "カメラ"), ("がっこう", "ｶﾞｯｺｳ"), ("ガッコウ".decomposedStringWithCanonicalMapping, "がっこう"),
      ("ヴァイオリン", "ゔぁいおりん"), ("飛行圖書館", "飞行图书馆"), ("图书馆", "圖書館"), ("國語", "国语"), ("國語", "国語"),
      ("½", "½"), ("㌔", "㌔"), ("℀ and ¾", "℀ and ¾"),
    ])
  func folding(text: String, query: String) throws {
    #expect(try SearchLibrary("before \(text) after").find(query) == [0])
  }

  @Test("A word without diacritics finds one with them, either way, and the exact form comes first")
  func diacritics() throws {
    let library = try SearchLibrary("a café here", "a cafe here", "a café here")
    #expect(try library.find("cafe") == [1, 2, 0])
    #expect(try library.find("café") == [2, 0, 1])
    #expect(try SearchLibrary("smørrebrød").find("smorrebrod") == [0])
    #expect(try SearchLibrary("مُحَمَّد").find("محمد") == [0])
  }

  @Test(
    "An Arabic word is found with the article and without it, and as other keyboards and habits write it",
    arguments: [
      ("المكتبة", "مكتبة"), ("مكتبة", "المكتبة"), ("والنهر", "نهر"), ("والنهر", "النهر"), ("للكتاب", "كتاب"),
      ("بالكتاب", "كتاب"), ("كالكتاب", "كتاب"), ("فالكتاب", "كتاب"), ("والكتاب", "كتاب"),
      ("رسالة", "رساله"), ("على", "علي"), ("کتاب", "كتاب"), ("اَلْكِتَابُ", "كتاب"), ("ألمانيا", "المانيا"),
      ("الكتاب الجديد", "\"كتاب جديد\""),
    ])
  func arabic(text: String, query: String) throws {
    #expect(try SearchLibrary("before \(text) after").find(query) == [0])
  }

  @Test("What is written as it was asked comes first, and a word that only looks like an article keeps it")
  func arabicArticles() throws {
    let library = try SearchLibrary("هذا كتاب هنا", "هذا الكتاب هنا", "له الله")
    #expect(try library.find("كتاب") == [0, 1])
    #expect(try library.find("الكتاب") == [1, 0])
    #expect(try library.find("الله") == [2])
    #expect(try SearchLibrary("الله").find("له") == [])
    try library.db.write { try SearchIndex.put(.diary(3, title: "الأيام", body: ""), in: $0) }
    for typed in ["ا", "ال", "الأ", "الاي", "اي", "ايا"] {
      #expect(try library.find(typed, lastIsPrefix: true).contains(3), "\(typed)")
    }
    #expect(try library.problems() == [])
  }

  @Test(
    "A word that a hyphen breaks at a line end is found whole and in parts, and phrases go on behind it",
    arguments: ["the exam-\nple of it", "the exam\u{2010}  \r\n  ple of it", "the exam\u{AD}\nple of it"])
  func brokenWords(text: String) throws {
    let library = try SearchLibrary(text, "example", "the exam ple of it")
    for (query, found) in [
      ("example", [0, 1]), ("exam", [0, 2]), ("ple", [0, 2]), ("\"the example of it\"", [0]), ("exam-ple", [0, 1, 2]),
      ("\"exam-\nple of\"", [0, 2]), ("\"the ple of\"", [0]),
    ] {
      #expect(try library.find(query).sorted() == found, "\(query)")
      let ranges = TextRanges(of: try MatchQuery(userText: query), in: text).ranges
      #expect(!ranges.isEmpty, "\(query)")
    }
    func marked(_ query: String) throws -> [String] {
      TextRanges(of: try MatchQuery(userText: query), in: text).ranges
        .map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }
    let word = text.dropFirst(4).dropLast(6)
    #expect(try marked("example") == [String(word)] && marked("ple") == ["ple"])
    #expect(try marked("\"the example of\"") == ["the \(word) of"])
    #expect(try library.find("exampl", lastIsPrefix: true).sorted() == [0, 1])
    #expect(try library.problems() == [])
  }

  @Test("A compound with a hyphen is found wherever a line ends in it, and no two words grow together")
  func brokenCompounds() throws {
    let library = try SearchLibrary(
      "a self-\nmade man", "a self-made man", "state-of-\nthe-art", "Jean-\nPaul", "pages 12-\nthirteen", "-\nend")
    #expect(try library.find("self-made").sorted() == [0, 1])
    #expect(try library.find("\"self-made man\"").sorted() == [0, 1])
    #expect(try library.find("selfmade") == [0])
    #expect(try library.find("made").sorted() == [0, 1])
    #expect(try library.find("state-of-the-art") == [2])
    #expect(try library.find("Jean-Paul") == [3])
    #expect(try library.find("jeanpaul") == [])
    #expect(try library.find("12thirteen") == [])
    #expect(try library.find("end") == [5])
    #expect(try library.problems() == [])
  }

  @Test(
    "A hyphen beside a figure breaks no word: what is written without it is another word",
    arguments: [("covid-19", "covid19"), ("4-ever", "4ever"), ("12-13", "1213")])
  func hyphenatedFigures(word: String, other: String) throws {
    let library = try SearchLibrary("it is \(word) here", "it is \(other) here")
    #expect(try library.find(word) == [0] && library.find(other) == [1])
  }

  @Test(
    "What is written as it was typed comes before the same in other letters, whichever was written later",
    arguments: [
      ("紅樓夢", "红楼梦"), ("テレビ", "てれび"), ("ｶﾌｪ", "カフェ"), ("Ａpple", "apple"), ("Straße", "Strasse"), ("臺灣", "台灣"),
      ("café", "cafe"), ("slow Ａ river", "slow A river"), ("passé", "passe"), ("Waſſer", "Wasser"), ("ｃｌａｓｓ", "class"),
      ("class", "cla\u{301}ss"), ("Wasser", "𝐖asser"),
    ])
  func exactForms(one: String, other: String) throws {
    for (first, second) in [(one, other), (other, one)] {
      let library = try SearchLibrary("it is \(first) here", "it is \(second) here")
      #expect(try library.find(first) == [0, 1])
      #expect(try library.find(second) == [1, 0])
      #expect(try library.find("\"\(first)\" is here") == [0, 1])
    }
  }

  @Test(
    "Signs are no words, but texts that have them as they were typed come first",
    arguments: ["C++", "c#", "#C", "C&A"])
  func signs(word: String) throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(
        .diary(0, body: "much was written in \(word.uppercased()), and \(word) was good, a and c"), in: db)
      for number in 1...100 { try SearchIndex.put(.diary(number, title: "C", body: "c a c a c"), in: db) }
    }
    #expect(try library.find(word).first == 0)
    #expect(try library.find("c").first != 0)
    #expect(try library.find("\(word) written") == [0])
  }

  @Test("Marks that make letters are not taken for diacritics")
  func lettersWithMarks() throws {
    #expect(try SearchLibrary("мой").find("мои") == [])
    #expect(try SearchLibrary("がく").find("かく") == [])
    #expect(try SearchLibrary("कि").find("क") == [])
    #expect(try SearchLibrary("กิน").find("ก") == [])
  }

  @Test("Letters that Japan tells apart are not made one, whatever they are in simplified Chinese")
  func differentLetters() throws {
    for (text, query) in [("飛行機", "机"), ("机", "機"), ("複雑", "復"), ("皇后", "後"), ("着物", "著"), ("葉", "叶")] {
      #expect(try SearchLibrary(text).find(query) == [], "\(query)")
    }
    #expect(try SearchLibrary("個人").find("个人") == [0])
  }

  /// The rule of `scripts/han-letters`, worked out once more.
  @Test("A traditional letter is found by the simplified one that ICU gives, where Japan does not tell them apart")
  func simplifiedLetters() throws {
    let letters = (UInt32(0x4E00)...0x9FFF).compactMap(Unicode.Scalar.init).map { String($0) }
    let joined = letters.joined(separator: "\n")
      .applyingTransform(StringTransform("Traditional-Simplified"), reverse: false)
    let simplified = try #require(joined).split(separator: "\n").map { String($0) }
    try #require(simplified.count == letters.count)
    let pairs = Dictionary(uniqueKeysWithValues: zip(letters, simplified))
      .filter { $0.key != $0.value && $0.value.unicodeScalars.count == 1 && $0.value.utf16.count == 1 }
    // Level 1 of JIS X 0208.
    let codes = (UInt8(0xB0)...0xCF).flatMap { row in (UInt8(0xA1)...0xFE).flatMap { [row, $0] } }
    let everyday = Set(TextDecoding(codes, contentType: "text/plain; charset=euc-jp").text.map { String($0) })
    #expect(everyday.isSuperset(of: ["飛", "行", "机"]))
    // What is made one letter once stays.
    let groups = Dictionary(grouping: pairs.filter { pairs[$0.value] == nil }, by: \.value)
    let known = groups.filter { simplified, group in
      ([simplified] + group.map(\.key)).count { everyday.contains($0) } <= 1
    }.values.joined().sorted { $0.key < $1.key }
    let library = try SearchLibrary(texts: known.map(\.key))
    let found = try known.enumerated().count { number, pair in try library.find(pair.value).contains(number) }
    // A newer ICU has some more than the table.
    #expect(found == 2_761)
  }

  @Test("Latin glued to Korean is a word of its own, and both together are a phrase")
  func glued() throws {
    let library = try SearchLibrary("독서abc한글", "독서 한글 abc", "abc독서")
    #expect(try library.find("독서abc") == [0])
    #expect(try library.find("abc한글") == [0])
    #expect(try library.find("서abc한") == [0])
    #expect(try library.find("abc").sorted() == [0, 1, 2])
    #expect(try library.find("독서").sorted() == [0, 1, 2])
  }

  @Test("A phrase keeps the borders of words: 서 독 is not 서독")
  func borders() throws {
    let library = try SearchLibrary("서독", "서 독", "서, 독서")
    #expect(try library.find("\"서 독\"").sorted() == [1, 2])
    #expect(try library.find("서독") == [0])
    #expect(try library.find("서 독").sorted() == [0, 1, 2])
  }

  @Test("Hangul that may be spaced otherwise finds two words, behind what is written as it was asked")
  func spacings() throws {
    let library = try SearchLibrary("독서 모임에 갔다", "독서모임에 갔다", "책 독서, 모임", "독 서모임", "서독서 모임", "모임 독서")
    func find(_ text: String) throws -> [Int] {
      let term = try #require(MatchQuery.Term(text, mayBeSpaced: true))
      return try library.db.read { db in
        try SearchIndex.candidates(matching: MatchQuery(.term(term)), limit: 400, now: 0, in: db).map { Int($0.item)! }
      }
    }
    #expect(try find("독서모임").first == 1)
    #expect(try find("독서모임").sorted() == [0, 1, 2, 4])
    #expect(try find("독서모임".decomposedStringWithCanonicalMapping).sorted() == [0, 1, 2, 4])
    #expect(try find("서모임") == [3, 1])
    let all = MatchQuery(.term(try #require(MatchQuery.Term("독서모임", mayBeSpaced: true))))
    #expect(try library.db.read { try SearchIndex.count(matching: all, in: $0) } == 4)
    let marked = TextRanges(of: all, in: "독서 모임과 독서모임").ranges
    #expect(marked == [0..<13, 17..<29])
  }

  @Test("A repeated syllable is found where it overlaps itself")
  func repeated() throws {
    let library = try SearchLibrary("반복반복반", "반복", "복반복")
    #expect(try library.find("반복반") == [0])
    #expect(try library.find("복반").sorted() == [0, 2])
    #expect(try library.find("반복반복반복") == [])
  }

  @Test("The last word may go on where that is asked, and the whole word comes first")
  func prefixes() throws {
    let library = try SearchLibrary("reading clubs", "I read", "spread", "readable résumés")
    #expect(try library.find("read", lastIsPrefix: true).first == 1)
    #expect(try library.find("read", lastIsPrefix: true).sorted() == [0, 1, 3])
    #expect(try library.find("read ", lastIsPrefix: true) == [1])
    #expect(try library.find("read") == [1])
    #expect(try library.find("readable resu", lastIsPrefix: true) == [3])
  }

  @Test("One or two letters that somebody types go on wherever they are, as long as few words begin so")
  func shortPrefixes() throws {
    let library = try SearchLibrary("reading", "re: you")
    try library.db.write { try SearchIndex.put(.diary(2, title: "Über Reading", body: ""), in: $0) }
    #expect(try library.find("re", lastIsPrefix: true).sorted() == [0, 1, 2])
    #expect(try library.find("rea", lastIsPrefix: true).sorted() == [0, 2])
    #expect(try library.find("u", lastIsPrefix: true) == [2])
  }

  @Test("One or two letters go on everywhere where that is meant, the word itself and titles first")
  func shortBeginnings() throws {
    let library = try SearchLibrary("I am reading", "re: you", "more")
    try library.db.write { try SearchIndex.put(.diary(3, title: "Über Reading", body: ""), in: $0) }
    func find(_ beginning: String) throws -> [Int] {
      let term = try #require(MatchQuery.Term(beginning, isPrefix: true))
      return try library.db.read { db in
        try SearchIndex.candidates(matching: MatchQuery(.term(term)), limit: 400, now: 0, in: db).map { Int($0.item)! }
      }
    }
    #expect(try find("re").sorted() == [0, 1, 3] && find("re").last == 0)
    #expect(try find("r").sorted() == [0, 1, 3])
    #expect(try find("u") == [3])
    #expect(try find("a") == [0])
  }

  @Test("A pictograph is found, alone and between letters")
  func pictographs() throws {
    let library = try SearchLibrary("독🎂서", "👨‍👩‍👧", "no cake")
    #expect(try library.find("🎂") == [0])
    #expect(try library.find("독🎂서") == [0])
    #expect(try library.find("👩") == [1])
  }

  @Test("A letter of Thai with its marks is one letter, and every run of letters is found")
  func thai() throws {
    let library = try SearchLibrary("ฉันรักการอ่านหนังสือ")
    #expect(try library.find("อ่าน") == [0])
    #expect(try library.find("หนังสือ") == [0])
    #expect(try library.find("สืออ่าน") == [])
  }

  @Test("Words longer than a token can be are found by themselves and by their beginning")
  func longWords() throws {
    let long = String(repeating: "가나다", count: 40_000)
    let word = String(repeating: "abcdé", count: 50_000)
    let library = try SearchLibrary(long, word, "e" + String(repeating: "\u{301}", count: 100_000) + "nd")
    #expect(try library.find("다가나") == [0])
    #expect(try library.find(word) == [1])
    #expect(try library.find("abcdeabc", lastIsPrefix: true) == [1])
    #expect(try library.problems() == [])
  }

  @Test("fold keeps every character, and makes of blanks one space and none at the ends")
  func fold() throws {
    let library = try SearchLibrary()
    let folded = try library.db.read { db in
      try db.texts(
        "SELECT fold(column1) FROM (VALUES ('  Ｔhe\t\u{3000}Ends, \n'), ('독ㅅ'), ('Éx!'), (x'41ff42'), (fold('ẞ')))")
    }
    #expect(
      folded.map { Array($0.utf8) } == ["the ends,", "독\u{1109}", "éx!", "a\u{FFFD}b", "ss"].map { Array($0.utf8) })
    // Marks in either order, and a letter that has both.
    let forms = ["e\u{301}\u{323}", "e\u{323}\u{301}", "\u{1EB9}\u{301}", "é\u{323}"]
    #expect(Set(forms.map { Array(foldedText($0).utf8) }) == [Array("\u{1EB9}\u{301}".utf8)])
    #expect(Array(foldedText("  Ｔhe\t\u{3000}Ends, \n").utf8) == Array("the ends,".utf8))
    #expect(try library.db.read { try $0.text("SELECT fold(NULL)") } == nil)
  }

  @Test("The offsets that FTS5 is given are those of whole words in the original bytes")
  func offsets() throws {
    let body = "le CAFE\u{301} ｎｏｉｒ 독서".decomposedStringWithCanonicalMapping
    let library = try SearchLibrary()
    try library.db.write { try SearchIndex.put(.diary(0, title: "제목 Éa", body: body), in: $0) }
    func highlighted(_ column: Int, _ match: String) throws -> String? {
      try library.db.read { db in
        try db.text("SELECT highlight(search_text, ?, '[', ']') FROM search_text(?)", [.integer(column), .text(match)])
      }
    }
    // The first character is the mode of the column.
    #expect(try highlighted(0, "ea") == "\u{3}제목 [Éa]")
    #expect(try highlighted(1, "cafe noir") == "\u{5}le [CAFÉ] [ｎｏｉｒ] 독서")
    #expect(try highlighted(1, "독서") == "\u{5}le CAFÉ ｎｏｉｒ [독서]")
    #expect(try highlighted(1, "서") == "\u{5}le CAFÉ ｎｏｉｒ 독[서]")
  }

  private static let foldsOnce = CachedStatement("SELECT fold(fold(CAST(?1 AS TEXT))) = fold(CAST(?1 AS TEXT))")

  @Test("Random bytes are indexed, found again and folded without harm")
  func randomBytes() throws {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let library = try SearchLibrary()
    try library.db.write { db in
      for number in 0..<600 {
        // Whole characters, halves of them, lone marks and joiners, and modes of our own, in any order.
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          switch Int.random(in: 0...4, using: &random) {
          case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
          case 1: bytes += Array("\(Unicode.Scalar(UInt32.random(in: 0...0xD7FF, using: &random))!)".utf8)
          case 2: bytes += Array("\(Unicode.Scalar(UInt32.random(in: 0xE000...0x10FFFF, using: &random))!)".utf8)
          case 3: bytes += [0xCC, UInt8.random(in: 0x80...0xBF, using: &random)]
          default: bytes += Array("독서abc".utf8).prefix(Int.random(in: 1...9, using: &random))
          }
        }
        try db.run("INSERT INTO search_entry VALUES (?1, CAST(?3 AS TEXT), ?2, 0, 0, 0, 1)") {
          $0.add(number + 1)
          $0.add("\(number)")
          $0.add(bytes)
        }
        try db.run("INSERT INTO search_body VALUES (?1, CAST(?2 AS TEXT), '', CAST(?2 AS TEXT))") {
          $0.add(number + 1)
          $0.add(bytes)
        }
        let twice = try db.first(Self.foldsOnce, { $0.add(bytes) }, { $0.bool(0) })
        #expect(twice == true, "seed \(seed), text \(bytes)")
      }
      try db.execute("INSERT INTO search_text (search_text) VALUES ('rebuild')")
    }
    #expect(try library.problems() == [])
    #expect(try !library.find("독").isEmpty)
  }
}
