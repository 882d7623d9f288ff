import Foundation
import TestSupport
import Testing
import Wire

@testable import SearchEngine
@testable import Store

@Suite struct TextRangesTests {
  /// The matches as they stand in the text, byte for byte.
  private func marked(_ query: String, in text: String, lastIsPrefix: Bool = false) throws -> [String] {
    let ranges = TextRanges(of: try MatchQuery(userText: query, lastIsPrefix: lastIsPrefix), in: text).ranges
    return ranges.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
  }

  @Test("A match is marked as it stands in the original text")
  func original() throws {
    #expect(try marked("독서", in: "오늘 독서를, 독 서") == ["독서"])
    #expect(try marked("cafe", in: "Le CAFÉ, cafe\u{301}s, ｃａｆｅ") == ["CAFÉ", "ｃａｆｅ"])
    #expect(try marked("cafe", in: "Le CAFÉ, cafés", lastIsPrefix: true) == ["CAFÉ", "cafés"])
    #expect(try marked("ガッコウ", in: "ｶﾞｯｺｳへ") == ["ｶﾞｯｺｳ"])
    #expect(try marked("キ", in: "五㌔") == ["㌔"])
    #expect(try marked("かめら", in: "このカメラと、ｶﾒﾗ、かめら") == ["カメラ", "ｶﾒﾗ", "かめら"])
    #expect(try marked("がっこう", in: "カガッコウ、ｶﾞｯｺｳへ") == ["ガッコウ", "ｶﾞｯｺｳ"])
    #expect(try marked("图书馆", in: "a圖書館b图书馆") == ["圖書館", "图书馆"])
    #expect(try marked("슬퍼", in: "슬퍼ㅠㅠ") == ["슬퍼"])
    #expect(try marked("كتاب", in: "هذا الكِتاب وكتب") == ["الكِتاب"])
    #expect(try marked("الاي", in: "كتاب الأيام", lastIsPrefix: true) == ["الأيام"])
    #expect(try marked("", in: "text") == [])
    #expect(try marked("text", in: "") == [])
  }

  @Test("Decomposed Hangul and marks are marked whole, byte for byte")
  func decomposed() throws {
    let text = "오늘 독서를".decomposedStringWithCanonicalMapping
    let found = try marked("독서", in: text)
    #expect(found.map { Array($0.utf8) } == [Array("독서".decomposedStringWithCanonicalMapping.utf8)])
    let accents = try marked("cafe", in: "le cafe\u{301}\u{323}!")
    #expect(accents.map { Array($0.utf8) } == [Array("cafe\u{301}\u{323}".utf8)])
    let family = try marked("독", in: "👨‍👩‍👧독🎂")
    #expect(family == ["독"])
  }

  @Test("What stands between the words of a phrase is not passed over, nor what a hyphen divides")
  func gaps() throws {
    #expect(try marked("\"a c\"", in: "a b c, a c") == ["a c"])
    #expect(try marked("\"독 서\"", in: "독 이 서, 독 서") == ["독 서"])
    #expect(try marked("독서", in: "독이서 독서") == ["독서"])
    #expect(try marked("\"slow ri\"", in: "slow, old river; slow river", lastIsPrefix: false) == [])
    #expect(try marked("ple", in: "an exam-\nple of it") == ["ple"])
    #expect(try marked("\"exam of\"", in: "an exam-\nple of it") == ["exam-\nple of"])
    #expect(try marked("\"an of\"", in: "an exam-\nple of it") == [])
  }

  @Test("What is passed over at a glance ends where it would end otherwise, and counts")
  func passed() throws {
    // What follows a letter may make another one of it, or go on with the word.
    #expect(try marked("가", in: "가 가\u{11A8} 가\u{11A8}가") == ["가", "가"])
    #expect(try marked("나", in: "다나\u{11AB}나 라\u{11A8}나") == ["나", "나"])
    #expect(try marked("か", in: "きか\u{3099}か き\u{3099}か") == ["か", "か"])
    #expect(try marked("cd", in: "abé\u{AD}cd abcd ab\u{AD}\ncd ab-\ncd ab cd") == ["cd", "cd", "cd"])
    #expect(try marked("é", in: "be\u{301} e\u{301} =\u{338}e") == ["e\u{301}", "e"])
    #expect(try marked("\"c d\"", in: "a b c d, a b\u{301} c d, 가나 c d, 가 c 나 d") == ["c d", "c d", "c d"])
    #expect(try marked("\"독 서\"", in: "a독 서 b가독 서, 독서, 독a서, 독 a 서, 漢독 서") == ["독 서", "독 서", "독 서"])
    #expect(try marked("river", in: "ＲＩＶＥＲ rivers River, riverside ri\u{AD}ver") == ["ＲＩＶＥＲ", "River", "ri\u{AD}ver"])
    #expect(try marked("2", in: "2a 12 2 a2 ② 가2") == ["2", "②", "2"])
    // The same low bits.
    #expect(try marked("가", in: "관글꼀가") == ["가"])
  }

  @Test("Words that were made ready once are found in every text as if they were read anew")
  func ready() throws {
    let query = try MatchQuery(userText: "slow 독서 exam-ple", lastIsPrefix: true)
    let sought = QueryWords(of: query)
    for text in ["", "a slow river", "독서 slow", "독\n서", "the exam-\nples, exam-ple slow", "nothing"] {
      for isTitle in [false, true] {
        let ranges = TextRanges(of: sought, in: text, isTitle: isTitle).ranges
        #expect(ranges == TextRanges(of: query, in: text, isTitle: isTitle).ranges)
      }
    }
    let nothing = QueryWords(of: MatchQuery(.within(["diary"])))
    #expect(TextRanges(of: nothing, in: "diary").ranges == [])
  }

  @Test("Matches that overlap are one range, and those that touch are two")
  func overlapping() throws {
    #expect(try marked("반복반", in: "반복반복반 반복") == ["반복반복반"])
    #expect(try marked("독서 서점", in: "독서점") == ["독서점"])
    #expect(try marked("독 서", in: "독서") == ["독", "서"])
  }

  @Test("Ranges and the index agree on what matches")
  func agreement() throws {
    let texts = ["서독", "서 독", "서, 독서", "독서abc", "abc 독서", "abcd독서", "독.서", "독\n서"]
    let queries = ["\"서 독\"", "독서", "서독", "독서abc", "abc독", "\"독 서\"", "abc 서", "\"abc 독\""]
    let library = try SearchLibrary(texts: texts)
    for query in queries {
      let scanned = try texts.indices.filter { index in
        let matched = try MatchQuery(userText: query)
        return matched.wantedTerms.allSatisfy {
          !TextRanges(of: MatchQuery(.term($0)), in: texts[index]).ranges.isEmpty
        }
      }
      #expect(try library.find(query).sorted() == scanned, "\(query)")
    }
  }

  @Test("The same ranges in UTF-8, UTF-16 and UTF-32")
  func encodings() throws {
    let text = "é🎂독서 👩‍👧 서"
    let ranges = TextRanges(of: try MatchQuery(userText: "서 👧"), in: text).ranges
    for encoding in PositionEncoding.allCases {
      let found = encoding.ranges(ranges, in: text).map { range in
        switch encoding {
        case .utf8: String(decoding: Array(text.utf8)[range], as: UTF8.self)
        case .utf16: String(decoding: Array(text.utf16)[range], as: UTF16.self)
        case .utf32: String(String.UnicodeScalarView(Array(text.unicodeScalars)[range]))
        }
      }
      #expect(found == ["서", "👧", "서"], "\(encoding)")
    }
    #expect(PositionEncoding.utf16.ranges([0..<text.utf8.count], in: text) == [0..<text.utf16.count])
    #expect(PositionEncoding(rawValue: "utf-32") == .utf32)
  }

  @Test("A snippet shows where most is found, cut between words and never inside a character")
  func snippets() throws {
    let rest = String(repeating: "다른 이야기 👨‍👩‍👧 ", count: 30)
    let text = "독서 \(rest)오늘 독서 모임에서 독서 노트를 \(rest)"
    let snippet = Snippet(of: text, ranges: TextRanges(of: try MatchQuery(userText: "독서"), in: text).ranges, size: 120)
    #expect(snippet.text.contains("오늘 독서 모임에서 독서 노트를"))
    #expect(snippet.ranges.map { String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self) } == ["독서", "독서"])
    #expect(snippet.isCutBefore && snippet.isCutAfter)
    #expect(snippet.text.utf8.count <= 120)
    #expect(text.contains(" \(snippet.text) "))

    let short = Snippet(of: "독서", ranges: [0..<6])
    #expect(short.text == "독서" && short.ranges == [0..<6] && !short.isCutBefore && !short.isCutAfter)
    let none = Snippet(of: rest, ranges: [], size: 20)
    #expect(rest.hasPrefix(none.text) && !none.text.isEmpty && none.isCutAfter)
    let family = "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧독👨‍👩‍👧👨‍👩‍👧"
    for size in 0...family.utf8.count {
      let ranges = TextRanges(of: try MatchQuery(userText: "독"), in: family).ranges
      let cut = Snippet(of: family, ranges: ranges, size: size)
      #expect(cut.ranges.count == 1 && cut.text.allSatisfy { $0 == "독" || $0 == "👨‍👩‍👧" }, "size \(size)")
    }
  }

  @Test("Each match says which words of the question it is of, several where they overlap")
  func terms() throws {
    func terms(_ query: String, in text: String) throws -> [[Int]] {
      TextRanges(of: try MatchQuery(userText: query), in: text).terms.map { found in
        (0..<4).filter { found.contains(MatchedTerms($0)) }
      }
    }
    #expect(try terms("slow river", in: "River, slow river") == [[1], [0], [1]])
    #expect(try terms("독서 서점", in: "서점, 독서점") == [[1], [0, 1]])
    #expect(try terms("강 \"slow river\"", in: "slow river 강 slow") == [[1], [0]])
    #expect(try terms("x", in: "none") == [])
  }

  @Test(
    "A snippet shows where the words of a question stand together, closest and as they were asked, before a word many times",
    arguments: [
      // Three times the common word, and once both: whatever comes first.
      ("river book", "the river, a river, this river", "a river in a book", "the book of a river"),
      ("river book", "river river river", "river book", "river river and the old book"),
      // As close as this, it is the order.
      ("river book", "book river", "river book", "river, book"),
      // Then the most matches, and then the first.
      ("river book", "river book", "river book river", "river book"),
      ("독서 모임", "독서 독서 독서", "독서 모임", "모임에서 하는 독서"),
      // Of three words two beat one.
      ("river book lamp", "lamp lamp lamp lamp", "lamp and book", "river river"),
    ])
  func together(_ query: String, _ first: String, _ best: String, _ last: String) throws {
    let rest = String(repeating: " 다른 이야기", count: 20)
    for text in ["\(first)\(rest) \(best)\(rest) \(last)", "\(last)\(rest) \(best)\(rest) \(first)"] {
      let found = TextRanges(of: try MatchQuery(userText: query), in: text)
      let snippet = Snippet(of: text, ranges: found.ranges, terms: found.terms, size: 80)
      #expect(snippet.text.contains(" \(best) ") && !snippet.ranges.isEmpty, "\(snippet.text)")
    }
    let same = "\(best)\(rest) \(best)\(rest)"
    let found = TextRanges(of: try MatchQuery(userText: query), in: same)
    #expect(!Snippet(of: same, ranges: found.ranges, terms: found.terms, size: 80).isCutBefore)
  }

  @Test("The matches that a snippet shows are those that a look at every part of a text chooses")
  func everyPart() {
    var random = SeededGenerator(seed: 16)
    for _ in 0..<300 {
      var (ranges, terms, end): ([Range<Int>], [MatchedTerms], Int) = ([], [], 0)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let start = end + Int.random(in: 0...6, using: &random)
        end = start + Int.random(in: 1...5, using: &random)
        ranges.append(start..<end)
        // Two that may be the same.
        let (one, other) = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
        terms.append([MatchedTerms(one), MatchedTerms(other)])
      }
      let size = Int.random(in: 1...30, using: &random)
      /// What is best comes first; of a part: how many different terms, what stands between, and how many.
      func order(_ part: ClosedRange<Int>) -> (terms: Int, gap: Int, turns: Int) {
        let pairs = zip(part, part.dropFirst())
        return (
          -terms[part].reduce(MatchedTerms()) { $0.union($1) }.rawValue.nonzeroBitCount,
          pairs.reduce(0) { $0 + ranges[$1.1].lowerBound - ranges[$1.0].upperBound },
          pairs.count { terms[$1].comesBefore(terms[$0]) }
        )
      }
      let best = ranges.indices.map { first -> (order: (Int, Int, Int, Int), range: Range<Int>) in
        let last = ranges.indices.last {
          $0 == first || $0 > first && ranges[$0].upperBound - ranges[first].lowerBound <= size
        }!
        let parts = (first...last).flatMap { start in (start...last).map { order(start...$0) } }
        let part = parts.min { $0 < $1 }!
        // A single term stands as close to itself wherever it is.
        let (gap, turns) = part.terms < -1 ? (part.gap, part.turns) : (0, 0)
        return ((part.terms, gap, turns, first - last), ranges[first].lowerBound..<ranges[last].upperBound)
      }.min { $0.order < $1.order }
      #expect(SnippetMatches(ranges, of: terms, within: size).best == best?.range, "\(ranges) \(terms) \(size)")
    }
  }
}
