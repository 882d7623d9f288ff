import Client
import TestSupport
import Testing
import Wire

/// What goes out and comes back, and goes out again.
@Suite("Projects: what comes back from a file") struct ExchangeGenerationTests {
  private static let formats = ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"]

  private static let bodies = [
    "shopping": "- [ ] milk\n- [ ] eggs", "code": "```\n- [ ] x\n", "closed": "```\n- [ ] y\n```", "blank": "end\n\n",
    "plain": "two\n\nlines", "deep": "    four\n  two",
  ]

  @Test("a text that the format has no room for outlives two ways out and back, changed in between", arguments: formats)
  func generations(format: String) async throws {
    let first = try await ExchangeBench()
    for (title, body) in Self.bodies {
      _ = try await first.client.call(
        "projects/add", ["title": .string(title), "body": .string(body), "deadline": .null])
    }
    let second = try await ExchangeBench()
    _ = try await second.take(first.export(format), as: format)
    for card in try await second.cards() {
      _ = try await second.client.call("projects/move", ["id": card.id, "state": "done"])
    }
    let file = try await second.export(format)
    let again = try await second.take(file, as: format)
    #expect(again["known"]?.integerValue == Int64(Self.bodies.count) && again["changed"] == false, "\(file)")
    let third = try await ExchangeBench()
    _ = try await third.take(file, as: format)
    for card in try await third.cards() {
      let whole = try await third.client.call("projects/get", ["id": card.id])
      #expect(whole["body"].text == Self.bodies[card["title"].text] && whole["state"] == "done", "\(file)")
    }
    #expect(try await third.cards().count == Self.bodies.count)
    for bench in [first, second, third] { await bench.stop() }
  }

  private static let odd: [JSONValue] = [
    ["title": "Three", "priority": 3, "deadline": "2026-11-30", "time": "00:00", "tags": ["+p", "z"]],
    ["title": "Seven", "priority": 7, "deadline": "2026-11-30", "tags": ["z", "+p", "+q"]],
    ["title": "Gap", "deadline": "2026-03-29", "time": "02:30"], ["title": "Pay 📅 2026-01-01", "deadline": .null],
    ["title": "Pay ✅ 2026-01-01", "deadline": "2026-11-30"], ["title": "Read rec:1w", "deadline": .null],
    ["title": "Call due:2026-01-01 pri:B", "deadline": .null], ["title": "x (A) 2026-01-01 y", "deadline": .null],
    ["title": "#milk", "deadline": .null], ["title": "Take cp-note:x cp-id:7", "deadline": .null],
    ["title": "a  b", "deadline": .null], ["title": "-->", "deadline": .null], ["title": "@home", "tags": ["home"]],
    ["title": "Run ⏫", "deadline": .null], ["title": "Run 🔁 every day", "deadline": .null],
    ["title": "Run 🔁 every moon", "deadline": "2026-11-30"],
    ["title": "Swim ⏫ ⛔ ab1", "priority": 7, "deadline": .null],
    ["title": "Read [priority:: high]", "deadline": .null], ["title": "Read 🔁 every day when done", "deadline": .null],
    ["id": "not-a-uuid", "title": "Own name", "deadline": .null],
    ["title": "Waits", "blockedBy": ["not-a-uuid"], "deadline": .null],
  ]

  @Test(
    "our own file, read over the library that wrote it, changes nothing; elsewhere the same cards come",
    arguments: formats)
  func overItself(format: String) async throws {
    let bench = try await ExchangeBench(timeZone: "Europe/Berlin")
    for card in Self.odd { _ = try await bench.client.call("projects/add", card) }
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"]?.integerValue == Int64(Self.odd.count) && again["changed"] == false, "\(file)")
    let other = try await ExchangeBench(timeZone: "Europe/Berlin")
    _ = try await other.take(file, as: format)
    for card in Self.odd {
      let came = try #require(try await other.card(card["title"].text), "\(card["title"].text) \(file)")
      for key in ["priority", "deadline", "time", "tags", "blockedBy"] where card[key] != nil && card[key] != .null {
        #expect(came[key] == card[key], "\(key) \(file)")
      }
    }
    await bench.stop()
    await other.stop()
  }

  @Test("an old file that nobody has edited is known, whatever became of its cards since", arguments: formats)
  func old(format: String) async throws {
    let bench = try await ExchangeBench()
    let card = try await bench.client.call(
      "projects/add", ["title": "own", "priority": 3, "tags": ["a"], "deadline": "2026-11-30"])
    let file = try await bench.export(format)
    _ = try await bench.client.call(
      "projects/update", ["id": card.id, "title": "own changed", "priority": .null, "tags": []])
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 1 && again["added"] == 0 && again["notes"].list.isEmpty, "\(again)")
    #expect(try await bench.titles() == ["own changed"])
    // In another library the numbers of the revisions say nothing.
    let other = try await ExchangeBench()
    _ = try await other.take(file, as: format)
    _ = try await other.client.call("projects/update", ["id": card.id, "title": "changed there"])
    #expect(try await other.take(file, as: format)["known"] == 1)
    #expect(try await other.titles() == ["changed there"])
    await bench.stop()
    await other.stop()
  }

  @Test("words of other programs are no words of ours: they come with no meaning, and go back")
  func words() async throws {
    let bench = try await ExchangeBench()
    let line = "Call Bob note:urgent priority:high time:noon state:waiting title:Boss revision:3 id:7 cp-time:noon\n"
    _ = try await bench.take(line, as: "todotxt")
    let card = try #require(try await bench.card("Call Bob"))
    #expect(card["priority"] == nil || card["priority"] == .null)
    #expect(try await bench.client.call("projects/get", ["id": card.id])["body"]?.stringValue ?? "" == "")
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Call Ann"])
    let file = try await bench.export("todotxt")
    for word in line.dropFirst("Call Bob ".count).dropLast().split(separator: " ") { #expect(file.contains(word)) }
    #expect(file.contains("Call Ann"))
    for other in ["Buy milk id:1\n", "Pay rent id:1\n"] {
      #expect(try await bench.take(other, as: "todotxt")["added"] == 1)
    }
    #expect(try await bench.titles() == ["Buy milk", "Call Ann", "Pay rent"])
    await bench.stop()
  }

  @Test("our own lines bring the columns and the order that was made by hand")
  func columns() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/columns",
      [
        "columns": [
          ["state": "todo"], ["state": "waiting", "title": "WAITING"], ["state": "doing"], ["state": "done"],
        ]
      ])
    for title in ["a", "b", "c"] { _ = try await bench.client.call("projects/add", ["title": .string(title)]) }
    func place(_ bench: ExchangeBench) async throws -> [String] {
      try await bench.client.call("projects/board")["columns"].list.flatMap { column in
        column["items"].list.map { "\(column["state"].text) \(column["title"].text) \($0["title"].text)" }
      }
    }
    let (a, b, c) = (try await bench.card("a"), try await bench.card("b"), try await bench.card("c"))
    _ = try await bench.client.call("projects/move", ["id": #require(b).id, "state": "waiting"])
    _ = try await bench.client.call(
      "projects/move", ["id": #require(c).id, "state": "todo", "before": #require(a).id])
    let file = try await bench.export("jsonl")
    let wanted = ["todo TODO c", "todo TODO a", "waiting WAITING b"]
    #expect(try await place(bench) == wanted)
    let other = try await ExchangeBench()
    #expect(try await other.take(file, ["dryRun": true])["added"] == 3)
    #expect(try await other.client.call("projects/columns")["columns"].list.count == 3)
    #expect(try await other.take(file)["added"] == 3)
    #expect(try await place(other) == wanted)
    #expect(
      try await other.client.call("projects/columns")["columns"].list.map { $0["state"].text }
        == ["todo", "waiting", "doing", "done"])
    _ = try await other.client.call("changes/undo")
    #expect(try await other.client.call("projects/columns")["columns"].list.count == 3)
    // A board in use keeps its columns, and gets the one that is missing in its place.
    _ = try await other.client.call("projects/add", ["title": "mine"])
    _ = try await other.take(file)
    #expect(
      try await other.client.call("projects/columns")["columns"].list.map { $0["state"].text }
        == ["todo", "waiting", "doing", "done"])
    await bench.stop()
    await other.stop()
  }

  @Test("a recurring card that a file says is done brings its next one, unless the file has that itself")
  func recurring() async throws {
    let bench = try await ExchangeBench()
    let line = "2026-11-01 Water due:2026-11-21 rec:+1w\n"
    _ = try await bench.take(line, as: "todotxt")
    let done = try await bench.take(
      #"[{"description":"x","status":"pending","uuid":"1"}]"#, as: "taskwarrior")
    #expect(done["added"] == 1)
    let card = try await bench.client.call(
      "projects/add", ["title": "Sweep", "deadline": "2026-11-20", "recurrence": ["rule": "FREQ=WEEKLY"]])
    let file = try await bench.export("markdown")
    let ticked = file.replacing("- [ ] Sweep", with: "- [x] Sweep")
    let report = try await bench.take(ticked, as: "markdown")
    #expect(report["updated"] == 1 && report["notes"].list.map { $0["reason"] } == ["cameAgain"], "\(report)")
    let sweeps = try await bench.cards().filter { $0["title"] == "Sweep" }
    #expect(Set(sweeps.map { $0["deadline"].text }) == ["2026-11-20", "2026-11-27"])
    let whole = try await bench.client.call("projects/get", ["id": card.id])
    #expect(whole["state"] == "done" && (whole["recurrence"] ?? .null) == .null)
    // The same file again brings no second.
    #expect(try await bench.take(ticked, as: "markdown")["changed"] == false)
    #expect(try await bench.cards().count == 4)
    await bench.stop()
  }

  @Test(
    "of both changed, the title has two versions, and what the lines say of other fields is followed",
    arguments: [
      (#""tags":["a"]"#, #""tags":["b"]"#), (#""priority":1"#, #""priority":2"#),
      (#""time":"09:00""#, #""time":"10:00""#),
    ])
  func anotherCopy(one: String, other: String) async throws {
    let bench = try await ExchangeBench()
    let card = try await bench.client.call("projects/add", ["title": "Sow", "deadline": "2026-12-01"])
    let file = try await bench.export("jsonl")
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Sow here"])
    func take(_ words: String) async throws -> JSONValue {
      try await bench.take(file.replacing("\"title\":\"Sow", with: words + ",\"title\":\"Sow there"), as: "jsonl")
    }
    #expect(try await take(one)["conflicts"] == 1)
    #expect(try await take(one)["changed"] == false)
    #expect(try await take(other)["updated"] == 1)
    #expect(try await bench.titles() == ["Sow here"])
    #expect(try await bench.client.call("changes/conflicts").items.map { $0["field"] } == ["title"])
    await bench.stop()
  }

  @Test("a tag with a comma, which Taskwarrior takes apart, goes there as one word, and comes back as itself")
  func comma() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["title": "Sow", "tags": ["a,b", "c"], "deadline": .null])
    let file = try await bench.export("taskwarrior")
    #expect(file.contains(#""tags":["a_b","c"]"#), "\(file)")
    #expect(try await bench.take(file.replacing("Sow", with: "Dig"), as: "taskwarrior")["updated"] == 1)
    #expect(try await bench.card("Dig")?["tags"] == ["a,b", "c"])
    let more = file.replacing("Sow", with: "Hoe").replacing(#""a_b","#, with: #""a_b","d","#)
    #expect(try await bench.take(more, as: "taskwarrior")["updated"] == 1)
    #expect(try await bench.card("Hoe")?["tags"] == ["a,b", "d", "c"])
    await bench.stop()
  }

  @Test("a card that was done here takes no rule back from its file, where that is ticked off too")
  func doneOnBothSides() async throws {
    let bench = try await ExchangeBench()
    let line = "- [ ] Water 🔁 every week 📅 2026-11-28\n"
    _ = try await bench.take(line, as: "markdown")
    let card = try #require(try await bench.card("Water"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let ticked = line.replacing("[ ]", with: "[x]").replacing("\n", with: " ✅ 2026-11-21\n")
    let report = try await bench.take(ticked, as: "markdown")
    #expect(report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    let done = try await bench.client.call("projects/get", ["id": card.id])
    #expect(done["state"] == "done" && (done["recurrence"] ?? .null) == .null, "\(done)")
    #expect(try await bench.cards().count == 2)
    await bench.stop()
  }

  @Test("where the file has the next of a task that it ticked off, no other one is made")
  func recurringThere() async throws {
    let bench = try await ExchangeBench()
    let task = """
      BEGIN:VTODO
      UID:a
      SUMMARY:Water
      DUE;VALUE=DATE:20261121
      RRULE:FREQ=WEEKLY
      END:VTODO

      """
    func calendar(_ tasks: String) -> String { "BEGIN:VCALENDAR\nVERSION:2.0\n\(tasks)END:VCALENDAR\n" }
    _ = try await bench.take(calendar(task))
    let ticked = task.replacing("END:", with: "STATUS:COMPLETED\nEND:")
    let next = task.replacing("UID:a", with: "UID:b").replacing("1121", with: "1128")
    let report = try await bench.take(calendar(ticked + next))
    #expect(report["updated"] == 1 && report["added"] == 1 && report["notes"].list.isEmpty)
    #expect(try await bench.cards().count == 2)
    await bench.stop()
  }

  @Test(
    "a task of another program that two libraries took over stays one card in both while changes go to and fro",
    arguments: [
      (
        "ics",
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Zero\r\nSTATUS:NEEDS-ACTION\r\n"
          + "END:VTODO\r\nEND:VCALENDAR\r\n"
      ),
      (
        "taskwarrior",
        "[{\"uuid\":\"6dd6fd86-6e53-4d39-9a3a-7e1f0f7d0a11\",\"status\":\"pending\",\"entry\":\"20261101T000000Z\","
          + "\"description\":\"Zero\"}]\n"
      ), ("todotxt", "2026-11-01 Zero\n"), ("markdown", "# List\n\n- [ ] Zero\n"),
    ])
  func toAndFro(format: String, file: String) async throws {
    let (one, other) = (try await ExchangeBench(), try await ExchangeBench())
    for bench in [one, other] { _ = try await bench.take(file, as: format) }
    for round in 1...3 {
      for (name, from, to) in [("One", one, other), ("Other", other, one)] {
        let card = try #require(try await from.cards().first)
        _ = try await from.client.call("projects/update", ["id": card.id, "title": .string("\(name) \(round)")])
        let text = try await from.export(format)
        let report = try await to.take(text, as: format)
        #expect(report["updated"] == 1 && report["added"] == 0 && report["notes"].list.isEmpty, "\(report) \(text)")
        for bench in [one, other] { #expect(try await bench.titles() == ["\(name) \(round)"]) }
      }
    }
    // Who changes the same field on both sides at once has two versions of it, once.
    for (name, bench) in [("Here", one), ("There", other)] {
      let card = try #require(try await bench.cards().first)
      _ = try await bench.client.call("projects/update", ["id": card.id, "title": .string(name)])
    }
    let text = try await one.export(format)
    #expect(try await other.take(text, as: format)["conflicts"] == 1)
    #expect(try await other.take(text, as: format)["changed"] == false)
    #expect(try await other.titles() == ["There"])
    for bench in [one, other] { await bench.stop() }
  }

  @Test("the next card of one with an id of its own has no name of that one in any file", arguments: formats)
  func nextOfNamed(format: String) async throws {
    let one = try await ExchangeBench()
    _ = try await one.client.call(
      "projects/add",
      ["id": "book", "title": "Return the book", "deadline": "2026-11-20", "recurrence": ["rule": "FREQ=WEEKLY"]])
    let other = try await ExchangeBench()
    _ = try await other.take(one.export(format), as: format)
    _ = try await other.client.call("projects/move", ["id": "book", "state": "done"])
    let file = try await other.export(format)
    let report = try await one.take(file, as: format)
    #expect(report["skipped"] == 0, "\(report) \(file)")
    #expect(try await one.cards().map { $0["state"].text }.sorted() == ["done", "todo"], "\(file)")
    let third = try await ExchangeBench()
    #expect(try await third.take(file, as: format)["added"] == 2)
    for bench in [one, other, third] { await bench.stop() }
  }
}
