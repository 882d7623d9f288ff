import Testing

@testable import Notes

@Suite("Exchange: tags, other names and files in notes of other programs") struct NoteValueTests {
  @Test(
    "tags are words after #, or Logseq's lists, and never code or parts of words",
    arguments: [
      ("#novel and #to/read", ["novel", "to/read"]), ("a#b", []), ("#12 #1a #/x # x", ["1a"]), ("`#code` #x", ["x"]),
      ("#a_b-c/d.", ["a_b-c/d"]), ("#[[to read]] #y", ["to read", "y"]),
      ("tags:: novel, [[to read]], #z,", ["novel", "to read", "z"]),
      ("- tags:: a", ["a"]), ("  tags:: a", ["a"]), ("tags: a", []), ("x\n#책", ["책"]),
      ("```\n#a\n```\n#b", ["b"]), ("~~~\n#a\n```\n#b\n~~~\n#c", ["c"]), ("", []),
      ("#[[" + String(repeating: "x", count: 201) + "]]", []),
    ])
  func tags(text: String, expected: [String]) {
    #expect(NoteTags.tags(in: text) == expected)
  }

  @Test("other names are those of the first line that has some, among the first twenty")
  func aliases() {
    #expect(NoteTags.aliases(in: "x\nalias:: Arrakis, [[Desert planet]]\nalias:: B") == ["Arrakis", "Desert planet"])
    let lines = { (count: Int) in String(repeating: "x\n", count: count) + "alias:: A" }
    #expect(NoteTags.aliases(in: lines(19)) == ["A"] && NoteTags.aliases(in: lines(20)).isEmpty)
    #expect(NoteTags.aliases(in: "aliases:: A").isEmpty)
  }

  @Test(
    "a picture or another file of the folder is one, and not another note or a picture of the web",
    arguments: [
      ("![[a.png]]", true), ("![[a.png|100]]", true), ("![](pictures/a.png)", true), ("![[Note]] ![](a.png)", true),
      ("![[Note]]", false), ("![[Note.md]]", false), ("![[Note.MD#x]]", false), ("![](https://a.example/x.png)", false),
      ("![]()", false), ("![[a.png", false), ("![x", false), ("[a](b.png)", false), ("", false),
    ])
  func files(text: String, expected: Bool) {
    #expect(NoteEmbeds.hasFiles(text) == expected)
  }
}
