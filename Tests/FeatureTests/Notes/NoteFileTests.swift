import Contract
import Exchange
import Store
import TestSupport
import Testing
import Wire

@testable import Notes

@Suite("Notes as files") struct NoteFileTests {
  private static let pieces = [
    "---\n", "...\n", "\n", "\r\n", "id: x\n", "tags: [a]\n", "revision: 3\n", "# Title\n", "text", " ", "한글\n",
    "- a\n",
    "epoch: e\n", "finalNewline: no\n", "\u{FEFF}", ":", "\t- b\n",
  ]

  @Test("whatever a text is, its file gives back the same text, tags and front matter")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      func text(_ most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
          .joined()
      }
      var note = NoteRecord()
      (note.id, note.text) = ("0192", text(8) + "x" + text(4))
      note.tags = [["a"], [], ["b, c", "\"d\"", "'e'"]].randomElement(using: &random) ?? []
      let matter = NoteText.frontMatter(text(5))
      note.frontMatter = (try? check(matter)) == nil ? "" : matter
      let file = NoteFile(note, as: FileRevision(number: 42, epoch: "e"))
      let read = NoteFile(parsing: String(decoding: file.bytes, as: UTF8.self))
      #expect(read.identity?.id == "0192" && read.identity?.revision.number == 42)
      #expect(Array(read.text.utf8) == Array(note.text.utf8), "\(note.text.debugDescription)")
      #expect(note.tags.allSatisfy(read.tags.contains))
      // Its tags become those of the note, and its lines end at LF.
      if matter.contains("tags") || matter.utf8.contains(0x0D) { continue }
      #expect(Array(read.frontMatter.utf8) == Array(note.frontMatter.utf8), "\(matter.debugDescription)")
    }
  }

  private func check(_ frontMatter: String) throws {
    var note = NoteRecord()
    (note.text, note.frontMatter) = ("x", frontMatter)
    try note.check()
  }

  @Test(
    "tags are read in every form of front matter",
    arguments: [
      ("tags: novel, to read", ["novel", "to read"]), ("tags: novel sand", ["novel", "sand"]),
      ("tags:\n- novel\n- '#sand'", ["novel", "sand"]), ("tags:\n  - \"novel\"\n  -  sand", ["novel", "sand"]),
      ("tags: [novel, \"to, read\"]", ["novel", "\"to", "read\""]),
      ("tags: [\"novel\",\"to, read\"]", ["novel", "to, read"]),
      ("tags:", []), ("tag: novel", ["novel"]), ("tags: [2024, books]", ["2024", "books"]),
      ("tags: [2024, 2025]", ["2024", "2025"]),
    ])
  func tags(matter: String, tags: [String]) {
    let file = NoteFile(parsing: "---\n\(matter)\nrating: 5\n---\ntext")
    #expect(file.tags == tags && file.frontMatter == "rating: 5" && file.text == "text" && file.identity == nil)
  }

  @Test("tags in a text are words after a sign, not headings, numbers, code or parts of addresses")
  func inlineTags() {
    let text = """
      # Title
      #novel #to/read, `#code` x#no #12 #a1 #[[two words]] http://a/#part
      ```
      #fenced
      ```
      tags:: a, [[b c]], #d
      """
    #expect(NoteTags.tags(in: text) == ["novel", "to/read", "a1", "two words", "a", "b c", "d"])
    #expect(NoteTags.aliases(in: "# T\nalias:: Arrakis, [[Desert planet]]\n") == ["Arrakis", "Desert planet"])
  }

  @Test(
    "a text that shows a file says so",
    arguments: [
      ("![[a.png]]", true), ("![[a.png|100]]", true), ("![[Note]]", false), ("![[Note.md#a.b]]", false),
      ("![a](b/c.png)", true), ("![a](https://example.org/c.png)", false), ("![", false), ("![[", false),
    ])
  func embeds(text: String, hasFiles: Bool) { #expect(NoteEmbeds.hasFiles(text) == hasFiles) }

  @Test("names of files are short, sound, and each of one note")
  func names() throws {
    var names = NoteFile.Names()
    func name(_ id: String, _ text: String) throws -> String {
      var note = NoteRecord()
      (note.id, note.text) = (id, text)
      return try names.name(of: note)
    }
    #expect(try name("a", "A/B: \"c\"\n") == "A-B- -c-.md")
    #expect(try name("b", "a/b: \"C\"") == "a-b- -C--b.md")
    #expect(try name("c", "# ...\n") == "c.md" && name("d", "..hidden") == "hidden.md")
    let long = try name("e", String(repeating: "한", count: 84))
    #expect(long.utf8.count <= 255 && long.hasSuffix("한.md"))
  }
}
