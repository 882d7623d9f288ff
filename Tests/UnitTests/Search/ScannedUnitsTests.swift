import CTokenizer
import Foundation
import Testing

/// What texts are cut into, asked of the scan itself.
@Suite("Units of a text") struct ScannedUnitsTests {
  private final class Units {
    var all: [String] = []
    var most = Int.max
  }

  /// Each as: its form, `w`, `l` or `s` for its kind, `+` where it is glued, what it is without diacritics if that is
  /// another, `(` its article, `p` for a part, `b` for broken, `@` its place, and where it stands.
  private func units(_ text: String, most: Int = .max) -> (units: [String], code: Int32) {
    let units = Units()
    units.most = most
    let context = Unmanaged.passUnretained(units).toOpaque()
    let code = cp_scan(text, text.utf8.count, context) { context, unit in
      let units = Unmanaged<Units>.fromOpaque(context!).takeUnretainedValue()
      let unit = unit!.pointee
      func string(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
      }
      let exact = string(unit.exact, unit.exact_length)
      let plain = string(unit.plain, unit.plain_length)
      let kind = unit.kind == CP_KIND_WORD ? "w" : unit.kind == CP_KIND_LETTER ? "l" : "s"
      units.all.append(
        exact + " " + kind + (unit.glued ? "+" : "") + (plain == exact ? "" : "=\(plain)")
          + (unit.article > 0 ? "(\(unit.article)" : "") + (unit.plains ? "d" : "") + (unit.part ? "p" : "")
          + (unit.broken ? "b" : "") + "@\(unit.place) \(unit.start)-\(unit.end)")
      return units.all.count >= units.most ? 7 : 0
    }
    return (units.all, code)
  }

  @Test(
    "words, letters and pictographs come in order, each with its place and its bytes",
    arguments: [
      ("", []),
      (" ,;!", []),
      ("The end2", ["the wd@0 0-3", "end2 wd@1 4-8"]),
      ("2026", ["2026 w@0 0-4"]),
      ("a_b", ["a wd@0 0-1", "b wd@1 2-3"]),
      ("독서a한", ["독 l@0 0-3", "서 l+@1 3-6", "a wd@2 6-7", "한 l@3 7-10"]),
      ("독 서", ["독 l@0 0-3", "서 l@1 4-7"]),
      ("カメ", ["か l@0 0-3", "め l+@1 3-6"]),
      ("圖", ["图 l@0 0-3"]),
      ("🎂b", ["🎂 s@0 0-4", "b wd@1 4-5"]),
      ("CAFÉ", ["café w=cafed@0 0-5"]),
      ("cafe\u{301}s", ["cafés w=cafesd@0 0-7"]),
      ("Ærø", ["ærø w=aerod@0 0-5"]),
      ("œuvre", ["œuvre w=oeuvred@0 0-6"]),
      ("Łódź", ["łódź w=lodzd@0 0-7"]),
      ("đħı", ["đħı w=dhid@0 0-6"]),
      ("straße", ["strasse wd@0 0-7"]),
      ("мой", ["мой w@0 0-6"]),
      ("الكتاب", ["الكتاب w=كتاب(4d@0 0-12"]),
      ("كِتاب", ["كِتاب w=كتابd@0 0-10"]),
      ("ــ", ["ــ wd@0 0-4"]),
      ("مدرسة", ["مدرسة w=مدرسهd@0 0-10"]),
      ("على", ["على w=عليd@0 0-6"]),
      ("کی", ["کی w=كيd@0 0-4"]),
      ("ٱ", ["ٱ w=اd@0 0-2"]),
      ("e\u{301}\u{323}", ["\u{1EB9}\u{301} w=ed@0 0-5"]),
      ("\u{301}a", ["a wd@0 2-3"]),
      ("\u{FF21}\u{FF22}", ["ab wd@0 0-6"]),
      ("\u{AD}a\u{AD}b", ["ab wd@0 2-6"]),
      (
        "the exam-\nple of",
        ["the wd@0 0-3", "example wdb@1 4-13", "exam wdp@1 4-8", "ple wdp@1 10-13", "of wd@2 14-16"]
      ),
      ("exam-ple", ["exam wd@0 0-4", "ple wd@1 5-8"]),
      ("exam-\nPle", ["exam wd@0 0-4", "ple wd@1 6-9"]),
      ("exam- ple", ["exam wd@0 0-4", "ple wd@1 6-9"]),
      ("2-\nple", ["2 w@0 0-1", "ple wd@1 3-6"]),
      ("exam\u{AD}\nple", ["example wdb@0 0-10", "exam wdp@0 0-6", "ple wdp@0 7-10"]),
      ("exam\u{2010}\r\n ple", ["example wdb@0 0-13", "exam wdp@0 0-4", "ple wdp@0 10-13"]),
      (
        "a-\nb-\nc-\nd-\ne-\nf",
        [
          "abcde wdb@0 0-13", "a wdp@0 0-1", "b wdp@0 3-4", "c wdp@0 6-7", "d wdp@0 9-10", "e wdp@0 12-13",
          "f wd@1 15-16",
        ]
      ),
    ] as [(String, [String])])
  func table(text: String, expected: [String]) {
    let (units, code) = units(text)
    #expect(units == expected && code == 0)
  }

  @Test("a word longer than is kept is cut behind a whole letter, and stays one word")
  func long() {
    for (letter, count) in [("a", 128), ("é", 64), ("я", 64), ("\u{1D538}", 128)] {
      for more in [0, 1, 50] {
        let text = String(repeating: letter, count: count + more)
        let found = units(text).units
        let kept = String(repeating: letter == "\u{1D538}" ? "a" : letter, count: count)
        #expect(found.count == 1 && found[0].hasPrefix(kept + " ") && found[0].hasSuffix("@0 0-\(text.utf8.count)"))
      }
    }
    // Two bytes do not fit behind 127.
    #expect(
      units(String(repeating: "a", count: 127) + "éb").units[0].hasPrefix(String(repeating: "a", count: 127) + " w"))
  }

  @Test("a scan ends where it is told to, with what it was told")
  func ended() {
    for text in ["one two three", "독서한글", "é ü ö", "the exam-\nple of", "a🎂b"] {
      let all = units(text).units
      for most in 1...all.count {
        let (some, code) = units(text, most: most)
        #expect(some == Array(all.prefix(most)) && code == 7, "\(text)")
      }
    }
  }

  @Test("the first place of a part is found as by a search byte for byte, however often its edges stand before")
  func finding() {
    var state: UInt32 = 3
    func random(_ bound: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % bound
    }
    func naive(_ text: [UInt8], _ part: [UInt8]) -> Int {
      guard !part.isEmpty, text.count >= part.count else { return -1 }
      return (0...text.count - part.count).first { text[$0..<$0 + part.count].elementsEqual(part) } ?? -1
    }
    for round in 0..<1_500 {
      let letters = round % 3 == 0 ? 1 : 3
      let text = (0..<random(round % 10 == 0 ? 200 : 60)).map { _ in UInt8(97 + random(letters)) }
      let part = (0..<random(8)).map { _ in UInt8(97 + random(letters + round % 2)) }
      #expect(cp_find(text, text.count, part, part.count) == naive(text, part), "\(text) \(part)")
    }
    // The worst of texts: an edge everywhere.
    let text = [UInt8](repeating: 97, count: 100_000)
    let part = [97] + [UInt8](repeating: 97, count: 40) + [98, 97] as [UInt8]
    #expect(cp_find(text, text.count, part, part.count) == -1)
    #expect(cp_find(text + part, text.count + part.count, part, part.count) == text.count)
  }

  private func compared(
    _ text: String, keepsCase: Bool = false, keepsLines: Bool = false, isMapped: Bool = false
  ) -> (text: String, joins: [Int], ranges: [String]?) {
    var result = cp_comparable()
    defer { cp_compare_free(&result) }
    let how = cp_comparing(keeps_case: keepsCase, keeps_lines: keepsLines, is_mapped: isMapped)
    #expect(cp_compare(text, text.utf8.count, how, &result))
    let bytes = UnsafeBufferPointer(start: result.bytes, count: result.length)
    let joins = (0..<result.join_count).map { Int(result.joins[$0]) }
    #expect((result.starts != nil) == isMapped && (result.ends != nil) == isMapped)
    let ranges = isMapped ? (0..<result.length).map { "\(result.starts[$0])-\(result.ends[$0])" } : nil
    return (String(decoding: bytes, as: UTF8.self), joins, ranges)
  }

  @Test(
    "texts whose lines end elsewhere compare as one",
    arguments: [
      ("The  End", "the end", []), ("a\tb\u{3000}c", "a b c", []), (" a ", " a ", []), ("", "", []),
      ("exam-\nple", "example", [4]), ("exam\u{2010} \n ple", "example", [4]), ("exam\u{AD}\nple", "example", [4]),
      ("exam-ple", "exam-ple", []), ("exam- ple", "exam- ple", []), ("1-\n2", "1- 2", []), ("a-\n2", "a- 2", []),
      ("-\na", "- a", []), ("a -\nb", "a - b", []), ("exam-\n", "exam- ", []), ("독\n서", "독서", [3]), ("독 서", "독 서", []),
      ("독\na", "독 a", []), ("a\n독", "a 독", []), ("exam-\n예", "exam예", [4]), ("é-\né", "éé", [2]),
      ("a\u{AD}\n2", "a 2", []),
      ("a-\nb-\nc", "abc", [1, 2]), ("\n독", " 독", []),
    ] as [(String, String, [Int])])
  func comparing(text: String, expected: String, joins: [Int]) {
    let found = compared(text)
    #expect(found.text == expected && found.joins == joins)
  }

  @Test("case and line ends are kept where that is asked, and each byte knows the characters that it came from")
  func keeping() {
    #expect(compared("Ab\nC  d", keepsCase: true).text == "Ab C d")
    #expect(compared("Ab\nC \n d e", keepsLines: true).text == "ab\nc\nd e")
    #expect(compared("É\nB", keepsCase: true, keepsLines: true).text == "É\nB")
    #expect(compared("exam-\nple", keepsLines: true).text == "example")
    let mapped = compared("aé \n ﬁ-\nb", isMapped: true)
    #expect(mapped.text == "aé fib" && mapped.joins == [6])
    #expect(mapped.ranges == ["0-1", "1-2", "1-2", "2-5", "5-6", "5-6", "8-9"])
    let joins = compared(String(repeating: "독\n", count: 100) + "서")
    #expect(joins.joins == (1...100).map { 3 * $0 })
  }

  @Test("every letter that folds to letters of ASCII, alone or with marks, may stand for them")
  func latin() {
    func mayStand(_ text: String) -> Bool { cp_may_stand_for_latin(text, text.utf8.count) }
    for value in (0x80...0x1FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let folded = foldedText(String(scalar)).decomposedStringWithCanonicalMapping
      guard folded.unicodeScalars.contains(where: { ("a"..."z").contains($0) }) else { continue }
      #expect(
        mayStand("\(scalar)") && mayStand("12345678\(scalar)") && mayStand("한글\(scalar)"),
        "U+\(String(value, radix: 16))")
    }
    for text in ["", "plain text of letters", "한국어와 漢字、かな", "“quoted” – …", "мой", "αβγ", "1234567\u{80}"] {
      #expect(!mayStand(text), "\(text)")
    }
    // Cut in the middle of a letter.
    let bytes = Array("abcé".utf8).dropLast().map { CChar(bitPattern: $0) }
    #expect(!cp_may_stand_for_latin(bytes, bytes.count))
  }

  private func foldedText(_ text: String) -> String {
    var count = 0
    guard let folded = cp_fold(text, text.utf8.count, &count) else { return "" }
    defer { cp_free(folded) }
    return String(decoding: UnsafeRawBufferPointer(start: folded, count: count), as: UTF8.self)
  }

  @Test("a text that grows when it is folded has room, whatever it is made of")
  func growing() {
    for (letter, folded) in [("ﷺ", "صلى الله عليه وسلم"), ("ß", "ss"), ("㍿", "株式会社"), ("a b\u{3000}", "a b ")] {
      for count in [1, 10, 300] {
        let expected = String(repeating: folded, count: count)
        #expect(
          foldedText(String(repeating: letter, count: count))
            == (expected.hasSuffix(" ") ? String(expected.dropLast()) : expected))
      }
    }
  }
}
