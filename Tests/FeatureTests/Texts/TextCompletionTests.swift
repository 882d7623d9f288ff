import Client
import TestSupport
import Testing
import Wire

/// What is offered while a reader types in a file of theirs.
@Suite("Texts: completion in an editor", .timeLimit(.minutes(10))) struct TextCompletionTests {
  private static let encodings = ["utf-8", "utf-16", "utf-32"]

  @Test(
    "titles are offered after two brackets, replace what was typed from there on, and definition resolves them",
    arguments: encodings)
  func titles(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding)
    try await bench.card("p", "Return the book")
    let before = "𝄞 한글 "
    let list = try await bench.ask("textDocument/completion", "\(before)[[boo|")
    #expect(list["isIncomplete"] == true)
    let item = try #require(list["items"]?[0])
    #expect(item["label"] == "Return the book" && item["filterText"] == "[[boo")
    #expect(item["textEdit"]?["newText"] == "[[Return the book]]")
    #expect(item["textEdit"]?["range"]?["start"] == bench.position(of: before[...]))
    #expect(item["textEdit"]?["range"]?["end"] == bench.position(of: "\(before)[[boo"[...]))
    let resolved = try await bench.editor.call("completionItem/resolve", item)
    #expect(resolved["documentation"]?["value"].text.contains("Return the book") == true)
    let found = try await bench.ask("textDocument/definition", "\(before)[[Return| the book]]")
    #expect(found.arrayValue?.count == 1)
    await bench.daemon.stop()
  }

  @Test("brackets that an editor has closed are not closed again")
  func closed() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Return the book")
    let list = try await bench.ask("textDocument/completion", "[[Ret|]] more")
    #expect(list["items"]?[0]?["textEdit"]?["newText"] == "[[Return the book")
    await bench.daemon.stop()
  }

  @Test(
    "a title that would not lead to its item is written by its id: of several items, or with the signs of links",
    arguments: ["Dune", "a ]] b", "x | y", "# [[z]]", "commonplace:/a/b"])
  func byID(title: String) async throws {
    let bench = try await TextsBench()
    try await bench.card("p", title)
    if title == "Dune" { try await bench.card("q", title) }
    let typed = title.split { !$0.isLetter }.first ?? ""
    let list = try await bench.ask("textDocument/completion", "[[\(typed)|")
    let items = list["items"]?.arrayValue ?? []
    #expect(!items.isEmpty)
    for item in items where item["label"].text == title {
      let text = item["textEdit"]?["newText"].text ?? ""
      let middle = text.index(text.startIndex, offsetBy: 3)
      let found = try await bench.ask(
        "textDocument/definition", "\(text[..<middle])\u{1}\(text[middle...])", mark: "\u{1}")
      #expect(found.arrayValue?.count == 1, "\(text)")
    }
    await bench.daemon.stop()
  }

  @Test("Neovim 0.11 gets the rest of a title from the last word on, which it inserts whole")
  func tails() async throws {
    let bench = try await TextsBench(version: "0.11.4")
    try await bench.card("p", "Return the book")
    for (typed, tail) in [("[[", "Return the book]]"), ("[[Ret", "Return the book]]"), ("[[Return the b", "book]]")] {
      let list = try await bench.ask("textDocument/completion", "\(typed)|")
      #expect(list["items"]?[0]?["insertText"].text == tail, "\(typed)")
      #expect(list["items"]?[0]?["textEdit"] == nil)
    }
    await bench.daemon.stop()
  }

  @Test("days are offered after `due:`, the one that was typed in words first")
  func days() async throws {
    let bench = try await TextsBench()
    let today = try await bench.ask("textDocument/completion", "- [ ] x due:|")
    let words = try await bench.ask("textDocument/completion", "- [ ] x due:tomo|")
    func texts(_ list: JSONValue) -> [String] {
      list["items"]?.arrayValue?.map { $0["textEdit"]?["newText"].text ?? "" } ?? []
    }
    #expect(texts(today).count == 3)
    #expect(texts(words).first == texts(today)[1])
    await bench.daemon.stop()
  }

  @Test("tags are offered after a sign at the beginning of a word, and no heading is one")
  func tags() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "A card")
    _ = try await bench.editor.call("projects/update", ["id": "p", "tags": ["errands", "two words"]])
    let list = try await bench.ask("textDocument/completion", "see #er|")
    #expect(list["items"]?.arrayValue?.map { $0["textEdit"]?["newText"].text ?? "" } == ["#errands"])
    let afterDay = try await bench.ask("textDocument/completion", "- [ ] Pay due:next fri #er|")
    #expect(afterDay["items"].list.map { $0["textEdit"]?["newText"].text ?? "" } == ["#errands"])
    let quoted = try await bench.ask("textDocument/completion", "#two|")
    #expect(quoted["items"]?[0]?["textEdit"]?["newText"] == "#\"two words\"")
    for text in ["## er|", "# er|", "x#er|"] {
      let list = try await bench.ask("textDocument/completion", text, with: ["context": ["triggerKind": 2]])
      #expect(list == .null, "\(text)")
    }
    await bench.daemon.stop()
  }

  @Test("open cards are offered after `after:^` by their anchors")
  func cards() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "First")
    let list = try await bench.ask("textDocument/completion", "- [ ] Then after:^|")
    let text = list["items"]?[0]?["textEdit"]?["newText"].text ?? ""
    #expect(text.wholeMatch(of: /after:\^[0-9a-z]{4,8}/) != nil, "\(text)")
    let found = try await bench.ask("textDocument/definition", "x |^\(text.dropFirst(7))")
    #expect(found[0]?["uri"] == "commonplace:///text/projects/card/p.md")
    await bench.daemon.stop()
  }

  @Test("a word is completed by hand only, and code is not, but in its comments")
  func words() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Return the book")
    let byHand = try await bench.ask("textDocument/completion", "Retu|", with: ["context": ["triggerKind": 1]])
    #expect(byHand["items"]?[0]?["textEdit"]?["newText"] == "[[Return the book]]")
    let bySign = try await bench.ask("textDocument/completion", "Retu|", with: ["context": ["triggerKind": 2]])
    #expect(bySign == .null)
    #expect(try await bench.ask("textDocument/completion", "if [[ Retu|", languageID: "sh") == .null)
    #expect(try await bench.ask("textDocument/completion", "```\n[[Retu|\n```") == .null)
    let comment = try await bench.ask("textDocument/completion", "x # [[Retu|", languageID: "sh")
    #expect(comment["items"]?.arrayValue?.count == 1)
    await bench.daemon.stop()
  }
}
