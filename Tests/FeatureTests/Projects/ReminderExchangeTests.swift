import Client
import Foundation
import TestSupport
import Testing
import Wire

/// In Seoul, nine hours before UTC.
@Suite("Projects: reminders in files") struct ReminderExchangeTests {
  private static func calendar(_ task: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTODO\nUID:a\nDTSTAMP:20261101T000000Z\nSUMMARY:A\n\(task)\nEND:VTODO\nEND:VCALENDAR\n"
      .replacing("\n", with: "\r\n")
  }

  private static func alarm(_ trigger: String, _ more: String = "") -> String {
    "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(trigger)\nDESCRIPTION:A\n\(more)END:VALARM"
  }

  @Test(
    "every format brings reminders to another library, and nothing the second time",
    arguments: ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await ExchangeBench()
    let cards: [(id: String, fields: JSONObject)] = [
      ("day", ["deadline": "2026-11-25", "reminders": ["-0m", "-1d", "-1d@18:00", "-90m", "+1d"]]),
      ("time", ["deadline": "2026-11-25", "time": "14:30", "reminders": ["-1d", "-1440m", "-2d@08:00", "-0m"]]),
      ("start", ["deadline": "2026-11-25", "start": "2026-11-23", "reminders": ["start-0m", "start-1d@20:00"]]),
      ("moment", ["deadline": .null, "reminders": ["2026-11-24T09:00:00.000Z", "2026-11-24T09:00:00.500Z"]]),
      (
        "series",
        [
          "deadline": "2026-11-25", "time": "08:00", "recurrence": ["rule": "FREQ=DAILY"],
          "reminders": ["-15m", "-1d"],
        ]
      ),
    ]
    for (id, fields) in cards {
      var params = fields
      (params["id"], params["title"]) = (.string(id), .string(id))
      _ = try await bench.client.call("projects/add", .object(params))
    }
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 5 && again["changed"] == false, "\(file)")
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 5, "\(file)")
    for (id, fields) in cards {
      let reminders = try await other.client.call("projects/get", ["id": .string(id)])["reminders"]
      #expect(reminders == fields["reminders"], "\(id) \(file)")
    }
    // What changes there comes back.
    _ = try await other.client.call(
      "projects/update", ["id": "time", "reminders": ["-1d", "-2d@08:00", "-0m", "-5m"]])
    #expect(try await bench.take(try await other.export(format), as: format)["updated"] == 1)
    #expect(
      try await bench.client.call("projects/get", ["id": "time"])["reminders"] == ["-1d", "-2d@08:00", "-0m", "-5m"])
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("an alarm has a line of ours only where its trigger cannot state the reminder")
  func ownLine() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add", ["id": "a", "title": "A", "deadline": "2026-11-25", "time": "08:00", "reminders": ["-15m"]])
    func hasOwnLine() async throws -> Bool { try await bench.export("ics").contains("X-COMMONPLACE-REMINDER") }
    #expect(try await !hasOwnLine())
    _ = try await bench.client.call("projects/update", ["id": "a", "reminders": ["2026-11-24T09:00:00.500Z"]])
    #expect(try await hasOwnLine())
    await bench.stop()
  }

  @Test(
    "an alarm is a reminder: of the deadline, of the start, at an instant; one by mail or by seconds is none",
    arguments: [
      ("DUE:20261125T100000", ":-PT15M", "-15m"), ("DUE:20261125T100000", ";RELATED=END:-P1D", "-1d"),
      ("DUE:20261125T100000", ";RELATED=END:-P1DT1H", "-1500m"),
      ("DUE;VALUE=DATE:20261125", ";RELATED=END:-PT15H", "-1d@09:00"),
      ("DUE;VALUE=DATE:20261125", ":PT9H", "-0d@09:00"),
      ("DUE:20261125T100000", ";VALUE=DATE-TIME:20261124T230000Z", "2026-11-24T23:00:00.000Z"),
      // A start at the deadline is the deadline, and one at a time before it has its distance from it.
      ("DTSTART:20261125T100000\nDUE:20261125T100000", ":-P1D", "-1d"),
      ("DTSTART:20261125T080000\nDUE:20261125T100000", ":-PT15M", "-135m"),
      ("DTSTART;VALUE=DATE:20261123\nDUE;VALUE=DATE:20261125", ":PT8H", "start-0d@08:00"),
      ("DTSTART;VALUE=DATE:20261125\nDUE;VALUE=DATE:20261125", ":-PT6H", "-1d@18:00"),
      ("DTSTART;VALUE=DATE:20261123\nDUE;VALUE=DATE:20261125\nRRULE:FREQ=WEEKLY", ":PT8H", "-2d@08:00"),
      ("DTSTART:20261123T140000", ":-PT30M", "start-0d@13:30"),
      ("DTSTART:20261125T080000\nDURATION:PT2H", ";RELATED=END:-PT15M", "-15m"),
      ("DUE:20261125T100000", ":-PT15S", nil), ("SEQUENCE:1", ":-PT15M", nil), ("DUE:20261125T100000", ":soon", nil),
    ])
  func alarms(days: String, trigger: String, reminder: String?) async throws {
    let bench = try await ExchangeBench()
    let mail =
      "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-PT5M\nATTENDEE:mailto:a@example.org\nSUMMARY:A\nDESCRIPTION:A\nEND:VALARM"
    let file = Self.calendar("\(days)\n\(Self.alarm(trigger))\n\(mail)")
    #expect(try await bench.take(file, as: "ics")["added"] == 1)
    let card = try #require(try await bench.card("A"))
    #expect(card["reminders"] == reminder.map { [.string($0)] }, "\(card)")
    // Nothing was changed, so not a byte is.
    #expect(try await bench.export("ics") == file)
    await bench.stop()
  }

  @Test("of a changed card only the alarms change that must, and what is not understood stays byte for byte")
  func changes() async throws {
    let bench = try await ExchangeBench()
    let odd = Self.alarm(":-PT15M", "REPEAT:2\nDURATION:PT5M\nX-OWN;A=\"b;c\":kept\nACKNOWLEDGED:20261124T000000Z\n")
    let audio = "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:-PT15M\nATTACH:bell.wav\nEND:VALARM"
    let mail = "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-PT15M\nEND:VALARM"
    let gone = Self.alarm(";RELATED=END:-P1D")
    let file = Self.calendar("DUE:20261125T100000\n\(odd)\n\(gone)\n\(audio)\n\(mail)")
    #expect(try await bench.take(file, as: "ics")["added"] == 1)
    let id = try #require(try await bench.card("A")).id
    #expect(try await bench.card("A")?["reminders"] == ["-15m", "-1d"])
    _ = try await bench.client.call("projects/update", ["id": id, "reminders": ["-15m", "2026-11-24T01:00:00Z"]])
    var text = try await bench.export("ics").replacing("\r\n", with: "\n")
    for part in [odd, audio, mail] { #expect(text.contains(part), "\(text)") }
    #expect(!text.contains("-P1D") && text.contains("\nTRIGGER;VALUE=DATE-TIME:20261124T010000Z\n"), "\(text)")
    // Without its time the deadline is a day, whose midnight is another moment to count from.
    _ = try await bench.client.call("projects/update", ["id": id, "time": .null])
    text = try await bench.export("ics").replacing("\r\n", with: "\n")
    #expect(text.contains("\nTRIGGER;RELATED=END:PT8H45M\n") && text.contains("X-OWN;A=\"b;c\":kept"), "\(text)")
    #expect(text.contains(mail), "\(text)")
    let other = try await ExchangeBench()
    _ = try await other.take(text, as: "ics")
    #expect(try await other.card("A")?["reminders"] == ["-15m", "2026-11-24T01:00:00.000Z"])
    // Another program has moved the alarm: what it wrote holds.
    let moved = text.replacing("RELATED=END:PT8H45M", with: "RELATED=END:PT10H")
    _ = try await other.take(moved, as: "ics")
    #expect(try await other.card("A")?["reminders"].list.contains("-0d@10:00") == true)
    for bench in [bench, other] { await bench.stop() }
  }
}
