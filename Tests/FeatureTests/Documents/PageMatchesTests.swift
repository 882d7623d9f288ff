import PDF
import Store
import Testing
import Wire

@testable import Documents
@testable import SearchEngine

extension PageMatches {
  init(of query: MatchQuery, on page: PageText) {
    var text = page.text
    self = text.withUTF8 { text in
      page.boxes.withUnsafeBytes { boxes in
        let bytes = PageBytes(
          text: text, placement: page.placement, boxes: boxes.bindMemory(to: UInt8.self), unit: page.unit)
        return PageMatches(of: QueryWords(of: query), on: bytes)
      }
    }
  }
}

@Suite("Documents: the places of a question on a page") struct PageMatchesTests {
  private static func page(_ text: String, placement: PageText.Placement = .characters, missing: Int = 0) -> PageText {
    var line: Int16 = 0
    let boxes = text.unicodeScalars.enumerated().map { index, scalar in
      defer { if scalar == "\n" { line += 20 } }
      let left = Int16(index * 10)
      return CharacterBox(left: left, top: line, right: scalar == "\n" ? left : left + 7, bottom: line + 13)
    }
    return PageText(
      page: 0, text: text, placement: placement, boxes: Array(boxes.dropLast(missing)), unit: 1.0 / 16)
  }

  /// The same letter by letter, over all of the page: each letter of the joined text with its place on the page.
  private static func plain(_ query: MatchQuery, _ page: PageText) -> (ranges: [Range<Int>], quads: [[Double]]) {
    let joined = WrappedLetters.joined(page.text)
    let places = PositionEncoding.utf32.ranges(TextRanges(of: query, in: joined).ranges, in: joined).prefix(32)
    let layout = PageLayout(page)
    var (letters, rest) = ([Int](), Array(joined.unicodeScalars)[...])
    for (place, scalar) in layout.scalars.enumerated() where scalar == rest.first {
      letters.append(place)
      rest.removeFirst()
    }
    let ranges = places.map { letters[$0.lowerBound]..<letters[$0.upperBound - 1] + 1 }
    return (ranges, ranges.flatMap(layout.quads))
  }

  @Test(
    "are those that a walk over all of its letters finds, whatever is left out and however the letters are written",
    arguments: [
      ("독서", "서울의 독\n서 모임, 독서\n독\n서"), ("서", "독\n서\n독\n서"), ("독서", "가\n나 독\n서"), ("독", "독\n\n독\n독"),
      ("독서", "오늘 독서\r\n독\n서\r\n"), ("독서", "독\u{20000}서 \u{20000}\n독\n서 😀독서"), ("字", "😀\u{20000}\n字\u{20001}字"),
      ("독서", "오늘 독\n서를, 독서".decomposedStringWithCanonicalMapping), ("cafe", "le cafe\u{301}\u{323}, café\nCAFE\u{301}"),
      ("river", "a\u{301} slow river\nof the river"), ("\"slow river\"", "a slow \n \n river, slow\r\nriver"),
      ("example", "an exam-\nple, example"), ("ガッコウ", "五ｶﾞ\nｯｺｳ、ガッ\nコウ"), ("a", String(repeating: "a 가\n나 ", count: 40)),
      ("없음", "독\n서"), ("독", ""), ("독", "\n"), ("½", "½ 1 2 ½"),
    ])
  func places(_ words: String, _ text: String) throws {
    let (query, page) = (try MatchQuery(userText: words), Self.page(text))
    let plain = Self.plain(query, page)
    let matches = PageMatches(of: query, on: page)
    #expect(matches.ranges == plain.ranges)
    #expect(matches.quads == plain.quads)
    // The text as the index has it, which is what is shown.
    let joined = WrappedLetters.joined(text)
    #expect(sameBytes(matches.text.text, joined))
    #expect(matches.text.ranges == TextRanges(of: query, in: joined).ranges)
  }

  @Test("Without a place of every character there are no quads")
  func unknownPlaces() throws {
    let query = try MatchQuery(userText: "독서")
    for page in [
      Self.page("오늘 독서", placement: .unknown), Self.page("오늘 독서", missing: 1), Self.page("오늘 독서", missing: 5),
    ] {
      let matches = PageMatches(of: query, on: page)
      #expect(matches.ranges == [3..<5] && matches.quads.isEmpty)
    }
  }

  @Test("Blanks are what Unicode calls so")
  func blanks() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if scalar.isBlank != scalar.properties.isWhitespace { Issue.record("U+\(String(value, radix: 16))") }
    }
  }
}
