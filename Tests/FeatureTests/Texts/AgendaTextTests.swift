import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Texts

@Suite("Texts: the agenda") struct AgendaTextTests {
  private static let path = "projects/agenda.md"

  /// The lines below each heading, without anchors.
  private func sections(_ opened: TextBench.Opened) -> [String: [String]] {
    var sections: [String: [String]] = [:]
    var heading = ""
    for line in opened.lines where !line.isEmpty {
      if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
        sections[heading] = []
      } else {
        sections[heading, default: []].append(String(line[..<line.lastIndex(of: " ")!]))
      }
    }
    return sections
  }

  /// Moves the line of a card below a heading.
  private func move(_ title: String, to heading: String, in opened: inout TextBench.Opened) {
    var lines = opened.lines
    let line = lines.remove(at: lines.firstIndex { $0.contains(title) }!)
    lines.insert(line, at: lines.firstIndex(of: "## " + heading)! + 2)
    opened.lines = lines
  }

  private func card(_ id: String, _ bench: TextBench) async throws -> JSONValue {
    try await bench.client.call("projects/get", ["id": .string(id)])
  }

  @Test("open cards of all boards are listed by their days, and those that wait or are for someday apart")
  func listed() async throws {
    // The clock of the tests stands at 2026-11-21.
    let bench = try await TextBench()
    let other = try await bench.client.call("projects/addBoard", ["title": "House"])
    let blocker = try await bench.card("Buy paint", ["deadline": "2026-11-20"])
    try await bench.card("Paint", ["deadline": "2026-11-25", "blockedBy": [.string(blocker)], "board": other.id])
    try await bench.card("Call", ["deadline": "2026-11-21", "time": "09:30"])
    try await bench.card("Write", ["deadline": "2026-11-21"])
    try await bench.card("Plan", ["deadline": "2026-11-28"])
    try await bench.card("Travel", ["deadline": "2026-11-29"])
    try await bench.card("Read")
    try await bench.card("Begin", ["deadline": .null, "start": "2026-12-01"])
    try await bench.card("Learn", ["deadline": .null, "someday": true])
    let done = try await bench.card("Done", ["deadline": "2026-11-21"])
    _ = try await bench.client.call("projects/move", ["id": .string(done), "state": "done"])
    let agenda = try await bench.open(Self.path)
    let headings = agenda.lines.filter { $0.hasPrefix("## ") }
    #expect(headings == ["## Overdue", "## Today", "## This week", "## Later", "## Waiting"])
    // Each line begins as here: fields that say why a card waits may follow.
    let titles = sections(agenda).mapValues { lines in lines.map { $0.split(separator: " ")[3] } }
    #expect(
      titles == [
        "Overdue": ["Buy"], "Today": ["Call", "Write"], "This week": ["Plan"], "Later": ["Travel", "Read", "Learn"],
        "Waiting": ["Paint", "Begin"],
      ])
    #expect(sections(agenda)["Today"]?.first == "- [ ] Call due:2026-11-21T09:30")
    await bench.stop()
  }

  @Test("cards of one day are in the order of their times, then of their priorities, and those without come last")
  func order() async throws {
    let bench = try await TextBench()
    for (title, more) in [
      ("None", [:]), ("Low", ["priority": 2]), ("Late", ["time": "10:00"]), ("High", ["priority": 1]),
      ("Early", ["time": "09:30"]),
    ] as [(String, JSONObject)] {
      var fields = more
      fields["deadline"] = "2026-11-21"
      try await bench.card(title, fields)
    }
    let titles = sections(try await bench.open(Self.path))["Today"]?.map { $0.split(separator: " ")[3] }
    #expect(titles == ["Early", "Late", "High", "Low", "None"])
    await bench.stop()
  }

  @Test("a line below another heading gets its day, a new line too, and a date that is typed counts")
  func planned() async throws {
    let bench = try await TextBench()
    let late = try await bench.card("Late", ["deadline": "2026-11-01", "time": "09:30"])
    let someday = try await bench.card("Learn", ["deadline": .null, "someday": true])
    let free = try await bench.card("Read")
    let dated = try await bench.card("Travel", ["deadline": "2026-12-24"])
    var agenda = try await bench.open(Self.path)
    move("Late", to: "Today", in: &agenda)
    move("Learn", to: "This week", in: &agenda)
    move("Read", to: "Today", in: &agenda)
    agenda.text = agenda.text.replacing("Travel due:2026-12-24", with: "Fly due:2026-11-27")
    agenda.lines.insert("- [ ] New #home", at: agenda.lines.firstIndex(of: "## Today")! + 2)
    let reply = try await bench.save(&agenda)
    #expect(reply["saved"] == true && reply["moved"] == 3 && reply["changed"] == 1 && reply["added"] == 1)
    #expect(try await card(late, bench)["deadline"] == "2026-11-21")
    #expect(try await card(late, bench)["time"] == "09:30")
    #expect(try await card(free, bench)["deadline"] == "2026-11-21")
    let learned = try await card(someday, bench)
    #expect(learned["deadline"] == "2026-11-28" && learned["someday"] != true)
    #expect(try await card(dated, bench)["deadline"] == "2026-11-27")
    let titles = sections(agenda).mapValues { lines in lines.map { $0.split(separator: " ")[3] } }
    #expect(titles["Today"] == ["Late", "Read", "New"] && titles["This week"] == ["Fly", "Learn"])
    #expect(agenda.text == (try await bench.open(Self.path)).text)
    // Nothing is left to save, also on the next day; one undo takes all of it back.
    #expect(try await bench.save(&agenda)["undo"] == nil)
    bench.daemon.clock.advance(milliseconds: 86_400_000)
    #expect(try await bench.save(&agenda)["undo"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await card(late, bench)["deadline"] == "2026-11-01")
    await bench.stop()
  }

  @Test("no day follows from later or waiting: the card stays with its date, and the reader is told")
  func byDate() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Call", ["deadline": "2026-11-21"])
    var agenda = try await bench.open(Self.path)
    let before = agenda.text
    move("Call", to: "Later", in: &agenda)
    let reply = try await bench.save(&agenda)
    #expect(reply["undo"] == nil && reply["unsaved"].list.map { $0["kind"] } == ["readOnly"] && agenda.text == before)
    move("Call", to: "Later", in: &agenda)
    agenda.text = agenda.text.replacing("Call due:2026-11-21", with: "Call")
    #expect(try await bench.save(&agenda)["unsaved"].list.isEmpty)
    #expect(try await card(id, bench)["deadline"] == nil)
    await bench.stop()
  }

  @Test("a card that begins later begins today where it is moved below this week; one that waits for another stays")
  func begun() async throws {
    let bench = try await TextBench()
    let soon = try await bench.card("Soon", ["deadline": "2026-11-25", "start": "2026-11-24"])
    let free = try await bench.card("Free", ["deadline": .null, "start": "2026-12-24"])
    let far = try await bench.card("Far", ["deadline": "2026-12-30", "start": "2026-12-24"])
    let due = try await bench.card("Due", ["deadline": "2026-11-26", "start": "2026-11-25"])
    let paint = try await bench.card("Paint", ["deadline": .null])
    let wall = try await bench.card("Wall", ["deadline": "2026-11-25", "blockedBy": [.string(paint)]])
    var agenda = try await bench.open(Self.path)
    for title in ["Soon", "Free", "Far", "Wall"] { move(title, to: "This week", in: &agenda) }
    move("Due", to: "Today", in: &agenda)
    let reply = try await bench.save(&agenda)
    #expect(reply["moved"] == 4 && reply["unsaved"].list.map { $0["kind"] } == ["readOnly"], "\(reply)")
    for (id, day) in [(soon, "2026-11-25"), (free, "2026-11-28"), (far, "2026-11-28"), (due, "2026-11-21")] {
      let card = try await card(id, bench)
      #expect(card["deadline"] == .string(day) && card["start"] == "2026-11-21", "\(card)")
    }
    #expect(try await card(wall, bench)["deadline"] == "2026-11-25")
    let titles = sections(agenda).mapValues { lines in Set(lines.map { $0.split(separator: " ")[3] }) }
    #expect(
      titles["This week"] == ["Soon", "Free", "Far"] && titles["Today"] == ["Due"] && titles["Waiting"] == ["Wall"])
    await bench.stop()
  }

  @Test("events of calendars stand above the cards of today and this week, and are not saved")
  func events() async throws {
    let bench = try await TextBench()
    let file = bench.daemon.folder.file("family.ics")
    let events = [
      ("Dentist", "DTSTART:20261121T140000\nDTEND:20261121T143000\nLOCATION:High Street"),
      ("Trip", "DTSTART;VALUE=DATE:20261119\nDTEND;VALUE=DATE:20261124"),
      ("Choir", "DTSTART:20261103T190000\nDURATION:PT2H\nRRULE:FREQ=WEEKLY"),
    ].map { "BEGIN:VEVENT\nSUMMARY:\($0)\n\($1)\nEND:VEVENT\n" }
    try Data("BEGIN:VCALENDAR\nX-WR-CALNAME:Family\n\(events.joined())END:VCALENDAR\n".utf8)
      .write(to: URL(filePath: file))
    try await bench.card("Call", ["deadline": "2026-11-21"])
    var agenda = try await bench.open(Self.path)
    #expect(!agenda.text.contains("Family"))
    _ = try await bench.client.call("projects/addCalendar", ["path": .string(file)])
    agenda = try await bench.open(Self.path)
    let (lines, base) = (agenda.lines, agenda.text)
    let place = try #require(lines.firstIndex(of: "## Today"))
    #expect(
      lines[(place + 1)...(place + 4)] == [
        "", "> –2026-11-23 Trip (Family)", "> 14:00–14:30 Dentist, High Street (Family)", "",
      ], "\(lines)")
    #expect(lines[place + 5].hasPrefix("- [ ] Call"))
    #expect(lines.contains("> 2026-11-24 19:00–21:00 Choir (Family)"))
    agenda.text = agenda.text.replacing("Dentist", with: "Doctor")
    agenda.lines.insert("- [ ] New", at: place + 4)
    let reply = try await bench.save(&agenda)
    #expect(reply["added"] == 1 && reply["unsaved"].list.isEmpty, "\(reply)")
    #expect(agenda.text.contains("Dentist"))
    #expect(agenda.text == (try await bench.open(Self.path)).text)
    #expect(agenda.lines.count == base.split(separator: "\n", omittingEmptySubsequences: false).count)
    // Other quoted lines are no events, and are not dropped in silence.
    agenda.lines.insert("> my own words", at: place + 4)
    #expect(try await bench.save(&agenda)["unsaved"].list.map { $0["kind"] } == ["unsaved"])
    await bench.stop()
  }

  @Test("a tick finishes a card, a deleted line removes it, and a changed heading changes nothing")
  func ticked() async throws {
    let bench = try await TextBench()
    for title in ["One", "Two", "Three"] { try await bench.card(title, ["deadline": "2026-11-21"]) }
    var agenda = try await bench.open(Self.path)
    agenda.text = agenda.text.replacing("- [ ] One", with: "- [x] One").replacing("## Today", with: "## Soon")
    agenda.lines.removeAll { $0.contains("Two") }
    let reply = try await bench.save(&agenda)
    #expect(reply["removed"].list.map { $0["title"] } == ["Two"])
    #expect(reply["unsaved"].list.map { $0["kind"] } == ["readOnly"])
    let board = try await bench.board()
    #expect(board["done"] == ["One"] && board["todo"] == ["Three"] && agenda.text.contains("## Today"))
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board()["todo"]?.sorted() == ["One", "Three", "Two"])
    await bench.stop()
  }

  @Test("a line from the board is planned where it is pasted, and the headings of any language are read")
  func pasted() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Read")
    let line = try await bench.open("projects/board.md").lines.first { $0.contains("Read") }!
    let korean = try await bench.daemon.client(name: "korean", locale: "ko-KR")
    var agenda = try await bench.open(Self.path, korean)
    #expect(agenda.lines.contains("## 오늘"))
    agenda.lines.removeAll { $0.contains("Read") }
    agenda.text = agenda.text.replacing("## 오늘", with: "## Today")
    agenda.lines.insert(line, at: agenda.lines.firstIndex(of: "## Today")! + 2)
    let reply = try await bench.save(&agenda, [:], korean)
    #expect(reply["unsaved"].list.isEmpty && reply["moved"] == 1 && agenda.lines.contains("## 오늘"))
    #expect(try await card(id, bench)["deadline"] == "2026-11-21")
    await bench.stop()
  }

  @Test("the file of the agenda is written anew when a day begins")
  func nextDay() async throws {
    let bench = try await TextBench()
    try await bench.card("Call", ["deadline": "2026-11-21"])
    let file = try await bench.client.call("text/path", ["path": .string(Self.path)])["path"].text
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("## Today\n\n- [ ] Call"))
    // The version of the file is stored before this write, and what the write makes the desk do is done.
    try await bench.entry("A walk")
    await bench.daemon.daemon.services.desk.settle()
    bench.daemon.clock.advance(milliseconds: 86_400_000)
    // The daemon looks which day it is.
    _ = try await bench.client.call("session/configure", ["timeZone": "Asia/Seoul"])
    await bench.daemon.daemon.services.desk.settle()
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("## Overdue\n\n- [ ] Call"))
    await bench.stop()
  }
}
