import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: import and export") struct ExchangeTests {
  private static let ics = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//EN
    X-WR-CALNAME:Home
    BEGIN:VTODO
    UID:one@example.org
    DTSTAMP:20261102T101112Z
    SUMMARY:Buy seeds
    STATUS:IN-PROCESS
    PRIORITY:2
    CATEGORIES:garden
    DUE:20261121T150000Z
    X-STRANGE;A="b;c":kept
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    END:VALARM
    END:VTODO
    BEGIN:VEVENT
    UID:event@example.org
    DTSTAMP:20261102T101112Z
    DTSTART;VALUE=DATE:20261124
    END:VEVENT
    BEGIN:VTODO
    UID:two@example.org
    DTSTAMP:20261102T101112Z
    SUMMARY:Sow
    RELATED-TO;RELTYPE=DEPENDS-ON:one@example.org
    RELATED-TO;RELTYPE=DEPENDS-ON:never@example.org
    END:VTODO
    END:VCALENDAR
    """.split(separator: "\n").map { $0 + "\r\n" }.joined()

  private static let taskwarrior = #"""
    [
    {"id":1,"description":"Buy seeds","due":"20261129T150000Z","entry":"20261121T124325Z","estimate":"PT2H","project":"Home","status":"pending","uuid":"116e7f2f-f571-4024-ba6b-f1228557b6c5","tags":["garden"],"urgency":21.8995},
    {"id":2,"description":"Sow","entry":"20261121T124326Z","status":"pending","uuid":"88ac9358-a5eb-4998-a5b4-10569682bced","depends":["116e7f2f-f571-4024-ba6b-f1228557b6c5"],"urgency":-8}
    ]

    """#

  private static let todoTxt =
    "(A) 2026-11-01 Call Mom +Family @phone due:2026-11-05 t:x\n\nx 2026-11-02 2026-11-01 Done\r\n"
  private static let markdown = "# List\n\n- [ ] Outer #a\n  text\n  - [x] Inner\n\nEnd.\n\n- [/] Last"

  @Test(
    "what came from a file goes back as it was, with all that we know nothing of; the import is undone in one step",
    arguments: [("ics", ics, 2), ("taskwarrior", taskwarrior, 2), ("todotxt", todoTxt, 2), ("markdown", markdown, 3)])
  func back(format: String, file: String, count: Int) async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(file, as: format)
    // The event of the calendar, which stays in its file.
    let skipped = format == "ics" ? ["notTask"] : []
    #expect(report["added"]?.integerValue == Int64(count) && report["format"].text == format)
    #expect(report["notes"].list.filter { $0["skipped"] == true }.map { $0["reason"].text } == skipped)
    #expect(report["skipped"] == json(skipped.count))
    #expect(try await bench.export(format) == file)
    let again = try await bench.take(file, as: format)
    #expect(again["known"]?.integerValue == Int64(count) && again["added"] == 0 && again["changed"] == false)
    // Our own lines carry all of it into another library.
    let lines = try await bench.export("jsonl")
    let other = try await ExchangeBench()
    #expect(try await other.take(lines)["added"]?.integerValue == Int64(count))
    #expect(try await other.titles() == bench.titles())
    await other.stop()
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.cards().isEmpty)
    await bench.stop()
  }

  @Test("a card has the column, the day in the reader's zone, tags, priority and blockers that its task had")
  func cards() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.ics)
    let one = try #require(try await bench.card("Buy seeds"))
    let two = try #require(try await bench.card("Sow"))
    #expect(one["state"] == "doing" && one["deadline"] == "2026-11-22" && one["time"] == "00:00")
    #expect(one["tags"] == ["garden"] && one["priority"] == 2)
    #expect(two["blockedBy"] == .array([one.id]) && two["blocked"] == true && two["deadline"] == nil)
    await bench.stop()
  }

  @Test(
    "a card changed here stays; a task changed there is followed; of both changed both versions stand, and that is told, once"
  )
  func changes() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.taskwarrior)
    let seeds = try #require(try await bench.card("Buy seeds"))
    // Taskwarrior counts the urgency anew each day.
    let tomorrow = Self.taskwarrior.replacing("21.8995", with: "22.1")
    #expect(try await bench.take(tomorrow)["known"] == 2)
    _ = try await bench.client.call("projects/update", ["id": seeds.id, "title": "Buy many seeds"])
    #expect(try await bench.take(Self.taskwarrior)["known"] == 2)
    #expect(try await bench.titles() == ["Buy many seeds", "Sow"])
    let there = Self.taskwarrior.replacing("\"Sow\"", with: "\"Sow them\"").replacing("PT2H", with: "PT3H")
    let followed = try await bench.take(there)
    #expect(followed["updated"] == 2 && followed["added"] == 0)
    #expect(try await bench.titles() == ["Buy many seeds", "Sow them"])
    #expect(try await bench.export("taskwarrior").contains("PT3H"))
    let gone = #"{"description":"Gone","status":"deleted","uuid":"77ac9358-a5eb-4998-a5b4-10569682bced"}"#
    let both = there.replacing("Buy seeds", with: "Buy no seeds").replacing("\n]\n", with: ",\n\(gone)\n]\n")
    let report = try await bench.take(both)
    #expect(report["conflicts"] == 1 && report["known"] == 2)
    // What was found in the file alone precedes what its items met in the library.
    let notes = report["notes"].list
    #expect(notes.map { $0["reason"].text } == ["deleted", "conflict"], "\(notes)")
    #expect(notes.last?["skipped"] == false && notes.last?["line"] == 2)
    #expect(try await bench.take(both)["known"] == 2)
    #expect(try await bench.titles() == ["Buy many seeds", "Sow them"])
    await bench.stop()
  }

  @Test(
    "our own cards come back from every format as they were; an edited file changes its card, or both versions stand",
    arguments: ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"])
  func own(format: String) async throws {
    let bench = try await ExchangeBench()
    let first = try await bench.client.call("projects/add", ["title": "First", "deadline": .null])
    let card = try await bench.client.call(
      "projects/add",
      [
        "title": "Card", "body": "two\nlines", "deadline": "2026-11-30", "time": "09:30", "tags": ["a b", "c"],
        "priority": 1, "blockedBy": .array([first.id]),
        "recurrence": ["rule": "FREQ=WEEKLY", "from": "completion"],
      ])
    _ = try await bench.client.call("projects/move", ["id": first.id, "state": "doing"])
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 2 && again["changed"] == false, "\(file)")
    let edited = file.replacing("Card", with: "Edited")
    #expect(try await bench.take(edited, as: format)["updated"] == 1)
    let now = try await bench.client.call("projects/get", ["id": card.id])
    #expect(
      now["title"] == "Edited" && now["body"] == "two\nlines" && now["time"] == "09:30" && now["tags"] == ["a b", "c"])
    #expect(
      now["recurrence"]?["from"] == "completion" && now["blockedBy"] == .array([first.id]) && now["priority"] == 1)
    // The file is edited on, and still says of what revision it was written.
    let on = try await bench.take(file.replacing("Card", with: "Other"), as: format)
    #expect(on["updated"] == 1 && on["added"] == 0 && on["notes"].list.isEmpty)
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Here"])
    #expect(try await bench.take(file.replacing("Card", with: "Other"), as: format)["changed"] == false)
    let both = try await bench.take(file.replacing("Card", with: "There"), as: format)
    #expect(both["conflicts"] == 1 && both["notes"].list.contains { $0["reason"] == "conflict" })
    #expect(try await bench.titles() == ["First", "Here"])
    await bench.stop()
  }

  @Test("tasks that were skipped are named with their line and the reason, in the reader's language")
  func report() async throws {
    let bench = try await ExchangeBench(locale: "ko-KR")
    let file = #"""
      [
      {"description":"a","status":"pending","uuid":"1","due":"20260230T000000Z"},
      {"description":"  ","status":"pending","uuid":"2"},
      {"description":"Gone","status":"deleted","uuid":"3"},
      {"description":"Weekly","status":"recurring","uuid":"4"},
      {"description":"twice","status":"pending","uuid":"1"},
      {"description":"a\u0000b","status":"pending","uuid":"5"},
      {"description":"Last week","status":"completed","uuid":"6","parent":"4"},
      7
      ]
      """#
    let report = try await bench.take(file, as: "taskwarrior")
    #expect(report["added"] == 2 && report["skipped"] == 6)
    let notes = report["notes"].list
    let said = Set(notes.map { "\($0["line"]?.integerValue ?? 0) \($0["reason"].text)" })
    #expect(
      said == ["2 badDate", "3 blank", "4 deleted", "5 template", "6 repeated", "7 notText", "9 unreadable"])
    #expect(notes.first { $0["reason"] == "blank" }?["display"] == "내용이 없습니다.")
    #expect(notes.first { $0["reason"] == "deleted" }?["title"] == "Gone")
    await bench.stop()
  }

  @Test("a file that is not what its format says, is cut in the middle, or shows no format brings nothing")
  func refused() async throws {
    let bench = try await ExchangeBench()
    let cut = [
      ("ics", String(Self.ics.prefix(400))), ("taskwarrior", String(Self.taskwarrior.prefix(300))),
      ("ics", Self.taskwarrior), ("taskwarrior", Self.ics), ("jsonl", Self.markdown), ("todotxt", "a\u{0}b"),
      ("jsonl", "{\"id\": \"a\", \"title\": \"One\", \"state\": \"todo\"}\n{\"id\": \"b\", \"ti"),
    ]
    for (format, file) in cut {
      let failure = try await bench.refusal(file, as: format)
      #expect(failure?.data?["kind"] == "corrupt" && failure?.message.contains(format) == true, "\(format)")
    }
    let unknown = try await bench.refusal("Call Mom\nSow the beans\n")
    #expect(unknown?.data?["field"] == "format" && unknown?.message.contains("todotxt") == true)
    let path = bench.bench.daemon.folder.file("none.ics")
    let missing = try await bench.client.failure("projects/import", ["path": .string(path), "format": "ics"])
    #expect(missing?.data?["kind"] == "notFound")
    #expect(try await bench.cards().isEmpty && bench.client.commits.isEmpty)
    await bench.stop()
  }

  @Test("what a line of ours says and nobody can read is told, and not taken for something else in silence")
  func unreadableValues() async throws {
    let bench = try await ExchangeBench()
    let file = #"""
      {"id": "a", "title": "a", "state": "later", "priority": 12}
      {"id": "b", "title": "b", "state": "todo", "deadline": "2026-02-30"}
      {"id": "c", "title": "c", "state": "doing", "deadline": "2026-11-21", "time": "25:00", "startedAt": "yesterday"}
      {"id": "d", "title": "d", "state": "done", "deadline": null, "completedAt": "2026-11-21T00:00:00.000Z"}
      """#
    let report = try await bench.take(file, as: "jsonl")
    #expect(report["added"] == 4 && report["skipped"] == 0)
    let notes = report["notes"].list.map { "\($0["title"].text) \($0["reason"].text) \($0["field"].text)" }
    let said = [
      "a badValue state", "a badValue priority", "b badDate deadline", "c badDate startedAt", "c badValue time",
    ]
    #expect(notes == said)
    #expect(report["notes"].list[1]["display"].text.contains("“12”"), "\(report)")
    await bench.stop()
  }

  @Test("cards that would wait for each other come without that, and are told")
  func cycle() async throws {
    let bench = try await ExchangeBench()
    let file = #"""
      [{"description":"a","status":"pending","uuid":"1","depends":"2"},
       {"description":"b","status":"pending","uuid":"2","depends":["1"]},
       {"description":"c","status":"pending","uuid":"3","depends":["3"]}]
      """#
    let report = try await bench.take(file, as: "taskwarrior")
    #expect(report["added"] == 3 && report["skipped"] == 0)
    #expect(report["notes"].list.map { $0["reason"].text } == ["cycle", "cycle"])
    let blocked = try await bench.cards().filter { $0["blocked"] == true }.map { $0["title"].text }
    #expect(blocked == ["a"])
    await bench.stop()
  }

  @Test("a dry run writes nothing, and a large import wants what it answered")
  func confirm() async throws {
    let bench = try await ExchangeBench()
    let planned = try await bench.take(Self.markdown, as: "markdown", ["dryRun": true])
    #expect(planned["added"] == 3 && planned["changed"] == false)
    #expect(try await bench.cards().isEmpty)
    let token = try #require(planned["confirm"])
    let wrong = try await bench.refusal(Self.todoTxt, as: "todotxt", ["confirm": token])
    #expect(wrong?.data?["field"] == "confirm")
    #expect(try await bench.take(Self.markdown, as: "markdown", ["confirm": token])["added"] == 3)
    let large = (0..<10_001).map { "a\($0)\n" }.joined()
    let refused = try await bench.refusal(large, as: "todotxt")
    #expect(refused?.data?["field"] == "confirm" && refused?.message.contains("10001") == true)
    await bench.stop()
  }

  @Test("what is no task is named, also where it comes along with a task that it stands beside")
  func events() async throws {
    let bench = try await ExchangeBench()
    func calendar(_ body: String) -> String { "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n" }
    let events =
      "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nSUMMARY:A party\r\nEND:VEVENT\r\n"
      + "BEGIN:VJOURNAL\r\nEND:VJOURNAL\r\n"
    let report = try await bench.take(calendar(events))
    #expect(report["added"] == 0 && report["skipped"] == 2)
    #expect(report["notes"].list.map { $0["reason"] } == ["notTask", "notTask"])
    let note = try #require(report["notes"].list.first)
    #expect(note["title"] == "A party" && note["line"] == 6)
    #expect(note["display"] == "It is not a task, but an event or the like.")
    let both = try await bench.take(calendar(events + "BEGIN:VTODO\r\nUID:1\r\nSUMMARY:x\r\nEND:VTODO\r\n"))
    #expect(both["added"] == 1 && both["skipped"] == 2)
    #expect(both["notes"].list.map { $0["reason"] } == ["notTask", "notTask"])
    #expect(try await bench.export("ics").contains("SUMMARY:A party"))
    await bench.stop()
  }

  @Test("the next card of a task that came again goes out under a name of its own")
  func comesAgain() async throws {
    let bench = try await ExchangeBench()
    let file = Self.ics.replacing("STATUS:IN-PROCESS", with: "RRULE:FREQ=WEEKLY")
    _ = try await bench.take(file)
    let card = try #require(try await bench.card("Buy seeds"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let export = try await bench.export("ics")
    #expect(
      export.split(separator: "UID:one@example.org").count == 2 && export.split(separator: "BEGIN:VEVENT").count == 2)
    #expect(export.split(separator: "X-STRANGE;A=\"b;c\":kept").count == 3)
    let again = try await bench.take(export)
    #expect(again["added"] == 0 && again["notes"].list.map { $0["reason"] } == ["notTask"])
    await bench.stop()
  }

  @Test("an export goes to a new file, whole, and never onto another")
  func paths() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.markdown, as: "markdown")
    let path = bench.bench.daemon.folder.file("list.md")
    let reply = try await bench.client.call("projects/export", ["path": .string(path), "format": "markdown"])
    #expect(reply["path"].text == path && reply["cards"] == 3)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.markdown)
    let failure = try await bench.client.failure("projects/export", ["path": .string(path), "format": "ics"])
    #expect(failure?.data?["kind"] == "exists")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bench.bench.daemon.folder.path).allSatisfy {
        !$0.hasSuffix(".part")
      })
    let neither = try await bench.client.failure("projects/export", ["format": "ics", "inline": false])
    #expect(neither?.data?["field"] == "inline")
    await bench.stop()
  }
}
