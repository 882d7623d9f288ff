import Documents
import TestSupport
import Testing

@Suite("Documents: normalised text") struct NormalizedTextTests {
  private static func string(_ text: NormalizedText) -> String {
    String(String.UnicodeScalarView(text.scalars.map { Unicode.Scalar($0) ?? "?" }))
  }

  private static func source(_ text: String, _ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(Array(text.unicodeScalars)[range]))
  }

  @Test(
    "texts that read the same are the same",
    arguments: [
      ("an exam-\nple here", "an example here"), ("an exam\u{AD}\nple", "an example"), ("soft\u{AD}ly", "softly"),
      ("so \u{AD}\n far", "so far"), ("  two\t\n lines ", "two lines"), ("e\u{301}te\u{301}", "été"),
      ("\u{FB01}nd \u{FB03}x", "find ffix"), ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국"),
      ("한\n국", "한국"), ("日本\n語", "日本語"), ("\u{202B}שלום\u{202C}", "שלום"), ("a\u{A0}b\u{3000}c", "a b c"),
      ("Ｆｕｌｌ", "Full"), ("wide \u{2010}\nnot joined", "wide \u{2010} not joined"), ("1990-\n1995", "1990- 1995"),
      ("\u{200B}zero\u{200D}", "zero"), ("ÅNGSTRÖM", "A\u{30A}NGSTRO\u{308}M"),
    ])
  func same(left: String, right: String) {
    #expect(Self.string(NormalizedText(left)) == Self.string(NormalizedText(right)))
    #expect(NormalizedText(left).scalars == NormalizedText(right).scalars)
  }

  @Test("case is kept, and words that a blank parts stay two")
  func different() {
    #expect(NormalizedText("Case").scalars != NormalizedText("case").scalars)
    #expect(NormalizedText("한 국").scalars != NormalizedText("한국").scalars)
    #expect(NormalizedText("in to").scalars != NormalizedText("into").scalars)
  }

  @Test(
    "every range leads back to what it came from",
    arguments: [
      ("an exam-\nple here", "example", "exam-\nple"), ("an exam-\nple here", "exam", "exam"),
      ("an exam-\nple here", "ple", "ple"), ("so   far", "so far", "so   far"), ("so \n far", "far", "far"),
      ("the \u{FB01}nder", "nd", "nd"), ("the \u{FB01}nder", "i", "\u{FB01}"), ("e\u{301}tude", "étu", "e\u{301}tu"),
      ("a 한\n국 b", "한국", "한\n국"), ("𝒜 x", "x", "x"), ("a\u{AD}b", "ab", "a\u{AD}b"), ("\n\n x", "x", "x"),
    ])
  func origin(text: String, part: String, source: String) throws {
    let normalized = NormalizedText(text)
    let wanted = NormalizedText(part).scalars
    let place = try #require(ApproximateMatch.exact(wanted, in: normalized.scalars, most: 1).first)
    let range = normalized.sourceRange(place..<place + wanted.count)
    #expect(Self.source(text, range) == source)
  }

  @Test("an empty text, and one of nothing that is seen, have nothing and lead nowhere")
  func empty() {
    for text in ["", " \n", "\u{AD}\u{200B}", "\u{202A}\u{202C}"] {
      let normalized = NormalizedText(text)
      #expect(normalized.scalars.isEmpty)
      #expect(normalized.sourceRange(0..<0) == 0..<0)
    }
  }

  @Test("any text at all can be normalised, and its ranges stay within it")
  func any() {
    var random = SeededGenerator()
    let pieces: [Unicode.Scalar] = [
      "a", "-", "\n", " ", "\u{AD}", "e", "\u{301}", "한", "ᄒ", "ᅡ", "ᆫ", "\u{FB01}", "𝒜", "\u{202E}", "\u{FDFA}", "日",
      "\u{2010}", "ก", "\u{E33}", "\u{345}", "\u{200D}", "\t", "İ", "ß",
    ]
    for _ in 0..<300 {
      let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "a"
      }
      let text = String(String.UnicodeScalarView(scalars))
      let normalized = NormalizedText(text)
      var end = 0
      for index in normalized.scalars.indices {
        let range = normalized.sourceRange(index..<index + 1)
        #expect(range.upperBound <= scalars.count && !range.isEmpty, "\(scalars)")
        #expect(range.lowerBound >= end || normalized.sourceRange(index - 1..<index) == range, "\(scalars)")
        end = range.lowerBound
      }
    }
  }
}
