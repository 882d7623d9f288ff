import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What comes again by the rule of a calendar comes on the days that its file means, wherever it is read.
@Suite("Projects: calendars' own series") struct CalendarSeriesTests {
  private static func calendar(_ lines: String...) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//One//EN\r\n"
      + lines.map { $0.split(separator: "\n").joined(separator: "\r\n") + "\r\n" }.joined() + "END:VCALENDAR\r\n"
  }

  private static func task(_ lines: String, title: String = "x", uid: String = "1") -> String {
    "BEGIN:VTODO\nUID:\(uid)\nSUMMARY:\(title)\n\(lines)\nEND:VTODO"
  }

  /// The deadlines of a card and of those that come after it, each done in turn; `open` stops before so many are done.
  private func deadlines(
    of file: String, in zone: String, _ count: Int, title: String = "x"
  ) async throws -> [String] {
    let bench = try await ExchangeBench(timeZone: zone)
    _ = try await bench.take(file, as: "ics")
    var found: [String] = []
    while found.count < count {
      let open = try await bench.cards().filter { $0["title"].text == title && $0["state"] != "done" }
      guard let card = open.first(where: { $0["recurrence"] != nil }) ?? open.first else { break }
      found.append([card["deadline"].text, card["time"].text].filter { !$0.isEmpty }.joined(separator: " "))
      _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    }
    await bench.stop()
    return found
  }

  @Test(
    "a rule counts the days of the zone in which its file is written, east and west of the reader",
    arguments: [
      ("Asia/Seoul", ["2026-12-01 13:00", "2026-12-08 13:00", "2026-12-15 13:00"]),
      ("America/Los_Angeles", ["2026-11-30 20:00", "2026-12-07 20:00", "2026-12-14 20:00"]),
      ("Pacific/Honolulu", ["2026-11-30 18:00", "2026-12-07 18:00", "2026-12-14 18:00"]),
      ("Pacific/Kiritimati", ["2026-12-01 18:00", "2026-12-08 18:00", "2026-12-15 18:00"]),
    ])
  func zones(zone: String, expected: [String]) async throws {
    let file = Self.calendar(
      Self.task("DUE;TZID=America/Los_Angeles:20261130T200000\nRRULE:FREQ=WEEKLY;BYDAY=MO"))
    #expect(try await deadlines(of: file, in: zone, 3) == expected)
  }

  @Test("where clocks change, it stays at the time of its own zone")
  func clockChange() async throws {
    let file = Self.calendar(
      Self.task("DUE;TZID=America/Los_Angeles:20270310T200000\nRRULE:FREQ=WEEKLY"))
    #expect(
      try await deadlines(of: file, in: "Asia/Seoul", 3)
        == ["2027-03-11 13:00", "2027-03-18 12:00", "2027-03-25 12:00"])
  }

  @Test("what begins before it is due is due as long after each beginning")
  func lag() async throws {
    let weekly = Self.calendar(
      Self.task("DTSTART;VALUE=DATE:20261130\nDUE;VALUE=DATE:20261202\nRRULE:FREQ=WEEKLY;BYDAY=MO"))
    #expect(try await deadlines(of: weekly, in: "Asia/Seoul", 3) == ["2026-12-02", "2026-12-09", "2026-12-16"])
    let monthly = Self.calendar(
      Self.task("DTSTART;VALUE=DATE:20261130\nDUE;VALUE=DATE:20261202\nRRULE:FREQ=MONTHLY;BYMONTHDAY=30"))
    #expect(try await deadlines(of: monthly, in: "Asia/Seoul", 3) == ["2026-12-02", "2027-01-01", "2027-02-01"])
    let lasting = Self.calendar(
      Self.task("DTSTART;TZID=Europe/Berlin:20261130T230000\nDURATION:PT2H\nRRULE:FREQ=DAILY;COUNT=2"))
    #expect(try await deadlines(of: lasting, in: "Europe/Berlin", 5) == ["2026-12-01 01:00", "2026-12-02 01:00"])
  }

  @Test("an export says the same rule of a beginning and an end that fit it")
  func exported() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    let file = Self.calendar(
      Self.task(
        "DTSTART;TZID=America/Los_Angeles:20261128T200000\nDUE;TZID=America/Los_Angeles:20261130T200000\n"
          + "RRULE:FREQ=WEEKLY;BYDAY=SA"))
    _ = try await bench.take(file, as: "ics")
    let card = try #require(try await bench.card("x"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let export = try await bench.export("ics")
    let next = try #require(export.components(separatedBy: "BEGIN:VTODO").first { $0.contains("RRULE") })
    #expect(next.contains("DTSTART;TZID=America/Los_Angeles:20261205T200000\r\n"), "\(next)")
    #expect(next.contains("DUE;TZID=America/Los_Angeles:20261207T200000\r\n"), "\(next)")
    await bench.stop()
  }

  @Test("days that were taken out do not come, days that were added do, and a day that was moved comes once")
  func exceptions() async throws {
    let daily = "DUE;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;COUNT=4\n"
    let without = Self.calendar(Self.task(daily + "EXDATE;VALUE=DATE:20261202,20261203"))
    #expect(try await deadlines(of: without, in: "Asia/Seoul", 9) == ["2026-12-01", "2026-12-04"])
    let more = Self.calendar(
      Self.task("DUE;VALUE=DATE:20261201\nRRULE:FREQ=WEEKLY;COUNT=2\nRDATE;VALUE=DATE:20261203,20261220"))
    #expect(
      try await deadlines(of: more, in: "Asia/Seoul", 9) == ["2026-12-01", "2026-12-03", "2026-12-08", "2026-12-20"])
    let zoned = Self.calendar(
      Self.task(
        "DTSTART;TZID=America/Los_Angeles:20261130T200000\nDUE;TZID=America/Los_Angeles:20261130T210000\n"
          + "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261202T040000Z"))
    #expect(try await deadlines(of: zoned, in: "Asia/Seoul", 9) == ["2026-12-01 14:00", "2026-12-03 14:00"])
    let moved = Self.calendar(
      Self.task(daily.trimmingCharacters(in: .newlines)),
      Self.task("RECURRENCE-ID;VALUE=DATE:20261202\nDUE;VALUE=DATE:20261210", title: "moved"))
    #expect(try await deadlines(of: moved, in: "Asia/Seoul", 9) == ["2026-12-01", "2026-12-03", "2026-12-04"])
    #expect(try await deadlines(of: moved, in: "Asia/Seoul", 9, title: "moved") == ["2026-12-10"])
    let movedFirst = Self.calendar(
      Self.task(daily.trimmingCharacters(in: .newlines)),
      Self.task("RECURRENCE-ID;VALUE=DATE:20261201\nDUE;VALUE=DATE:20261210", title: "moved"))
    #expect(try await deadlines(of: movedFirst, in: "Asia/Seoul", 9) == ["2026-12-02", "2026-12-03", "2026-12-04"])
    let first = Self.calendar(Self.task(daily + "EXDATE;VALUE=DATE:20261201"))
    #expect(
      try await deadlines(of: first, in: "Asia/Seoul", 9) == ["2026-12-02", "2026-12-03", "2026-12-04"])
  }

  @Test("a rule ends at the moment that it names, in its own zone")
  func until() async throws {
    let head = "DUE;TZID=America/Los_Angeles:20261130T200000\nRRULE:FREQ=WEEKLY;UNTIL="
    let included = Self.calendar(Self.task(head + "20261208T040000Z"))
    #expect(try await deadlines(of: included, in: "Asia/Seoul", 9).count == 2)
    let before = Self.calendar(Self.task(head + "20261208T035959Z"))
    #expect(try await deadlines(of: before, in: "Asia/Seoul", 9).count == 1)
  }

  @Test("a zone that the calendar itself describes is read, by its offsets and by when they change")
  func ownZone() async throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Eastern Standard Time
      BEGIN:STANDARD
      DTSTART:16011104T020000
      RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
      TZOFFSETFROM:-0400
      TZOFFSETTO:-0500
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010311T020000
      RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
      TZOFFSETFROM:-0500
      TZOFFSETTO:-0400
      END:DAYLIGHT
      END:VTIMEZONE
      """
    let file = Self.calendar(
      zone, Self.task("DUE;TZID=Eastern Standard Time:20270310T200000\nRRULE:FREQ=WEEKLY"))
    #expect(
      try await deadlines(of: file, in: "Asia/Seoul", 2) == ["2027-03-11 10:00", "2027-03-18 09:00"])
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    let report = try await bench.take(file, as: "ics")
    #expect(report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.export("ics") == file)
    await bench.stop()
  }

  @Test("what only begins is due when it begins, and what has no summary is called by its description")
  func beginning() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    let file = Self.calendar(
      Self.task("DTSTART;VALUE=DATE:20261130\nRRULE:FREQ=WEEKLY"),
      "BEGIN:VTODO\nUID:2\nDESCRIPTION:\\n  Words alone\\nand more\nEND:VTODO")
    let report = try await bench.take(file, as: "ics")
    #expect(report["added"] == 2 && report["skipped"] == 0 && report["notes"].list.isEmpty, "\(report)")
    let card = try #require(try await bench.card("x"))
    #expect(card["deadline"] == "2026-11-30" && card["recurrence"]?["start"] == "2026-11-30")
    let words = try #require(try await bench.card("Words alone"))
    #expect(try await bench.client.call("projects/get", ["id": words.id])["body"] == "\n  Words alone\nand more")
    #expect(try await bench.export("ics") == file)
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["title"] == "x" && $0["state"] == "todo" })
    #expect(next["deadline"] == "2026-12-07")
    let export = try await bench.export("ics")
    #expect(export.contains("DTSTART;VALUE=DATE:20261207\r\n") && export.contains("DUE;VALUE=DATE:20261207\r\n"))
    // The first one is in no series now, and keeps its day.
    #expect(export.contains("DTSTART;VALUE=DATE:20261130\r\n") && export.contains("DUE;VALUE=DATE:20261130\r\n"))
    await bench.stop()
  }

  @Test("what only begins, at a time of a zone, keeps its day there and here once its recurrence is its reader's own")
  func beginningAtTime() async throws {
    let file = Self.calendar(Self.task("DTSTART;TZID=America/Los_Angeles:20261130T200000\nRRULE:FREQ=WEEKLY"))
    #expect(try await deadlines(of: file, in: "Asia/Seoul", 2) == ["2026-12-01 13:00", "2026-12-08 13:00"])
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    _ = try await bench.take(file, as: "ics")
    let card = try #require(try await bench.card("x"))
    let piled: JSONValue = ["rule": "FREQ=WEEKLY", "missed": "pile"]
    _ = try await bench.client.call("projects/update", ["id": card.id, "recurrence": piled])
    let export = try await bench.export("ics")
    #expect(export.contains("DUE;TZID=America/Los_Angeles:20261130T200000\r\n"), "\(export)")
    await bench.stop()
    let other = try await ExchangeBench(timeZone: "Asia/Seoul")
    _ = try await other.take(export, as: "ics")
    let there = try #require(try await other.card("x"))
    #expect(there["deadline"] == "2026-12-01" && there["time"] == "13:00" && there["recurrence"]?["missed"] == "pile")
    await other.stop()
  }

  @Test("a time that the reader has given a card stays with those that come after it")
  func ownTime() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    _ = try await bench.take(
      Self.calendar(Self.task("DUE;TZID=America/Los_Angeles:20270310T200000\nRRULE:FREQ=WEEKLY")), as: "ics")
    let card = try #require(try await bench.card("x"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "time": "15:30"])
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["state"] == "todo" })
    #expect(next["deadline"] == "2027-03-18" && next["time"] == "15:30")
    await bench.stop()
  }
}
