import Client
import TestSupport
import Testing
import Wire

/// What editors show of a text beside it: hints, lenses, colors, folds.
@Suite("Texts: shown by an editor", .timeLimit(.minutes(10))) struct TextHintTests {
  private static let shown: JSONObject = ["inlayHint": [:], "codeLens": [:], "semanticTokens": [:]]

  private func ask(_ method: String, _ bench: TextsBench, uri: String = TextsBench.uri) async throws -> JSONValue {
    let range: JSONValue = ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]]
    return try await bench.editor.call(method, ["textDocument": ["uri": .string(uri)], "range": range])
  }

  @Test("what a client cannot show is not offered to it, and neither is what its reader does not want")
  func offered() async throws {
    let daemon = try await TestDaemon.started()
    func offers(_ text: JSONObject, _ options: JSONValue) async throws -> Set<String> {
      let client = try await Client.connect(socket: daemon.socket, record: false)
      let reply = try await client.call(
        "initialize",
        ["capabilities": ["textDocument": .object(text)], "initializationOptions": ["commonplace": options]])
      let shown: Set = ["inlayHintProvider", "codeLensProvider", "semanticTokensProvider"]
      return Set(reply["capabilities"]?.objectValue?.keys ?? []).intersection(shown)
    }
    #expect(try await offers([:], [:]) == [])
    #expect(try await offers(Self.shown, [:]).count == 3)
    #expect(try await offers(Self.shown, ["inlayHints": false, "codeLenses": false]) == ["semanticTokensProvider"])
    await daemon.stop()
  }

  @Test("after the day of a task stands how far it is, and after an anchor the title of its card")
  func hints() async throws {
    let bench = try await TextsBench(capabilities: Self.shown)
    try await bench.card("p", "First")
    let card = try await bench.editor.call("text/open", ["uri": "commonplace:///text/projects/card/p.md"])["text"].text
    let anchor = try #require(card.firstMatch(of: /\^([0-9a-z]{4,8})\n/)?.output.1)
    bench.open("- [ ] Late due:2001-01-01\nprose due:2001-01-01\n- [ ] 𝄞 Then after:^\(anchor)\n")
    let hints = try await ask("textDocument/inlayHint", bench).arrayValue ?? []
    #expect(hints.count == 2)
    #expect(hints[0]["label"].text.hasSuffix("days late") && hints[0]["position"] == ["line": 0, "character": 25])
    #expect(hints[1]["label"] == "First")
    #expect(hints[1]["position"]?["character"]?.integerValue == Int64(21 + anchor.count))
    await bench.daemon.stop()
  }

  @Test("the links to a card are counted above its text")
  func lens() async throws {
    let bench = try await TextsBench(capabilities: Self.shown)
    try await bench.card("p", "Dune")
    try await bench.entry("e", "[[Dune]]")
    let uri = "commonplace:///text/projects/card/p.md"
    bench.open("- [ ] Dune\n", as: uri)
    let lenses = try await ask("textDocument/codeLens", bench, uri: uri)
    #expect(lenses.arrayValue?.count == 1 && lenses[0]?["command"]?["title"] == "1 link leads here")
    bench.open("- [ ] Dune\n")
    #expect(try await ask("textDocument/codeLens", bench) == .null)
    await bench.daemon.stop()
  }

  @Test("the cards of a column are counted above it, and those of them that are late")
  func columns() async throws {
    let bench = try await TextsBench(capabilities: Self.shown)
    try await bench.entry("e", "[[Late]]")
    try await bench.card("p", "Late", deadline: "2001-01-01")
    let uri = "commonplace:///text/projects/board.md"
    let board = try await bench.editor.call("text/open", ["uri": .string(uri)])["text"].text
    bench.open(board, as: uri)
    // The links to the only card of the board are not the board's.
    let one = try await ask("textDocument/codeLens", bench, uri: uri).arrayValue ?? []
    #expect(one.map { $0["command"]?["title"] } == ["1 card, 1 overdue"])
    try await bench.card("q", "Some day")
    let lines = try await bench.editor.call("text/open", ["uri": .string(uri)])["text"].text
    bench.change(uri, version: 2, [["text": .string(lines + "- [ ] Not saved yet\n")]])
    let two = try await ask("textDocument/codeLens", bench, uri: uri).arrayValue ?? []
    #expect(two.map { $0["command"]?["title"] } == ["2 cards, 1 overdue"])
    #expect(two.first?["range"]?["start"] == ["line": 0, "character": 0])
    await bench.daemon.stop()
  }

  @Test("the parts of a line are tokens that do not overlap", arguments: ["utf-8", "utf-16", "utf-32"])
  func tokens(encoding: String) async throws {
    let bench = try await TextsBench(encoding: encoding, capabilities: Self.shown)
    bench.open("𝄞\n- [ ] 𝄞 [[#a b]] due:2001-01-01 #tag ^k3f2\n")
    let data = try await ask("textDocument/semanticTokens/full", bench)["data"]?.arrayValue?.map {
      $0.integerValue ?? -1
    }
    let width: Int64 = encoding == "utf-8" ? 4 : encoding == "utf-16" ? 2 : 1
    #expect(
      data == [
        1, 2, 3, 3, 0, 0, 5 + width, 8, 1, 0, 0, 9, 14, 2, 1, 0, 15, 4, 4, 0, 0, 5, 5, 0, 0,
      ])
    await bench.daemon.stop()
  }

  @Test("what is under a heading is folded, without the blank lines at its end")
  func folds() async throws {
    let bench = try await TextsBench()
    bench.open("# One\ntext\n\n# Two\n")
    let folds = try await ask("textDocument/foldingRange", bench)
    #expect(folds == [["startLine": 0, "endLine": 1, "kind": "region"]])
    await bench.daemon.stop()
  }

  @Test("a virtual text is served for reading, and one that is not there is refused by its name")
  func content() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    let text = try await bench.editor.call(
      "workspace/textDocumentContent", ["uri": "commonplace:///text/projects/board.md"])
    #expect(text["text"].text.contains("- [ ] Dune"))
    let failure = try await bench.editor.failure(
      "workspace/textDocumentContent", ["uri": "commonplace:///text/projects/card/none.md"])
    #expect(failure?.kind == "notFound")
    await bench.daemon.stop()
  }

  @Test("a client that shows a virtual text is asked to read it again once it has changed, and only then")
  func refreshed() async throws {
    let bench = try await TextsBench(workspace: ["textDocumentContent": [:]])
    for path in ["diary/today.md", "projects/board.md"] {
      _ = try await bench.editor.call(
        "workspace/textDocumentContent", ["uri": .string("commonplace:///text/" + path)])
    }
    try await bench.card("p", "Dune")
    let frame = try await bench.editor.firstReceived { frame in
      if case .single(.request(_, "workspace/textDocumentContent/refresh", _)) = frame { true } else { false }
    }
    guard case .single(.request(_, _, let params)) = frame else { return }
    #expect(params["uri"] == "commonplace:///text/projects/board.md")
    await bench.daemon.stop()
  }
}
