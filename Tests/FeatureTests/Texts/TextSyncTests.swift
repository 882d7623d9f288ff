import Client
import Foundation
import TestSupport
import Testing
import Wire

/// How texts of an editor are followed, and what is told about them.
@Suite("Texts: open in an editor", .timeLimit(.minutes(10))) struct TextSyncTests {
  @Test("a client without capabilities for texts is offered none, as before, and its notices change nothing")
  func plainClient() async throws {
    let daemon = try await TestDaemon.started()
    let client = try await Client.connect(socket: daemon.socket, record: true)
    let reply = try await client.call("initialize", ["capabilities": ["general": ["positionEncodings": ["utf-8"]]]])
    #expect(reply["capabilities"] == ["positionEncoding": "utf-8", "textDocumentSync": 0])
    client.notify("initialized", [:])
    client.notify("textDocument/didOpen", [:])
    let hover = try await client.call(
      "textDocument/hover", ["textDocument": ["uri": "file:///a"], "position": ["line": 0, "character": 0]])
    #expect(hover == .null)
    #expect(daemon.logLines.filter { $0.contains("notification") } == [])
    await daemon.stop()
  }

  @Test("requests see the changes that were sent before them, in order, and not those that were sent after")
  func order() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    bench.open("one\n")
    var replies: [(JSONValue, PendingReply)] = []
    for version in 2...40 {
      let isLink = version.isMultiple(of: 2)
      bench.change(version: version, [["text": isLink ? "[[Dune]]\n" : "nothing\n"]])
      let reply = bench.editor.send("textDocument/definition", bench.params(["line": 0, "character": 3]))
      replies.append((.bool(isLink), reply))
    }
    for (isLink, reply) in replies { #expect(try await reply.value().isNull != (isLink == true)) }
    await bench.daemon.stop()
  }

  @Test("of two hovers in one text the newer replaces an older one that waits, which is answered as superseded")
  func superseded() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    bench.open("[[Dune]]\n")
    // Behind a write both wait.
    bench.editor.send("projects/add", ["id": "q", "title": "Another"])
    let older = bench.editor.send("textDocument/hover", bench.params(["line": 0, "character": 3]))
    let newer = bench.editor.send("textDocument/hover", bench.params(["line": 0, "character": 4]))
    #expect(try await newer.value().isNull == false)
    let failure = try await older.failure()
    #expect(failure == nil || failure?.code == -32800)
    await bench.daemon.stop()
  }

  @Test("links that lead nowhere or to several items are told, unknown titles only in texts of the library")
  func diagnostics() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    try await bench.card("q", "Dune")
    bench.open("[[Nobody]] [[Dune]] commonplace:/projects/none\n")
    let found = try await bench.diagnostics(atLeast: 1)
    #expect(found.map { $0["code"].text } == ["ambiguous", "gone"])
    #expect(found.map { $0["severity"]?.integerValue } == [3, 2])
    #expect(found[0]["range"]?["start"] == ["line": 0, "character": 11])
    // A commit renews them: the title has one item again.
    _ = try await bench.editor.call("projects/remove", ["id": "q"])
    #expect(try await bench.diagnostics(atLeast: 2).map { $0["code"].text } == ["gone"])
    bench.change(version: 2, [["text": "nothing\n"]])
    #expect(try await bench.diagnostics(atLeast: 3).isEmpty)
    await bench.daemon.stop()
  }

  @Test(
    "an editor that shows related places gets those of a title's items: texts that it can open",
    arguments: [true, false])
  func candidates(isVirtual: Bool) async throws {
    let bench = try await TextsBench(
      capabilities: ["publishDiagnostics": ["relatedInformation": true]],
      options: ["documents": isVirtual ? "virtual" : "files"])
    try await bench.card("p", "Dune")
    try await bench.entry("q", "Dune\n\nA desert.")
    bench.open("[[Dune]] [[Dune]]\n")
    let found = try await bench.diagnostics(atLeast: 1)
    #expect(found.count == 2 && found[0]["relatedInformation"] == found[1]["relatedInformation"])
    let related = try #require(found[0]["relatedInformation"]?.arrayValue)
    #expect(Set(related.map { $0["message"].text.prefix(11) }) == ["Dune, card", "Dune, diary"])
    let uris = related.map { $0["location"]?["uri"].text ?? "" }.sorted()
    let endings = ["diary/entry/q.md", "projects/card/p.md"]
    for (uri, ending) in zip(uris, endings) {
      #expect(uri.hasSuffix("/" + ending) && uri.hasPrefix(isVirtual ? "commonplace:///text/" : "file:///"))
      guard !isVirtual else { continue }
      // It is there before the client has the diagnostic.
      #expect(try String(contentsOf: #require(URL(string: uri)), encoding: .utf8).contains("Dune"))
    }
    await bench.daemon.stop()
  }

  @Test("a text of the library that is too long for a save says that no unsaved version of it is stored")
  func tooLong() async throws {
    let bench = try await TextsBench()
    try await bench.entry("q", "Dune")
    let uri = "commonplace:///text/diary/entry/q.md"
    bench.open("Dune\n", as: uri)
    bench.change(uri, version: 2, [["text": .string(String(repeating: "x", count: 4 << 20 + 1) + "\n")]])
    _ = try await bench.editor.firstReceived { frame in
      guard case .single(.notification("textDocument/publishDiagnostics", let params)) = frame else { return false }
      return params["diagnostics"].list.contains { $0["code"] == "unsaved" && $0["message"].text.contains("4 MiB") }
    }
    await bench.daemon.stop()
  }

  @Test("a reader who wants it is told of unknown titles everywhere")
  func unknownTitles() async throws {
    let bench = try await TextsBench(options: ["unknownTitles": "everywhere"])
    bench.open("[[Nobody]]\n")
    #expect(try await bench.diagnostics(atLeast: 1).map { $0["code"].text } == ["unknown"])
    bench.editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(TextsBench.uri)]])
    #expect(try await bench.diagnostics(atLeast: 2).isEmpty)
    await bench.daemon.stop()
  }

  @Test("in a text of the library open cards that are late and days that are none are told")
  func days() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Return the book", deadline: "2001-01-01")
    let uri = "commonplace:///text/projects/card/p.md"
    let found = try await bench.ask("textDocument/definition", "[[Return| the book]]")
    #expect(found[0]?["uri"].text == uri)
    bench.open(
      "- [ ] Return due:2001-01-01 ^aaaa\n- [x] Done due:2001-01-01 ^bbbb\n- [ ] No due:2026-02-31 ^cccc\n", as: uri)
    let heard = try await bench.editor.heard("textDocument/publishDiagnostics", atLeast: 1)
    let ours = try #require(heard.last { $0["uri"].text == uri })
    #expect(ours["diagnostics"]?.arrayValue?.map { $0["code"].text } == ["overdue", "day"])
    await bench.daemon.stop()
  }

  @Test("a client has 256 open texts at most; it is told once, and more are answered empty")
  func limit() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    for number in 0...260 { bench.open("[[Dune]]\n", as: "file:///\(number).md") }
    let kept = try await bench.editor.call(
      "textDocument/hover", bench.params(["line": 0, "character": 3], uri: "file:///255.md"))
    let refused = try await bench.editor.call(
      "textDocument/hover", bench.params(["line": 0, "character": 3], uri: "file:///256.md"))
    #expect(!kept.isNull && refused.isNull)
    #expect(try await bench.editor.heard("window/showMessage", atLeast: 1).count == 1)
    await bench.daemon.stop()
  }

  @Test("of a text of more than 2 MiB nothing is read, unless it is one of the library")
  func long() async throws {
    let bench = try await TextsBench()
    try await bench.card("p", "Dune")
    let text = "[[Dune]] commonplace:/projects/none\n" + String(repeating: "A line of prose.\n", count: 140_000)
    let board = "commonplace:///text/projects/board.md"
    for uri in [TextsBench.uri, board] { bench.open(text, as: uri) }
    func hover(_ uri: String) async throws -> JSONValue {
      try await bench.editor.call("textDocument/hover", bench.params(["line": 0, "character": 3], uri: uri))
    }
    #expect(try await hover(TextsBench.uri).isNull)
    #expect(try await !hover(board).isNull)
    let heard = try await bench.editor.heard("textDocument/publishDiagnostics", atLeast: 1)
    #expect(heard.map { $0["uri"].text } == [board])
    #expect(heard[0]["diagnostics"].list.map { $0["code"] } == ["gone"])
    await bench.daemon.stop()
  }

  @Test("the outline of a text has its headings in each other")
  func outline() async throws {
    let bench = try await TextsBench(
      capabilities: ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]])
    bench.open("# One\ntext\n## Inner\n```\n# no heading\n```\n# Two\n")
    let symbols = try await bench.editor.call(
      "textDocument/documentSymbol", ["textDocument": ["uri": .string(TextsBench.uri)]])
    #expect(symbols.arrayValue?.map { $0["name"].text } == ["One", "Two"])
    #expect(symbols[0]?["children"]?.arrayValue?.map { $0["name"].text } == ["Inner"])
    #expect(symbols[0]?["range"]?["end"]?["line"] == 5)
    await bench.daemon.stop()
  }

  @Test("the workspace's symbols are items: what is due first without words, titles by words, texts by longer ones")
  func workspaceSymbols() async throws {
    let bench = try await TextsBench()
    try await bench.card("later", "Later", deadline: "2030-01-02")
    try await bench.card("p", "Return the book", deadline: "2030-01-01")
    try await bench.entry("e", "A walk\n\nalong the river")
    func names(_ query: String) async throws -> [String] {
      try await bench.editor.call("workspace/symbol", ["query": .string(query)]).arrayValue?.map { $0["name"].text }
        ?? []
    }
    #expect(try await names("").prefix(2) == ["Return the book", "Later"])
    #expect(try await names("ret") == ["Return the book"])
    #expect(try await names("river").first?.hasPrefix("A walk · ") == true)
    let symbols = try await bench.editor.call("workspace/symbol", ["query": "return"])
    #expect(symbols[0]?["kind"] == 23)
    #expect(symbols[0]?["containerName"]?.text.hasSuffix(", Nov 21, 2026") == true, "\(symbols)")
    #expect(symbols[0]?["location"]?["uri"] == "commonplace:///text/projects/card/p.md")
    await bench.daemon.stop()
  }

  @Test("a client that resolves no symbols gets few, with files, and one that does gets all, without a file")
  func fewFiles() async throws {
    for resolves in [false, true] {
      let symbol: JSONValue = resolves ? ["resolveSupport": ["properties": ["location.range"]]] : [:]
      let bench = try await TextsBench(options: [:], workspace: ["symbol": symbol])
      for number in 0..<25 { try await bench.card("c\(number)", "Card \(number)") }
      let before = try await bench.editor.call("text/path", ["path": "projects/board.md"])["path"].text
      let folder = String(before.dropLast("/board.md".count)) + "/card"
      for query in ["", "card"] {
        let symbols = try await bench.editor.call("workspace/symbol", ["query": .string(query)]).arrayValue ?? []
        #expect(symbols.count == (resolves ? 25 : 20))
      }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      #expect(resolves ? files.isEmpty : !files.isEmpty && files.count <= 25)
      await bench.daemon.stop()
    }
  }
}
