import Client
import Contract
import Display
import TestSupport
import Testing
import Wire

@testable import Features

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

  @Test("a line of very many tags is read in the time that its length takes", .timeLimit(.minutes(1)))
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
}
