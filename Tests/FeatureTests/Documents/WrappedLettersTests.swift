import Testing

@testable import Features

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
    #expect(Array(DocumentSearch.joiningWrappedLetters(text).utf8) == Array(joined.utf8))
  }
}
