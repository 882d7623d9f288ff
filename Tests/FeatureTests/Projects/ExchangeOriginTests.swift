import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What a file does not say of itself, and what another format has no words for.
@Suite("Projects: files between zones, systems and formats") struct ExchangeOriginTests {
  @Test(
    "the same list makes no doubles when clients in two zones bring it",
    arguments: [
      ("todotxt", "(A) 2026-11-01 Sow due:2026-12-01 +garden\nx 2026-11-02 2026-11-01 Dig\n"),
      ("markdown", "- [ ] Sow ➕ 2026-11-01 📅 2026-12-01\n- [x] Dig ➕ 2026-11-01 ✅ 2026-11-02\n"),
    ])
  func zones(format: String, file: String) async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    #expect(try await bench.take(file, as: format)["added"] == 2)
    let other = try await bench.bench.daemon.client(locale: "en-US", timeZone: "America/New_York")
    let data = JSONValue.string(Data(file.utf8).base64EncodedString())
    let again = try await other.call("projects/import", ["data": data, "format": .string(format)])
    #expect(again["known"] == 2 && again["changed"] == false, "\(again)")
    #expect(try await bench.titles() == ["Dig", "Sow"])
    await bench.stop()
  }

  @Test(
    "a mark of UTF-8 before a file is no part of its first task",
    arguments: [
      ("todotxt", "(A) 2026-11-01 Sow due:2026-12-01\r\n"), ("markdown", "- [ ] Sow 📅 2026-12-01\r\n"),
      (
        "ics",
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Sow\r\nDUE;VALUE=DATE:20261201\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
      ),
      ("taskwarrior", #"[{"description":"Sow","due":"20261130T150000Z","status":"pending","uuid":"1"}]"#),
      ("taskwarrior", #"{"description":"Sow","due":"20261130T150000Z","status":"pending","uuid":"1"}"# + "\n"),
      ("jsonl", #"{"id":"a","title":"Sow","state":"todo","deadline":"2026-12-01"}"# + "\n"),
    ])
  func mark(format: String, file: String) async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    let report = try await bench.take("\u{FEFF}" + file, as: format)
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.card("Sow")?["deadline"] == "2026-12-01")
    #expect(try await bench.take(file, as: format)["changed"] == false)
    await bench.stop()
  }

  private static let task =
    #"{"depends":["50000000-0000-0000-0000-000000000009"],"description":"Sow","estimate":"PT2H","status":"pending","uuid":"50000000-0000-0000-0000-000000000001"}"#

  @Test(
    "a card that waits for one that never came goes out and back in every format, and changes nothing",
    arguments: ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"])
  func neverCame(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take("[\n\(Self.task)\n]\n", as: "taskwarrior")
    #expect(try await bench.take(bench.export(format), as: format)["changed"] == false)
    // It comes at last, and is what the card waited for.
    let late = #"[{"description":"Dig","status":"pending","uuid":"50000000-0000-0000-0000-000000000009"}]"#
    _ = try await bench.take(late, as: "taskwarrior")
    #expect(try await bench.card("Sow")?["blocked"] == true)
    await bench.stop()
  }

  @Test(
    "a card of Taskwarrior that was edited in a file of another format keeps what only Taskwarrior knows",
    arguments: ["ics", "todotxt", "markdown"])
  func edited(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take("[\n\(Self.task)\n]\n", as: "taskwarrior")
    let file = try await bench.export(format).replacing("Sow", with: "Sow all")
    let report = try await bench.take(file, as: format)
    #expect(report["updated"] == 1 && report["added"] == 0, "\(report) \(file)")
    #expect(try await bench.take(file, as: format)["changed"] == false)
    let tasks = try JSONParser.parse(try await bench.export("taskwarrior")).arrayValue ?? []
    #expect(tasks.map { $0["description"] } == ["Sow all"] && tasks.first?["estimate"] == "PT2H", "\(tasks)")
    #expect(tasks.first?["uuid"] == "50000000-0000-0000-0000-000000000001")
    await bench.stop()
  }

  private static let calendar =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VTODO\r\nUID:50000000-0000-0000-0000-000000000001\r\n"
    + "SUMMARY:Sow\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"

  @Test("a calendar that stamps nothing takes back no edit of its card: only what has changed in it since comes")
  func unstamped() async throws {
    let bench = try await ExchangeBench()
    let file = Self.calendar.replacing("SUMMARY:Sow", with: "SUMMARY:Sow\r\nPRIORITY:5\r\nDUE;VALUE=DATE:20261201")
    #expect(try await bench.take(file, as: "ics")["added"] == 1)
    let id = try #require(try await bench.card("Sow")).id
    _ = try await bench.client.call("projects/update", ["id": id, "title": "Sow here", "tags": ["here"]])
    func take(_ file: String, _ place: Int) async throws -> JSONValue {
      let path = bench.bench.daemon.folder.file("\(place).ics")
      try Data(file.utf8).write(to: URL(filePath: path))
      return try await bench.client.call("projects/import", ["path": .string(path), "format": "ics"])
    }
    // As bytes again, and from wherever it lies.
    let again = [try await bench.take(file, as: "ics"), try await take(file, 1), try await take(file, 1)]
    #expect(again.allSatisfy { $0["known"] == 1 && $0["changed"] == false }, "\(again)")
    #expect(try await bench.titles() == ["Sow here"])
    // Its day was changed there, and then back; its title never was.
    for (place, day) in ["20261231", "20261201"].enumerated() {
      let report = try await bench.take(file.replacing("20261201", with: day), as: "ics")
      #expect(report["updated"] == 1 && report["added"] == 0, "\(place): \(report)")
      let card = try #require(try await bench.card("Sow here"))
      #expect(card["tags"] == ["here"] && card["deadline"].text.replacing("-", with: "") == day, "\(card)")
    }
    await bench.stop()
  }

  @Test(
    "of both changed, the card keeps its name and its words in every file, and goes on with its file",
    arguments: [("ics", calendar), ("taskwarrior", "[\n\(task)\n]\n")])
  func bothChanged(format: String, file: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(file, as: format)
    let card = try #require(try await bench.card("Sow"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Sow here"])
    let report = try await bench.take(file.replacing("Sow", with: "Sow there"), as: format)
    #expect(report["notes"].list.map { $0["reason"] } == ["conflict"], "\(report)")
    // By our own lines too.
    let other = try await ExchangeBench()
    _ = try await other.take(bench.export("jsonl"))
    for bench in [bench, other] {
      let written = try await bench.export(format)
      let names = written.matches(of: /(?:UID:|"uuid":")([0-9a-f\-]+)/).map { String($0.output.1) }
      #expect(names == ["50000000-0000-0000-0000-000000000001"] && written.contains("Sow here"))
      let again = try await bench.take(written, as: format)
      #expect(again["added"] == 0 && again["notes"].list.isEmpty, "\(again)")
      let edited = try await bench.take(written.replacing("Sow here", with: "Sow later"), as: format)
      #expect(edited["added"] == 0 && edited["updated"] == 1, "\(edited)")
      #expect(try await bench.titles() == ["Sow later"])
      await bench.stop()
    }
  }

  @Test(
    "a card of another program that was changed here, went out and was edited there follows: its file has both",
    arguments: [
      ("ics", calendar, "END:VTODO", "PRIORITY:1\r\nEND:VTODO"),
      ("taskwarrior", "[\n\(task)\n]\n", #""status":"#, #""priority":"H","status":"#),
    ])
  func wayBack(format: String, file: String, place: String, edit: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(file, as: format)
    let card = try #require(try await bench.card("Sow"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Sow here"])
    let edited = try await bench.export(format).replacing(place, with: edit)
    let report = try await bench.take(edited, as: format)
    #expect(report["updated"] == 1 && report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.card("Sow here")?["priority"] == 1)
    // A file that does not know of what was changed here is another matter.
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Sow late"])
    let both = try await bench.take(edited.replacing("Sow here", with: "Sow there"), as: format)
    #expect(both["conflicts"] == 1 && both["notes"].list.map { $0["reason"] } == ["conflict"], "\(both)")
    await bench.stop()
  }

  @Test("a task that waits for one that is nowhere is told, once; what it waits for stays in it")
  func stranger() async throws {
    let bench = try await ExchangeBench()
    let file = "[\n\(Self.task)\n]\n"
    let planned = try await bench.take(file, as: "taskwarrior", ["dryRun": true])
    let report = try await bench.take(file, as: "taskwarrior")
    for notes in [planned, report].map({ $0["notes"].list }) {
      #expect(notes.count == 1 && notes[0]["reason"] == "badValue" && notes[0]["field"] == "blockedBy")
      #expect(notes[0]["skipped"] == false && notes[0]["title"] == "Sow")
      #expect(notes[0]["display"].text.contains("50000000-0000-0000-0000-000000000009"))
    }
    #expect(try await bench.card("Sow")?["blocked"] == false)
    #expect(try await bench.export("taskwarrior") == file)
    #expect(try await bench.take(file, as: "taskwarrior")["notes"].list.isEmpty)
    await bench.stop()
  }

  private static let marked = [
    ("todotxt", "Dig\n\u{FEFF}x 2026-11-02 2026-11-01 Sow\n\u{FEFF}\u{FEFF}\n"),
    ("markdown", "- [ ] Dig\n\u{FEFF}- [x] Sow\n"),
    ("markdown", "- [ ] Dig\n- [x] \u{FEFF}Sow\n"),
    ("taskwarrior", "[\n{\"description\":\"\u{FEFF} Sow\",\"status\":\"completed\",\"uuid\":\"1\"}\n]\n"),
    ("ics", calendar.replacing("SUMMARY:Sow", with: "SUMMARY:\u{FEFF}Sow\r\nSTATUS:COMPLETED")),
  ]

  @Test("a mark of UTF-8 within a file, as where several were put together, is no part of a title", arguments: marked)
  func markWithin(format: String, file: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(file, as: format)
    let card = try #require(try await bench.card("Sow"))
    #expect(card["state"] == "done" && sameBytes(card["title"].text, "Sow"))
    #expect(try await bench.export(format) == file)
    #expect(try await bench.take(file, as: format)["changed"] == false)
    await bench.stop()
  }
}
