import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: columns that are opened or closed") struct ColumnStateChangeTests {
  private static func columns(closing closed: Set<String>) -> JSONValue {
    let columns = ["todo", "doing", "waiting", "done"].map { state -> JSONValue in
      ["state": .string(state), "title": .string(state.uppercased()), "isOpen": .bool(!closed.contains(state))]
    }
    return ["columns": .array(columns)]
  }

  /// A board with a column `waiting` that has the cards `a`, without deadline, and `b`, which comes again each week; `c`
  /// waits for `a`.
  private func board(closing closed: Set<String>) async throws -> (bench: ProjectBench, other: Client) {
    let bench = try await ProjectBench()
    _ = try await bench.client.call("projects/columns", Self.columns(closing: closed))
    try await bench.add("a", id: "a", ["deadline": .null])
    try await bench.add("b", id: "b", ["deadline": "2026-11-19", "recurrence": ["rule": "FREQ=WEEKLY"]])
    try await bench.add("c", id: "c", ["blockedBy": ["a"]])
    for id in ["a", "b"] { try await bench.move(id, to: "waiting") }
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("changes/subscribe")
    return (bench, other)
  }

  @Test("a new card and the next of one that comes again begin in the first open column, wherever that stands")
  func firstOpenColumn() async throws {
    let bench = try await ProjectBench()
    let columns: JSONValue = [
      ["state": "done"], ["state": "waiting", "title": "Waiting"], ["state": "todo"], ["state": "doing"],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    try await bench.add("a", id: "a", ["deadline": "2026-11-19", "recurrence": ["rule": "FREQ=WEEKLY"]])
    #expect(try await bench.get("a")["state"] == "waiting")
    try await bench.move("a", to: "done")
    let next = try #require(try await bench.client.call("projects/list", ["state": "waiting"]).items.last)
    #expect(next["title"] == "a" && next["deadline"] == "2026-11-26")
    await bench.stop()
  }

  @Test(
    "closing a column finishes its cards now, brings the next of recurring ones and frees who waits; one undo takes all back"
  )
  func closing() async throws {
    let (bench, other) = try await board(closing: ["done"])
    let before = try await bench.get("b")
    #expect(before["overdue"] == true && (before["completedAt"] ?? .null) == .null)
    bench.daemon.clock.advance(milliseconds: 60_000)
    let commits = other.commits.count
    let reply = try await bench.client.call("projects/columns", Self.columns(closing: ["waiting", "done"]))
    _ = try await other.call("session/sync")
    // One commit, in which those who show a waiting card are told of it.
    let told = other.commits.dropFirst(commits)
    #expect(told.count == 1 && told.first?["clock"]?.integerValue == reply.clock)
    let changes = told.flatMap { $0["changes"].list }
    #expect(Set(changes.map { $0.id.text }).isSuperset(of: ["a", "b", "c", "columns"]) && changes.count == 5)
    #expect(changes.first { $0.id == "c" }?["fields"] == ["blocked"])
    for id in ["a", "b"] { #expect(try await bench.get(id)["completedAt"] == "2026-11-21T03:05:05.678Z") }
    #expect(try await bench.get("b")["overdue"] == false)
    #expect(try await bench.get("c")["blocked"] == false)
    let next = try #require(try await bench.client.call("projects/list", ["state": "todo"]).items.last)
    #expect(next["title"] == "b" && next["deadline"] == "2026-11-26")
    #expect((try await bench.get("b")["recurrence"] ?? .null) == .null)

    _ = try await bench.client.call("changes/undo")
    _ = try await other.call("session/sync")
    for id in ["a", "b"] { #expect((try await bench.get(id)["completedAt"] ?? .null) == .null) }
    #expect(try await bench.get("b")["recurrence"]?["rule"] == "FREQ=WEEKLY")
    #expect(try await bench.get("c")["blocked"] == true)
    #expect(try await bench.ids().sorted() == ["a", "b", "c"])
    let undone = other.commits.last?["changes"].list.first { $0.id == "c" }
    #expect(undone?["fields"] == ["blocked"])
    await bench.stop()
  }

  @Test("opening a column makes its cards open again: nothing in it is finished, and who waits waits again")
  func opening() async throws {
    let (bench, other) = try await board(closing: ["waiting", "done"])
    #expect(try await bench.get("a")["completedAt"] != nil)
    #expect(try await bench.get("c")["blocked"] == false)
    let begun = try await bench.get("a")["startedAt"]
    _ = try await bench.client.call("projects/columns", Self.columns(closing: ["done"]))
    _ = try await other.call("session/sync")
    #expect((try await bench.get("a")["completedAt"] ?? .null) == .null)
    #expect(try await bench.get("a")["startedAt"] == begun)
    #expect(try await bench.get("c")["blocked"] == true)
    #expect(other.commits.last?["changes"].list.contains { $0.id == "c" && $0["fields"] == ["blocked"] } == true)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get("a")["completedAt"] != nil)
    #expect(try await bench.get("c")["blocked"] == false)
    await bench.stop()
  }

  @Test(
    "a column of thousands of cards is closed in parts between which others write: each card is finished once, also one that is moved on before its turn comes"
  )
  func large() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    _ = try await bench.client.call("projects/columns", Self.columns(closing: ["done"]))
    let lines = (0..<2_000).map { number in
      #"{"id":"c\#(number)","title":"\#(number)","state":"doing","column":"waiting","deadline":"2026-11-21","recurrence":{"rule":"FREQ=WEEKLY"}}"#
    }
    let data = JSONValue.string(Data(lines.joined(separator: "\n").utf8).base64EncodedString())
    _ = try await bench.client.call("projects/import", ["format": "jsonl", "data": data])
    func list(_ state: String, from offset: Int64) async throws -> [JSONValue] {
      try await bench.client.call(
        "projects/list", ["state": .string(state), "offset": .integer(offset), "limit": 1_000]
      ).items
    }
    let tail = try await list("waiting", from: 1_000).map { $0.id }
    let closing = bench.client.send("projects/columns", Self.columns(closing: ["waiting", "done"]))
    var between = 0
    for id in tail.dropLast() {
      _ = try await other.call("projects/move", ["id": id, "state": "done"])
      let board = try await other.call("projects/board", ["limit": 0])
      let last = try await other.call("projects/get", ["id": tail[999]])
      if last["completedAt"] ?? .null != .null { break }
      if board["columns"].list.contains(where: { $0["state"] == "waiting" && $0["isOpen"] == false }) { between += 1 }
    }
    _ = try await closing.value()
    #expect(between > 0)
    var titles: [String: Int] = [:]
    for state in ["todo", "waiting", "done"] {
      for offset: Int64 in [0, 1_000, 2_000] {
        let cards = try await list(state, from: offset)
        for card in cards { titles[card["title"].text, default: 0] += 1 }
        #expect(cards.allSatisfy { ($0["completedAt"] ?? .null == .null) == (state == "todo") })
      }
    }
    #expect(titles.count == 2_000 && titles.values.allSatisfy { $0 == 2 })
    await bench.stop()
  }

  @Test("columns that are only renamed or put in another order change no card")
  func renaming() async throws {
    let (bench, _) = try await board(closing: ["waiting", "done"])
    let revision = try await bench.get("a")["revision"]
    _ = try await bench.client.call(
      "projects/columns",
      [
        "columns": [
          ["state": "done"], ["state": "waiting", "title": "Later", "isOpen": false], ["state": "todo"],
          ["state": "doing"],
        ]
      ])
    #expect(try await bench.get("a")["revision"] == revision)
    await bench.stop()
  }

  @Test("of two clients that arrange the columns at once the second is told, and loses none that came meanwhile")
  func arrangedAtOnce() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    func with(_ name: String, at revision: JSONValue) -> JSONValue {
      let own: JSONValue = ["state": .string(name), "title": .string(name)]
      return ["columns": [["state": "todo"], own, ["state": "done"]], "ifRevision": revision]
    }
    let seen = try await bench.client.call("projects/columns")["revision"] ?? .null
    #expect(seen == 0)
    let first = try await bench.client.call("projects/columns", with("waiting", at: seen))
    let refused = try await other.failure("projects/columns", with("review", at: seen))
    #expect(refused?.kind == "conflict" && refused?.data?["collection"] == "columns")
    #expect(refused?.data?["current"]?["columns"].list.map { $0["state"] } == ["todo", "waiting", "done"])
    let now = try await other.call("projects/columns")
    #expect(now["revision"] == first["revision"] && now["columns"].list.count == 3)
    let second = try await other.call("projects/columns", with("review", at: now["revision"] ?? .null))
    #expect(second["columns"].list.map { $0["state"] } == ["todo", "review", "done"])
    await bench.stop()
  }

  @Test("a list of one column takes its name or its title, in the reader's language and however it is typed")
  func titles() async throws {
    let (bench, _) = try await board(closing: ["done"])
    for name in ["waiting", "WAITING", "Waiting"] {
      #expect(try await bench.ids(["state": .string(name)]) == ["a", "b"])
    }
    let failure = try await bench.client.failure("projects/list", ["state": "nowhere"])
    #expect(failure?.data?["field"] == "state" && failure?.message.lowercased().contains("waiting, done") == true)
    await bench.stop()

    let korean = try await ProjectBench(locale: "ko-KR")
    try await korean.add("a", id: "a")
    let title = try await korean.client.call("projects/columns")["columns"].list[0]["title"] ?? .null
    #expect(try await korean.ids(["state": title]) == ["a"])
    // As macOS composes it, and full width as an input method gives it.
    let columns: JSONValue = [["state": "todo"], ["state": "w", "title": "대기 WIP"], ["state": "done"]]
    _ = try await korean.client.call("projects/columns", ["columns": columns])
    try await korean.move("a", to: "대기 ｗｉｐ".decomposedStringWithCanonicalMapping)
    #expect(try await korean.get("a")["state"] == "w")
    await korean.stop()
  }

  @Test("what other programs call a field leads to ours, and a day with a time or a mistyped word to what was meant")
  func meant() async throws {
    let bench = try await ProjectBench()
    func message(_ params: JSONValue) async throws -> String {
      try await bench.client.failure("projects/add", params)?.message ?? ""
    }
    #expect(try await message(["title": "x", "due": "tomorrow"]).contains("“deadline”"))
    #expect(try await message(["name": "x"]).contains("“title”"))
    #expect(try await message(["title": "x", "notes": "y"]).contains("“body”"))
    let time = try await message(["title": "x", "deadline": "tomorrow 5pm"])
    #expect(time.contains("“5pm”") && time.contains("a day") && time.contains("17:30"), "\(time)")
    #expect(try await message(["title": "x", "deadline": "tommorow"]).contains("Did you mean “tomorrow”?"))
    #expect(try await message(["title": "x", "deadline": "  "]).contains("only white space"))
    #expect(try await message(["title": "a\u{1B}b"]).contains("control characters"))
    #expect(try await message(["title": "a\nb"]).contains("one line"))
    let never: JSONValue = ["title": "x", "recurrence": ["rule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]]
    #expect(try await message(never).contains("no year has"))
    let calendar: JSONValue = ["data": "eA==", "format": "ics"]
    let missing = try await bench.client.failure("projects/import", calendar)
    #expect(missing?.message.contains("BEGIN:VCALENDAR is missing") == true)
    let korean = try await bench.daemon.client(locale: "ko-KR")
    try await bench.add("세금", id: "tax")
    let column = try await korean.failure("projects/move", ["id": "tax", "state": "nowhere"])
    #expect(column?.message.contains("할 일, 진행 중, 완료") == true)
    let clock = try await korean.call("projects/update", ["id": "tax", "priority": 1]).clock
    _ = try await bench.client.call("projects/update", ["id": "tax", "priority": 2])
    let moved = try await korean.failure("changes/undo", ["clock": .integer(clock)])
    let told = moved?.message ?? ""
    #expect(told.contains("세금") && !told.contains("tax"), "\(told)")
    let failure = try await korean.failure("projects/add", ["title": "x", "deadline": "내일 오후 3시"])
    #expect(failure?.message.contains("‘오후 3시’") == true)
    #expect(try await bench.ids() == ["tax"])
    await bench.stop()
  }
}
