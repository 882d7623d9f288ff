import Client
import Contract
import Display
import TestSupport
import Testing
import Wire

@testable import Projects

/// What of a file is no card of ours.
@Suite("Projects: what a file has besides") struct ExchangeRemainsTests {
  private static func calendar(_ tasks: String) -> String {
    ("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\nX-WR-CALNAME:Home\n\(tasks)END:VCALENDAR\n")
      .replacing("\n", with: "\r\n")
  }

  private static func task(_ uid: String, _ more: String) -> String { "BEGIN:VTODO\nUID:\(uid)\n\(more)\nEND:VTODO\n" }

  private static let skipping = [
    ("ics", calendar(task("a", "X-KEPT:1") + task("b", "SUMMARY:Sow") + task("b", "SUMMARY:Again"))),
    ("markdown", "# Plan\n\nWhy.\n\n- [ ] \n  below\n- [ ] Sow\n- [ ] \n\nEnd.\n"),
  ]

  @Test("a task that is left out stays in its file, and so does what stands before it", arguments: skipping)
  func leftOut(format: String, file: String) async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(file, as: format)
    #expect(report["added"] == 1 && report["skipped"] == 2)
    #expect(try await bench.export(format) == file)
    let card = try #require(try await bench.card("Sow"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Reap"])
    let changed = try await bench.export(format)
    #expect(changed.contains("Reap") && !changed.contains("Sow"))
    let kept =
      format == "ics" ? ["X-KEPT:1", "X-WR-CALNAME:Home", "SUMMARY:Again"] : ["# Plan", "Why.", "below", "End."]
    for text in kept { #expect(changed.contains(text)) }
    #expect(try await bench.take(changed, as: format)["added"] == 0)
    await bench.stop()
  }

  private static let headed = [
    ("ics", calendar(task("a", "SUMMARY:One") + task("b", "SUMMARY:Two"))),
    ("markdown", "# Plan\n\nWhy.\n\n- [ ] One\n- [ ] Two\n"), ("todotxt", "\n\nOne\nTwo\n"),
  ]

  @Test("what a file begins with outlives its first task", arguments: headed)
  func head(format: String, file: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(file, as: format)
    // Our own lines carry it on.
    let other = try await ExchangeBench()
    _ = try await other.take(bench.export("jsonl"))
    let one = format == "ics" ? Self.task("a", "SUMMARY:One").replacing("\n", with: "\r\n") : nil
    let wanted = file.replacing(one ?? (format == "markdown" ? "- [ ] One\n" : "One\n"), with: "")
    for bench in [bench, other] {
      #expect(try await bench.export(format) == file)
      let first = try #require(try await bench.card("One"))
      _ = try await bench.client.call("projects/remove", ["id": first.id])
      #expect(try await bench.export(format) == wanted)
      await bench.stop()
    }
  }

  private static let circles = [
    (
      "ics",
      calendar(
        task("a", "SUMMARY:A\nRELATED-TO;RELTYPE=DEPENDS-ON:b")
          + task("b", "SUMMARY:B\nRELATED-TO;RELTYPE=DEPENDS-ON:a\nRELATED-TO;RELTYPE=DEPENDS-ON:b"))
    ),
    (
      "taskwarrior",
      """
      [
      {"description":"A","status":"pending","uuid":"1","depends":["2"]},
      {"description":"B","status":"pending","uuid":"2","depends":["1"]}
      ]

      """
    ),
  ]

  @Test("a circle stays in the file, and its cards are followed like all others", arguments: circles)
  func circle(format: String, file: String) async throws {
    let bench = try await ExchangeBench()
    #expect(try await bench.take(file, as: format)["notes"].list.map { $0["reason"] } == ["cycle"])
    #expect(try await bench.export(format) == file)
    #expect(try await bench.take(file, as: format)["known"] == 2)
    let edited =
      format == "ics" ? file.replacing("SUMMARY:B", with: "SUMMARY:C") : file.replacing("\"B\"", with: "\"C\"")
    let report = try await bench.take(edited, as: format)
    #expect(report["updated"] == 1 && report["added"] == 0)
    #expect(try await bench.export(format) == edited)
    let card = try #require(try await bench.card("C"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "D"])
    let changed = try await bench.export(format)
    #expect(changed.contains(format == "ics" ? "RELTYPE=DEPENDS-ON:a" : #""depends":["1"]"#), "\(changed)")
    await bench.stop()
  }

  @Test(
    "a circle that somebody writes into the file of cards that are there is told, and nothing waits in it",
    arguments: ["jsonl", "taskwarrior"])
  func circleOfKnownCards(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "b", "title": "B", "deadline": .null])
    _ = try await bench.client.call(
      "projects/add", ["id": "a", "title": "A", "deadline": .null, "blockedBy": ["b"]])
    let file = try await bench.export(format)
    let (title, key) = format == "jsonl" ? ("title", "blockedBy") : ("description", "depends")
    let edited = file.replacing("\"\(title)\":\"B\"", with: "\"\(title)\":\"B\",\"\(key)\":[\"a\"]")
    #expect(edited != file, "\(file)")
    let report = try await bench.take(edited, as: format)
    #expect(report["known"] == 2 && report["updated"] == 0 && report["added"] == 0, "\(report)")
    #expect(report["notes"].list.map { "\($0["title"].text) \($0["reason"].text)" } == ["B cycle"], "\(report)")
    let card = try #require(try await bench.card("B"))
    #expect(card["blockedBy"].list.isEmpty, "\(card)")
    #expect(try await bench.take(file, as: format)["notes"].list.isEmpty)
    await bench.stop()
  }

  @Test("a line of very many tags is read in the time that its length takes", .timeLimit(.minutes(10)))
  func manyTags() throws {
    let line = "- [ ] x" + String(repeating: " #a", count: 200_000) + "\n"
    let file = try TaskExchange.read(Array(line.utf8), as: .markdown, zone: .utc)
    #expect(file.tasks.map(\.title) == ["x"] && file.tasks[0].tags == ["a"])
  }

  @Test(
    "who gives up while a file is read has not to wait for its end",
    arguments: [
      (TaskFormat.todotxt, "a\nb\nc\n"), (.markdown, "- [ ] a\n- [ ] b\n- [ ] c\n"),
      (.jsonl, "{\"title\":\"a\"}\n{\"title\":\"b\"}\n{\"title\":\"c\"}\n"),
      (.taskwarrior, #"[{"uuid":"1"},{"uuid":"2"},{"uuid":"3"}]"#),
      (.ics, calendar(task("a", "SUMMARY:a") + task("b", "SUMMARY:b") + task("c", "SUMMARY:c"))),
    ])
  func cancelled(format: TaskFormat, file: String) throws {
    struct Cancelled: Error {}
    var count = 0
    #expect(throws: Cancelled.self) {
      try TaskExchange.read(Array(file.utf8), as: format, zone: .utc) {
        count += 1
        if count == 2 { throw Cancelled() }
      }
    }
    #expect(count == 2)
  }

  @Test("a task that says how long it takes is due when that is over; a new day takes the place of the length")
  func duration() async throws {
    let bench = try await ExchangeBench(timeZone: "Europe/Berlin")
    let spans = [
      ("DTSTART:20261121T100000Z\nDURATION:P1DT1H30M", "2026-11-22", "12:30"),
      ("DTSTART;VALUE=DATE:20261121\nDURATION:P2W", "2026-12-05", nil),
      ("DTSTART;TZID=Europe/Berlin:20261121T233000\nDURATION:PT45M", "2026-11-22", "00:15"),
    ]
    let tasks = spans.enumerated().map { Self.task("\($0.offset)", "SUMMARY:s\($0.offset)\n\($0.element.0)") }
    let file = Self.calendar(tasks.joined() + Self.task("x", "SUMMARY:x\nDTSTART:20261121T100000Z\nDURATION:soon"))
    let report = try await bench.take(file)
    #expect(report["notes"].list.map { "\($0["title"].text) \($0["reason"].text)" } == ["x badDate"])
    for (index, span) in spans.enumerated() {
      let card = try #require(try await bench.card("s\(index)"))
      #expect(card["deadline"].text == span.1 && card["time"]?.stringValue == span.2)
    }
    #expect(try await bench.export("ics") == file)
    let first = try #require(try await bench.card("s0"))
    _ = try await bench.client.call("projects/update", ["id": first.id, "deadline": "2026-11-24"])
    let changed = try await bench.export("ics")
    #expect(changed.contains("DUE:20261124T113000Z") && !changed.contains("P1DT1H30M"))
    await bench.stop()
  }

  /// What a file of the card says of its day, its rule and its priority, and what means nothing in its place; the
  /// fields that a note names.
  private static let spoiled: [(format: String, wrong: [(String, String)], fields: [String])] = [
    (
      "ics", [("20270101", "20270230"), ("PRIORITY:2", "PRIORITY:77"), ("FREQ=YEARLY", "FREQ=NEVER")],
      ["deadline", "priority", "recurrence"]
    ),
    ("ics", [("20270101", "20270230")], ["deadline", "recurrence"]),
    ("todotxt", [("due:2027-01-01", "due:2027-02-30")], ["deadline", "recurrence"]),
    (
      "markdown", [("2027-01-01", "2027-02-30"), ("priority:2", "priority:77"), ("FREQ=YEARLY", "FREQ=NEVER")],
      ["deadline", "priority", "recurrence"]
    ),
    (
      "jsonl", [("2027-01-01", "2027-02-30"), ("\"priority\":2", "\"priority\":77"), ("FREQ=YEARLY", "FREQ=NEVER")],
      ["deadline", "priority", "recurrence"]
    ),
    ("taskwarrior", [("\"due\":\"20", "\"due\":\"soon 20")], ["deadline", "recurrence"]),
  ]

  @Test(
    "a value in a file that means nothing takes nothing away from its card, and is told with its field",
    arguments: spoiled)
  func spoiledValues(format: String, wrong: [(String, String)], fields: [String]) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add",
      [
        "id": "a", "title": "One", "deadline": "2027-01-01", "priority": 2, "recurrence": ["rule": "FREQ=YEARLY"],
      ])
    let file = try await bench.export(format)
    var spoiled = file
    for (good, bad) in wrong {
      #expect(spoiled.contains(good), "\(file)")
      spoiled = spoiled.replacing(good, with: bad)
    }
    func check(_ title: String) async throws {
      let card = try #require(try await bench.card(title))
      #expect(card["deadline"] == "2027-01-01" && card["priority"] == 2, "\(card)")
      #expect(card["recurrence"]?["rule"] == "FREQ=YEARLY", "\(card)")
    }
    let report = try await bench.take(spoiled, as: format)
    #expect(report["known"] == 1 && report["updated"] == 0, "\(spoiled)")
    #expect(report["notes"].list.map { $0["field"].text }.sorted() == fields, "\(report)")
    #expect(report["notes"].list[0]["display"].text.contains("“"), "\(report)")
    try await check("One")
    // What else was changed there is followed.
    let edited = try await bench.take(spoiled.replacing("One", with: "Two"), as: format)
    #expect(edited["updated"] == 1 && edited["added"] == 0, "\(edited)")
    try await check("Two")
    let written = try await bench.export(format)
    #expect(try await bench.take(written, as: format)["notes"].list.isEmpty, "\(written)")
    try await check("Two")
    await bench.stop()
  }

  @Test("a day of another program's task that means nothing leaves its card's, and the next good one is followed")
  func spoiledElsewhere() async throws {
    let bench = try await ExchangeBench()
    let file = Self.calendar(Self.task("a", "SUMMARY:One\nDUE;VALUE=DATE:20270101"))
    _ = try await bench.take(file)
    let spoiled = file.replacing("20270101", with: "20270230")
    let report = try await bench.take(spoiled)
    #expect(report["known"] == 1 && report["changed"] == false, "\(report)")
    #expect(report["notes"].list.map { $0["reason"] } == ["badDate"])
    #expect(try await bench.take(spoiled.replacing("One", with: "Two"))["updated"] == 1)
    #expect(try await bench.card("Two")?["deadline"] == "2027-01-01")
    let good = file.replacing("One", with: "Two").replacing("20270101", with: "20270301")
    let followed = try await bench.take(good)
    #expect(followed["updated"] == 1 && followed["notes"].list.isEmpty, "\(followed)")
    #expect(try await bench.card("Two")?["deadline"] == "2027-03-01")
    await bench.stop()
  }

  @Test("a property that was changed here keeps what other programs have said of it")
  func parameters() async throws {
    let bench = try await ExchangeBench()
    let file = Self.calendar(
      Self.task("a", "SUMMARY;LANGUAGE=de;X-Q=\"1;2\":Säen\nCATEGORIES;X-R=3:one\nDUE;X-S=4;VALUE=DATE:20261124"))
    _ = try await bench.take(file)
    let card = try #require(try await bench.card("Säen"))
    _ = try await bench.client.call(
      "projects/update", ["id": card.id, "title": "Ernten", "tags": ["two"], "deadline": "2026-11-25"])
    let changed = try await bench.export("ics")
    #expect(changed.contains("SUMMARY;LANGUAGE=de;X-Q=\"1;2\":Ernten"))
    #expect(changed.contains("CATEGORIES;X-R=3:two") && changed.contains("DUE;VALUE=DATE;X-S=4:20261125"))
    await bench.stop()
  }

  @Test("a day before other marks of the Tasks plug-in is the deadline; one that does not exist is told")
  func marks() async throws {
    let bench = try await ExchangeBench()
    let file = """
      - [ ] One 📅 2026-12-01 ⏫
      - [ ] Two #a 📅 2026-12-02 🔁 every 2 weeks when done ⏳ 2026-11-30 🆔 x1
      - [ ] Three 📅 2026-02-30

      """
    let report = try await bench.take(file, as: "markdown")
    #expect(report["added"] == 3 && report["skipped"] == 0)
    #expect(report["notes"].list.map { "\($0["title"].text) \($0["reason"].text)" } == ["Three badDate"])
    let cards = try await bench.cards()
    #expect(
      Set(cards.map { "\($0["title"].text) \($0["deadline"]?.stringValue ?? "")" })
        == ["One 2026-12-01", "Two 2026-12-02", "Three "])
    #expect(try await bench.export("markdown") == file)
    for card in cards { _ = try await bench.client.call("projects/update", ["id": card.id, "deadline": "2026-12-24"]) }
    let changed = try await bench.export("markdown")
    #expect(changed.contains("⏫") && changed.contains("🔁 every 2 weeks when done ⏳ 2026-11-30 🆔 x1"))
    #expect(changed.split(separator: "📅 2026-12-24").count == 4 && !changed.contains("2026-02-30"))
    #expect(try await bench.take(changed, as: "markdown")["changed"] == false)
    await bench.stop()
  }

  @Test("tasks of Obsidian wait for each other by their names in the file, come again, and go back as they came")
  func obsidian() async throws {
    let bench = try await ExchangeBench()
    let file = """
      # Garden

      - [ ] Water ⛔ s1 📅 2026-12-05 🔁 every week
      - [ ] Sow 🆔 s1 ⏫ 📅 2026-12-01 ⏳ 2026-11-28

      """
    #expect(try await bench.take(file, as: "markdown")["notes"] == [])
    let (sow, water) = (try await bench.card("Sow"), try await bench.card("Water"))
    #expect(water?["blockedBy"] == [sow?.id ?? .null] && sow?["priority"] == 3)
    #expect(water?["recurrence"]?["rule"] == "FREQ=WEEKLY")
    #expect(try await bench.export("markdown") == file)
    #expect(try await bench.take(file, as: "markdown")["changed"] == false)
    await bench.stop()
  }

  @Test(
    "tasks with the fields of Dataview wait for each other by their names too, in either brackets",
    arguments: [("[", "]"), ("(", ")")])
  func dataview(opening: String, closing: String) async throws {
    let bench = try await ExchangeBench()
    let file = """
      - [ ] Water \(opening)dependsOn:: s1\(closing) \(opening)due:: 2026-12-05\(closing)
      - [ ] Sow \(opening)id:: s1\(closing) \(opening)due:: 2026-12-01\(closing)

      """
    #expect(try await bench.take(file, as: "markdown")["notes"] == [])
    let (sow, water) = (try await bench.card("Sow"), try await bench.card("Water"))
    #expect(water?["blockedBy"] == [sow?.id ?? .null])
    #expect(try await bench.export("markdown") == file)
    #expect(try await bench.take(file, as: "markdown")["changed"] == false)
    await bench.stop()
  }
}
