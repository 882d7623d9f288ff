import Client
import TestSupport
import Testing
import Wire

/// What an editor is told of the links in a reader's own file.
@Suite("Texts: links in an editor", .timeLimit(.minutes(10))) struct LinkedTextTests {
  private static let encodings = ["utf-8", "utf-16", "utf-32"]
  /// Before each place, what tells the encodings apart.
  private static let before = "한글 𝄞 e\u{301}\r\n𝄞 가 "

  @Test("a link leads to its item's text, from each of its characters, in each encoding", arguments: encodings)
  func definition(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding)
    try await bench.card("p", "Return the book")
    for text in ["[[Re|turn the book]]", "|[[Return the book]]", "[[Return the book]]|"] {
      let found = try await bench.ask("textDocument/definition", Self.before + text + " 𝄞")
      #expect(found.arrayValue?.map { $0["uri"].text } == ["commonplace:///text/projects/card/p.md"], "\(text)")
    }
    #expect(try await bench.ask("textDocument/definition", Self.before + "|x [[Return the book]]") == .null)
    let stable = try await bench.ask("textDocument/definition", Self.before + "<commonplace:/proj|ects/p>")
    #expect(stable[0]?["uri"] == "commonplace:///text/projects/card/p.md")
    await bench.daemon.stop()
  }

  @Test("the origin of a definition is the link, in each encoding", arguments: encodings)
  func origin(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding, capabilities: ["definition": ["linkSupport": true]])
    try await bench.card("p", "책 반납")
    let found = try await bench.ask("textDocument/definition", Self.before + "[[책| 반납]] 𝄞")
    let start = bench.position(of: Self.before[...])
    let end = bench.position(of: (Self.before + "[[책 반납]]")[...])
    #expect(found[0]?["originSelectionRange"] == ["start": start, "end": end])
    await bench.daemon.stop()
  }

  @Test("an editor that shows virtual texts gets those that cannot be edited as such, and files of the others")
  func readOnly() async throws {
    let bench = try await TextsBench(options: [:], workspace: ["textDocumentContent": [:]])
    try await bench.card("p", "Return the book")
    _ = try await bench.editor.call(
      "documents/add", ["id": "d", "data": .string(SamplePDF(["first"]).base64), "title": "Dune"])
    let card = try await bench.ask("textDocument/definition", "[[Re|turn the book]]")
    #expect(card[0]?["uri"]?.text.hasPrefix("file://") == true, "\(card)")
    let page = try await bench.ask("textDocument/definition", "[[Du|ne]]")
    #expect(page[0]?["uri"] == "commonplace:///text/documents/d/page/0.md")
    await bench.daemon.stop()
  }

  @Test(
    "a quote leads to the passage on its page, in each encoding; one that no document has leads nowhere",
    arguments: encodings)
  func quote(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding)
    let paper = SamplePDF(pages: [
      .init(["Nothing here."]),
      .init(["Before all. The spice must flow along all the", "roads of the empire. After it."]),
    ])
    _ = try await bench.editor.call("documents/add", ["id": "d", "data": .string(paper.base64), "title": "A paper"])
    _ = try await bench.editor.indexed("d")
    let sentence = "The spice must flow along all the roads of the empire."
    for text in ["> The spi|ce must flow along\n> all the roads of the empire.", "She wrote “\(sentence)” t|here"] {
      let found = try await bench.ask("textDocument/definition", text)
      let uri = "commonplace:///text/documents/d/page/1.md"
      #expect(found.arrayValue?.map { $0["uri"].text } == [uri], "\(text)")
      let page = try await bench.editor.call("text/open", ["uri": .string(uri)])["text"].text
      let start = try #require(page.firstRange(of: "The spice")).lowerBound
      let end = try #require(page.firstRange(of: "of the empire")).upperBound
      #expect(found[0]?["range"]?["start"] == bench.position(of: page[..<start]))
      #expect(found[0]?["range"]?["end"] == bench.position(of: page[..<end]))
    }
    #expect(try await bench.ask("textDocument/definition", "> Nob|ody has ever written these words") == .null)
    await bench.daemon.stop()
  }

  @Test("several items with a title are all offered, and none for a title that nobody has")
  func several() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    try await bench.card("q", "Dune")
    let found = try await bench.ask("textDocument/definition", "[[Du|ne]]")
    #expect(found.arrayValue?.count == 2)
    #expect(try await bench.ask("textDocument/definition", "[[No|body]]") == .null)
    await bench.daemon.stop()
  }

  @Test("hover shows the title, the collection and how many links lead there; nothing elsewhere")
  func hover() async throws {
    let bench = try await TextsBench(capabilities: ["hover": ["contentFormat": ["markdown", "plaintext"]]])
    try await bench.card("p", "Dune_")
    try await bench.entry("e", "See [[Dune_]].")
    let hover = try await bench.ask("textDocument/hover", "[[Du|ne_]]")
    #expect(hover["contents"]?["kind"] == "markdown")
    let text = hover["contents"]?["value"].text ?? ""
    #expect(text.hasPrefix("**Dune\\_** · card"), "\(text)")
    #expect(text.contains("1 link leads here"))
    #expect(hover["range"]?["end"] == ["line": 0, "character": 9])
    #expect(try await bench.ask("textDocument/hover", "Not|hing") == .null)
    await bench.daemon.stop()
  }

  @Test("hover says what the text of an item does not: the day of an entry, and the author of a document")
  func hoverOfFacts() async throws {
    let bench = try await TextsBench()
    try await bench.entry("e", "A walk\n\nalong the river")
    let entry = try await bench.ask("textDocument/hover", "[[A wa|lk]]")
    #expect(entry["contents"]?["value"].text.hasPrefix("A walk · diary entry · Nov 21, 2026\n") == true, "\(entry)")
    _ = try await bench.editor.call(
      "documents/add",
      ["id": "d", "data": .string(SamplePDF(["first"]).base64), "title": "Dune", "author": "Frank Herbert"])
    let document = try await bench.ask("textDocument/hover", "[[Du|ne]]")
    #expect(
      document["contents"]?["value"].text.hasPrefix("Dune · document · Frank Herbert\n") == true, "\(document)")
    await bench.daemon.stop()
  }

  @Test("hover tells how far a day is, and shows the card of an anchor")
  func hoverOfFields() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "First")
    let late = try await bench.ask("textDocument/hover", "- [ ] Then due:200|1-01-01")
    #expect(late["contents"]?["value"]?.text.hasSuffix("days late") == true, "\(late)")
    #expect(late["range"]?["start"] == ["line": 0, "character": 11])
    let card = try await bench.editor.call("text/open", ["uri": "commonplace:///text/projects/card/p.md"])["text"].text
    let anchor = try #require(card.firstMatch(of: /\^([0-9a-z]{4,8})\n/)?.output.1)
    let item = try await bench.ask("textDocument/hover", "- [ ] Then ^|\(anchor)")
    #expect(item["contents"]?["value"]?.text.hasPrefix("First") == true, "\(item)")
    await bench.daemon.stop()
  }

  @Test("a shell's tests and an index of an array are no links, and titles in comments are")
  func code() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "-f x")
    try await bench.card("q", "1")
    for (text, languageID) in [
      ("if [[ -f| x ]]; then", "sh"), ("let b = a[[1|]]", "swift"), ("`[[-f| x]]`", "markdown"),
    ] {
      #expect(
        try await bench.ask("textDocument/definition", text, languageID: languageID) == .null, "\(text)")
    }
    for (text, languageID) in [("x = 1 # [[-f| x]]", "python"), ("a(); // see [[1|]]", "c"), ("/* a\n [[1|]] */", "c")]
    {
      let found = try await bench.ask("textDocument/definition", text, languageID: languageID)
      #expect(found.arrayValue?.count == 1, "\(text)")
    }
    await bench.daemon.stop()
  }

  @Test("every link to an item is a reference, each at its line")
  func references() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    try await bench.entry("e", "A walk\n\nwith [[Dune]]")
    let found = try await bench.ask(
      "textDocument/references", "[[Du|ne]]", with: ["context": ["includeDeclaration": true]])
    let places = found.arrayValue?.map { "\($0["uri"].text) \($0["range"]?["start"]?["line"]?.integerValue ?? -1)" }
    #expect(places == ["commonplace:///text/projects/card/p.md 0", "commonplace:///text/diary/entry/e.md 2"])
    await bench.daemon.stop()
  }

  @Test("each line of a day's text is its own entry's, to its last one")
  func lastLine() async throws {
    let bench = try await TextsBench()
    try await bench.entry("e", "A walk\n\nhome late")
    try await bench.entry("f", "Another")
    let uri = "commonplace:///text/diary/today.md"
    let text = try await bench.editor.call("text/open", ["uri": .string(uri)])["text"].text
    bench.open(text, as: uri)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, entry) in [("A walk", "e"), ("home late", "e"), ("Another", "f")] {
      let number = try #require(lines.firstIndex { $0.hasPrefix(line) })
      let found = try await bench.editor.call(
        "textDocument/references",
        bench.params(
          ["line": .integer(Int64(number)), "character": 0], uri: uri,
          with: ["context": ["includeDeclaration": true]]))
      #expect(
        found.arrayValue?.first?["uri"].text == "commonplace:///text/diary/entry/\(entry).md", "\(line): \(found)")
    }
    await bench.daemon.stop()
  }

  @Test("the links of a text are listed with their places, and a resolved one has its target")
  func documentLinks() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    bench.open("[[Dune]] and [[Nobody]]\n")
    let links = try await bench.editor.call(
      "textDocument/documentLink", ["textDocument": ["uri": .string(TextsBench.uri)]])
    #expect(links.arrayValue?.count == 1)
    let link = try #require(links[0])
    #expect(link["range"]?["end"] == ["line": 0, "character": 8])
    let resolved = try await bench.editor.call("documentLink/resolve", link)
    #expect(resolved["target"] == "commonplace:///text/projects/card/p.md")
    await bench.daemon.stop()
  }

  @Test("a rename of a link renames the item as one commit, and answers the edits of open texts", arguments: encodings)
  func rename(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding)
    try await bench.card("p", "책 𝄞")
    bench.open("\(Self.before)[[책 𝄞]] [[책 𝄞|shown]]", as: "file:///other.md")
    let prepared = try await bench.ask("textDocument/prepareRename", "[[책| 𝄞]]")
    #expect(prepared["placeholder"] == "책 𝄞")
    let edit = try await bench.ask("textDocument/rename", "[[책| 𝄞]]", with: ["newName": "Dune"])
    let changes = try #require(edit["documentChanges"]?.arrayValue)
    #expect(Set(changes.map { $0["textDocument"]?["uri"].text ?? "" }) == [TextsBench.uri, "file:///other.md"])
    let other = changes.first { $0["textDocument"]?["uri"] == "file:///other.md" }
    #expect(other?["edits"]?.arrayValue?.count == 2)
    let range = other?["edits"]?[0]?["range"]
    #expect(range?["start"] == bench.position(of: "\(Self.before)[["[...]))
    #expect(range?["end"] == bench.position(of: "\(Self.before)[[책 𝄞"[...]))
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "Dune")
    _ = try await bench.editor.call("changes/undo")
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "책 𝄞")
    await bench.daemon.stop()
  }

  @Test("a link of a file by a former title still leads to the item, with the present one as a hint")
  func renamed() async throws {
    let bench = try await TextsBench(capabilities: ["hover": ["contentFormat": ["markdown"]]])
    try await bench.card("p", "Dune")
    // No text of the library links to it.
    _ = try await bench.editor.call("projects/update", ["id": "p", "title": "Arrakis"])
    let found = try await bench.ask("textDocument/definition", "[[Du|ne]]")
    #expect(found[0]?["uri"] == "commonplace:///text/projects/card/p.md")
    let hover = try await bench.ask("textDocument/hover", "[[Du|ne]]")["contents"]?["value"]?.stringValue
    #expect(hover?.contains("Arrakis") == true)
    let links = try await bench.editor.call(
      "textDocument/documentLink", ["textDocument": ["uri": .string(TextsBench.uri)]])
    #expect(links.arrayValue?.count == 1)
    let told = try await bench.diagnostics(atLeast: 1)
    #expect(told.map { $0["code"] } == ["renamed"] && told.first?["severity"] == 4)
    #expect(told.first?["message"].text.contains("Arrakis") == true)
    // Another item of that title is meant by it.
    try await bench.card("q", "Dune")
    let other = try await bench.ask("textDocument/definition", "[[Du|ne]]")
    #expect(other[0]?["uri"] == "commonplace:///text/projects/card/q.md")
    await bench.daemon.stop()
  }

  @Test("a rename at a title in a text of the library renames its item, and at other words of the item nothing")
  func ownTitle() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Return | the book")
    try await bench.entry("e", "A walk\n\nIt was a long walk. A walk")
    bench.open("[[Return \\| the book]]", as: "file:///other.md")
    func open(_ path: String) async throws -> (uri: String, text: String) {
      let uri = "commonplace:///text/\(path)"
      let text = try await bench.editor.call("text/open", ["uri": .string(uri)])["text"].text
      bench.open(text, as: uri)
      return (uri, text)
    }
    let (board, text) = try await open("projects/board.md")
    let place = try #require(text.firstRange(of: "the book")).lowerBound
    let title = bench.params(bench.position(of: text[..<place]), uri: board)
    #expect(try await bench.editor.call("textDocument/prepareRename", title)["placeholder"] == "Return | the book")
    let edit = try await bench.editor.call(
      "textDocument/rename", bench.params(bench.position(of: text[..<place]), uri: board, with: ["newName": "A | B"]))
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "A | B")
    let changes = edit["documentChanges"].list
    #expect(changes.map { $0["textDocument"]?["uri"] } == ["file:///other.md"])
    #expect(changes.first?["edits"]?[0]?["newText"] == "A \\| B")
    let box = try #require(text.firstRange(of: "[ ]")).lowerBound
    let before = bench.params(bench.position(of: text[..<box]), uri: board)
    #expect(try await bench.editor.call("textDocument/prepareRename", before) == .null)
    let (entry, _) = try await open("diary/entry/e.md")
    func prepared(line: Int64) async throws -> JSONValue {
      try await bench.editor.call(
        "textDocument/prepareRename", bench.params(["line": .integer(line), "character": 2], uri: entry))
    }
    #expect(try await prepared(line: 0)["placeholder"] == "A walk")
    #expect(try await prepared(line: 2) == .null)
    await bench.daemon.stop()
  }

  @Test("where nothing can be renamed, a sentence says so, and nothing is prepared")
  func noRename() async throws {
    let bench = try await TextsBench()
    #expect(try await bench.ask("textDocument/prepareRename", "no|thing") == .null)
    let failure = try await bench.editor.failure(
      "textDocument/rename", bench.params(["line": 0, "character": 2], with: ["newName": "x"]))
    #expect(failure?.code == -32602)
    #expect(failure?.message.contains("renamed") == true)
    await bench.daemon.stop()
  }
}
