import Client
import Contract
import Daemon
import Foundation
import TestSupport
import Testing
import Wire

/// What others change reaches the texts that an editor has open.
@Suite("Texts: live edits", .timeLimit(.minutes(10))) struct LiveTextTests {
  /// - Parameter isRefused: whether the time in which a client has to apply an edit is over at once; otherwise it is
  ///   never over, however slow the machine is.
  private func bench(isRefused: Bool = false) async throws -> TextsBench {
    try await TextsBench(encoding: "utf-8", options: [:]) { settings in
      let usual = settings.pause
      settings.pause = { duration in
        guard duration == .seconds(2) else { return await usual(duration) }
        // Nothing ends this.
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        if isRefused { end.finish() }
        for await _ in never {}
      }
    }
  }

  private func titles(_ bench: TextsBench) async throws -> [String] {
    try await bench.editor.call("projects/list", ["limit": 100])["items"].list.map { $0["title"].text }
  }

  @Test("a change by another client is an edit of the version that is open; saving it afterwards is no commit")
  func arrives() async throws {
    let bench = try await bench()
    for title in ["Einkauf 𝄞", "Two", "Three"] { try await bench.card(String(title.lowercased().prefix(7)), title) }
    let file = try await EditedText("projects/board.md", bench)
    let before = file.text
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    _ = try await other.call("projects/move", ["id": "three", "state": "doing"])
    _ = try await other.call("projects/remove", ["ids": ["einkauf"]])
    try await file.follow(until: "Zwei")
    while file.text.contains("Einkauf") { _ = file.apply(try await file.edit()) }
    #expect(try String(contentsOfFile: file.file, encoding: .utf8) == before)
    let laid = try await other.call("text/open", ["uri": "commonplace:///text/projects/board.md"])["text"].text
    #expect(file.text == laid)
    let clock = try await bench.editor.call("session/sync").clock
    try await file.save()
    #expect(try await bench.editor.call("session/sync").clock == clock)
    #expect(Set(try await titles(bench)) == ["Zwei", "Three"])
    await bench.daemon.stop()
  }

  @Test("what is being written stays where it is, and only a line that both have changed is a conflict")
  func dirty() async throws {
    let bench = try await bench()
    for title in ["One", "Two", "Three"] { try await bench.card(title.lowercased(), title) }
    let file = try await EditedText("projects/board.md", bench)
    file.type(file.text.replacing("- [ ] One", with: "- [ ] New\n- [ ] Mine").replacing("Three", with: "Drei"))
    _ = try await bench.editor.call("session/sync")
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "one", "title": "Theirs"])
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    try await file.follow(until: "Zwei")
    #expect(file.text.contains("- [ ] New\n- [ ] Mine ^") && file.text.contains("- [ ] Drei ^"))
    let conflict = try await file.diagnostic("conflict")
    #expect(conflict["data"]?["id"] == "one" && conflict["message"].text.contains("other"))
    try await file.save()
    // Of a field of a card the later holds.
    #expect(try await titles(bench) == ["New", "Mine", "Zwei", "Drei"])
    await bench.daemon.stop()
  }

  @Test("a conflict is one until it is settled, whatever else others change before and after a save")
  func disputed() async throws {
    let bench = try await bench()
    try await bench.entry("e", "One\nTwo\nThree\n")
    let file = try await EditedText("diary/entry/e.md", bench)
    file.type("One\nTwo\nDrei\n")
    let other = try await bench.daemon.client(name: "other")
    for theirs in ["One\nTwo\nTrois\n", "Un\nTwo\nTrois\n", "Uno\nTwo\nTrois\n"] {
      _ = try await other.call("diary/update", ["id": "e", "text": .string(theirs)])
      if theirs.hasPrefix("One") {
        #expect(try await file.diagnostic("conflict")["data"]?["id"] == "e")
      } else {
        try await file.follow(until: String(theirs.prefix { $0 != "\n" } + "\n"))
        try await file.save()
      }
      #expect(file.text == theirs.replacing("Trois", with: "Drei"))
      #expect(try await other.call("diary/get", ["id": "e"])["text"].text == theirs)
    }
    await bench.daemon.stop()
  }

  @Test("a card that an edit has brought and that the editor's own undo takes away again is not removed by a save")
  func undone() async throws {
    let bench = try await bench()
    try await bench.card("one", "One")
    let file = try await EditedText("projects/board.md", bench)
    let before = file.text
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/add", ["id": "two", "title": "Two", "deadline": .null])
    try await file.follow(until: "Two")
    file.type(before.replacing("One", with: "Uno"))
    try await file.save()
    #expect(try await titles(bench) == ["Uno", "Two"])
    // It comes back, and is said to be missing there.
    _ = try await file.diagnostic("held")
    try await file.follow(until: "Two")
    try await file.save()
    #expect(try await titles(bench) == ["Uno", "Two"])
    await bench.daemon.stop()
  }

  @Test("edits that a client refuses are sent three times; then it is told, and a save brings both together")
  func refused() async throws {
    let bench = try await bench(isRefused: true)
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let file = try await EditedText("projects/board.md", bench)
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    for _ in 0..<3 { _ = try await file.edit() }
    let told = try await file.diagnostic("conflict")
    #expect(told["severity"] == 3)
    file.type(file.text.replacing("One", with: "Uno"))
    try await file.save()
    #expect(try await titles(bench) == ["Uno", "Zwei"])
    // After a save the edits are sent again.
    let sent = try await file.edit()
    #expect(sent["edits"].list.map { $0["newText"].text }.joined().contains("Zwei"))
    await bench.daemon.stop()
  }

  @Test("a line that could not be saved stays in the text, whatever others change")
  func unsaved() async throws {
    let bench = try await bench()
    for title in ["One", "Two"] { try await bench.card(title.lowercased(), title) }
    let file = try await EditedText("projects/board.md", bench)
    file.type(file.text.replacing("- [ ] Two", with: "  a thought\n- [ ] New\n- [ ] Two"))
    try await file.save()
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("projects/update", ["id": "two", "title": "Zwei"])
    try await file.follow(until: "Zwei")
    #expect(file.text.contains("\n  a thought\n- [ ] New\n- [ ] Zwei ^"))
    await bench.daemon.stop()
  }
}
