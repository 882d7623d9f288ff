import Client
import TestSupport
import Testing
import Wire

/// DTSTART, which servers want to go with what is due.
@Suite("Projects: when a task of a calendar begins") struct ExchangeStartTests {
  private static func calendar(_ task: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\nBEGIN:VTODO\n\(task)\nEND:VTODO\nEND:VCALENDAR\n"
      .replacing("\n", with: "\r\n")
  }

  @Test("a card that comes again says in a calendar when it begins, and others do not; the file changes nothing here")
  func own() async throws {
    let bench = try await ExchangeBench()
    let weekly: JSONValue = [
      "title": "Water", "deadline": "2026-11-23", "time": "18:30", "recurrence": ["rule": "FREQ=WEEKLY"],
    ]
    _ = try await bench.client.call("projects/add", weekly)
    _ = try await bench.client.call("projects/add", ["title": "Sow", "deadline": "2026-11-24"])
    let file = try await bench.export("ics")
    #expect(file.contains("\r\nDTSTART:20261123T183000\r\n") && file.split(separator: "DTSTART").count == 2)
    #expect(try await bench.take(file)["changed"] == false)
    await bench.stop()
  }

  @Test("a deadline that is moved leaves no task that begins after it, or at a day where it is a time")
  func moved() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.calendar("UID:a\nSUMMARY:a\nDTSTART;VALUE=DATE:20261120\nDUE;VALUE=DATE:20261124"))
    let card = try #require(try await bench.card("a"))
    func start(_ change: JSONObject) async throws -> Substring? {
      var params = change
      params["id"] = card.id
      _ = try await bench.client.call("projects/update", .object(params))
      return try await bench.export("ics").split(separator: "\r\n").first { $0.hasPrefix("DTSTART") }
    }
    #expect(try await start(["deadline": "2026-11-25"]) == "DTSTART;VALUE=DATE:20261120")
    #expect(try await start(["deadline": "2026-11-18"]) == "DTSTART;VALUE=DATE:20261118")
    #expect(try await start(["deadline": "2026-11-25", "time": "18:30"]) == "DTSTART:20261118T183000")
    #expect(try await start(["deadline": "2026-11-18"]) == "DTSTART:20261118T183000")
    await bench.stop()
  }

  @Test("the next card of a task that came again begins as long before it is due as the one before did")
  func comesAgain() async throws {
    let bench = try await ExchangeBench()
    let task = "DTSTART;TZID=Asia/Seoul:20261119T090000\nDUE;TZID=Asia/Seoul:20261121T180000\nRRULE:FREQ=WEEKLY"
    _ = try await bench.take(Self.calendar("UID:a\nSUMMARY:a\n" + task))
    let card = try #require(try await bench.card("a"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let lines = try await bench.export("ics").split(separator: "\r\n")
    #expect(
      lines.filter { $0.hasPrefix("DTSTART") }.sorted() == [
        "DTSTART;TZID=Asia/Seoul:20261119T090000", "DTSTART;TZID=Asia/Seoul:20261126T090000",
      ])
    #expect(lines.contains("DUE;TZID=Asia/Seoul:20261128T180000"))
    await bench.stop()
  }

  @Test("a later card of a series begins on the same day in a calendar whether it is open or done")
  func doneLater() async throws {
    let bench = try await ExchangeBench()
    let task = "DTSTART;VALUE=DATE:20261130\nDUE;VALUE=DATE:20261202\nRRULE:FREQ=WEEKLY;BYDAY=MO"
    _ = try await bench.take(Self.calendar("UID:a\nSUMMARY:a\n" + task))
    func finish() async throws {
      let open = try #require(try await bench.cards().first { $0["state"] != "done" })
      _ = try await bench.client.call("projects/move", ["id": open.id, "state": "done"])
    }
    func second() async throws -> Substring? {
      let tasks = try await bench.export("ics").split(separator: "BEGIN:VTODO")
      let found = try #require(tasks.first { $0.contains("DUE;VALUE=DATE:20261209\r\n") })
      return found.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") }
    }
    try await finish()
    #expect(try await second() == "DTSTART;VALUE=DATE:20261207")
    try await finish()
    #expect(try await second() == "DTSTART;VALUE=DATE:20261207")
    await bench.stop()
  }
}
