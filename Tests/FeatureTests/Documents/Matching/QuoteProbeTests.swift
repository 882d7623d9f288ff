import Testing

@testable import Documents

@Suite("Documents: what a passage is looked for by") struct QuoteProbeTests {
  @Test(
    "a passage is threes of adjacent words, and a run of letters without blanks words of four",
    arguments: [
      ("a reader kept it", ["a reader kept", "reader kept it"]), ("kept", ["kept"]), ("", []), ("—", []),
      ("one two, three four", ["one two three", "two three four"]),
      ("日本語を読む人の本を", ["日本語を読む人の本を"]), ("日本語を", ["日本語を"]), ("日本語を読", ["日本語を読"]),
      ("read 日本語を now", ["read", "日本語を", "now"]),
      ("one \(String(repeating: "x", count: 25)) two", ["one", "two"]),
    ] as [(String, [String])])
  func phrases(quote: String, phrases: [String]) {
    #expect(QuoteProbe(NormalizedText(quote)).phrases.map(\.text) == phrases)
  }

  @Test("the words of a run are four letters each, a last one that stands alone belongs to the one before")
  func runs() {
    func words(_ quote: String) -> [[String]] { QuoteProbe(NormalizedText(quote)).phrases.map(\.words) }
    #expect(words("日本語を読む人の本を") == [["日本語を", "読む人の", "本を"]])
    #expect(words("日本語を読") == [["日本語を読"]])
    #expect(QuoteProbe(NormalizedText("日本語を")).isOneWord && !QuoteProbe(NormalizedText("日本語を読む")).isOneWord)
  }

  @Test("the longest words are the rarest, a run's more than others', each once, and single letters only alone")
  func longest() {
    func words(_ quote: String) -> [String] { QuoteProbe(NormalizedText(quote)).longestWords(3) }
    #expect(words("a reader kept a reader's commonplace book") == ["commonplace", "reader", "kept"])
    #expect(words("commonplace 日本語を book") == ["日本語を", "commonplace", "book"])
  }
}
