import Exchange
import Testing

@Suite("The names of stored files") struct FileNameTests {
  private static let hash = String(repeating: "0123456789abcdef", count: 4)

  @Test(
    "a name has no line ends, controls and separators of paths, and the beginning of the hash stands in for none",
    arguments: [
      ("a b.png", "a b.png"), ("a/b\\c.png", "abc.png"), ("a\nb\u{2028}c\u{7}", "abc"), ("그림.png", "그림.png"),
      ("", "0123456789ab"), (" /\n", "0123456789ab"),
    ])
  func characters(given: String, name: String) {
    #expect(FileRecord.name(given, of: Self.hash) == name)
  }

  @Test("a name is cut after as many characters as a given one may have", arguments: ["a", "강", "😀"])
  func length(letter: String) {
    let longest = String(repeating: letter, count: FileRecord.longestName)
    #expect(FileRecord.name(longest, of: Self.hash) == longest)
    #expect(FileRecord.name(longest + letter, of: Self.hash) == longest)
  }
}
