import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Projects

/// A series that goes on in another library, or in another program, comes on the same days there.
@Suite("Projects: series in other libraries") struct SeriesReturnTests {
  private static func calendar(_ lines: String...) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//One//EN\r\n"
      + lines.map { $0.split(separator: "\n").joined(separator: "\r\n") + "\r\n" }.joined() + "END:VCALENDAR\r\n"
  }

  private static func task(_ lines: String, title: String = "x") -> String {
    "BEGIN:VTODO\nUID:1\nSUMMARY:\(title)\n\(lines)\nEND:VTODO"
  }

  private func open(_ bench: ExchangeBench) async throws -> JSONValue? {
    try await bench.cards().first { $0["title"] == "x" && $0["state"] != "done" }
  }

  private func finish(_ bench: ExchangeBench) async throws {
    let card = try #require(try await open(bench))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
  }

  /// The deadlines of the open card and of those that come after it, at most so many.
  private func rest(_ bench: ExchangeBench, _ count: Int = 9) async throws -> [String] {
    var found: [String] = []
    while found.count < count, let card = try await open(bench) {
      found.append([card["deadline"].text, card["time"].text].filter { !$0.isEmpty }.joined(separator: " "))
      try await finish(bench)
    }
    return found
  }

  /// The same of what an export becomes in a library of its own.
  private func rest(of export: String, in zone: String = "Asia/Seoul", _ count: Int = 9) async throws -> [String] {
    let other = try await ExchangeBench(timeZone: zone)
    _ = try await other.take(export, as: "ics")
    let rest = try await rest(other, count)
    await other.stop()
    return rest
  }

  /// What an export has of the card that is open.
  private func component(in export: String) throws -> String {
    let unfolded = export.replacingOccurrences(of: "\r\n ", with: "")
    return try #require(unfolded.components(separatedBy: "BEGIN:VTODO").first { $0.contains("RRULE") })
  }

  @Test("a counted series ends in another library where it ends here, and other programs are told what is left of it")
  func counted() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add", ["title": "x", "deadline": "2026-12-01", "recurrence": ["rule": "FREQ=DAILY;COUNT=4"]])
    try await finish(bench)
    let export = try await bench.export("ics")
    let text = try component(in: export)
    #expect(
      text.contains("DTSTART;VALUE=DATE:20261202\r\n") && text.contains("RRULE:FREQ=DAILY;COUNT=3\r\n"), "\(text)")
    let other = try await ExchangeBench()
    _ = try await other.take(export, as: "ics")
    #expect(try await open(other)?["recurrence"]?["rule"] == "FREQ=DAILY;COUNT=4")
    try await finish(other)
    // Twice from library to library.
    #expect(try await rest(of: other.export("ics")) == ["2026-12-03", "2026-12-04"])
    #expect(try await rest(other) == ["2026-12-03", "2026-12-04"])
    #expect(try await rest(bench) == ["2026-12-02", "2026-12-03", "2026-12-04"])
    let edited = export.replacingOccurrences(of: "VALUE=DATE:20261202", with: "VALUE=DATE:20261210")
    #expect(
      try await rest(of: edited) == ["2026-12-10", "2026-12-11", "2026-12-12"],
      "what another program has moved counts from there")
    await other.stop()
    await bench.stop()
  }

  @Test("a counted series of completions ends where it ends here")
  func completions() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add",
      [
        "title": "x", "deadline": "2026-11-21",
        "recurrence": ["rule": "FREQ=DAILY;COUNT=3", "from": "completion"],
      ])
    try await finish(bench)
    let export = try await bench.export("ics")
    #expect(try component(in: export).contains("RRULE:FREQ=DAILY;COUNT=2\r\n"))
    #expect(try await rest(of: export).count == 2)
    #expect(try await rest(bench).count == 2)
    await bench.stop()
  }

  @Test("a deadline that was moved is moved alone, in each library", arguments: [true, false])
  func moved(isOurs: Bool) async throws {
    let bench = try await ExchangeBench()
    if isOurs {
      _ = try await bench.client.call(
        "projects/add", ["title": "x", "deadline": "2026-11-30", "recurrence": ["rule": "FREQ=WEEKLY"]])
    } else {
      _ = try await bench.take(
        Self.calendar(Self.task("DTSTART;VALUE=DATE:20261130\nDUE;VALUE=DATE:20261130\nRRULE:FREQ=WEEKLY")), as: "ics")
    }
    let card = try #require(try await open(bench))
    _ = try await bench.client.call("projects/update", ["id": card.id, "deadline": "2026-12-02"])
    let export = try await bench.export("ics")
    #expect(try await rest(of: export, 3) == ["2026-12-02", "2026-12-07", "2026-12-14"])
    #expect(try await rest(bench, 3) == ["2026-12-02", "2026-12-07", "2026-12-14"])
    await bench.stop()
  }

  @Test("a start that the reader gives the rule anew holds, also where the file has the same rule")
  func ownStart() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.calendar(Self.task("DUE;VALUE=DATE:20261130\nRRULE:FREQ=WEEKLY")), as: "ics")
    let card = try #require(try await open(bench))
    _ = try await bench.client.call(
      "projects/update", ["id": card.id, "recurrence": ["rule": "FREQ=WEEKLY", "start": "2026-11-25"]])
    let export = try await bench.export("ics")
    #expect(try await rest(of: export, 3) == ["2026-11-30", "2026-12-02", "2026-12-09"])
    #expect(try await rest(bench, 3) == ["2026-11-30", "2026-12-02", "2026-12-09"])
    await bench.stop()
  }

  @Test("a calendar's series goes on by its own zone, count and exceptions")
  func zoned() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    _ = try await bench.take(
      Self.calendar(
        Self.task(
          "DUE;TZID=America/Los_Angeles:20261130T200000\nRRULE:FREQ=DAILY;COUNT=4\n"
            + "EXDATE;TZID=America/Los_Angeles:20261202T200000")), as: "ics")
    try await finish(bench)
    let export = try await bench.export("ics")
    let text = try component(in: export)
    #expect(text.contains("DTSTART;TZID=America/Los_Angeles:20261201T200000\r\n"), "\(text)")
    #expect(text.contains("DUE;TZID=America/Los_Angeles:20261201T200000\r\n"), "\(text)")
    #expect(text.contains("RRULE:FREQ=DAILY;COUNT=3\r\n"), "\(text)")
    #expect(try await rest(of: export, in: "Europe/Berlin") == ["2026-12-02 05:00", "2026-12-04 05:00"])
    #expect(try await rest(bench) == ["2026-12-02 13:00", "2026-12-04 13:00"])
    await bench.stop()
  }

  @Test("a beginning moves by days of its own zone, where clocks change and near midnight")
  func clockChange() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    _ = try await bench.take(
      Self.calendar(
        Self.task(
          "DTSTART;TZID=America/Los_Angeles:20270308T233000\nDUE;TZID=America/Los_Angeles:20270310T200000\n"
            + "RRULE:FREQ=WEEKLY;BYDAY=MO")), as: "ics")
    try await finish(bench)
    let text = try component(in: try await bench.export("ics"))
    #expect(text.contains("DTSTART;TZID=America/Los_Angeles:20270315T233000\r\n"), "\(text)")
    #expect(text.contains("DUE;TZID=America/Los_Angeles:20270317T200000\r\n"), "\(text)")
    // A deadline that the reader moves takes the beginning along, at its own time.
    let card = try #require(try await open(bench))
    _ = try await bench.client.call("projects/update", ["id": card.id, "deadline": "2027-11-11"])
    let moved = try component(in: try await bench.export("ics"))
    #expect(moved.contains("DTSTART;TZID=America/Los_Angeles:20271108T233000\r\n"), "\(moved)")
    await bench.stop()
  }

  @Test("a day that a component of its own has moved stays out of what goes on under another name")
  func overrides() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(
      Self.calendar(
        Self.task("DUE;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;COUNT=4"),
        Self.task("RECURRENCE-ID;VALUE=DATE:20261203\nDUE;VALUE=DATE:20261210", title: "moved")), as: "ics")
    try await finish(bench)
    let export = try await bench.export("ics")
    #expect(try component(in: export).contains("EXDATE;VALUE=DATE:20261203\r\n"))
    #expect(try await rest(of: export) == ["2026-12-02", "2026-12-04"])
    #expect(try await rest(bench) == ["2026-12-02", "2026-12-04"])
    await bench.stop()
  }

  @Test("a change of all later days is reported, since only one is changed")
  func thisAndFuture() async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(
      Self.calendar(
        Self.task("DUE;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;COUNT=4"),
        Self.task("RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261203\nDUE;VALUE=DATE:20261210", title: "moved")),
      as: "ics")
    let note = try #require(report["notes"].list.first)
    #expect(report["notes"].list.count == 1 && note["reason"] == "badRule" && note["skipped"] == false)
    #expect(note["display"].text.contains("RANGE=THISANDFUTURE"), "\(note)")
    await bench.stop()
  }

  @Test("a search through a counted rule and its exceptions goes through them once", .timeLimit(.minutes(10)))
  func bounds() async throws {
    let start = try #require(CalendarDay("2026-12-01"))
    let rule = try RecurrenceRule("FREQ=DAILY;COUNT=100000")
    var steps = 0
    let found = rule.day(after: start, from: start) { day in
      steps += 1
      return start.days(until: day) == 5_000
    }
    #expect(found == start.adding(days: 5_000) && steps == 5_000)
    let days = (0..<10_000).map { start.adding(days: $0).description.filter { $0 != "-" } }
    let bench = try await ExchangeBench()
    _ = try await bench.take(
      Self.calendar(
        Self.task(
          "DUE;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;COUNT=100000\nEXDATE;VALUE=DATE:"
            + days.joined(separator: ","))), as: "ics")
    #expect(try await open(bench)?["deadline"] == "2054-04-18")
    await bench.stop()
  }
}
