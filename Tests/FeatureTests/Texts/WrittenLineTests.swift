import Client
import Contract
import Foundation
import Kit
import TestSupport
import Testing
import Wire

/// What an editor writes into a file of the desk before it saves it, and when its user asks for the canonical form.
@Suite("Texts: lines as they are written", .timeLimit(.minutes(2))) struct WrittenLineTests {
  /// An editor that waits for the edits of a save, however slow the machine is.
  private func bench() async throws -> TextsBench {
    try await TextsBench(options: [:]) { settings in
      let usual = settings.pause
      settings.pause = { duration in
        guard duration == .milliseconds(200) else { return await usual(duration) }
        // Nothing ends this.
        for await _ in AsyncStream.makeStream(of: Void.self).stream {}
      }
    }
  }

  private func lay(_ path: String, _ bench: TextsBench) async throws -> (uri: String, text: String) {
    let laid = try await bench.editor.call("text/path", ["path": .string(path)])
    return (laid["uri"].text, try String(contentsOfFile: laid["path"].text, encoding: .utf8))
  }

  /// The text after edits of whole lines.
  private func edited(_ text: String, _ edits: JSONValue) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for edit in edits.arrayValue ?? [] {
      let (start, end) = (edit["range"]?["start"], edit["range"]?["end"])
      let line = Int(start?["line"]?.integerValue ?? 0)
      #expect(start?["character"] == 0 && end?["line"] == start?["line"])
      #expect(end?["character"]?.integerValue == Int64(lines[line].utf16.count))
      lines[line] = edit["newText"].text
    }
    return lines.joined(separator: "\n")
  }

  private func ask(_ method: String, _ uri: String, _ bench: TextsBench) async throws -> JSONValue {
    // A save has a reason, as a number; what is formatted has options.
    let own: JSONObject =
      method == "textDocument/formatting" ? ["options": ["tabSize": 2, "insertSpaces": true]] : ["reason": 1]
    return try await bench.editor.call(
      method, .object(JSONObject([.init(key: "textDocument", value: ["uri": .string(uri)])] + own.members)))
  }

  @Test("before a save new lines get anchors, with which their cards are added, and days in words are written out")
  func anchors() async throws {
    let bench = try await bench()
    try await bench.card("p", "One")
    let (uri, text) = try await lay("projects/board.md", bench)
    let mine = text.replacing("- [ ] One", with: "- [ ] 𝄞 due:tomorrow #a\n* read due:fri today\n- [ ] One")
    bench.open(text, as: uri)
    bench.change(uri, version: 2, [["text": .string(mine)]])
    let edits = try await ask("textDocument/willSaveWaitUntil", uri, bench)
    let written = edited(mine, edits)
    let lines = written.split(separator: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("* ") }
    #expect(lines.count == 3)
    #expect(lines[0].wholeMatch(of: /- \[ \] 𝄞 due:[0-9]{4}-[0-9]{2}-[0-9]{2} #a \^[0-9a-z]{4,8}/) != nil)
    // A title that only looks like a field stays.
    #expect(lines[1].wholeMatch(of: /\* read due:fri today \^[0-9a-z]{4,8}/) != nil)
    // Asked again without a save, it is the same text.
    bench.change(uri, version: 3, [["text": .string(written)]])
    #expect(try await ask("textDocument/willSaveWaitUntil", uri, bench) == [])
    bench.editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(written)])
    let cards = try await bench.editor.call("projects/list", ["limit": 10])["items"].list.map { $0["title"].text }
    #expect(cards == ["𝄞", "read due:fri today", "One"])
    // The anchors of the file are those of the cards.
    let rendered = try await bench.editor.call("text/open", ["uri": "commonplace:///text/projects/board.md"])
    for line in lines { #expect(rendered["text"].text.contains(line.suffix(5))) }
    await bench.daemon.stop()
  }

  @Test("anchors of lines that are never saved are released: before a save without them, and when the text is closed")
  func released() async throws {
    let bench = try await bench()
    try await bench.card("p", "One")
    let (uri, text) = try await lay("projects/board.md", bench)
    let mine = text.replacing("- [ ] One", with: "- [ ] Mine\n- [ ] One")
    bench.open(text, as: uri)
    let anchors = bench.daemon.daemon.services.anchors
    for version in 2...4 {
      // An editor that does not apply what it gets.
      bench.change(uri, version: version, [["text": .string(mine)]])
      #expect(try await ask("textDocument/willSaveWaitUntil", uri, bench).arrayValue?.count == 1)
      #expect(anchors.unsavedCount == 1)
    }
    let written = edited(mine, try await ask("textDocument/willSaveWaitUntil", uri, bench))
    bench.change(uri, version: 5, [["text": .string(written)]])
    bench.editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(written)])
    let more = written.replacing("- [ ] One", with: "- [ ] More\n- [ ] One")
    bench.change(uri, version: 6, [["text": .string(more)]])
    #expect(try await ask("textDocument/willSaveWaitUntil", uri, bench).arrayValue?.count == 1)
    bench.editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    // A write is done after those that were queued before.
    try await bench.card("q", "Two")
    #expect(anchors.unsavedCount == 0)
    let line = try #require(written.split(separator: "\n").first { $0.hasPrefix("- [ ] Mine ^") })
    let rendered = try await bench.editor.call("text/open", ["uri": "commonplace:///text/projects/board.md"])
    #expect(rendered["text"].text.contains(line))
    await bench.daemon.stop()
  }

  @Test("a new entry of a day is the item of the anchor that its separator got before the save")
  func entry() async throws {
    let bench = try await bench()
    try await bench.entry("e", "A walk")
    let (uri, text) = try await lay("diary/today.md", bench)
    let mine = text + "--- +\nAnother\n"
    bench.open(text, as: uri)
    bench.change(uri, version: 2, [["text": .string(mine)]])
    let written = edited(mine, try await ask("textDocument/willSaveWaitUntil", uri, bench))
    let line = try #require(written.split(separator: "\n").first { $0.hasPrefix("--- + ^") })
    bench.editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(written)])
    _ = try await bench.editor.call("session/sync")
    let day = try await bench.editor.call("text/open", ["uri": "commonplace:///text/diary/today.md"])["text"].text
    #expect(day.contains(" " + line.suffix(5) + "\nAnother\n"))
    await bench.daemon.stop()
  }

  @Test("the canonical form has the fields in order and a box, and does not move a card")
  func canonical() async throws {
    let bench = try await bench()
    try await bench.card("p", "One")
    let (uri, text) = try await lay("projects/board.md", bench)
    let anchor = try #require(text.split(separator: "\n").first { $0.hasPrefix("- [ ] One") }).suffix(6)
    let mine = text.replacing(
      "- [ ] One", with: "1. two \\due:x #b due:2026-12-24 !2\n\n* [ ] One #a start:2026-12-01 !1"
    )
    .replacing("## DONE\n", with: "## DONE\n\n- Three\n")
    bench.open(text, as: uri)
    bench.change(uri, version: 2, [["text": .string(mine)]])
    let written = edited(mine, try await ask("textDocument/formatting", uri, bench))
    #expect(written.contains("- [ ] two \\due:x due:2026-12-24 !2 #b\n"))
    #expect(written.contains("- [ ] One start:2026-12-01 !1 #a\(anchor)\n"))
    #expect(written.contains("- [x] Three\n"))
    await bench.daemon.stop()
  }

  @Test("an ordinary text, a read-only one and one that is not open have no such edits")
  func ordinary() async throws {
    let bench = try await bench()
    bench.open("- [ ] One due:tomorrow\n")
    for uri in [TextsBench.uri, "file:///none.md", "commonplace:///text/projects/board.md"] {
      for method in ["textDocument/willSaveWaitUntil", "textDocument/formatting"] {
        #expect(try await ask(method, uri, bench) == [])
      }
    }
    await bench.daemon.stop()
  }
}
