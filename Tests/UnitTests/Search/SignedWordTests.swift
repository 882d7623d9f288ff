import Testing

@testable import Search

@Suite("Search: words with a minus") struct SignedWordTests {
  @Test(
    "the first word with a minus gets a hint, which names the word without it",
    arguments: [
      ("-draft", "draft"), ("slow -river -sea", "river"), ("(a OR -강)", "강"), ("NOT -a", "a"), ("-tag:a", "tag:a"),
    ])
  func signed(_ text: String, _ word: String) {
    #expect(SignedWord.first(in: text) == SignedWord(word: word))
  }

  @Test(
    "a number, a hyphen within a word or alone, and quoted text get none",
    arguments: ["-5", "a-b", "slow - river", "--", "\"-draft\"", "title:\"-draft\"", "−draft", "", "NOT draft"])
  func text(_ text: String) {
    #expect(SignedWord.first(in: text) == nil)
  }
}
