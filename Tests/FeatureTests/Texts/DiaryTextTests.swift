import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Texts: the diary") struct DiaryTextTests {
  @Test(
    "an entry is shown byte for byte, saved as it is written, and keeps what somebody else has changed in other lines")
  func entry() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\n\nAlong the river.\nHome.")
    var text = try await bench.open("diary/entry/\(id).md")
    #expect(text.text == "A walk\n\nAlong the river.\nHome.")
    _ = try await bench.client.call(
      "diary/update", ["id": .string(id), "text": "A walk\n\nAlong the river.\nHome late."])
    text.text = "A long walk\n\nAlong the river.\nHome."
    let reply = try await bench.save(&text)
    #expect(reply["saved"] == true && reply["changed"] == 1)
    #expect(try await bench.text(of: id) == "A long walk\n\nAlong the river.\nHome late.")
    #expect(text.text == "A long walk\n\nAlong the river.\nHome late.")
    // The line end that an editor puts at the end of every file is no change.
    let clock = try await bench.clock()
    text.text += "\n"
    #expect(try await bench.save(&text)["undo"] == nil)
    #expect(try await bench.clock() == clock)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.text(of: id) == "A walk\n\nAlong the river.\nHome late.")
    await bench.stop()
  }

  @Test("the same line that two have changed differently is a conflict: nothing is written, and the text stays")
  func conflict() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\nAlong the river.")
    var text = try await bench.open("diary/entry/\(id).md")
    _ = try await bench.client.call("diary/update", ["id": .string(id), "text": "A walk\nAlong the lake."])
    text.text = "A walk\nAlong the sea."
    let clock = try await bench.clock()
    let reply = try await bench.save(&text)
    #expect(reply["saved"] == false && reply["unsaved"].list.map { $0["kind"] } == ["conflict"])
    #expect(try await bench.clock() == clock)
    #expect(try await bench.text(of: id) == "A walk\nAlong the lake.")
    #expect(text.text == "A walk\nAlong the sea.")
    // It is one until the reader decides.
    #expect(try await bench.save(&text)["unsaved"].list.map { $0["kind"] } == ["conflict"])
    text.text = "A walk\nAlong the lake."
    #expect(try await bench.save(&text)["saved"] == true)
    await bench.stop()
  }

  @Test(
    "a day shows its entries with their times; a changed one is changed, a new one added, and a missing one removed")
  func day() async throws {
    let bench = try await TextBench()
    let first = try await bench.entry("One\n\nMore.", day: "2026-11-20")
    _ = try await bench.entry("Two", day: "2026-11-20")
    var day = try await bench.open("diary/2026-11-20.md")
    let anchors = day.lines.filter { $0.hasPrefix("--- ") }.map { String($0.suffix(5)) }
    #expect(anchors.count == 2 && day.lines.count == 6)
    day.lines = ["--- 03:05 \(anchors[0])", "One", "", "Much more.", "--- +", "Three"]
    let reply = try await bench.save(&day)
    #expect(reply["added"] == 1 && reply["changed"] == 1 && reply["removed"].list.map { $0["title"] } == ["Two"])
    #expect(try await bench.text(of: first) == "One\n\nMuch more.")
    let titles = try await bench.client.call("diary/list", ["from": "2026-11-20", "to": "2026-11-20"]).items
    #expect(Set(titles.map { $0["title"].text }) == ["One", "Three"])
    // The new separator has a time and an anchor now.
    #expect(day.lines.filter { $0.hasPrefix("--- ") && $0.contains(" ^") }.count == 2)
    // All of it was one step.
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("diary/list").items.map { $0["title"].text } == ["Two", "One"])
    await bench.stop()
  }

  @Test("an entry pasted into another day moves there, and a pasted one that was removed comes back with its id")
  func moved() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("Moved", day: "2026-11-19")
    let from = try await bench.open("diary/2026-11-19.md")
    var day = try await bench.open("diary/2026-11-20.md")
    day.text += from.text
    #expect(try await bench.save(&day)["moved"] == 1)
    #expect(try await bench.client.call("diary/get", ["id": .string(id)])["day"] == "2026-11-20")
    var emptied = from
    emptied.text = ""
    #expect(try await bench.save(&emptied)["removed"].list.isEmpty)
    let pasted = day.text
    _ = try await bench.client.call("diary/remove", ["id": .string(id)])
    var again = try await bench.open("diary/2026-11-20.md")
    again.text = pasted
    _ = try await bench.save(&again)
    #expect(try await bench.text(of: id) == "Moved")
    await bench.stop()
  }

  @Test("an entry that others have moved and changed stays in the text where its lines could not be saved")
  func movedAway() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk\nAlong the river.", day: "2026-11-20")
    try await bench.entry("Another", day: "2026-11-20")
    var day = try await bench.open("diary/2026-11-20.md")
    _ = try await bench.client.call(
      "diary/update", ["id": .string(id), "day": "2026-11-21", "text": "A walk\nAlong the lake."])
    day.text = day.text.replacing("river", with: "sea")
    let text = day.text
    for _ in 1...2 {
      #expect(try await bench.save(&day)["unsaved"].list.map { $0["kind"] } == ["conflict"])
      #expect(day.text == text)
    }
    #expect(try await bench.text(of: id) == "A walk\nAlong the lake.")
    day.text = day.text.replacing("sea", with: "lake")
    #expect(try await bench.save(&day)["saved"] == true)
    #expect(!day.text.contains("lake") && day.text.contains("Another"))
    await bench.stop()
  }

  @Test("of many missing entries none is removed before somebody has said so")
  func held() async throws {
    let bench = try await TextBench()
    for number in 0..<6 { try await bench.entry("Entry \(number)", day: "2026-11-20") }
    var day = try await bench.open("diary/2026-11-20.md")
    let whole = day.text
    day.lines = Array(day.lines.prefix(4))
    let reply = try await bench.save(&day)
    #expect(reply["held"].list.count == 4 && reply["removed"].list.isEmpty && reply["undo"] == nil)
    #expect(day.text == whole)
    day.lines = Array(day.lines.prefix(4))
    #expect(try await bench.save(&day, ["removeAll": true])["removed"].list.count == 4)
    // An emptied text is more likely a slip.
    day.text = ""
    #expect(try await bench.save(&day)["held"].list.count == 2)
    await bench.stop()
  }

  @Test(
    "lines of an entry that look like a separator come back byte for byte, and no character that is lost removes an entry"
  )
  func hostile() async throws {
    let bench = try await TextBench()
    var random = SeededGenerator(seed: 5)
    let pieces = [
      "--- 09:12 ^k3f2", "\\--- +", "\\\\--- 10:00", "--- +", "text", "", "  ", "^k3f2", "𝄞 e\u{301}", "a\u{2028}b",
      "\r\n",
      "---", "--- 9:1",
    ]
    for _ in 0..<12 {
      let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      try await bench.entry("Title\n" + lines.joined(separator: "\n"), day: "2026-11-20")
    }
    let day = try await bench.open("diary/2026-11-20.md")
    var same = day
    let clock = try await bench.clock()
    let reply = try await bench.save(&same)
    #expect(reply["undo"] == nil && reply["saved"] == true && same.text == day.text)
    #expect(try await bench.clock() == clock)
    let scalars = Array(day.text.unicodeScalars)
    for _ in 0..<150 {
      var damaged = day
      var changed = scalars
      let place = Int.random(in: 0..<scalars.count, using: &random)
      if Bool.random(using: &random) { changed.remove(at: place) } else { changed[place] = "x" }
      damaged.text = String(String.UnicodeScalarView(changed))
      let reply = try await bench.save(&damaged, ["dryRun": true])
      #expect(reply["removed"].list.isEmpty, "\(place): \(changed)")
    }
    await bench.stop()
  }
}
