import PDF
import Store
import Testing

@testable import Documents
@testable import SearchEngine

@Suite("Documents: words that a line end divides") struct WrappedLettersTests {
  @Test(
    "a line end between two letters of a script without blanks goes, all others stay",
    arguments: [
      ("", ""), ("\n", "\n"), ("a\nb", "a\nb"), ("plain text\nof two lines\n", "plain text\nof two lines\n"),
      ("문\n서", "문서"), ("문\n서\n를\n", "문서를\n"), ("\n문", "\n문"), ("문\n\n서", "문\n\n서"),
      ("문 \n서", "문 \n서"), ("문\nword", "문\nword"), ("word\n문", "word\n문"), ("漢\nか", "漢か"),
      ("カ\n\u{20000}", "カ\u{20000}"), ("\u{20000}\n字", "\u{20000}字"), ("\u{1100}\n\u{1161}", "\u{1100}\u{1161}"),
      ("”\n“", "”\n“"), ("文。\n文", "文。\n文"), ("é\né", "é\né"), ("😀\n文", "😀\n文"), ("文\n😀", "文\n😀"),
      ("가\n나 다\n라 end", "가나 다라 end"),
    ])
  func joined(text: String, joined: String) {
    #expect(Array(WrappedLetters.joined(text).utf8) == Array(joined.utf8))
  }

  @Test(
    "what a question finds across such a line end is brought back to the page, with a quad on each line",
    arguments: [
      ("독서", "서울의 독\n서 모임", [4..<7], 2), ("모임", "서울의 독\n서 모임", [8..<10], 1), ("한독", "한독\n서", [0..<2], 1),
      ("서", "한독\n서", [3..<4], 1), ("slow river", "a slow\nriver", [2..<12], 2), ("독서", "독서\n독\n서", [0..<2, 3..<6], 3),
      ("독", "", [], 0), ("서", "독\n서\n", [2..<3], 1),
    ])
  func places(_ word: String, _ text: String, _ expected: [Range<Int>], _ quads: Int) throws {
    let boxes = text.unicodeScalars.enumerated().map { index, scalar in
      let left = Int16(index * 10)
      return CharacterBox(left: left, top: 0, right: scalar == "\n" ? left : left + 10, bottom: 10)
    }
    let page = PageText(page: 0, text: text, placement: .characters, boxes: boxes, unit: 1)
    let matches = PageMatches(of: try MatchQuery(userText: word.contains(" ") ? "\"\(word)\"" : word), on: page)
    #expect(matches.ranges == expected)
    #expect(matches.quads.count == quads)
  }
}
