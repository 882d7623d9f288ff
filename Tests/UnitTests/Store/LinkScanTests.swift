import Foundation
import Testing

@testable import Store

@Suite("Links in texts") struct LinkScanTests {
  /// Each link as it stands in the text, and what it leads to.
  private func links(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return LinkScan.links(in: text).map { link in
      let written = String(decoding: bytes[link.range], as: UTF8.self)
      switch link.target {
      case .title(let title): return "\(written) → \(title)"
      case .stable(let link): return "\(written) → \(link.text)"
      }
    }
  }

  @Test(
    "titles in brackets and stable links are found wherever they stand",
    arguments: [
      ("See [[Dune]].", ["[[Dune]] → Dune"]),
      ("[[ Dune ]]", ["[[ Dune ]] → Dune"]),
      ("[[듄]]을 읽었다", ["[[듄]] → 듄"]),
      ("[[Dune|the book]] and ![[A picture]]", ["[[Dune|the book]] → Dune", "[[A picture]] → A picture"]),
      ("[[Dune][the book]]", ["[[Dune][the book]] → Dune"]),
      ("[[C# in depth]] [[Dune#Two]]", ["[[C# in depth]] → C# in depth", "[[Dune#Two]] → Dune#Two"]),
      (
        "[[Commonplace: a history]] [[id: x]]",
        [
          "[[Commonplace: a history]] → Commonplace: a history", "[[id: x]] → id: x",
        ]
      ),
      ("[[a \\| b|shown]]", ["[[a \\| b|shown]] → a | b"]),
      ("[[Notes [1]]]", ["[[Notes [1]]] → Notes [1]"]),
      ("[[[Dune]]]", ["[[Dune]] → Dune"]),
      ("[[a [[Dune]]", ["[[Dune]] → Dune"]),
      ("commonplace:/diary/0192", ["commonplace:/diary/0192 → commonplace:/diary/0192"]),
      ("commonplace:/diary/AZaz09-_.x", ["commonplace:/diary/AZaz09-_.x → commonplace:/diary/AZaz09-_.x"]),
      (
        "(Commonplace:/documents/a#page=3).",
        ["Commonplace:/documents/a#page=3 → commonplace:/documents/a#page=3"]
      ),
      (
        "<commonplace:///documents/a#highlight=b>",
        ["commonplace:///documents/a#highlight=b → commonplace:/documents/a#highlight=b"]
      ),
      ("[the note](commonplace:/diary/a \"t\")", ["commonplace:/diary/a → commonplace:/diary/a"]),
      ("commonplace:/diary/a에서", ["commonplace:/diary/a → commonplace:/diary/a"]),
      (
        "_commonplace:/diary/a_ *commonplace:/diary/b_*",
        [
          "commonplace:/diary/a → commonplace:/diary/a", "commonplace:/diary/b_ → commonplace:/diary/b_",
        ]
      ),
      ("[[commonplace:/diary/a][there]]", ["[[commonplace:/diary/a][there]] → commonplace:/diary/a"]),
      ("\\\\[[Dune]]", ["[[Dune]] → Dune"]),
      ("a `b [[Dune]]", ["[[Dune]] → Dune"]),
      ("`a\n\n[[Dune]]`", ["[[Dune]] → Dune"]),
      ("```\n[[ -f x ]]\n```\n[[Dune]]", ["[[Dune]] → Dune"]),
      ("[[one]]\r\n[[two]]\r[[three]]", ["[[one]] → one", "[[two]] → two", "[[three]] → three"]),
    ])
  func found(text: String, expected: [String]) {
    #expect(links(text) == expected)
  }

  @Test(
    "what is escaped, code, of another program, or not whole is no link",
    arguments: [
      "", "[[]]", "[[ ]]", "[Dune]", "[[Dune]", "[[Du\nne]]", "\\[[Dune]]", "[\\[Dune]]", "[[Dune\\]]", "`[[Dune]]`",
      "``a ` [[Dune]]``", "```\n[[Dune]]\n```", "~~~ sh\n[[Dune]]", "   ````\n```\n[[Dune]]\n````",
      "`commonplace:/diary/a`",
      "[[https://example.org][there]]", "[[file:a.org]]", "[[id:0192]]", "[[commonplace:/nonsense]]", "commonplace:",
      "commonplace:/diary", "commonplace:/", "xcommonplace:/diary/a", "a.commonplace:/diary/a",
      "commonplace://diary/a", "https://example.org/a", "\\`[[", "[[a|b", "[[a][b]",
    ])
  func none(text: String) {
    #expect(links(text) == [])
  }

  @Test("a title longer than any item is found by is no link, and one as long is")
  func longTitles() {
    let title = String(repeating: "가", count: LinkScan.longestTitle / 3)
    #expect(LinkScan.links(in: "[[\(title)]]").count == 1)
    #expect(LinkScan.links(in: "[[\(title)가가]]").isEmpty)
  }

  @Test("a look tells whether a text is worth a pass")
  func worthwhile() {
    for text in ["", "[", ":", "a: b [c] d", "a[", "a:", "[ [", "12:30"] { #expect(!LinkScan.isWorthwhile(text)) }
    for text in ["[[", "a [[", "x:/", "http://a", "가[[나"] { #expect(LinkScan.isWorthwhile(text)) }
  }

  @Test(
    "five megabytes of what begins and never ends are passed in a moment, and so many links that only the first count",
    .timeLimit(.minutes(10)),
    arguments: [
      "[[", "[[a|", "[[a][", "`", "``` ", "`a``b```c````", "commonplace:/", "\\", "[", "]", "\n```\n", "[[a]] ",
    ])
  func bounds(piece: String) {
    // What stands last makes it worth a pass.
    let text = String(repeating: piece, count: (5 << 20) / piece.utf8.count) + " [["
    let links = LinkScan.links(in: text)
    #expect(links.count == (piece == "[[a]] " ? LinkScan.mostLinks : 0))
  }

  @Test("titles are compared as people read them: in any case, width and composition, with any blanks")
  func keys() {
    for title in ["Café au lait", "CAFE\u{301}  AU\u{3000}LAIT ", "ｃａｆé au lait"] {
      #expect(LinkRow.key(of: title) == "café au lait")
    }
    #expect(LinkRow.key(of: "독서") == LinkRow.key(of: "\u{1103}\u{1169}\u{11a8}\u{1109}\u{1165}"))
    #expect(LinkRow.key(of: " \n") == nil && LinkRow.key(of: String(repeating: "a", count: 2_000)) == nil)
  }

  @Test("a field has a link once, however often and however it is written")
  func once() {
    let rows = LinkRow.rows(
      in: [
        "[[Dune]] [[DUNE|x]] commonplace:/documents/a#highlight=h", "[[dune]] commonplace:///documents/a#highlight=h",
      ],
      places: ["highlight": "highlights"])
    #expect(rows.map(\.name) == ["[[dune", "commonplace:/documents/a#highlight=h"])
    #expect(rows[1].target == ItemKey(collection: "highlights", id: "h"))
    #expect(rows[1].whole == ItemKey(collection: "documents", id: "a"))
  }

  @Test("former titles are read as they were written, and what is no list of them is none")
  func formerTitles() {
    var titles = FormerTitles(stored: nil)
    titles.add("dune", from: [ItemKey(collection: "diary", id: "a")])
    titles.add("two", from: [])
    titles.add("dune", from: [ItemKey(collection: "diary", id: "a"), ItemKey(collection: "memos", id: "b")])
    #expect(titles.entries.map(\.key) == ["two", "dune"])
    #expect(titles.entries[1].sources == ["diary/a", "memos/b"])
    #expect(FormerTitles(stored: titles.stored) == titles)
    for text in ["", "{}", "[1, {\"from\": []}]", "\"x\""] { #expect(FormerTitles(stored: text).entries.isEmpty) }
    for number in 0..<200 { titles.add("\(number)", from: []) }
    #expect(titles.entries.count == FormerTitles.most && titles.entries.last?.key == "199")
  }
}
