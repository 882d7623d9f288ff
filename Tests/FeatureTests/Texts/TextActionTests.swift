import Client
import TestSupport
import Testing
import Wire

/// What an editor offers to do with a line.
@Suite("Texts: actions in an editor", .timeLimit(.minutes(10))) struct TextActionTests {
  private static let literals: JSONObject = [
    "codeAction": ["codeActionLiteralSupport": ["codeActionKind": ["valueSet": ["quickfix"]]]]
  ]

  private func actions(_ bench: TextsBench, _ text: String, only: JSONValue = .null) async throws -> [JSONValue] {
    bench.open(text)
    let place: JSONValue = ["line": 0, "character": 0]
    var context: JSONObject = ["diagnostics": []]
    if !only.isNull { context["only"] = only }
    return try await bench.editor.call(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(TextsBench.uri)], "range": ["start": place, "end": place],
        "context": .object(context),
      ]
    ).arrayValue ?? []
  }

  private func run(_ bench: TextsBench, _ action: JSONValue) async throws {
    let command = try #require(action["command"])
    _ = try await bench.editor.call(
      "workspace/executeCommand",
      ["command": command["command"] ?? .null, "arguments": command["arguments"] ?? .null])
  }

  @Test(
    "a line becomes a card without a deadline: an item of a list is replaced by a link to it, prose keeps its words")
  func makeCard() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    let found = try await actions(bench, "- [ ] Buy milk\n", only: ["refactor.extract"])
    let edit = try #require(found[0]["edit"]?["documentChanges"]?[0]?["edits"]?[0])
    #expect(edit["newText"] == "[[Buy milk]]")
    #expect(edit["range"]?["start"] == ["line": 0, "character": 6])
    try await run(bench, found[0])
    let cards = try await bench.editor.call("projects/list", [:])["items"]
    #expect(cards?[0]?["title"] == "Buy milk" && cards?[0]?["deadline"] == nil)
    let prose = try await actions(bench, "Buy milk\n", only: ["refactor.extract"])
    #expect(prose[0]["edit"]?["documentChanges"]?[0]?["edits"]?[0]?["newText"] == "Buy milk [[Buy milk]]")
    await bench.daemon.stop()
  }

  @Test(
    "the deadline and the tags at the end of a line are the card's, and not of its title; what is no day stays in it")
  func fields() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    let found = try await actions(
      bench, "- [ ] Buy #milk 𝄞 due:2026-12-24T09:30 #errands #\"two words\"\n", only: ["refactor.extract"])
    #expect(found[0]["edit"]?["documentChanges"]?[0]?["edits"]?[0]?["newText"] == "[[Buy #milk 𝄞]]")
    try await run(bench, found[0])
    let card = try await bench.editor.call("projects/list", [:])["items"]?[0]
    #expect(card?["title"] == "Buy #milk 𝄞" && card?["tags"] == ["errands", "two words"])
    #expect(card?["deadline"] == "2026-12-24" && card?["time"] == "09:30")
    let other = try await actions(bench, "- Sell due:never\n", only: ["refactor.extract"])
    #expect(other[0]["edit"]?["documentChanges"]?[0]?["edits"]?[0]?["newText"] == "[[Sell due:never]]")
    await bench.daemon.stop()
  }

  @Test("the card of a link is moved and done from any file, as one commit that the client undoes")
  func move() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    try await bench.card("p", "Dune")
    let found = try await actions(bench, "read [[Dune]]\n", only: ["refactor.rewrite"])
    #expect(found.map { $0["title"].text }.first == "Mark the card as done")
    #expect(found.count == 3)
    try await run(bench, found[0])
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["state"] == "done")
    _ = try await bench.editor.call("workspace/executeCommand", ["command": "commonplace.undo"])
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["state"] == "todo")
    await bench.daemon.stop()
  }

  @Test("the card of a link that is due is put off from any file")
  func putOff() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    try await bench.card("p", "Dune", deadline: "2001-01-01")
    let found = try await actions(bench, "read [[Dune]]\n", only: ["refactor.rewrite"])
    let later = try #require(found.first { $0["title"] == "Put off to tomorrow" })
    try await run(bench, later)
    // The clock of tests is at November 21.
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["deadline"] == "2026-11-22")
    await bench.daemon.stop()
  }

  @Test("in a text of the library a card's line is checked, put off and moved by edits, which a save stores")
  func cardLine() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    let uri = "commonplace:///text/projects/board.md"
    bench.open("## TODO\n\n- [ ] 𝄞 One due:2001-01-01T17:30 ^aaaa\n\n## DOING\n\n- [ ] Two ^bbbb\n\n## DONE\n", as: uri)
    let place: JSONValue = ["line": 2, "character": 0]
    let found = try await bench.editor.call(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(uri)], "range": ["start": place, "end": place], "context": ["diagnostics": []]])
    let actions = found.arrayValue ?? []
    #expect(
      actions.map { $0["title"].text } == [
        "Mark the card as done", "Put off to tomorrow", "Put off to next Monday", "Move the card to DOING",
        "Move the card to DONE",
      ])
    try #require(actions.count == 5)
    func edits(_ action: Int) -> [JSONValue] {
      actions[action]["edit"]?["documentChanges"]?[0]?["edits"]?.arrayValue ?? []
    }
    #expect(edits(0)[0]["range"]?["start"] == ["line": 2, "character": 3] && edits(0)[0]["newText"] == "x")
    #expect(edits(1)[0]["newText"].text.hasSuffix("T17:30"))
    #expect(edits(1)[0]["range"]?["start"] == ["line": 2, "character": 17])
    #expect(edits(3)[0]["range"]?["end"] == ["line": 3, "character": 0])
    #expect(edits(3)[1]["newText"] == "\n- [ ] 𝄞 One due:2001-01-01T17:30 ^aaaa")
    #expect(edits(3)[1]["range"]?["start"]?["line"] == 6)
    #expect(edits(4)[1]["range"]?["start"] == ["line": 8, "character": 7])
    await bench.daemon.stop()
  }

  @Test(
    "an unknown title becomes a card, an entry or a note", arguments: [(1, "diary/entry/"), (2, "notes/Arrakis.md")])
  func unknown(place: Int, path: String) async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    let found = try await actions(bench, "[[Arrakis]]\n", only: ["quickfix"])
    #expect(found.count == 3)
    try await run(bench, found[place])
    let definition = try await bench.ask("textDocument/definition", "[[Arr|akis]]")
    #expect(definition[0]?["uri"].text.hasPrefix("commonplace:///text/\(path)") == true)
    await bench.daemon.stop()
  }

  @Test("a quote is linked to its page, which is located when the action is taken")
  func quote() async throws {
    var capabilities = Self.literals
    capabilities["codeAction"] = [
      "codeActionLiteralSupport": ["codeActionKind": ["valueSet": ["quickfix"]]],
      "resolveSupport": ["properties": ["edit"]],
    ]
    let bench = try await TextsBench(capabilities: capabilities)
    let sentence = "The spice must flow along all the roads of the empire"
    let paper = SamplePDF(pages: [.init(["Nothing here."]), .init([sentence])])
    _ = try await bench.editor.call(
      "documents/add", ["id": "d", "data": .string(paper.base64), "title": "A paper"])
    let found = try await actions(bench, "> \(sentence)\n")
    let action = try #require(found.first { $0["data"]?["quote"] != nil })
    #expect(action["edit"] == nil)
    let resolved = try await bench.editor.call("codeAction/resolve", action)
    let text = resolved["edit"]?["documentChanges"]?[0]?["edits"]?[0]?["newText"].text ?? ""
    #expect(text.contains("[[commonplace:/documents/d#page=1") && text.hasSuffix("][A paper]]"), "\(text)")
    await bench.daemon.stop()
  }

  @Test("what is made from a line names the file and the line, or the item of a library text; without a file, nothing")
  func origin() async throws {
    let bench = try await TextsBench(capabilities: Self.literals)
    let found = try await actions(bench, "- Buy milk\n", only: ["refactor.extract"])
    for action in found { try await run(bench, action) }
    let card = try await bench.editor.call("projects/list", [:])["items"]?[0]?["id"] ?? .null
    #expect(try await bench.editor.call("projects/get", ["id": card])["body"] == "/home/reader/notes.md:1")
    let entry = try await bench.editor.call("diary/list", [:])["items"]?[0]?["id"] ?? .null
    #expect(
      try await bench.editor.call("diary/get", ["id": entry])["text"] == "Buy milk\n\n/home/reader/notes.md:1")
    try await bench.entry("walk", "A walk\n\nAlong the river.\n")
    let paper = SamplePDF(pages: [.init(["One"])])
    _ = try await bench.editor.call("documents/add", ["id": "d", "data": .string(paper.base64)])
    for (uri, line, body) in [
      ("commonplace:///text/diary/entry/walk.md", 2, "commonplace:/diary/walk" as String?),
      ("commonplace:///text/diary/entry/none.md", 2, nil),
      ("commonplace:///text/documents/d/page/0.md", 1, "commonplace:/documents/d#page=0"),
      ("untitled:Untitled-1", 2, nil), ("file:///home/reader/a%20b.txt", 6, "/home/reader/a b.txt:7"),
    ] {
      let added = try await bench.editor.call(
        "workspace/executeCommand",
        [
          "command": "commonplace.add",
          "arguments": [
            ["collection": "projects", "text": "Look", "uri": .string(uri), "line": .integer(Int64(line))]
          ],
        ])
      let card = try await bench.editor.call("projects/get", ["id": added["id"] ?? .null])
      #expect(card["body"] == body.map { .string($0) } ?? "", "\(uri)")
    }
    await bench.daemon.stop()
  }

  @Test("a client without action literals gets commands")
  func commands() async throws {
    let bench = try await TextsBench()
    let found = try await actions(bench, "Buy milk\n")
    #expect(found.map { $0["command"].text } == ["commonplace.add"])
    await bench.daemon.stop()
  }

  @Test("a text is shown in an editor that can show one, and the command ends with the editor's answer or its end")
  func shows() async throws {
    let bench = try await TextsBench(options: [:], window: ["showDocument": ["support": true]])
    let open: JSONValue = ["command": "commonplace.open", "arguments": [["path": "projects/board.md"]]]
    let reply = bench.editor.send("workspace/executeCommand", open)
    let frame = try await bench.editor.firstReceived { frame in
      if case .single(.request(_, "window/showDocument", _)) = frame { true } else { false }
    }
    guard case .single(.request(.string(let id), _, let params)) = frame else { return }
    let answer = #"{"jsonrpc":"2.0","id":"\#(id)","result":{"success":true}}"#
    bench.editor.sendRaw(Array("Content-Length: \(answer.utf8.count)\r\n\r\n\(answer)".utf8))
    #expect(try await reply.value()["uri"] == params["uri"])
    // One that is never answered ends with its client, and holds nobody up.
    bench.editor.send("workspace/executeCommand", open)
    _ = try await bench.editor.call("session/ping")
    await bench.editor.close()
    await bench.daemon.stop()
  }

  @Test("a command that is not known, or has no object as argument, is refused by a sentence")
  func refused() async throws {
    let bench = try await TextsBench()
    for params: JSONValue in [
      ["command": "commonplace.none"], ["command": "commonplace.add", "arguments": ["x"]],
      ["command": "commonplace.add", "arguments": [["collection": "projects"]]],
      ["command": "commonplace.add", "arguments": [["collection": "books", "text": "x"]]],
      ["command": "commonplace.add", "arguments": [["collection": "diary", "text": "x", "uri": 1]]],
    ] {
      let failure = try await bench.editor.failure("workspace/executeCommand", params)
      #expect(failure?.code == -32602, "\(params)")
    }
    await bench.daemon.stop()
  }
}
