import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Clients in two zones, and one file.
@Suite("Projects: deadlines between zones") struct ExchangeZoneTests {
  private let bench: ExchangeBench
  /// In New York, where the bench itself is in Seoul.
  private let other: Client

  init() async throws {
    bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    other = try await bench.bench.daemon.client(locale: "en-US", timeZone: "America/New_York")
  }

  private func take(_ file: String, as format: String) async throws -> JSONValue {
    let data = JSONValue.string(Data(file.utf8).base64EncodedString())
    return try await other.call("projects/import", ["data": data, "format": .string(format)])
  }

  private func export(_ format: String) async throws -> String {
    let reply = try await other.call("projects/export", ["format": .string(format), "inline": true])
    return String(decoding: Data(base64Encoded: reply["data"].text) ?? Data(), as: UTF8.self)
  }

  private static let calendar =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\n"
    + ["DUE;TZID=Asia/Seoul:20261202T010000", "DUE:20261201T160000Z", "DUE:20261203T090000", "DUE;VALUE=DATE:20261204"]
    .enumerated().map {
      "BEGIN:VTODO\r\nUID:\($0.offset)\r\nSUMMARY:t\($0.offset)\r\n\($0.element)\r\nLAST-MODIFIED:20261101T000000Z\r\nEND:VTODO\r\n"
    }.joined() + "END:VCALENDAR\r\n"

  private static let tasks =
    "[\n"
    + ["20261210T050000Z", "20261210T233000Z"].enumerated().map {
      #"{"description":"t\#($0.offset)","due":"\#($0.element)","status":"pending","uuid":"4000000\#($0.offset)-0000-0000-0000-000000000000"}"#
    }.joined(separator: ",\n") + "\n]\n"

  private static let files = [("ics", calendar), ("taskwarrior", tasks)]

  @Test(
    "cards that nobody touched return their own bytes in every zone, and their file brings nothing there",
    arguments: files)
  func untouched(format: String, file: String) async throws {
    _ = try await take(file, as: format)
    let before = try await bench.cards()
    #expect(try await bench.export(format) == file)
    #expect(try await export(format) == file)
    let again = try await bench.take(file, as: format)
    #expect(again["changed"] == false && again["known"]?.integerValue == Int64(before.count), "\(again)")
    // Our own lines carry the zone into another library.
    let third = try await ExchangeBench(timeZone: "Europe/Berlin")
    _ = try await third.take(bench.export("jsonl"))
    #expect(try await third.export(format) == file)
    await third.stop()
    await bench.stop()
  }

  @Test("a title that was changed moves no deadline, whether here or in the file", arguments: files)
  func retitled(format: String, file: String) async throws {
    _ = try await take(file, as: format)
    let first = try #require(try await bench.card("t0"))
    _ = try await bench.client.call("projects/update", ["id": first.id, "title": "seeds"])
    let written = try await bench.export(format)
    for match in file.matches(of: /DUE.*|"due":"[^"]*"/) { #expect(written.contains(match.output)) }
    let name = format == "ics" ? "SUMMARY:t1" : #""description":"t1""#
    let report = try await bench.take(written.replacing(name, with: name.replacing("t1", with: "t1 more")), as: format)
    #expect(report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.card("seeds")?["deadline"] == first["deadline"])
    let second = try #require(try await bench.card("t1 more"))
    #expect(second["deadline"].text == (format == "ics" ? "2026-12-01" : "2026-12-10"))
    #expect(second["time"].text == (format == "ics" ? "11:00" : "18:30"))
    await bench.stop()
  }

  @Test(
    "a day stays a day and a time a time, when our own cards come from a client of another zone",
    arguments: ["ics", "taskwarrior"])
  func own(format: String) async throws {
    let cards: [(title: String, time: JSONValue?)] = [("day", nil), ("evening", "18:30"), ("midnight", "00:00")]
    for card in cards {
      var params: JSONObject = ["title": .string(card.title), "deadline": "2026-12-10"]
      params["time"] = card.time
      _ = try await bench.client.call("projects/add", .object(params))
    }
    let file = try await bench.export(format)
    let report = try await take(file, as: format)
    #expect(report["known"] == 3 && report["changed"] == false, "\(report)")
    // Another library, somewhere else.
    let third = try await ExchangeBench(timeZone: "America/New_York")
    _ = try await third.take(file, as: format)
    for card in cards {
      let there = try #require(try await third.card(card.title))
      #expect(there["deadline"] == "2026-12-10" && there["time"] == card.time, "\(there)")
    }
    await third.stop()
    // What somebody moved in Taskwarrior is a day of theirs.
    if format == "taskwarrior" {
      let moved = file.replacing("20261209T150000Z", with: "20261212T050000Z")
      #expect(try await take(moved, as: format)["updated"] == 2)
      #expect(try await bench.card("day")?["deadline"] == "2026-12-12")
    }
    await bench.stop()
  }
  @Test(
    "a deadline that was set here is one moment, whoever writes the file, and our own lines bring it to a card that lacks it",
    arguments: files)
  func moved(format: String, file: String) async throws {
    _ = try await take(file, as: format)
    let card = try #require(try await bench.card("t1"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "deadline": "2026-12-20", "time": "19:00"])
    let written = try await export(format)
    #expect(try await bench.export(format) == written)
    let again = try await bench.take(written, as: format)
    #expect(again["added"] == 0 && again["notes"].list.isEmpty, "\(again)")
    let after = try await bench.card("t1")
    #expect(after?["deadline"] == "2026-12-20" && after?["time"] == "19:00", "\(after ?? .null)")
    let third = try await ExchangeBench(timeZone: "Europe/Berlin")
    _ = try await third.take(file, as: format)
    _ = try await third.take(bench.export("jsonl"))
    let there = try await third.cards()
    #expect(there.contains { $0["deadline"] == "2026-12-20" && $0["time"] == "19:00" }, "\(there)")
    await third.stop()
    await bench.stop()
  }

  @Test(
    "a card that came as a moment is that moment in every format that has moments, whoever writes the file and brings it back",
    arguments: [
      ("ics", calendar, "taskwarrior", "20261201T160000Z"), ("taskwarrior", tasks, "ics", "20261210T233000Z"),
    ])
  func otherFormat(format: String, file: String, into: String, moment: String) async throws {
    _ = try await take(file, as: format)
    let written = try await export(into)
    // What is the same on every clock is no moment, and is written for whoever reads it.
    func moments(_ file: String) -> [Substring] { file.split(separator: "\n").filter { !$0.contains(/"t[23]"/) } }
    #expect(try await moments(bench.export(into)) == moments(written) && written.contains(moment), "\(written)")
    let again = try await bench.take(written, as: into)
    #expect(again["changed"] == false && again["notes"].list.isEmpty, "\(again)")
    // A new title says nothing of the deadline.
    let report = try await bench.take(written.replacing("t1", with: "t1 more"), as: into)
    #expect(report["updated"] == 1 && report["added"] == 0, "\(report)")
    let card = try #require(try await bench.card("t1 more"))
    #expect(card["deadline"].text == (format == "ics" ? "2026-12-01" : "2026-12-10"), "\(card)")
    #expect(card["time"].text == (format == "ics" ? "11:00" : "18:30"), "\(card)")
    await bench.stop()
  }

  @Test(
    "a moment that somebody moved in another format is read where it is brought, and is that moment in every file from then on"
  )
  func movedInOtherFormat() async throws {
    _ = try await take(Self.calendar, as: "ics")
    let moved = try await bench.export("taskwarrior").replacing("20261201T160000Z", with: "20261225T090000Z")
    #expect(try await bench.take(moved, as: "taskwarrior")["updated"] == 2)
    let card = try #require(try await bench.card("t1"))
    #expect(card["deadline"] == "2026-12-25" && card["time"] == "18:00", "\(card)")
    let calendar = try await export("ics")
    #expect(calendar.contains("DUE:20261225T090000Z") && calendar.contains("DUE;TZID=Asia/Seoul:20261225T180000"))
    #expect(try await export("taskwarrior").contains("2026-12-25 18:00 Asia/Seoul"))
    await bench.stop()
  }

  @Test("where Taskwarrior moved a moment, it counts and not the words beside it, which are put right in the next file")
  func movedBesideWords() async throws {
    _ = try await bench.client.call("projects/add", ["title": "t", "deadline": "2026-12-20", "time": "19:00"])
    let written = try await bench.export("taskwarrior")
    #expect(written.contains("2026-12-20 19:00 Asia/Seoul") && written.contains("20261220T100000Z"), "\(written)")
    let moved = written.replacing("20261220T100000Z", with: "20261224T090000Z")
    let report = try await take(moved, as: "taskwarrior")
    #expect(report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let card = try #require(try await bench.card("t"))
    #expect(card["deadline"] == "2026-12-24" && card["time"] == "04:00", "\(card)")
    for file in [try await bench.export("taskwarrior"), try await export("taskwarrior")] {
      #expect(file.contains("20261224T090000Z") && file.contains("2026-12-24 04:00 America/New_York"), "\(file)")
      #expect(!file.contains("2026-12-20 19:00"))
      #expect(try await bench.take(file, as: "taskwarrior")["changed"] == false)
    }
    // Words alone are no deadline.
    let none = try await bench.export("taskwarrior").replacing(/"due":"[^"]*",/, with: "")
    #expect(try await bench.take(none, as: "taskwarrior")["updated"] == 1)
    #expect(try await bench.card("t")?["deadline"] == nil)
    await bench.stop()
  }

  @Test(
    "an old file that a client of a third zone brings back says what the card once said, and makes no copy",
    arguments: files)
  func old(format: String, file: String) async throws {
    _ = try await take(file, as: format)
    let id = try #require(try await bench.card("t1")).id
    _ = try await bench.client.call("projects/update", ["id": id, "deadline": "2026-12-20", "time": "19:00"])
    let written = try await bench.export(format)
    _ = try await bench.client.call("projects/update", ["id": id, "deadline": "2026-12-22"])
    let third = try await bench.bench.daemon.client(locale: "de-DE", timeZone: "Europe/Berlin")
    let data = JSONValue.string(Data(written.utf8).base64EncodedString())
    let report = try await third.call("projects/import", ["data": data, "format": .string(format)])
    #expect(report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.card("t1")?["deadline"] == "2026-12-22")
    await bench.stop()
  }
}
