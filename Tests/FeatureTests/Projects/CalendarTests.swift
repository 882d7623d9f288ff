import Client
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Projects

/// On Saturday, 21 November 2026.
@Suite("Projects: subscribed calendars") struct CalendarTests {
  private static func calendar(_ events: [(title: String, times: String)], named name: String = "Family") -> String {
    let events = events.map { "BEGIN:VEVENT\r\nSUMMARY:\($0.title)\r\n\($0.times)\r\nEND:VEVENT\r\n" }
    return "BEGIN:VCALENDAR\r\nX-WR-CALNAME:\(name)\r\n\(events.joined())END:VCALENDAR\r\n"
  }

  private static let usual = calendar([
    ("Dentist", "DTSTART:20261123T050000Z\r\nDTEND:20261123T053000Z\r\nLOCATION:High Street"),
    ("Holiday", "DTSTART;VALUE=DATE:20261122\r\nDTEND;VALUE=DATE:20261124"),
    ("Choir", "DTSTART;TZID=Asia/Seoul:20261103T190000\r\nDURATION:PT2H\r\nRRULE:FREQ=WEEKLY"),
  ])

  /// A server whose calendar the test replaces, with its length as the ETag.
  private final class Server: Sendable {
    private final class Stored: Sendable {
      let text: Mutex<String?>
      init(_ text: String) { self.text = Mutex(text) }
    }

    private let stored: Stored
    let server: ScriptedServer

    init(_ text: String) throws {
      let stored = Stored(text)
      self.stored = stored
      server = try ScriptedServer { request in
        guard let text = stored.text.withLock(\.self) else { return .text("Not here", status: 404) }
        let tag = "\"\(text.utf8.count)\""
        if request["If-None-Match"] == tag { return .notModified([("ETag", tag)]) }
        return .text(text, [("Content-Type", "text/calendar"), ("ETag", tag)])
      }
    }

    var url: JSONValue { .string(server.origin + "/family.ics") }

    /// Nil for a server that has none.
    func change(_ text: String?) { stored.text.withLock { $0 = text } }
  }

  /// `2026-11-23 Dentist 2:00 PM – 2:30 PM`, for each day of the agenda with each of its events.
  private func events(_ bench: ProjectBench, _ params: JSONValue = [:]) async throws -> [String] {
    try await bench.client.call("projects/agenda", params)["days"].list.flatMap { day in
      day["events"].list.map { event in
        [day["day"].text, event["title"].text, event["display"]?["time"]?.stringValue].compactMap(\.self)
          .joined(separator: " ").replacing("\u{202F}", with: " ")
      }
    }
  }

  private static let shown = [
    "2026-11-22 Holiday", "2026-11-23 Holiday", "2026-11-23 Dentist 2:00 PM – 2:30 PM",
    "2026-11-24 Choir 7:00 PM – 9:00 PM",
  ]

  @Test("the events of a calendar at a URL are in the agenda and on the page of their day, in the client's zone")
  func agenda() async throws {
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    let server = try Server(Self.usual)
    let added = try await bench.client.call("projects/addCalendar", ["url": server.url, "id": "c"])
    #expect(added["foundTitle"] == "Family" && added["events"] == 3 && added["display"]?["title"] == "Family")
    #expect(try await events(bench) == Self.shown)
    let dentist = try await bench.client.call("projects/agenda")["days"].list[2]["events"].list[1]
    #expect(dentist["calendar"] == "c" && dentist["time"] == "14:00" && dentist["endTime"] == "14:30")
    #expect(dentist["location"] == "High Street" && dentist["display"]?["calendar"] == "Family")
    // A calendar is of no board.
    #expect(try await events(bench, ["board": "default"]) == [])
    #expect(try await events(bench, ["from": "2026-12-01", "days": 8]).count == 2)
    let limited = try await bench.client.call("projects/agenda", ["limit": 1])
    #expect(limited["hasMore"] == true && limited["days"].list.flatMap { $0["events"].list }.count == 2)
    let day = try await bench.client.call("diary/day", ["day": "2026-11-23"]).items.filter { $0["kind"] == "event" }
    #expect(day.map { $0["title"] } == ["Holiday", "Dentist"] && day.allSatisfy { $0.id == "c" })
    #expect(day[1]["at"] == "2026-11-23T05:00:00.000Z" && day[1]["text"] == "High Street")
    // The same place is the same calendar, also as it is written elsewhere.
    #expect(try await bench.client.call("projects/addCalendar", ["url": server.url]).id == "c")
    #expect(try await bench.client.call("projects/calendars")["total"] == 1 && server.server.requests.count == 1)
    await bench.stop()
  }

  @Test("an unchanged calendar is not sent again, a changed one is heard of, and one that fails keeps its events")
  func refreshing() async throws {
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    let server = try Server(Self.usual)
    _ = try await bench.client.call("projects/addCalendar", ["url": server.url, "id": "c"])
    let refresh: JSONValue = ["calendar": "c"]
    #expect(try await bench.client.call("projects/refreshCalendars", refresh)["changed"] == 0)
    #expect(server.server.requests.last?["If-None-Match"] == "\"\(Self.usual.utf8.count)\"")
    let heard = bench.client.commits.count
    server.change(Self.calendar([("Dinner", "DTSTART;VALUE=DATE:20261125")]))
    #expect(try await bench.client.call("projects/refreshCalendars")["changed"] == 1)
    _ = try await bench.client.call("session/sync")
    let changes = bench.client.commits.dropFirst(heard).flatMap { $0["changes"].list }
    #expect(changes.contains { $0["collection"] == "calendars" && $0["fields"].list.contains("events") }, "\(changes)")
    #expect(try await events(bench) == ["2026-11-25 Dinner"])
    for broken in [nil, "<html>Please log in</html>"] as [String?] {
      server.change(broken)
      let all = try await bench.client.call("projects/refreshCalendars")
      #expect(all["changed"] == 0 && all["failed"].list.map { $0["calendar"] } == ["c"])
      let kind = try await bench.refusal("projects/refreshCalendars", refresh)
      #expect(kind == (broken == nil ? "httpStatus" : "corrupt"))
      let shown = try await bench.client.call("projects/calendars").items[0]
      #expect(shown["failure"]?["kind"]?.stringValue == kind && shown["failure"]?["message"] != nil, "\(shown)")
      #expect(try await events(bench) == ["2026-11-25 Dinner"])
    }
    server.change(Self.usual)
    #expect(try await bench.client.call("projects/refreshCalendars", refresh)["changed"] == 1)
    #expect(try await bench.client.call("projects/calendars").items[0]["failure"] == nil)
    await bench.stop()
  }

  @Test("the daemon fetches a calendar when it is due, and later again after failures")
  func schedule() async throws {
    let clock = TestClock()
    let bench = try await ProjectBench(clock: clock, timeZone: "Asia/Seoul")
    let server = try Server(Self.usual)
    let services = bench.daemon.daemon.services
    // The rounds are those of this test alone.
    services.calendarRefresher.end()
    let refresher = CalendarRefresher()
    let added = try await bench.client.call("projects/addCalendar", ["url": server.url, "id": "c", "every": 60])
    #expect(added["nextAt"] == "2026-11-21T04:04:05.678Z")
    #expect(await refresher.round(with: services) == .seconds(3_600))
    #expect(server.server.requests.count == 1)
    clock.advance(milliseconds: 3_600_000)
    server.change(Self.calendar([("Dinner", "DTSTART;VALUE=DATE:20261125")]))
    #expect(await refresher.round(with: services) == .seconds(3_600))
    #expect(try await events(bench) == ["2026-11-25 Dinner"])
    server.change(nil)
    for minutes in [60, 60, 60, 120] as [Int64] {
      clock.advance(milliseconds: 3 * 3_600_000)
      #expect(await refresher.round(with: services) == .seconds(minutes * 60))
    }
    let updated = try await bench.client.call("projects/updateCalendar", ["id": "c", "every": nil, "title": "Ours"])
    #expect(updated["every"] == nil && updated["display"]?["title"] == "Ours" && updated["failures"] == 4)
    await bench.stop()
  }

  @Test(
    "a calendar that is a file is read from it; another place drops the events of the old one, and undo restores all")
  func files() async throws {
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    let (one, two) = (bench.daemon.folder.file("one.ics"), bench.daemon.folder.file("two.ics"))
    try Data(Self.usual.utf8).write(to: URL(filePath: one))
    try Data(Self.calendar([("Dinner", "DTSTART;VALUE=DATE:20261125")]).utf8).write(to: URL(filePath: two))
    let added = try await bench.client.call("projects/addCalendar", ["path": .string(one), "id": "c"])
    #expect(added["path"] == .string(one) && added["url"] == nil && added["events"] == 3)
    #expect(try await events(bench) == Self.shown)
    _ = try await bench.client.call("projects/updateCalendar", ["id": "c", "path": .string(two)])
    _ = try await bench.client.call("projects/refreshCalendars", ["calendar": "c"])
    #expect(try await events(bench) == ["2026-11-25 Dinner"])
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("projects/refreshCalendars", ["calendar": "c"])
    #expect(try await events(bench) == Self.shown)
    _ = try await bench.client.call("projects/removeCalendar", ["id": "c"])
    #expect(try await events(bench) == [])
    #expect(try await bench.client.call("projects/calendars")["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("projects/refreshCalendars")
    #expect(try await events(bench) == Self.shown)
    // The addition is one step of its client, and the events go with it.
    _ = try await bench.client.call("projects/addCalendar", ["path": .string(two), "id": "d"])
    #expect(try await events(bench).contains("2026-11-25 Dinner"))
    _ = try await bench.client.call("changes/undo")
    #expect(try await events(bench) == Self.shown)
    await bench.stop()
  }

  @Test("what is no calendar is not subscribed to, and neither is a place with a secret in it or one calendar too many")
  func refusals() async throws {
    let bench = try await ProjectBench()
    let page = bench.daemon.folder.file("page.html")
    try Data("<html></html>".utf8).write(to: URL(filePath: page))
    let server = try Server("<html></html>")
    for (params, kind) in [
      (["path": .string(page)], "corrupt"), (["path": .string(page + ".ics")], "notFound"),
      (["path": .string(bench.daemon.folder.path)], "notAllowed"), (["url": server.url], "corrupt"),
      (["url": "https://ann:secret@a.example/c.ics"], "invalidURL"),
      (["url": "https://a.example/c.ics?token=abc"], "invalidURL"),
    ] as [(JSONValue, String)] {
      #expect(try await bench.refusal("projects/addCalendar", params) == kind, "\(params)")
    }
    #expect(try await bench.client.call("projects/calendars")["total"] == 0)
    let good = bench.daemon.folder.file("good.ics")
    for number in 0..<CalendarRecord.most {
      try Data(Self.usual.utf8).write(to: URL(filePath: good + "\(number)"))
      _ = try await bench.client.call("projects/addCalendar", ["path": .string(good + "\(number)")])
    }
    try Data(Self.usual.utf8).write(to: URL(filePath: good))
    #expect(try await bench.refusal("projects/addCalendar", ["path": .string(good)]) == "notAllowed")
    let id = try await bench.client.call("projects/calendars").items[0].id
    #expect(
      try await bench.refusal("projects/updateCalendar", ["id": id, "path": .string(good + "1")]) == "exists")
    await bench.stop()
  }

  @Test(
    "a calendar with very many days of events gives no more than the limit, and the agenda says that there are more")
  func many() async throws {
    let bench = try await ProjectBench()
    let file = bench.daemon.folder.file("many.ics")
    let daily = (0..<300).map { ("Daily \($0)", "DTSTART;VALUE=DATE:20250101\r\nRRULE:FREQ=DAILY") }
    let long = (0..<100).map { ("Long \($0)", "DTSTART;VALUE=DATE:20260101\r\nDTEND;VALUE=DATE:20280101") }
    for (events, most) in [(daily, 5), (long, 50)] {
      try Data(Self.calendar(events).utf8).write(to: URL(filePath: file))
      _ = try await bench.client.call("projects/addCalendar", ["path": .string(file), "id": "c"])
      _ = try await bench.client.call("projects/refreshCalendars")
      let agenda = try await bench.client.call("projects/agenda", ["days": 366, "limit": 5])
      let listed = agenda["days"].list.reduce(0) { $0 + $1["events"].list.count }
      #expect(agenda["hasMore"] == true && listed <= most, "\(listed)")
    }
    await bench.stop()
  }

  @Test("while the configuration forbids requests, a calendar is added unverified, and read when it is allowed again")
  func offline() async throws {
    let server = try Server(Self.usual)
    let bench = try await ProjectBench(timeZone: "Asia/Seoul") { $0.http.offline = true }
    let added = try await bench.client.call("projects/addCalendar", ["url": server.url, "id": "c"])
    #expect(added["events"] == 0 && added["fetchedAt"] == nil && server.server.requests.isEmpty)
    #expect(try await bench.refusal("projects/refreshCalendars", ["calendar": "c"]) == "unreachable")
    await bench.stop()
  }

  @Test("a calendar from an archive is read again once its place is confirmed")
  func archives() async throws {
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    let file = bench.daemon.folder.file("one.ics")
    try Data(Self.usual.utf8).write(to: URL(filePath: file))
    _ = try await bench.client.call("projects/addCalendar", ["path": .string(file), "id": "c"])
    let archive = bench.daemon.folder.file("library.tar")
    _ = try await bench.client.call("library/export", ["path": .string(archive)])
    let other = try await ProjectBench(timeZone: "Asia/Seoul")
    _ = try await other.client.call("library/import", ["path": .string(archive)])
    #expect(try await other.client.call("projects/calendars").items.map { $0["unconfirmed"] } == [true])
    #expect(try await other.refusal("projects/refreshCalendars", ["calendar": "c"]) == "refusedAddress")
    #expect(try await events(other) == [])
    _ = try await other.client.call("projects/updateCalendar", ["id": "c", "path": .string(file)])
    _ = try await other.client.call("projects/refreshCalendars", ["calendar": "c"])
    #expect(try await events(other) == Self.shown)
    #expect(try await other.client.call("projects/calendars").items[0]["unconfirmed"] == nil)
    await bench.stop()
    await other.stop()
  }
}
