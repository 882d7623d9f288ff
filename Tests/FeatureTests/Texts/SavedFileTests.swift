import Client
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// Files of the desk that an editor opens and saves, with nothing but LSP.
@Suite("Texts: files saved by an editor", .timeLimit(.minutes(10))) struct SavedFileTests {
  private func lay(_ path: String, _ bench: TextsBench) async throws -> (uri: String, text: String) {
    let laid = try await bench.editor.call("text/path", ["path": .string(path)])
    return (laid["uri"].text, try String(contentsOfFile: laid["path"].text, encoding: .utf8))
  }

  private func save(_ uri: String, _ text: String?, _ bench: TextsBench) {
    var params: JSONObject = ["textDocument": ["uri": .string(uri)]]
    params["text"] = text.map { .string($0) }
    bench.editor.notify("textDocument/didSave", .object(params))
  }

  @Test(
    "a save is one commit with the text that it carries, which the editor's next request sees and an undo takes back")
  func saves() async throws {
    let bench = try await TextsBench(options: [:])
    try await bench.card("p", "Return the book")
    let (uri, text) = try await lay("projects/board.md", bench)
    bench.open(text, as: uri)
    let edited = text.replacing("Return the book", with: "Return two books").replacing(
      "\n- [ ] Return", with: "\n- [ ] Call Ann\n- [ ] Return")
    save(uri, edited, bench)
    let cards = try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.map { $0["title"].text }
    #expect(Set(cards ?? []) == ["Call Ann", "Return two books"])
    _ = try await bench.editor.call("changes/undo")
    #expect(try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.count == 1)
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "Return the book")
    await bench.daemon.stop()
  }

  @Test("a removed line removes its card and is told; a save without its text takes the text that is open")
  func removal() async throws {
    let bench = try await TextsBench(options: [:])
    for title in ["One", "Two", "Three"] { try await bench.card(title.lowercased(), title) }
    let (uri, text) = try await lay("projects/board.md", bench)
    bench.open(text, as: uri)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("- [ ] Two ") }
    bench.change(uri, version: 2, [["text": .string(lines.joined(separator: "\n"))]])
    save(uri, nil, bench)
    let cards = try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.map { $0["title"].text }
    #expect(Set(cards ?? []) == ["One", "Three"])
    let told = try await bench.editor.heard("window/showMessage", atLeast: 1)
    #expect(told[0]["message"].text.contains("Two"))
    await bench.daemon.stop()
  }

  @Test("cards that are all gone from a text are held: told at the place, in the library still, and removed when asked")
  func held() async throws {
    let bench = try await TextsBench(
      capabilities: ["codeAction": ["codeActionLiteralSupport": ["codeActionKind": ["valueSet": ["quickfix"]]]]],
      options: [:])
    for number in 1...5 { try await bench.card("c\(number)", "Card \(number)") }
    let (uri, text) = try await lay("projects/board.md", bench)
    bench.open(text, as: uri)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("- [ ]") }
    let rest = lines.joined(separator: "\n")
    bench.change(uri, version: 2, [["text": .string(rest)]])
    save(uri, rest, bench)
    #expect(try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.count == 5)
    let told = try await bench.diagnostics(atLeast: 1)
    #expect(told.map { $0["code"].text } == Array(repeating: "held", count: 5))
    let place = told[0]["range"]?["start"] ?? .null
    let actions = try await bench.editor.call(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(uri)], "range": ["start": place, "end": place], "context": ["diagnostics": []]])
    try #require(actions.arrayValue?.count == 2)
    let restored = actions[1]?["edit"]?["documentChanges"]?[0]?["edits"]?.arrayValue?.map { $0["newText"].text }
    #expect(restored?.joined().split(separator: "\n").count == 5)
    let command = try #require(actions[0]?["command"])
    _ = try await bench.editor.call(
      "workspace/executeCommand",
      ["command": command["command"] ?? .null, "arguments": command["arguments"] ?? .null])
    #expect(try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.isEmpty == true)
    await bench.daemon.stop()
  }

  /// A board with a card whose title the save has replaced, which another client has changed meanwhile.
  ///
  /// - Parameter minute: passed when the minute is over in which the editor is shown that.
  private func saveOverOthers(minute: ToyGate = .make()) async throws -> (bench: TextsBench, uri: String) {
    let bench = try await TextsBench(
      capabilities: ["codeAction": ["codeActionLiteralSupport": ["codeActionKind": ["valueSet": ["quickfix"]]]]],
      options: ["liveEdits": false]
    ) { settings in
      let usual = settings.pause
      let minutes = Mutex(0)
      let never = ToyGate.make()
      settings.pause = { duration in
        guard duration == .seconds(60) else { return await usual(duration) }
        let count = minutes.withLock { minutes in
          minutes += 1
          return minutes
        }
        // The first one is the desk's, which waits again afterwards.
        try? await (count <= 2 ? minute : never).passOrCancel()
      }
    }
    try await bench.card("p", "Return the book")
    let (uri, text) = try await lay("projects/board.md", bench)
    let edited = text.replacing("Return the book", with: "Return two books")
    bench.open(text, as: uri)
    bench.change(uri, version: 2, [["text": .string(edited)]])
    _ = try await bench.editor.call("session/sync")
    let other = try await bench.daemon.client(name: "phone")
    _ = try await other.call("projects/update", ["id": "p", "title": "Return all books", "priority": 1])
    save(uri, edited, bench)
    let card = try await bench.editor.call("projects/get", ["id": "p"])
    #expect(card["title"] == "Return two books" && card["priority"] == 1)
    return (bench, uri)
  }

  /// The newest diagnostics, as soon as one of a code is among them, or none is.
  private func diagnostics(_ code: String, isThere: Bool = true, _ bench: TextsBench) async throws -> [JSONValue] {
    var count = 1
    while true {
      let heard = try await bench.editor.heard("textDocument/publishDiagnostics", atLeast: count)
      let newest = heard.last?["diagnostics"].list ?? []
      if newest.contains(where: { $0["code"].text == code }) == isThere { return newest }
      count = heard.count + 1
    }
  }

  @Test("a value of others that a save replaces is shown, and restored if the user takes it")
  func takesTheirs() async throws {
    let (bench, uri) = try await saveOverOthers()
    let shown = try #require(try await diagnostics("replaced", bench).first { $0["code"] == "replaced" })
    #expect(shown["severity"] == 3 && shown["message"].text.contains("phone"))
    let place = shown["range"]?["start"] ?? .null
    let actions = try await bench.editor.call(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(uri)], "range": ["start": place, "end": place],
        "context": ["diagnostics": [], "only": ["quickfix"]],
      ])
    let action = try #require(actions.arrayValue?.first { $0["title"] == "Take the other version" })
    _ = try await bench.editor.call(
      "workspace/executeCommand",
      ["command": action["command"]?["command"] ?? .null, "arguments": action["command"]?["arguments"] ?? .null])
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "Return all books")
    _ = try await diagnostics("replaced", isThere: false, bench)
    await bench.daemon.stop()
  }

  @Test("a replaced value is not restored over one that another client has written after the save")
  func changedAgain() async throws {
    let (bench, uri) = try await saveOverOthers()
    _ = try await diagnostics("replaced", bench)
    let tablet = try await bench.daemon.client(name: "tablet")
    _ = try await tablet.call("projects/update", ["id": "p", "title": "Return no book"])
    let failure = try await bench.editor.failure(
      "workspace/executeCommand",
      ["command": "commonplace.decide", "arguments": [["uri": .string(uri), "id": "p", "take": "theirs"]]])
    #expect(failure?.kind == "conflict")
    #expect(try await bench.editor.call("projects/get", ["id": "p"])["title"] == "Return no book")
    await bench.daemon.stop()
  }

  @Test("that a save has replaced what others have written is shown for a minute")
  func minute() async throws {
    let minute = ToyGate.make()
    let (bench, _) = try await saveOverOthers(minute: minute)
    _ = try await diagnostics("replaced", bench)
    minute.open()
    _ = try await diagnostics("replaced", isThere: false, bench)
    await bench.daemon.stop()
  }

  /// Saves a board of five cards without them, as an editor whose user answers the question about them.
  private func saveWithout(_ choice: Int) async throws -> (bench: TextsBench, uri: String, rest: String) {
    let bench = try await TextsBench(options: [:], choice: choice)
    for number in 1...5 { try await bench.card("c\(number)", "Card \(number)") }
    let (uri, text) = try await lay("projects/board.md", bench)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("- [ ]") }
    let rest = lines.joined(separator: "\n")
    bench.open(text, as: uri)
    bench.change(uri, version: 2, [["text": .string(rest)]])
    save(uri, rest, bench)
    return (bench, uri, rest)
  }

  @Test("a question about cards that are all gone from a text removes them if the user says so")
  func answeredByRemoval() async throws {
    let bench = try await saveWithout(0).bench
    _ = try await bench.editor.firstReceived { frame in
      guard case .single(.notification("changes/didCommit", let params)) = frame else { return false }
      return params["changes"].list.contains { $0["kind"] == "removed" }
    }
    #expect(try await bench.editor.call("projects/list", [:])["items"].list.isEmpty)
    await bench.daemon.stop()
  }

  @Test("a question about cards that are all gone from a text puts them back if the user says so, and comes once")
  func answeredByRestoration() async throws {
    let (bench, uri, rest) = try await saveWithout(1)
    let request = try await bench.editor.firstReceived { frame in
      if case .single(.request(_, "workspace/applyEdit", _)) = frame { true } else { false }
    }
    guard case .single(.request(_, _, let params)) = request else { return }
    let edits = params["edit"]?["documentChanges"]?[0]?["edits"].list ?? []
    #expect(edits.map { $0["newText"].text }.joined().split(separator: "\n").count == 5)
    save(uri, rest, bench)
    #expect(try await bench.editor.call("projects/list", [:])["items"].list.count == 5)
    let questions = bench.editor.received.count { frame in
      if case .single(.request(_, "window/showMessageRequest", _)) = frame { true } else { false }
    }
    #expect(questions == 1)
    await bench.daemon.stop()
  }

  @Test("a file that is not of the desk is never taken, wherever it is saved")
  func foreign() async throws {
    let bench = try await TextsBench(options: [:])
    try await bench.card("p", "One")
    let (uri, text) = try await lay("projects/board.md", bench)
    bench.open(text, as: "file:///elsewhere/board.md")
    save("file:///elsewhere/board.md", "## TODO\n", bench)
    save(uri.replacing("/desk/", with: "/desk/../desk/x/"), "## TODO\n", bench)
    #expect(try await bench.editor.call("projects/list", [:])["items"]?.arrayValue?.count == 1)
    // The anchors of a copy are links.
    let place = try #require(text.firstRange(of: "- [ ] One ^"))
    let found = try await bench.editor.call(
      "textDocument/definition",
      bench.params(bench.position(of: text[..<place.upperBound]), uri: "file:///elsewhere/board.md"))
    #expect(found[0]?["uri"].text.hasSuffix("/projects/card/p.md") == true)
    await bench.daemon.stop()
  }

  @Test("a day that is open stays that day when the next begins: what is written there is of it")
  func nextDay() async throws {
    let bench = try await TextsBench(options: [:]) { $0.dayCheck = .milliseconds(2) }
    try await bench.entry("e", "A walk")
    let (uri, text) = try await lay("diary/today.md", bench)
    #expect(uri.hasSuffix("/diary/2026-11-21.md"))
    bench.open(text, as: uri)
    bench.daemon.clock.advance(milliseconds: 24 * 3_600_000)
    _ = try await bench.editor.heard("session/didChangeDay", atLeast: 1)
    save(uri, text + "--- +\nA late thought\n", bench)
    _ = try await bench.editor.call("session/sync")
    func day(_ name: String) async throws -> String {
      try await bench.editor.call("text/open", ["uri": .string("commonplace:///text/diary/\(name).md")])["text"].text
    }
    #expect(try await day("2026-11-21").contains("A late thought"))
    #expect(try await !day("today").contains("A late thought"))
    #expect(try await lay("diary/today.md", bench).uri.hasSuffix("/diary/2026-11-22.md"))
    await bench.daemon.stop()
  }

  @Test("definition leads to files of the desk by default, and a file that is open there is left as it is")
  func files() async throws {
    let bench = try await TextsBench(options: [:])
    try await bench.card("p", "Dune")
    let found = try await bench.ask("textDocument/definition", "[[Du|ne]]")
    let uri = try #require(found[0]?["uri"]?.stringValue)
    #expect(uri.hasPrefix("file:///") && uri.hasSuffix("/projects/card/p.md"))
    let file = try #require(URL(string: uri)?.path)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    bench.open(text, as: uri)
    _ = try await bench.editor.call("projects/update", ["id": "p", "title": "Arrakis"])
    _ = try await bench.ask("textDocument/definition", "[[Arra|kis]]")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    await bench.daemon.stop()
  }
}
