import Contract
import Testing
import Wire

@testable import Kit

@Suite("Parts of texts that people write") struct WrittenTextTests {
  @Test(
    "the title is the first line with ink, without its line end, and the body is everything after that",
    arguments: [
      ("A\nb", "A", "b"), ("A\r\nb", "A", "b"), ("A\rb", "A", "b"), ("A", "A", ""), ("A\n", "A", ""), ("", "", ""),
      ("\n \n A \nb\n", " A ", "b\n"), (" \n\t", "", ""), ("A\n\nb", "A", "\nb"), ("A\r\r\nb", "A", "\r\nb"),
    ])
  func parts(text: String, title: String, body: String) {
    let titled = TitledText(text)
    #expect(titled.title == title && titled.body == body, "\(text.debugDescription)")
    #expect(titled.isBlank == title.isEmpty)
  }

  @Test(
    "a text that begins with a picture is named by its first words beside pictures, or by the picture's label",
    arguments: [
      ("![](a.png)\n\n# Walk\nx", "Walk"), ("![](a.png) by the river", "by the river"), ("![a map](a.png)", "a map"),
      ("![](a.png)\n![b](b.png)", ""), ("![", "!["), ("![](a", "![](a"),
    ])
  func pictures(text: String, name: String) {
    #expect(TitledText(text).nameBesidePictures == name)
  }

  @Test("a text is put together from a title and a body, and each is replaced without the other")
  func replaced() {
    #expect(TitledText(title: "A", body: "b").text == "A\nb" && TitledText(title: "A", body: nil).text == "A")
    #expect(TitledText(title: "A", body: "").text == "A\n")
    let text = TitledText(" \nA\r\nb")
    #expect(
      text.replacing(title: "C", body: nil) == " \nC\r\nb" && text.replacing(title: nil, body: "d") == " \nA\r\nd")
    #expect(text.replacing(title: nil, body: nil) == text.text)
    #expect(
      TitledText("A").replacing(title: nil, body: "b") == "A\nb"
        && TitledText("A").replacing(title: "C", body: nil) == "C")
  }

  @Test(
    "a name is the title without the signs of a heading",
    arguments: [
      ("# Rain", "Rain"), ("######  Rain", "Rain"), ("####### Rain", "####### Rain"), ("#Rain", "#Rain"), ("#", "#"),
      ("# ", "# "), ("Rain #", "Rain #"), ("#\tRain", "Rain"),
    ])
  func names(text: String, name: String) { #expect(TitledText(text).name == name) }

  @Test("lines are appended on a line of their own, with the text's own line end")
  func appended() throws {
    #expect(try TitledText("A").appending("b") == "A\nb" && TitledText("A\n").appending("b") == "A\nb")
    #expect(try TitledText("A\r\nb").appending("c") == "A\r\nb\r\nc" && TitledText("A\r").appending("b") == "A\rb")
    #expect(try TitledText("").appending("b") == "b")
    let long = String(repeating: "a", count: TitledText.maximumLength)
    try TitledText(long).requireLength(of: "body")
    #expect(throws: RPCError.self) { try TitledText(long + "a").requireLength(of: "body") }
    #expect(throws: RPCError.self) { try TitledText(long).appending("b") }
    do throws(RPCError) {
      try TitledText(long + "a").requireLength(of: "body")
    } catch {
      #expect(error.data["field"] == "body")
    }
  }

  @Test("a preview is the beginning of the body on one line")
  func previews() {
    #expect(TitledText("A\n  b\n\n c \t").preview == "b c" && TitledText("A").preview == "")
    #expect(TitledText("A\n" + String(repeating: "b", count: 300)).preview.count == 200)
    // Only so much is scanned for it.
    #expect(TitledText("A\n" + String(repeating: " ", count: 2_000) + "b").preview == "")
    #expect(TitledText("A\n" + String(repeating: " ", count: 1_999) + "b").preview == "b")
  }

  @Test("a paragraph as first line is a title by its beginning, cut between words where it can be")
  func beginnings() {
    #expect(TitledText(String(repeating: "a", count: 100)).titleBeginning == nil)
    #expect(TitledText(String(repeating: "a", count: 101)).titleBeginning == String(repeating: "a", count: 100) + "…")
    let words = String(repeating: "abcd ", count: 30)
    #expect(TitledText(words).titleBeginning == String(words.prefix(99)) + "…")
    // A blank in the first half is no place to cut.
    let early = "ab " + String(repeating: "c", count: 120)
    #expect(TitledText(early).titleBeginning == String(early.prefix(100)) + "…")
    // Characters count, not bytes.
    #expect(TitledText(String(repeating: "한", count: 100)).titleBeginning == nil)
  }

  @Test("the difference of two texts is of words, and its pieces are both texts")
  func differences() {
    let diff = TextDiff(from: "one two three", to: "one 2 three four")
    #expect(diff.unit == .words)
    #expect(diff.pieces.filter { $0.kind != .added }.map(\.text).joined() == "one two three")
    #expect(diff.pieces.filter { $0.kind != .removed }.map(\.text).joined() == "one 2 three four")
    #expect(diff.pieces.map(\.kind) == [.same, .removed, .added, .same, .added])
    #expect(TextDiff(from: "a b", to: "a b").pieces.map(\.kind) == [.same])
    #expect(TextDiff(from: "", to: "").pieces.isEmpty && TextDiff(from: "", to: "a").pieces.map(\.kind) == [.added])
    // A character that is composed differently is another.
    #expect(TextDiff(from: "\u{E9}", to: "e\u{301}").pieces.map(\.kind) == [.removed, .added])
  }

  @Test("only characters that turn the following text are taken out of a line")
  func unturned() {
    let turning: [UInt32] = Array(0x202A...0x202E) + Array(0x2066...0x2069)
    for value in turning { #expect("a\(Unicode.Scalar(value)!)b".unturned == "ab", "\(value)") }
    for text in [
      "a\u{200E}b", "a\u{200F}b", "a\u{61C}b", "a\u{2029}b", "a\u{202F}b", "a\u{2065}b", "a\u{206A}b", "한", "",
    ] {
      #expect(text.unturned.utf8.elementsEqual(text.utf8))
    }
  }

  @Test("a label of a link has no brackets and no line ends")
  func labels() {
    #expect(LabelledLink.text(to: "x", labelled: "a [b]\r\nc\u{2028}d\0") == "[[x][a (b)  c d ]]")
  }

  @Test("an editor is shown a text as it is, or with a mark for each character that it cannot hold")
  func shownLines() {
    for text in ["", "a\r\nb\n", "a\u{2028}b"] {
      #expect(ShownLines.isFaithful(text) && ShownLines.shown(text) == text)
    }
    for (text, shown) in [
      ("a\rb", "a\u{FFFD}b"), ("a\r", "a\u{FFFD}"), ("a\0b", "a\u{FFFD}b"), ("\r\r\n", "\u{FFFD}\r\n"),
    ] {
      #expect(!ShownLines.isFaithful(text) && ShownLines.shown(text).utf8.elementsEqual(shown.utf8))
    }
  }

  @Test("lines are split and counted at LF")
  func lines() {
    #expect(TextLines.split("a\r\n\nb").map(String.init) == ["a\r", "", "b"] && TextLines.split("").count == 1)
    #expect(TextLines.split("a\n").map(String.init) == ["a", ""])
    #expect(TextLines.count(in: "a\nb\n", upTo: 1) == 0 && TextLines.count(in: "a\nb\n", upTo: 2) == 1)
    #expect(TextLines.count(in: "a\nb\n", upTo: 99) == 2)
  }

  @Test("the item at a line of a text is the one whose lines have it")
  func items() {
    func item(_ id: String, _ lines: Range<Int>) -> TextItem {
      TextItem(collection: "diary", id: id, title: "", lines: lines, content: "")
    }
    let text = RenderedText(text: "", items: [item("a", 1..<2), item("b", 2..<5), item("c", 7..<8)])
    #expect((0..<9).map { text.item(atLine: $0)?.id } == [nil, "a", "b", "b", "b", nil, nil, "c", nil])
  }

  @Test("a path of a text is written and read in its forms, and names no other file")
  func paths() throws {
    let path = try #require(TextPath("diary", "entry", "a b/한"))
    #expect(path.uri == "commonplace:///text/" + path.text && TextPath(uri: path.uri) == path)
    #expect(TextPath(uri: "commonplace:/text/" + path.text) == path && TextPath(uri: "COMMONPLACE:///text/a.md") != nil)
    #expect(TextPath(parsing: path.text) == path)
    for odd in [
      "commonplace://text/a.md", "commonplace:///text/a", "commonplace:///text/a.md?x", "commonplace:///text/a.md#x",
      "file:///text/a.md", "commonplace:///texts/a.md", "commonplace:text/a.md", "",
    ] { #expect(TextPath(uri: odd) == nil, "\(odd)") }
    for odd in ["../a.md", "a//b.md", "/a.md", "..md", ".md", "a%0Ab.md", "a%2.md", "%2E%2E/a.md", "a/%2E.md"] {
      #expect(TextPath(parsing: odd) == nil, "\(odd)")
    }
    #expect(TextPath([]) == nil && TextPath(Array(repeating: "a", count: 8)) != nil)
    #expect(TextPath(Array(repeating: "a", count: 9)) == nil)
    #expect(TextPath(String(repeating: "a", count: 240)) != nil && TextPath(String(repeating: "a", count: 241)) == nil)
    // The length counts as it is written.
    #expect(TextPath(String(repeating: "한", count: 26)) != nil && TextPath(String(repeating: "한", count: 27)) == nil)
  }

  @Test("a line of Markdown is shown as its words; what only looks like markup stays")
  func linesWithoutMarkup() {
    for (line, words) in [
      ("plain", "plain"), ("**bold** and *italic* and ***both***", "bold and italic and both"),
      ("__a__ _b_ ~~c~~ ~d~", "a b c ~d~"), ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
      (#"5\.30\-ish \*not\* \\"#, #"5.30-ish *not* \"#), ("`a*b*` and ``c`d``", "a*b* and c`d"), ("a ` b", "a ` b"),
      ("`a``b*` c*", "a``b* c*"), ("``a`b*", "``a`b*"), ("``a` `b`", "``a b`"), ("*`a` 한*", "a 한"),
      ("[label](https://a.example/b_c_) ![photo](x)", "label photo"), ("[[Dune]] [x] y", "[[Dune]] [x] y"),
      ("[a [b](c) d](e)", "a b d"), ("**open and *closed*", "**open and closed"), ("****", "****"),
      ("![](x)", "![](x)"),
      ("[not closed](x", "[not closed](x"), (#"\[no\](link)"#, "[no](link)"), ("한국어**강조**입니다", "한국어강조입니다"),
    ] {
      #expect(MarkdownLabel.plain(line) == words)
    }
  }

  @Test("a tag contains itself and those below it, and no tag that only begins alike")
  func nestedTags() {
    let tag = FoldedTag("a/b")
    for (other, isIn) in [("a/b", true), ("a/b/c", true), ("a/bc", false), ("a", false), ("a/b0", false), ("", false)] {
      #expect(tag.contains(other) == isIn, "\(other)")
    }
    #expect(tag.below == ("a/b/", "a/b0") && FoldedTag("a/b/c").ancestors.map(\.text) == ["a", "a/b"])
    #expect(FoldedTag("/a").ancestors.isEmpty && FoldedTag("a").ancestors.isEmpty)
    #expect(tag.split("A/B") == ("A/B", "") && tag.split("A/B/C/d") == ("A/B", "/C/d"))
    // Projects nest by points too, as in Taskwarrior.
    let project = FoldedTag("+home")
    for (other, isIn) in [("+home.garden", true), ("+home/garden", true), ("+homes", false), ("home.garden", false)] {
      #expect(project.contains(other) == isIn, "\(other)")
    }
    #expect(project.below == ("+home.", "+home0") && !FoldedTag("home").contains("home.garden"))
    #expect(FoldedTag("+a.b/c").ancestors.map(\.text) == ["+a", "+a.b"] && FoldedTag("a.b").ancestors.isEmpty)
    #expect(project.split("+Home.Garden.x") == ("+Home", ".Garden.x") && project.split("+HOME/a") == ("+HOME", "/a"))
    // A character of which the slash is only a part: the tag in folded letters, and the rest.
    let odd = FoldedTag("a").split("a℀")
    #expect(odd.beginning + odd.rest != "" && FoldedTag("x").split("X/℀").rest == "/℀")
  }
}
