import Client
import Contract
import Foundation
import SQLite
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Texts: drafts of an earlier session", .timeLimit(.minutes(2))) struct OfferedDraftTests {
  /// An editor that answers the question about a draft with one of its actions, and applies edits to nothing.
  private func editor(_ bench: TextBench, choosing action: Int?) async throws -> Client {
    let client = try await Client.connect(
      socket: bench.daemon.socket, record: true,
      answering: { method, params in
        if method == "workspace/applyEdit" { return ["applied": true] }
        guard method == "window/showMessageRequest" else { return nil }
        guard let action, let chosen = params["actions"]?[action] else { return JSONValue.null }
        return chosen
      })
    _ = try await client.call(
      "initialize",
      [
        "clientInfo": ["name": "editor"], "locale": "en-US",
        "capabilities": [
          "textDocument": ["synchronization": ["didSave": true]],
          "workspace": ["applyEdit": true, "workspaceEdit": ["documentChanges": true]],
        ],
      ])
    client.notify("initialized", [:])
    return client
  }

  private func open(_ uri: String, _ text: String, in editor: Client) {
    editor.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "markdown", "version": 1, "text": .string(text)]])
  }

  private func change(_ uri: String, _ text: String, in editor: Client) {
    editor.notify(
      "textDocument/didChange",
      ["textDocument": ["uri": .string(uri), "version": 2], "contentChanges": [["text": .string(text)]]])
  }

  private func request(_ name: String, of editor: Client) async throws -> JSONValue {
    let frame = try await editor.firstReceived { frame in
      if case .single(.request(_, name, _)) = frame { true } else { false }
    }
    guard case .single(.request(_, _, let params)) = frame else { return .null }
    return params
  }

  /// A board with one card, and the file of it.
  private func board(_ bench: TextBench) async throws -> (uri: String, text: String) {
    try await bench.card("One")
    let laid = try await bench.client.call("text/path", ["path": "projects/board.md"])
    return (laid["uri"].text, try String(contentsOfFile: laid["path"].text, encoding: .utf8))
  }

  /// Types into a file and closes it at once, without a save.
  private func abandon(_ uri: String, _ text: String, _ bench: TextBench) async throws {
    let first = try await editor(bench, choosing: nil)
    open(uri, text, in: first)
    change(uri, text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One"), in: first)
    first.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await first.call("session/sync")
    await first.close()
  }

  private func drafts(_ bench: TextBench) async throws -> [JSONValue] {
    try await bench.client.call("text/drafts")["items"].list
  }

  @Test("a text that was closed without a save is offered when it is opened again, with what others have changed since")
  func taken() async throws {
    let bench = try await TextBench()
    let (uri, text) = try await board(bench)
    try await abandon(uri, text, bench)
    while try await drafts(bench).isEmpty { await Task.yield() }
    #expect(try await drafts(bench).map { $0["text"].text.contains("Mine") } == [true])
    try await bench.card("Two")
    _ = try await bench.client.call("text/path", ["path": "projects/board.md"])
    let now = try await bench.open("projects/board.md").text
    let second = try await editor(bench, choosing: 0)
    open(uri, now, in: second)
    let question = try await request("window/showMessageRequest", of: second)
    #expect(question["actions"].list.count == 2)
    let edits = try await request("workspace/applyEdit", of: second)["edit"]?["documentChanges"]?[0]?["edits"].list
    #expect(edits?.map { $0["newText"].text } == ["- [ ] Mine\n"])
    // The client has it: the draft is that of its own text from now on.
    change(uri, now.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One"), in: second)
    second.notify(
      "textDocument/didSave",
      [
        "textDocument": ["uri": .string(uri)],
        "text": .string(now.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One")),
      ])
    _ = try await second.call("session/sync")
    #expect(try await bench.board()["todo"] == ["Mine", "One", "Two"])
    await second.close()
    await bench.stop()
  }

  @Test("a line of a draft that others have changed since is a conflict: both are there, and a save overwrites neither")
  func conflicting() async throws {
    let bench = try await TextBench()
    let text = "A walk\nAlong the river.\n"
    let id = try await bench.entry(text)
    let uri = try await bench.client.call("text/path", ["path": .string("diary/entry/\(id).md")])["uri"].text
    let first = try await editor(bench, choosing: nil)
    open(uri, text, in: first)
    change(uri, text.replacing("river", with: "sea"), in: first)
    first.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await first.call("session/sync")
    await first.close()
    while try await drafts(bench).isEmpty { await Task.yield() }
    let theirs = "A long walk\nAlong the lake.\n"
    _ = try await bench.client.call("diary/update", ["id": .string(id), "text": .string(theirs)])
    _ = try await bench.client.call("text/path", ["path": .string("diary/entry/\(id).md")])
    let second = try await editor(bench, choosing: 0)
    open(uri, theirs, in: second)
    let edits = try await request("workspace/applyEdit", of: second)["edit"]?["documentChanges"]?[0]?["edits"].list
    #expect(edits?.map { $0["newText"].text } == ["Along the sea.\n"])
    let mine = theirs.replacing("lake", with: "sea")
    change(uri, mine, in: second)
    _ = try await second.firstReceived { frame in
      guard case .single(.notification("textDocument/publishDiagnostics", let params)) = frame else { return false }
      return params["diagnostics"].list.contains { $0["code"] == "conflict" && $0["data"]?["id"].text == id }
    }
    second.notify("textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(mine)])
    _ = try await second.call("session/sync")
    #expect(try await bench.text(of: id) == theirs)
    _ = try await second.call(
      "workspace/executeCommand",
      [
        "command": "commonplace.decide",
        "arguments": [["uri": .string(uri), "id": .string(id), "take": "mine"]],
      ])
    #expect(try await bench.text(of: id) == mine)
    await second.close()
    await bench.stop()
  }

  @Test("an unsaved text that is no file is stored too, until its client has saved all of it")
  func virtual() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    let client = try await editor(bench, choosing: nil)
    var board = try await bench.open("projects/board.md", client)
    let uri = "commonplace:///text/projects/board.md"
    open(uri, board.text, in: client)
    board.text = board.text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One")
    change(uri, board.text, in: client)
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await client.call("session/sync")
    while try await drafts(bench).isEmpty { await Task.yield() }
    #expect(try await drafts(bench).map { $0["text"].text } == [board.text])
    #expect(try await drafts(bench).map { $0["uri"].text } == [uri])
    #expect(try await bench.save(&board, [:], client)["saved"] == true)
    #expect(try await drafts(bench).isEmpty)
    await client.close()
    await bench.stop()
  }

  @Test("a saved text that an editor ends with a line end of its own is no draft")
  func lineEnd() async throws {
    let bench = try await TextBench()
    _ = try await bench.client.call("notes/add", ["text": "Rivers\nThe Nile"])
    let client = try await editor(bench, choosing: nil)
    let note = try await bench.open("notes/Rivers.md", client)
    #expect(note.text == "Rivers\nThe Nile")
    let uri = "commonplace:///text/notes/Rivers.md"
    open(uri, note.text, in: client)
    change(uri, note.text + "\n", in: client)
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await client.call("session/sync")
    // Writes follow each other, so a draft would be there after this one.
    try await bench.card("One")
    #expect(try await drafts(bench).isEmpty)
    await client.close()
    await bench.stop()
  }

  @Test("a draft of a text that is no file is offered to an editor that names the version of its text itself")
  func unfollowed() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\n\nAlong the river.\n")
    let path = "diary/entry/\(id).md"
    let uri = "commonplace:///text/\(path)"
    let first = try await editor(bench, choosing: nil)
    let text = try await bench.open(path, first).text
    open(uri, text, in: first)
    let draft = text.replacing("river", with: "sea")
    change(uri, draft, in: first)
    first.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await first.call("session/sync")
    await first.close()
    while try await drafts(bench).isEmpty { await Task.yield() }
    _ = try await bench.client.call("diary/update", ["id": .string(id), "text": "A long walk\n\nAlong the river.\n"])
    let second = try await editor(bench, choosing: 0)
    let now = try await bench.open(path, second).text
    open(uri, now, in: second)
    let params = try await request("workspace/applyEdit", of: second)
    #expect(params["edit"]?["documentChanges"]?[0]?["edits"].list.map { $0["newText"].text } == ["Along the sea.\n"])
    #expect(params["label"] == "Unsaved version" && params["commonplace"] == nil)
    change(uri, now.replacing("river", with: "sea"), in: second)
    // The client has it: the draft of the earlier session is gone.
    while try await drafts(bench).contains(where: { $0["text"].text == draft }) { await Task.yield() }
    await second.close()
    await bench.stop()
  }

  @Test("a text of which a save was refused is stored until its words are saved: nothing else has them")
  func refused() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\nAlong the river.\n")
    let client = try await editor(bench, choosing: nil)
    var entry = try await bench.open("diary/entry/\(id).md", client)
    let uri = "commonplace:///text/diary/entry/\(id).md"
    open(uri, entry.text, in: client)
    _ = try await bench.client.call("diary/update", ["id": .string(id), "text": "A walk\nAlong the lake.\n"])
    entry.text = "A walk\nAlong the sea.\n"
    change(uri, entry.text, in: client)
    #expect(try await bench.save(&entry, [:], client)["saved"] == false)
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await client.call("session/sync")
    // A later write: the draft is stored by now.
    try await bench.entry("Another")
    #expect(try await drafts(bench).map { $0["text"].text } == ["A walk\nAlong the sea.\n"])
    entry.text = "A walk to the sea\nAlong the lake.\n"
    #expect(try await bench.save(&entry, [:], client)["saved"] == true)
    #expect(try await drafts(bench).isEmpty)
    await client.close()
    await bench.stop()
  }

  @Test("a draft that is let go is gone, and one without an answer stays")
  func letGo() async throws {
    let bench = try await TextBench()
    let (uri, text) = try await board(bench)
    try await abandon(uri, text, bench)
    let silent = try await editor(bench, choosing: nil)
    open(uri, text, in: silent)
    _ = try await request("window/showMessageRequest", of: silent)
    silent.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await silent.call("session/sync")
    #expect(try await drafts(bench).count == 1)
    await silent.close()
    let second = try await editor(bench, choosing: 1)
    open(uri, text, in: second)
    _ = try await request("window/showMessageRequest", of: second)
    while try await !drafts(bench).isEmpty { await Task.yield() }
    #expect(try await bench.board()["todo"] == ["One"])
    await second.close()
    await bench.stop()
  }

  /// Opens a virtual text, changes it and closes it, without a save.
  private func leave(_ path: String, _ change: (String) -> String, _ bench: TextBench, _ client: Client) async throws {
    let text = try await bench.open(path, client).text
    let uri = "commonplace:///text/\(path)"
    open(uri, text, in: client)
    self.change(uri, change(text), in: client)
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    _ = try await client.call("session/sync")
    while try await drafts(bench).allSatisfy({ $0["path"].text != path }) { await Task.yield() }
  }

  @Test("the unsaved text of one entry is a draft of the entry too, until it is saved or let go")
  func ofEntry() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk")
    let path = "diary/entry/\(id).md"
    func itemDrafts() async throws -> [JSONValue] { try await bench.client.call("diary/drafts")["items"].list }
    let client = try await editor(bench, choosing: nil)
    // The editor ends the text with a line end, which the entry has not.
    try await leave(path, { $0 + " by the sea\n" }, bench, client)
    let found = try await itemDrafts()
    #expect(found.map { $0["text"] } == ["A walk by the sea"] && found.map { $0.id.text } == [id])
    #expect(found[0]["client"] == "editor")
    _ = try await bench.client.call(
      "text/discardDraft", ["uri": .string("commonplace:///text/\(path)")])
    #expect(try await itemDrafts().isEmpty)
    try await leave(path, { _ in "A long walk" }, bench, client)
    #expect(try await itemDrafts().count == 1)
    var opened = try await bench.open(path, client)
    opened.text = "A long walk"
    #expect(try await bench.save(&opened, [:], client)["saved"] == true)
    #expect(try await itemDrafts().isEmpty)
    #expect(try await drafts(bench).isEmpty)
    // Nor is a text that is as it was saved an unsaved one.
    try await leave(path, { _ in "Another walk" }, bench, client)
    #expect(try await itemDrafts().count == 1)
    open("commonplace:///text/\(path)", opened.text, in: client)
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string("commonplace:///text/\(path)")]])
    while try await !drafts(bench).isEmpty { await Task.yield() }
    #expect(try await itemDrafts().isEmpty)
    await client.close()
    await bench.stop()
  }

  @Test("the unsaved text of one card is a draft of the card, with the fields of its line; one that is no card is none")
  func ofCard() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Return the book", ["deadline": .null, "body": "To the library"])
    let path = "projects/card/\(id).md"
    func itemDrafts() async throws -> [JSONValue] { try await bench.client.call("projects/drafts")["items"].list }
    let client = try await editor(bench, choosing: nil)
    try await leave(
      path,
      {
        $0.replacing("Return the book", with: "Return the books due:2026-12-24 #errands !2")
          .replacing("To the library", with: "To the library, before six")
      }, bench, client)
    let found = try await itemDrafts()
    #expect(found.map { $0.id.text } == [id])
    #expect(found[0]["title"] == "Return the books" && found[0]["deadline"] == "2026-12-24")
    #expect(found[0]["tags"] == ["errands"])
    // A change of the card since makes it outdated, as that of any other client.
    let before = found[0]["revision"]
    _ = try await bench.client.call("projects/update", ["id": .string(id), "title": "Another title"])
    #expect(try await itemDrafts()[0]["revision"] == before)
    try await leave(path, { _ in "No card\n" }, bench, client)
    #expect(try await itemDrafts().map { $0["title"] } == ["Return the books"])
    _ = try await bench.client.call(
      "text/discardDraft", ["uri": .string("commonplace:///text/\(path)")])
    #expect(try await itemDrafts().isEmpty)
    try await leave(path, { $0.replacing("Another title", with: "Another due:nonsense") }, bench, client)
    #expect(try await itemDrafts().isEmpty)
    await client.close()
    await bench.stop()
  }

  @Test("unsaved texts of megabytes are stored; when all have 64 MiB, the oldest goes, which users are shown")
  func bounded() async throws {
    let bench = try await TextBench()
    let client = try await editor(bench, choosing: nil)
    let long = String(repeating: String(repeating: "x", count: 99) + "\n", count: 41_000)
    for day in 10..<27 {
      let uri = "commonplace:///text/diary/2026-01-\(day).md"
      open(uri, long, in: client)
      client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    }
    let shown = try await client.heard("window/showMessage", atLeast: 1)
    #expect(shown[0]["message"].text.contains("diary/2026-01-10.md") && shown[0]["type"] == 2)
    let first = try await bench.client.call("text/drafts", ["limit": 100])
    #expect(first["total"] == 16 && first["items"]?[0]?["path"] == "diary/2026-01-26.md")
    #expect(first["items"]?[0]?["text"].text == long)
    await client.close()
    await bench.stop()
  }

  @Test("a user is shown once that an unsaved text cannot be stored")
  func notStored() async throws {
    let bench = try await TextBench()
    let database = try Database(path: LibraryFolder(bench.daemon.library).database)
    try database.write {
      try $0.execute("CREATE TRIGGER full BEFORE INSERT ON textDraft BEGIN SELECT RAISE(ABORT, 'no room'); END")
    }
    let client = try await editor(bench, choosing: nil)
    let uri = "commonplace:///text/diary/2026-01-10.md"
    for _ in 0..<2 {
      open(uri, "A walk\n", in: client)
      client.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
      _ = try await client.call("session/sync")
    }
    let shown = try await client.heard("window/showMessage", atLeast: 1)
    #expect(shown.map { $0["message"].text.contains("diary/2026-01-10.md") } == [true])
    try database.close()
    await client.close()
    await bench.stop()
  }
}
