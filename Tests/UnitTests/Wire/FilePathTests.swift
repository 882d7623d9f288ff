import Testing
import Wire

@Suite("Texts of paths")
struct FilePathTests {
  @Test(
    "the folder of a path is what stands before its last name",
    arguments: [
      ("", ""), ("/", "/"), ("//", "/"), ("a", ""), ("a/", ""), ("/a", "/"), ("/a/", "/"), ("a/b", "a"), ("a//b", "a"),
      ("/a/b", "/a"), ("/a/b/", "/a"), ("/a/b//", "/a"), ("//a", "/"), ("/가/나 다.pdf", "/가"),
      ("/e\u{301}/x", "/e\u{301}"),
    ])
  func parent(path: String, expected: String) {
    #expect(Array(parentFolder(of: path).utf8) == Array(expected.utf8))
  }

  @Test(
    "white space goes at both ends, and only there",
    arguments: [
      ("", ""), (" ", ""), ("a", "a"), (" a b\r\n", "a b"), ("\u{3000}가\u{A0}", "가"), ("\t\u{85}x\u{2028}", "x"),
    ])
  func trimming(text: String, expected: String) {
    #expect(text.trimmingWhitespace() == expected)
    #expect(text[...].trimmingWhitespace() == expected)
  }
}
