import Client
import TestSupport
import Testing
import Wire

/// Cards with a start to come, and cards for someday.
@Suite("Projects: out of sight until they can be started") struct ReadinessTests {
  private static let day: Int64 = 24 * 3_600_000

  private static func merged(_ params: JSONObject, _ more: JSONObject) -> JSONObject {
    var params = params
    for member in more.members { params[member.key] = member.value }
    return params
  }

  @Test("a card is out of sight until its start, by the library's days, and for someday until it is taken up")
  func sight() async throws {
    // A Saturday, the 21st.
    let bench = try await ProjectBench()
    try await bench.add("now", id: "now", ["deadline": .null])
    try await bench.add("begun", id: "begun", ["deadline": .null, "start": "today"])
    let added = try await bench.add("soon", id: "soon", ["deadline": "2026-11-30", "start": "monday"])
    #expect(added["start"] == "2026-11-23" && added["later"] == true && added["display"]?["start"] == "Nov 23, 2026")
    #expect(added["display"]?["badges"] == ["from Nov 23, 2026"])
    try await bench.add("dream", id: "dream", ["deadline": .null, "someday": true])
    #expect(try await bench.get("dream")["display"]?["badges"] == ["someday"])
    for id in ["now", "begun"] { #expect(try await bench.get(id)["later"] == nil) }

    #expect(try await bench.board()["todo"] == ["now", "begun"])
    let column = try await bench.client.call("projects/board")["columns"].list[0]
    #expect(column["count"] == 4 && column["later"] == 2)
    let all = try await bench.client.call("projects/board", ["later": true])["columns"].list[0]
    #expect(all["items"].list.map { $0.id.text } == ["now", "begun", "soon", "dream"] && all["later"] == 2)
    #expect(try await bench.ids() == ["now", "begun", "soon", "dream"])
    #expect(try await bench.ids(["later": true]) == ["soon", "dream"])
    #expect(try await bench.ids(["later": false]) == ["now", "begun"])
    #expect(try await bench.ids(["ready": true]) == ["now", "begun"])
    #expect(try await bench.ids(["ready": false]) == ["soon", "dream"])

    bench.daemon.clock.advance(milliseconds: 2 * Self.day)
    #expect(try await bench.board()["todo"] == ["now", "begun", "soon"])
    _ = try await bench.client.call("projects/update", ["id": "dream", "someday": false])
    #expect(try await bench.board()["todo"] == ["now", "begun", "soon", "dream"])
    #expect(try await bench.client.call("projects/board")["columns"].list[0]["later"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.ids(["later": true]) == ["dream"])
    await bench.stop()
  }

  @Test("the pages of a column count only what they show")
  func pages() async throws {
    let bench = try await ProjectBench()
    for number in 0..<9 {
      try await bench.add(
        "x", id: "\(number)", number % 3 == 1 ? ["someday": true] : number % 3 == 2 ? ["start": "2026-11-21"] : [:])
    }
    var shown: [String] = []
    var after: JSONValue?
    repeat {
      var params: JSONObject = ["limit": 2]
      if let after { params["after"] = after }
      let column = try await bench.client.call("projects/board", .object(params))["columns"].list[0]
      #expect(column["count"] == 9 && column["later"] == 3)
      if after != nil { #expect(column["offset"] == .integer(Int64(shown.count))) }
      shown += column["items"].list.map { $0.id.text }
      after = column["next"]
    } while after != nil
    #expect(shown == ["0", "2", "3", "5", "6", "8"])
    await bench.stop()
  }

  @Test("a finished card is never out of sight, and a blocked one is in sight but not ready")
  func others() async throws {
    let bench = try await ProjectBench()
    try await bench.add("first", id: "first")
    try await bench.add("then", id: "then", ["blockedBy": ["first"]])
    try await bench.add("done", id: "done", ["start": "2026-12-24", "deadline": .null])
    try await bench.move("done", to: "done")
    #expect(try await bench.get("done")["later"] == nil)
    #expect(try await bench.board() == ["todo": ["first", "then"], "doing": [], "done": ["done"]])
    #expect(try await bench.ids(["ready": true]) == ["first"])
    #expect(try await bench.ids(["later": true]) == [])
    try await bench.move("first", to: "done")
    #expect(try await bench.ids(["ready": true]) == ["then"])
    await bench.stop()
  }

  @Test("a start may be a distance from the deadline; without one, or after it, it is refused and nothing changes")
  func distances() async throws {
    let bench = try await ProjectBench()
    #expect(try await bench.add("x", id: "a", ["deadline": "2026-12-24", "start": "-3d"])["start"] == "2026-12-21")
    let moved = try await bench.client.call("projects/update", ["id": "a", "deadline": "2026-12-31", "start": "-2w"])
    #expect(moved["start"] == "2026-12-17")
    for params: JSONValue in [
      ["title": "x", "deadline": .null, "start": "-3d"],
      ["title": "x", "deadline": "2026-12-24", "start": "2026-12-25"],
      ["title": "x", "start": "-3x"], ["title": "x", "start": ""],
    ] {
      #expect(try await bench.refusal("projects/add", params) == "start")
    }
    let failure = try await bench.client.failure(
      "projects/update", ["id": "a", "deadline": "2026-12-16", "start": "2026-12-17"])
    #expect(failure?.message == "“start”: 2026-12-17 is after the deadline, 2026-12-16.")
    #expect(try await bench.get("a")["deadline"] == "2026-12-31")
    // A deadline alone is moved by clients that do not know of the start.
    let followed = try await bench.client.call("projects/update", ["id": "a", "deadline": "2026-12-16"])
    #expect(followed["start"] == "2026-12-16" && followed["deadline"] == "2026-12-16")
    let cleared = try await bench.client.call("projects/update", ["id": "a", "start": .null])
    #expect(cleared["start"] == nil && cleared["deadline"] == "2026-12-16")
    #expect(try await bench.client.call("projects/list")["total"] == 1)
    // The default deadline, today, would be before the start.
    let free = try await bench.add("y", ["start": "2026-12-24"])
    #expect(free["deadline"] == nil && free["hasDefaultDeadline"] == nil)
    #expect(try await bench.add("z", ["start": .null])["deadline"] == "2026-11-21")
    await bench.stop()
  }

  @Test("the next card of a series starts as long before its deadline as this one, and is not for someday")
  func recurring() async throws {
    let bench = try await ProjectBench()
    let weekly: JSONValue = ["rule": "FREQ=WEEKLY"]
    try await bench.add(
      "x", id: "a", ["deadline": "2026-11-30", "start": "2026-11-28", "someday": true, "recurrence": weekly])
    let next = try await bench.move("a", to: "done")["nextCard"].text
    let card = try await bench.get(next)
    #expect(card["deadline"] == "2026-12-07" && card["start"] == "2026-12-05" && card["someday"] == false)
    await bench.stop()
  }

  @Test("when the day turns, every client hears of the cards that can be started now, and of no others")
  func turning() async throws {
    let bench = try await ProjectBench { $0.dayCheck = .milliseconds(2) }
    for (id, more) in [
      ("a", ["start": "2026-11-22"]), ("b", ["start": "2026-11-24"]), ("far", ["start": "2026-12-24"]),
      ("dream", ["start": "2026-11-22", "someday": true]), ("done", ["start": "2026-11-22"]),
      ("waits", ["start": "2026-11-22", "blockedBy": ["b"]]),
    ] as [(String, JSONObject)] {
      try await bench.add(id, id: id, Self.merged(more, ["deadline": .null]))
    }
    try await bench.move("done", to: "done")
    bench.daemon.clock.advance(milliseconds: Self.day)
    let name = "projects/didBecomeReady"
    #expect(try await bench.client.heard(name, atLeast: 1)[0] == ["ids": ["a"]])
    bench.daemon.clock.advance(milliseconds: 4 * Self.day)
    #expect(try await bench.client.heard(name, atLeast: 2)[1] == ["ids": ["b"]])
    await bench.stop()
  }

  @Test("search knows what is ready, what is for later and what for someday")
  func search() async throws {
    let bench = try await ProjectBench()
    try await bench.add("river one", id: "one", ["deadline": .null])
    try await bench.add("river two", id: "two", ["deadline": .null, "start": "2026-12-01"])
    try await bench.add("river three", id: "three", ["deadline": .null, "someday": true])
    func found(_ question: String) async throws -> [String] {
      try await bench.client.call("search/query", ["text": .string(question)]).items.map { $0["id"].text }.sorted()
    }
    #expect(try await found("river is:ready") == ["one"])
    #expect(try await found("river is:later") == ["three", "two"])
    #expect(try await found("river is:someday") == ["three"])
    #expect(try await found("in:projects NOT is:later") == ["one"])
    await bench.stop()
  }

  @Test(
    "a start and someday come back from a file of every format, and nothing changes the second time",
    arguments: ["jsonl", "ics", "taskwarrior", "todotxt", "markdown"])
  func files(format: String) async throws {
    let (bench, other) = (try await ExchangeBench(), try await ExchangeBench())
    for (title, more) in [
      ("one", ["deadline": "2026-12-24", "start": "2026-12-01"]), ("two", ["deadline": .null, "start": "2026-12-02"]),
      ("three", ["deadline": .null, "someday": true]),
      ("four", ["deadline": "2026-12-24", "start": "2026-12-24", "time": "09:30"]),
      ("five", ["deadline": "2026-12-24", "start": "2026-12-20", "recurrence": ["rule": "FREQ=WEEKLY"]]),
      ("six", ["deadline": "2026-12-24", "start": "2026-12-20", "time": "09:30"]),
    ] as [(String, JSONObject)] {
      _ = try await bench.client.call("projects/add", .object(Self.merged(more, ["title": .string(title)])))
    }
    let file = try await bench.export(format)
    #expect(try await other.take(file, as: format)["added"] == 6, "\(file)")
    for card in try await bench.cards() {
      let copy = try #require(try await other.card(card["title"].text))
      for field in ["start", "someday", "deadline", "time"] {
        #expect(copy[field] == card[field], "\(card["title"].text) \(field): \(file)")
      }
    }
    #expect(try await other.take(file, as: format)["known"] == 6, "\(file)")
    // An edit of them is in the next file, and an edit there comes here.
    let two = try #require(try await other.card("two")).id
    _ = try await other.client.call("projects/update", ["id": two, "start": "2026-12-05"])
    let three = try #require(try await other.card("three")).id
    _ = try await other.client.call("projects/update", ["id": three, "someday": false, "start": "2026-12-06"])
    _ = try await bench.take(other.export(format), as: format)
    #expect(try await bench.card("two")?["start"] == "2026-12-05")
    let taken = try await bench.card("three")
    #expect(taken?["start"] == "2026-12-06" && taken?["someday"] == false)
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("other programs' words for a start are read, and written where they were")
  func programs() async throws {
    let task = """
      {"uuid":"0190f0c1-7b1e-7000-8000-00000000000X","status":"pending","entry":"20261101T000000Z","description":"X","F"}
      """
    func line(_ number: Int, _ fields: String) -> String {
      task.replacing("X", with: "\(number)").replacing("\"F\"", with: fields)
    }
    func calendar(_ lines: String) -> String {
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:1\r\n\(lines)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    }
    // Seoul is nine hours ahead.
    let files: [(format: String, text: String, start: JSONValue, someday: Bool, later: String)] = [
      ("taskwarrior", line(1, #""wait":"20261201T003000Z""#), "2026-12-01", false, #""wait":"20261208T150000Z""#),
      (
        "taskwarrior", line(1, #""scheduled":"20261130T150000Z""#), "2026-12-01", false,
        #""scheduled":"20261208T150000Z""#
      ),
      ("taskwarrior", line(1, #""wait":"99991230T000000Z""#), .null, true, #""wait":"20261208T150000Z""#),
      ("todotxt", "1 t:2026-12-01\n", "2026-12-01", false, "1 t:2026-12-09"),
      ("markdown", "- [ ] 1 🛫 2026-12-01 ⏳ 2026-12-02\n", "2026-12-01", false, "- [ ] 1 ⏳ 2026-12-02 🛫 2026-12-09"),
      (
        "ics", calendar("DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261224"),
        "2026-12-01", false, "DTSTART;VALUE=DATE:20261209"
      ),
      (
        "ics", calendar("DTSTART:20261201T003000Z\r\nDUE:20261224T003000Z"), "2026-12-01",
        false, "DTSTART:20261209T003000Z"
      ),
      // As many programs write a task of a single day.
      (
        "ics", calendar("DTSTART;VALUE=DATE:20261224\r\nDUE;VALUE=DATE:20261224"), .null,
        false, "DTSTART;VALUE=DATE:20261209"
      ),
    ]
    for (format, text, start, someday, written) in files {
      let bench = try await ExchangeBench()
      #expect(try await bench.take(text, as: format)["added"] == 1, "\(text)")
      let card = try #require(try await bench.card("1"))
      #expect((card["start"] ?? .null) == start && card["someday"] == .bool(someday), "\(text)")
      #expect(try await bench.take(text, as: format)["known"] == 1, "\(text)")
      let exported = try await bench.export(format)
      for line in text.split(whereSeparator: \.isNewline) { #expect(exported.contains(line), "\(exported)") }
      _ = try await bench.client.call("projects/update", ["id": card.id, "start": "2026-12-09", "someday": false])
      let changed = try await bench.export(format)
      #expect(changed.contains(written), "\(changed)")
      await bench.stop()
    }
  }

  @Test("a start after the deadline in a file is told of, left out of the card, and stays in the file")
  func lateStart() async throws {
    let bench = try await ExchangeBench()
    let text = "- [ ] 1 🛫 2026-12-24 📅 2026-12-01\n"
    let report = try await bench.take(text, as: "markdown")
    #expect(report["added"] == 1 && report["notes"].list.contains { $0["field"] == "start" }, "\(report)")
    let note = report["notes"].list.first { $0["field"] == "start" }
    #expect(note?["display"] == "Its start, 2026-12-24, is after its deadline, 2026-12-01, and was not imported.")
    #expect(try await bench.card("1")?["start"] == nil)
    #expect(try await bench.export("markdown") == text)
    await bench.stop()
  }
}
