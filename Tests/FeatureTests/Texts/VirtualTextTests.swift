import Client
import Contract
import TestSupport
import Testing
import Wire

/// What others change reaches the texts that an editor has open and that are no files, as a package for an editor has
/// them: saved by `text/save`.
@Suite("Texts: live edits of texts that are no files", .timeLimit(.minutes(10))) struct VirtualTextTests {
  private func bench() async throws -> TextsBench {
    try await TextsBench(encoding: "utf-8", choice: 0) { settings in
      let usual = settings.pause
      settings.pause = { duration in
        guard duration == .seconds(2) else { return await usual(duration) }
        // Nothing ends the time in which a client has to apply an edit, or in which a draft is stored.
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
      }
    }
  }

  @Test("a text with changes gets those of others, and its save takes nothing of them and of later ones back")
  func arrives() async throws {
    let bench = try await bench()
    for title in ["One", "Two 𝄞", "Three"] { try await bench.card(String(title.lowercased().prefix(3)), title) }
    let board = try await EditedText("projects/board.md", bench, isFile: false)
    board.type(board.text.replacing("- [ ] One", with: "- [ ] New\n- [ ] Uno"))
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    try await board.follow(until: "Zwei")
    #expect(board.text.contains("- [ ] New\n- [ ] Uno ^"))
    _ = try await bench.editor.call("session/sync")
    // Not yet in the editor, whose line differs from the version that it has opened, but not from what has arrived.
    _ = try await other.call("projects/update", ["id": "two", "title": "Deux"])
    let saved = try await board.save()
    #expect(saved["saved"] == true && saved["unsaved"].list.isEmpty && saved["added"] == 1)
    let cards = try await other.call("projects/list")["items"].list.map { $0["title"].text }
    #expect(cards == ["New", "Uno", "Deux", "Three"])
    #expect(board.text == (try await other.call("text/open", ["uri": .string(board.uri)])["text"].text))
    await bench.daemon.stop()
  }

  @Test("a card that was cut, saved and put back where it was stays, though the text is that of an older version")
  func restored() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let board = try await EditedText("projects/board.md", bench, isFile: false)
    let whole = board.text
    board.type(whole.split(separator: "\n").filter { !$0.contains("Two") }.joined(separator: "\n") + "\n")
    #expect(try await board.save()["removed"].list.map { $0["title"] } == ["Two"])
    board.type(whole)
    _ = try await bench.editor.call("session/sync")
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/add", ["id": "three", "title": "Three", "deadline": .null])
    try await board.follow(until: "Three")
    #expect(board.text.contains("- [ ] Two ^"))
    try await board.save()
    let cards = try await other.call("projects/list")["items"].list.map { $0["title"].text }
    #expect(Set(cards) == ["One", "Two", "Three"])
    await bench.daemon.stop()
  }

  @Test("what has arrived and was changed back is the reader's change, even where another connection saves it")
  func another() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let board = try await EditedText("projects/board.md", bench, isFile: false)
    let opened = board.base
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    try await board.follow(until: "Zwei")
    #expect(board.base != opened)
    let text = board.text.replacing("Zwei", with: "Two")
    let save: JSONValue = ["uri": .string(board.uri), "base": .string(board.base), "text": .string(text)]
    #expect(try await other.call("text/save", save)["changed"] == 1)
    #expect(try await other.call("projects/get", ["id": "two"])["title"] == "Two")
    await bench.daemon.stop()
  }

  @Test("a save whose edits the editor could not take is compared with the text that it still has")
  func unapplied() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let board = try await EditedText("projects/board.md", bench, isFile: false)
    board.type(board.text.replacing("- [ ] One", with: "- [ ] New\n- [ ] Uno"))
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    let first = try await board.save(isApplied: false)
    #expect(first["added"] == 1 && first["changed"] == 1)
    board.type(board.text.replacing("Uno", with: "Eins"))
    let second = try await board.save()
    #expect(second["added"] == 0 && second["changed"] == 1 && second["removed"].list.isEmpty)
    let cards = try await other.call("projects/list")["items"].list.map { $0["title"].text }
    #expect(cards == ["New", "Eins", "Zwei"])
    await bench.daemon.stop()
  }

  @Test(
    "the same save with the held cards to remove leaves what others have changed, and adds nothing once more",
    arguments: [true, false])
  func heldAndRemoved(getsLiveEdits: Bool) async throws {
    let bench = try await bench()
    for number in 1...6 { try await bench.card("card\(number)", "Card \(number)") }
    let other = try await bench.daemon.client(name: "other")
    let third = try await bench.daemon.client(name: "third")
    let board = try await EditedText("projects/board.md", bench, isFile: false)
    let client = getsLiveEdits ? bench.editor : third
    let opened = try await client.call("text/open", ["uri": .string(board.uri)])
    let kept = opened["text"].text.split(separator: "\n").filter { !$0.contains(/Card [1-5]/) }
    let text = kept.joined(separator: "\n").replacing("- [ ] Card 6", with: "- [ ] New\n- [ ] Card 6") + "\n"
    if getsLiveEdits { board.type(text) }
    _ = try await other.call("projects/update", ["id": "card6", "title": "Six"])
    _ = try await other.call("projects/add", ["id": "other", "title": "Other", "deadline": .null])
    var save: JSONObject = ["uri": .string(board.uri), "base": opened["base"] ?? .null, "text": .string(text)]
    let first = try await client.call("text/save", .object(save))
    #expect(first["added"] == 1 && first["removed"].list.isEmpty && first["held"].list.count == 5)
    save["remove"] = .array(first["held"].list.map { $0["anchor"] ?? .null })
    let second = try await client.call("text/save", .object(save))
    #expect(second["added"] == 0 && second["changed"] == 0 && second["held"].list.isEmpty && second["saved"] == true)
    #expect(second["removed"].list.count == 5)
    let cards = try await other.call("projects/list")["items"].list.map { $0["title"].text }
    #expect(cards == ["New", "Six", "Other"])
    #expect(
      ShownText.applied(second["edits"].list, to: text)
        == (try await other.call("text/open", ["uri": .string(board.uri)])["text"].text))
    await bench.daemon.stop()
  }

  @Test("words that were typed while a save was answered are no conflict with the words that it saved")
  func typedOn() async throws {
    let bench = try await bench()
    try await bench.entry("e", "One\nTwo\n")
    let entry = try await EditedText("diary/entry/e.md", bench, isFile: false)
    entry.type("One and a half\nTwo\n")
    let first = try await entry.save(isApplied: false)
    #expect(first["saved"] == true && first["edits"].list.isEmpty)
    entry.type("One and a half, at least\nTwo\n")
    let second = try await entry.save()
    #expect(second["saved"] == true && second["unsaved"].list.isEmpty)
    #expect(try await bench.editor.call("diary/get", ["id": "e"])["text"] == "One and a half, at least\nTwo\n")
    await bench.daemon.stop()
  }

  @Test(
    "a line that both have changed stays as it is written, and is settled where the editor shows it",
    arguments: [("theirs", "Un\nTwo\nTrois\n"), ("both", "Un\nTwo\nDrei\n\nTrois\n")])
  func conflict(take decision: String, settled: String) async throws {
    let bench = try await bench()
    try await bench.entry("e", "One\nTwo\nThree\n")
    let entry = try await EditedText("diary/entry/e.md", bench, isFile: false)
    entry.type("One\nTwo\nDrei\n")
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("diary/update", ["id": "e", "text": "Un\nTwo\nTrois\n"])
    try await entry.follow(until: "Un\n")
    #expect(entry.text == "Un\nTwo\nDrei\n")
    let conflict = try await entry.diagnostic("conflict")
    #expect(conflict["data"]?["id"] == "e")
    let refused = try await entry.save()
    #expect(refused["saved"] == false && refused["unsaved"].list.first?["kind"] == "conflict")
    // Wherever the cursor is in the entry, the save having noted the conflict at its first line.
    for line in 0..<3 {
      let place: JSONValue = ["line": .integer(Int64(line)), "character": 0]
      let actions = try await bench.editor.call(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": .string(entry.uri)], "range": ["start": place, "end": place],
          "context": ["diagnostics": []],
        ])
      #expect(actions.arrayValue?.contains { $0["title"] == "Keep both versions" } == true, "line \(line)")
    }
    let take: JSONValue = ["uri": .string(entry.uri), "id": "e", "take": .string(decision)]
    let settling = bench.editor.send(
      "workspace/executeCommand",
      [
        "command": "commonplace.decide", "arguments": [take],
      ])
    try await entry.follow(until: "Trois")
    _ = try await settling.value()
    #expect(entry.text == settled)
    #expect(try await entry.save()["saved"] == true)
    #expect(try await other.call("diary/get", ["id": "e"])["text"] == .string(settled))
    await bench.daemon.stop()
  }

  @Test(
    "a text that was closed without a save is offered when it is opened again, and brought on top of others' changes")
  func draft() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let first = try await EditedText("projects/board.md", bench, isFile: false)
    first.type(first.text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One"))
    bench.editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(first.uri)]])
    while try await bench.editor.call("text/drafts")["items"].list.isEmpty { await Task.yield() }
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    let second = try await EditedText("projects/board.md", bench, isFile: false)
    try await second.follow(until: "Mine")
    #expect(second.text.contains("- [ ] Mine\n- [ ] One ^") && second.text.contains("Zwei"))
    #expect(try await second.save()["added"] == 1)
    let cards = try await other.call("projects/list")["items"].list.map { $0["title"].text }
    #expect(cards == ["Mine", "One", "Zwei"])
    await bench.daemon.stop()
  }

  @Test("a card that somebody removed and put back meanwhile is held, since the text may be of the time between")
  func putBack() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let other = try await bench.daemon.client(name: "other")
    let opened = try await other.call("text/open", ["uri": "commonplace:///text/projects/board.md"])
    _ = try await bench.editor.call("projects/remove", ["id": "two"])
    _ = try await bench.editor.call("changes/undo")
    let text = opened["text"].text.split(separator: "\n").filter { !$0.contains("Two") }.joined(separator: "\n") + "\n"
    let base: JSONValue = .string(opened["base"].text)
    let save: JSONValue = ["uri": .string(opened["uri"].text), "base": base, "text": .string(text)]
    let saved = try await other.call("text/save", save)
    #expect(saved["removed"].list.isEmpty && saved["held"].list.map { $0["title"] } == ["Two"])
    #expect(try await other.call("projects/list")["items"].list.map { $0["title"].text } == ["One", "Two"])
    await bench.daemon.stop()
  }
}
