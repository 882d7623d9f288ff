import Client
import Contract
import Foundation
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Texts

@Suite("Texts: the desk", .timeLimit(.minutes(10))) struct DeskTests {
  private func path(_ bench: TextBench, _ text: String) async throws -> String {
    try await bench.client.call("text/path", ["path": .string(text)])["path"].text
  }

  @Test("a text is laid as a file that only the user can read, and a path that names nothing lays none")
  func laid() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk")
    let file = try await path(bench, "diary/entry/\(id).md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "A walk")
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    func mode(_ path: String) throws -> Int {
      (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? 0
    }
    #expect(try mode(file) == 0o600 && mode(folder) == 0o700)
    let link = try await bench.client.call("text/path", ["link": .string("commonplace:/diary/\(id)")])
    #expect(link["path"].text == file && link["line"] == 0)
    for wrong in ["diary/../../x.md", "diary//x.md", "diary/%2e%2e/x.md", "x", "diary/entry/a%00b.md"] {
      #expect(try await bench.client.failure("text/path", ["path": .string(wrong)])?.data?["field"] == "path")
    }
    #expect(try await bench.client.failure("text/path", ["path": "diary/entry/none.md"])?.data?["kind"] == "notFound")
    await bench.stop()
  }

  @Test("a file that another program has changed is saved when it is looked at again, and then as the library is")
  func outside() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("- [ ] One", with: "- [ ] First").write(toFile: file, atomically: true, encoding: .utf8)
    _ = try await path(bench, "projects/board.md")
    _ = try await bench.clock()
    // The save was queued before this write, and is done with it.
    try await bench.card("Two")
    #expect(try await bench.client.call("projects/get", ["id": .string(id)])["title"] == "First")
    _ = try await path(bench, "projects/board.md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (try await bench.open("projects/board.md")).text)
    await bench.stop()
  }

  @Test("a file that another program has changed is saved within a minute, although nothing else happens")
  func lookedAt() async throws {
    let (minute, later) = (ToyGate.make(), ToyGate.make())
    let isOver = Mutex(false)
    let daemon = try await TestDaemon.started { settings in
      let usual = settings.pause
      settings.pause = { duration in
        guard duration == .seconds(60) else { return await usual(duration) }
        let isFirst = isOver.withLock { isOver in
          defer { isOver = true }
          return !isOver
        }
        try? await (isFirst ? minute : later).passOrCancel()
      }
    }
    let bench = TextBench(daemon, try await daemon.client())
    let id = try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    // The version of the file is stored with this write, which nobody is notified of.
    _ = try await bench.client.call("diary/draft", ["text": "x"])
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("- [ ] One", with: "- [ ] First").write(toFile: file, atomically: true, encoding: .utf8)
    minute.open()
    while try await bench.client.call("projects/get", ["id": .string(id)])["title"] != "First" { await Task.yield() }
    await bench.stop()
  }

  @Test("a file that another program has emptied removes nothing, stays as it is, and is told of in the log")
  func emptied() async throws {
    let (lines, logged) = AsyncStream.makeStream(of: String.self)
    let daemon = try await TestDaemon.started { $0.log = Log { logged.yield($1) } }
    let bench = TextBench(daemon, try await daemon.client())
    for title in ["One", "Two"] { try await bench.card(title) }
    let file = try await path(bench, "projects/board.md")
    try "## TODO\n".write(toFile: file, atomically: true, encoding: .utf8)
    _ = try await path(bench, "projects/board.md")
    let line = await lines.first { $0.contains("projects/board.md") }
    #expect(line?.contains("2 missing items were kept") == true, "\(line ?? "")")
    try await bench.card("Three")
    _ = try await path(bench, "projects/board.md")
    #expect(try await bench.board()["todo"]?.sorted() == ["One", "Three", "Two"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "## TODO\n")
    await bench.stop()
  }

  /// A client that opens texts, as an editor does.
  ///
  /// - Parameter choice: the action with which it answers questions; nil for no answer.
  private func editor(_ bench: TextBench, choosing choice: Int? = nil) async throws -> Client {
    let client = try await Client.connect(
      socket: bench.daemon.socket, record: true,
      answering: { method, params in
        method == "window/showMessageRequest" ? choice.flatMap { params["actions"]?[$0] } : nil
      })
    _ = try await client.call(
      "initialize",
      [
        "clientInfo": ["name": "editor"], "locale": "en-US",
        "capabilities": ["textDocument": ["synchronization": ["didSave": true]]],
      ])
    client.notify("initialized", [:])
    return client
  }

  @Test("a file of the desk for which the library has nothing opens with a warning, and its save adds nothing")
  func nowhere() async throws {
    let bench = try await TextBench()
    bench.daemon.daemon.startBackgroundWork()
    let id = try await bench.card("One")
    let file = try await path(bench, "projects/card/\(id).md")
    let other = file.replacing(id, with: "none")
    let editor = try await editor(bench)
    open(file, try String(contentsOfFile: file, encoding: .utf8), in: editor)
    open(other, "", in: editor)
    let heard = try await editor.heard("textDocument/publishDiagnostics", atLeast: 1)
    #expect(heard.map { $0["uri"].text } == ["file://" + other])
    #expect(heard[0]["diagnostics"]?[0]?["code"] == "gone")
    try await save(other, "- [ ] Two\n", in: editor)
    #expect(try await bench.board().values.flatMap(\.self) == ["One"])
    await bench.stop()
  }

  @Test("a file that another program has changed shows when it is opened what its save would remove, until it is back")
  func removal() async throws {
    let bench = try await TextBench()
    for title in ["One", "Two"] { try await bench.card(title) }
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.filter { !$0.hasPrefix("- [ ] Two") }.joined(separator: "\n")
    try rest.write(toFile: file, atomically: true, encoding: .utf8)
    let editor = try await editor(bench)
    open(file, rest, in: editor)
    let shown = try await editor.heard("textDocument/publishDiagnostics", atLeast: 1)[0]["diagnostics"].list
    #expect(shown.map { $0["code"] } == ["removal"] && shown.first?["severity"] == 2)
    #expect(shown.first?["message"].text.contains("“Two”") == true)
    #expect(try await bench.board()["todo"] == ["One", "Two"])
    change(file, text, in: editor)
    let later = try await editor.heard("textDocument/publishDiagnostics", atLeast: 2)
    #expect(later[1]["diagnostics"].list.isEmpty)
    try await save(file, rest, in: editor)
    #expect(try await bench.board()["todo"] == ["One"])
    await bench.stop()
  }

  private func open(_ file: String, _ text: String, in editor: Client) {
    editor.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string("file://" + file), "languageId": "markdown", "version": 1, "text": .string(text),
        ]
      ])
  }

  private func change(_ file: String, _ text: String, in editor: Client) {
    editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string("file://" + file), "version": 2],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  /// Writes a file as an editor does, and tells the daemon.
  private func save(_ file: String, _ text: String, in editor: Client) async throws {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string("file://" + file)], "text": .string(text)])
    // A write that follows waits for it.
    _ = try await editor.call("session/sync")
  }

  @Test("a file that an editor saves is saved into the library, and is not written while the editor has it")
  func saved() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let editor = try await editor(bench)
    open(file, text, in: editor)
    let edited = text.replacing("- [ ] One", with: "- [ ] New\n- [ ] First")
    try await save(file, edited, in: editor)
    #expect(try await bench.board()["todo"] == ["New", "First"])
    _ = try await bench.card("Another")
    _ = try await path(bench, "projects/board.md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == edited)
    // The new line is that card, though it has no anchor in the file.
    try await save(file, edited.replacing("New", with: "Renamed"), in: editor)
    #expect(try await bench.board()["todo"] == ["Renamed", "First", "Another"])
    try await save(file, text.replacing("- [ ] One", with: "- [ ] First"), in: editor)
    #expect(try await bench.board()["todo"] == ["First", "Another"])
    await editor.close()
    await bench.stop()
  }

  @Test(
    "of an editor that takes no edits, a file that it has not changed is written anew, and of a changed one it is told")
  func withoutEdits() async throws {
    let bench = try await TextBench()
    bench.daemon.daemon.startBackgroundWork()
    let id = try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let editor = try await editor(bench)
    open(file, text, in: editor)
    _ = try await editor.call("session/sync")
    _ = try await bench.client.call("projects/update", ["id": .string(id), "title": "Two"])
    _ = try await path(bench, "projects/board.md")
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(written == text.replacing("One", with: "Two"))
    // The editor has read it again, and then its user types.
    let mine = written + "- [ ] Mine\n"
    change(file, written, in: editor)
    change(file, mine, in: editor)
    _ = try await editor.call("session/sync")
    _ = try await bench.client.call("projects/update", ["id": .string(id), "title": "Three"])
    _ = try await path(bench, "projects/board.md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == written)
    var count = 1
    while true {
      let heard = try await editor.heard("textDocument/publishDiagnostics", atLeast: count)
      if heard.contains(where: { $0["diagnostics"].list.contains { $0["code"] == "conflict" } }) { break }
      count = heard.count + 1
    }
    try await save(file, mine, in: editor)
    #expect(try await bench.client.call("projects/get", ["id": .string(id)])["title"] == "Three")
    #expect(try await bench.client.call("projects/list", ["query": "Mine"]).items.count == 1)
    await editor.close()
    await bench.stop()
  }

  @Test("after a restore no version of before is saved, and a changed file is set aside and not overwritten")
  func restored() async throws {
    let folder = TemporaryFolder()
    let bench = try await TextBench(in: folder)
    try await bench.card("One")
    let board = try await bench.open("projects/board.md")
    let file = try await path(bench, "projects/board.md")
    // A write that follows waits for what was queued.
    try await bench.card("Two")
    let library = LibraryFolder(bench.daemon.library)
    await bench.stop()
    let mine = board.text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One")
    try mine.write(toFile: file, atomically: true, encoding: .utf8)
    try OldLibraries.execute("UPDATE textBase SET base = json_set(base, '$.epoch', 'another')", in: library)

    let restored = try await TextBench(in: folder)
    let failure = try await restored.client.failure(
      "text/save",
      ["uri": "commonplace:///text/projects/board.md", "base": .string(board.base), "text": .string(mine)])
    #expect(failure?.kind == "conflict")
    #expect(try await path(restored, "projects/board.md") == file)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8) == (try await restored.open("projects/board.md")).text)
    #expect(try String(contentsOfFile: file + "~", encoding: .utf8) == mine)
    #expect(try await restored.board()["todo"] == ["One", "Two"])
    await restored.stop()
  }

  @Test("after a restore an editor that saves its file is asked, and then all of it is saved and nothing is removed")
  func kept() async throws {
    let folder = TemporaryFolder()
    let bench = try await TextBench(in: folder)
    try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try await bench.card("Two")
    let library = LibraryFolder(bench.daemon.library)
    await bench.stop()
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try OldLibraries.execute("UPDATE textBase SET base = json_set(base, '$.epoch', 'another')", in: library)

    let restored = try await TextBench(in: folder)
    let editor = try await editor(restored, choosing: 0)
    open(file, text, in: editor)
    let mine = text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] First")
    change(file, mine, in: editor)
    try await save(file, mine, in: editor)
    while try await restored.board()["todo"]?.count != 3 { await Task.yield() }
    #expect(try await restored.board()["todo"] == ["Mine", "First", "Two"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == mine)
    // The next save is compared with what is there now.
    try await save(file, mine.replacing("First", with: "Another"), in: editor)
    #expect(try await restored.board()["todo"] == ["Mine", "Another", "Two"])
    await editor.close()
    await restored.stop()
  }

  @Test("after a restore an editor that saves all of its file is shown it if that fails")
  func failed() async throws {
    let folder = TemporaryFolder()
    let bench = try await TextBench(in: folder)
    try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // A write that follows waits for what was queued.
    try await bench.card("Two")
    let library = LibraryFolder(bench.daemon.library)
    await bench.stop()
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try OldLibraries.execute("UPDATE textBase SET base = json_set(base, '$.epoch', 'another')", in: library)

    let restored = try await TextBench(in: folder)
    let editor = try await editor(restored, choosing: 0)
    open(file, text, in: editor)
    // A text of more than 4 MiB is refused.
    try await save(file, text + String(repeating: "x", count: 4 << 20), in: editor)
    let shown = try await editor.heard("window/showMessage", atLeast: 1)
    #expect(shown[0]["type"] == 1 && !shown[0]["message"].text.isEmpty)
    #expect(try await restored.board()["todo"] == ["One", "Two"])
    await editor.close()
    await restored.stop()
  }

  @Test("of two editors that have one file open, neither takes back what the other has saved")
  func twoEditors() async throws {
    let bench = try await TextBench()
    for title in ["One", "Two"] { try await bench.card(title) }
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let (first, second) = (try await editor(bench), try await editor(bench))
    open(file, text, in: first)
    open(file, text, in: second)
    _ = try await second.call("session/sync")
    try await save(
      file, text.replacing("One", with: "First").replacing("- [ ] Two", with: "- [ ] New\n- [ ] Two"), in: first)
    try await save(file, text.replacing("Two", with: "Second"), in: second)
    #expect(try await bench.board()["todo"] == ["First", "New", "Second"])
    await first.close()
    await second.close()
    await bench.stop()
  }

  @Test("DOS line ends and a byte order mark are no change")
  func lineEnds() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\nAlong the river.\n")
    let file = try await path(bench, "diary/entry/\(id).md")
    let editor = try await editor(bench)
    open(file, try String(contentsOfFile: file, encoding: .utf8), in: editor)
    let clock = try await bench.clock()
    for _ in 0..<2 { try await save(file, "\u{FEFF}A walk\r\nAlong the river.\r\n", in: editor) }
    #expect(try await bench.clock() == clock)
    try await save(file, "\u{FEFF}A walk\r\nAlong the sea.\r\n", in: editor)
    #expect(try await bench.text(of: id) == "A walk\nAlong the sea.\n")
    await editor.close()
    await bench.stop()
  }

  @Test("a conflict that the reader settles with their own version is saved at once")
  func settled() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\nAlong the river.\n")
    let file = try await path(bench, "diary/entry/\(id).md")
    let editor = try await editor(bench)
    open(file, "A walk\nAlong the river.\n", in: editor)
    let mine = "A walk\nAlong the sea.\n"
    change(file, mine, in: editor)
    _ = try await editor.call("session/sync")
    _ = try await bench.client.call("diary/update", ["id": .string(id), "text": "A walk\nAlong the lake.\n"])
    try await save(file, mine, in: editor)
    #expect(try await bench.text(of: id) == "A walk\nAlong the lake.\n")
    // The live merge notes the conflict at its line, a save at the first.
    let (start, end): (JSONValue, JSONValue) = (["line": 0, "character": 0], ["line": 2, "character": 0])
    let actions = try await editor.call(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string("file://" + file)], "range": ["start": start, "end": end],
        "context": ["diagnostics": []],
      ])
    let shown = try #require(actions.arrayValue?.first { $0["title"] == "Show the difference" })
    let difference = (shown["arguments"] ?? shown["command"]?["arguments"])?[0]?["path"]
    let change = try await bench.open(try #require(difference?.stringValue))
    #expect(change.lines.contains("-Along the river.") && change.lines.contains("+Along the lake."))
    _ = try await editor.call(
      "workspace/executeCommand",
      [
        "command": "commonplace.decide",
        "arguments": [["uri": .string("file://" + file), "id": .string(id), "take": "mine"]],
      ])
    #expect(try await bench.text(of: id) == mine)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == mine)
    await editor.close()
    await bench.stop()
  }

  @Test("a file of the agenda that is saved twice plans a card once, and what others plan meanwhile stays")
  func planned() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Read")
    let file = try await path(bench, "projects/agenda.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let editor = try await editor(bench)
    open(file, text, in: editor)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let line = try #require(lines.first { $0.contains("Read") })
    var rest = lines.filter { $0 != line }
    rest.insert(line, at: try #require(rest.firstIndex(of: "## Today")) + 2)
    let moved = rest.joined(separator: "\n")
    try await save(file, moved, in: editor)
    func deadline() async throws -> JSONValue? {
      try await bench.client.call("projects/get", ["id": .string(id)])["deadline"]
    }
    #expect(try await deadline() == "2026-11-21")
    _ = try await bench.client.call("projects/update", ["id": .string(id), "deadline": "2026-12-01"])
    try await save(file, moved, in: editor)
    #expect(try await deadline() == "2026-12-01")
    // Closed, the file is as the library is.
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string("file://" + file)]])
    _ = try await editor.call("session/sync")
    await bench.daemon.daemon.services.desk.settle()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (try await bench.open("projects/agenda.md")).text)
    await editor.close()
    await bench.stop()
  }

  @Test("of more than 200 files the longest unused go, but none that is open or that somebody has changed")
  func most() async throws {
    let bench = try await TextBench()
    var cards: [String] = []
    for number in 0..<TextDesk.most + 5 { cards.append(try await bench.card("Card \(number)")) }
    var files: [String] = []
    for id in cards {
      files.append(try await path(bench, "projects/card/\(id).md"))
      // When a file was used last is a time in milliseconds.
      bench.daemon.clock.advance(milliseconds: 1_000)
      _ = try await bench.clock()
    }
    let editor = try await editor(bench)
    open(files[0], try String(contentsOfFile: files[0], encoding: .utf8), in: editor)
    _ = try await editor.call("session/sync")
    let note = "Card 1 and a word that is not saved yet"
    try note.write(toFile: files[1], atomically: true, encoding: .utf8)
    let desk = bench.daemon.daemon.services.desk
    try await bench.entry("A walk")
    await desk.settle()
    let there = files.indices.filter { FileManager.default.fileExists(atPath: files[$0]) }
    #expect(there.contains(0) && there.contains(1), "\(there.prefix(9))")
    #expect(there.last == files.count - 1 && !there.contains(2) && !there.contains(4), "\(there.count)")
    await editor.close()
    await bench.stop()
  }

  @Test("a folder that is deleted is laid again with the next text, and nothing of the library is lost")
  func deleted() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    var folder = URL(fileURLWithPath: file)
    while folder.lastPathComponent != "desk" { folder.deleteLastPathComponent() }
    try FileManager.default.removeItem(at: folder)
    try await bench.card("Two")
    await bench.daemon.daemon.services.desk.settle()
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try await path(bench, "projects/board.md") == file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (try await bench.open("projects/board.md")).text)
    #expect(try await bench.board()["todo"] == ["One", "Two"])
    await bench.stop()
  }
}
