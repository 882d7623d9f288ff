import Client
import TestSupport
import Testing
import Wire

@Suite("Projects: deadlines") struct OverdueTests {
  private static let hour: Int64 = 3_600_000

  @Test("J9 a card due today is not overdue at 23:59 and is a minute later, by whole days in the library's zone")
  func wholeDays() async throws {
    // 03:04:05 UTC.
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    try await bench.add("today", id: "a", ["deadline": "2026-11-21", "time": "00:00"])
    try await bench.add("yesterday", id: "b", ["deadline": "2026-11-20", "time": "23:59"])
    #expect(try await bench.get("a")["overdue"] == false)
    #expect(try await bench.get("b")["overdue"] == true)
    // 23:59:05 UTC; in Seoul, where the client is, the 22nd began hours ago.
    bench.daemon.clock.advance(milliseconds: 20 * Self.hour + 55 * 60_000)
    #expect(try await bench.get("a")["overdue"] == false)
    bench.daemon.clock.advance(milliseconds: 60_000)
    #expect(try await bench.get("a")["overdue"] == true)
    #expect(try await bench.ids(["overdue": true]) == ["b", "a"])
    await bench.stop()
  }

  @Test("J9 the day of a library that begins late turns late")
  func dayStartsAt() async throws {
    let bench = try await ProjectBench { $0.dayStartsAt = 4 * 60 }
    try await bench.add("x", id: "a", ["deadline": "2026-11-20"])
    #expect(try await bench.get("a")["overdue"] == false)
    bench.daemon.clock.advance(milliseconds: Self.hour)
    #expect(try await bench.get("a")["overdue"] == true)
    await bench.stop()
  }

  @Test(
    "J10 a finished card is not overdue, and is again when it is opened; the list tells of finished ones when asked")
  func finished() async throws {
    let bench = try await ProjectBench()
    try await bench.add("x", id: "a", ["deadline": "2026-11-01"])
    try await bench.add("y", id: "b", ["deadline": "2026-11-02"])
    try await bench.move("a", to: "done")
    #expect(try await bench.get("a")["overdue"] == false)
    #expect(try await bench.ids(["overdue": true]) == ["b"])
    #expect(try await bench.ids(["overdue": true, "includeClosed": true]) == ["a", "b"])
    #expect(try await bench.ids(["overdue": false]) == ["a"])
    try await bench.move("a", to: "doing")
    #expect(try await bench.ids(["overdue": true]) == ["a", "b"])
    // In a column of one's own that is closed as well.
    let columns: JSONValue = [
      ["state": "todo"], ["state": "doing"], ["state": "dropped", "title": "Dropped", "isOpen": false],
      ["state": "done"],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    try await bench.move("b", to: "dropped")
    #expect(try await bench.ids(["overdue": true]) == ["a"])
    await bench.stop()
  }

  @Test("J20 a deadline may be said in words, and what is not understood is an error, never today")
  func words() async throws {
    // A Saturday.
    let bench = try await ProjectBench()
    #expect(try await bench.add("x", id: "a", ["deadline": "tomorrow"])["deadline"] == "2026-11-22")
    #expect(try await bench.add("x", ["deadline": "next friday"])["deadline"] == "2026-11-27")
    let korean = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    #expect(try await korean.call("projects/add", ["title": "x", "deadline": "내일"])["deadline"] == "2026-11-22")
    let moved = try await korean.call("projects/update", ["id": "a", "deadline": "모레"])
    #expect(moved["deadline"] == "2026-11-23")
    let total = try await bench.client.call("projects/board")["total"]
    for nonsense: JSONValue in ["someday", "30 February", "2026-02-30", "내일모레글피", "13/45/2026", "friday the"] {
      #expect(try await bench.refusal("projects/add", ["title": "x", "deadline": nonsense]) == "deadline")
      #expect(try await bench.refusal("projects/update", ["id": "a", "deadline": nonsense]) == "deadline")
    }
    // People's calendar has no year 0, and Foundation's would write it as the year 1 before Christ.
    for outside: JSONValue in ["0000-01-01", "-0001-01-01", "10000-01-01", "0000/01/01", "0년 1월 1일", "2027 years ago"] {
      #expect(try await bench.refusal("projects/add", ["title": "x", "deadline": outside]) == "deadline")
    }
    let failure = try await bench.client.failure("projects/update", ["id": "a", "deadline": "0000-01-01"])
    #expect(
      failure?.message == "“deadline” is a date that does not exist: 0000-01-01. Days go from 0001-01-01 to "
        + "9999-12-31; there is no year 0, and no day beyond the end of its month.")
    #expect(try await bench.client.call("projects/board")["total"] == total)
    #expect(try await bench.get("a")["deadline"] == "2026-11-23")
    await bench.stop()
  }

  @Test(
    "J9 when the day turns every client hears of it first and then which open cards became overdue, also after a sleep")
  func turning() async throws {
    let bench = try await ProjectBench { $0.dayCheck = .milliseconds(2) }
    for (id, day) in [("late", "2026-11-20"), ("a", "2026-11-21"), ("b", "2026-11-22"), ("far", "2026-12-24")] {
      try await bench.add(id, id: id, ["deadline": .string(day)])
    }
    try await bench.add("done", id: "done", ["deadline": "2026-11-21"])
    try await bench.move("done", to: "done")
    try await bench.add("never", id: "never", ["deadline": .null])
    let other = try await bench.daemon.client(name: "other", timeZone: "America/New_York")
    bench.daemon.clock.advance(milliseconds: 21 * Self.hour)
    for client in [bench.client, other] { #expect(try await overdue(client, 0) == ["ids": ["a"]]) }
    // Four days in a lid.
    bench.daemon.clock.advance(milliseconds: 96 * Self.hour)
    #expect(try await overdue(bench.client, 1) == ["ids": ["b"]])
    // The next day nothing became overdue, so nothing is said.
    bench.daemon.clock.advance(milliseconds: 24 * Self.hour)
    _ = try await day(bench.client, "2026-11-27")
    _ = try await bench.client.call("session/sync")
    #expect(bench.client.heard("projects/didBecomeOverdue").count == 2)
    let names = bench.client.received.compactMap { frame -> String? in
      if case .single(.notification(let name, _)) = frame, name != "changes/didCommit" { name } else { nil }
    }
    let turned = "session/didChangeDay"
    #expect(names == [turned, "projects/didBecomeOverdue", turned, "projects/didBecomeOverdue", turned])
    await bench.stop()
  }

  @Test("J9 a client that changes its zone hears of its day, and of no cards: the library's day is another thing")
  func travelling() async throws {
    let bench = try await ProjectBench { $0.dayCheck = .seconds(3_600) }
    try await bench.add("x", id: "a", ["deadline": "2026-11-20"])
    // While nobody looks the library's day turns; the journey has the daemon look at both.
    _ = try await bench.client.call("session/configure", ["timeZone": "Pacific/Honolulu"])
    #expect(bench.client.heard("session/didChangeDay").count == 1)
    #expect(bench.client.heard("projects/didBecomeOverdue") == [])
    try await bench.add("y", id: "b", ["deadline": "2026-11-21"])
    bench.daemon.clock.advance(milliseconds: 21 * Self.hour)
    _ = try await bench.client.call("session/configure", ["timeZone": "Asia/Seoul"])
    #expect(bench.client.heard("projects/didBecomeOverdue") == [["ids": ["b"]]])
    await bench.stop()
  }

  @Test("J9 of more than a thousand cards that became overdue it is only said that there are many")
  func many() async throws {
    let bench = try await ProjectBench { $0.dayCheck = .milliseconds(2) }
    let adding = (0...1_000).map {
      bench.client.send("projects/add", ["title": .string("card \($0)"), "deadline": "2026-11-21"])
    }
    for reply in adding { _ = try await reply.value() }
    bench.daemon.clock.advance(milliseconds: 21 * Self.hour)
    #expect(try await overdue(bench.client, 0) == ["ids": [], "all": true])
    #expect(try await bench.client.call("projects/list", ["overdue": true])["total"] == 1_001)
    await bench.stop()
  }

  private func overdue(_ client: Client, _ index: Int) async throws -> JSONValue {
    try await heard(client, "projects/didBecomeOverdue", index)
  }

  private func day(_ client: Client, _ day: JSONValue) async throws -> JSONValue {
    var index = 0
    while true {
      let params = try await heard(client, "session/didChangeDay", index)
      if params["day"] == day { return params }
      index += 1
    }
  }

  private func heard(_ client: Client, _ method: String, _ index: Int) async throws -> JSONValue {
    try await client.heard(method, atLeast: index + 1)[index]
  }

  @Test("J20 a weekday of this week is today or the coming one, wherever weeks begin; what names the past stays there")
  func weekdaysOfThisWeek() async throws {
    // Saturday, and then Sunday.
    let bench = try await ProjectBench()
    let clients = [
      bench.client, try await bench.daemon.client(locale: "ko-KR"), try await bench.daemon.client(locale: "ja-JP"),
      try await bench.daemon.client(locale: "zh-CN"),
    ]
    let fridays = ["this friday", "이번 주 금요일", "今週の金曜日", "这周五"]
    let days: [[(String, String)]] = [
      [
        ("this saturday", "2026-11-21"), ("이번 주 일요일", "2026-11-22"), ("friday", "2026-11-27"),
        ("next friday", "2026-11-27"),
      ],
      [("this monday", "2026-11-23"), ("今週の日曜日", "2026-11-22"), ("这周六", "2026-11-28"), ("다음 주 금요일", "2026-11-27")],
    ]
    let onBoth: [(String, String)] =
      [("last friday", "2026-11-20"), ("지난주 금요일", "2026-11-13"), ("2026-11-20", "2026-11-20")]
      + fridays.map { ($0, "2026-11-27") }
    for (client, friday) in zip(clients, fridays) {
      let card = try await client.call("projects/add", ["title": "x", "deadline": .string(friday)])
      #expect(card["deadline"] == "2026-11-27" && card["overdue"] == false, "\(friday)")
    }
    #expect(try await bench.add("x", id: "past", ["deadline": "yesterday"])["deadline"] == "2026-11-20")
    // A list may begin with what has gone by.
    #expect(try await bench.ids(["from": "this monday", "to": "this friday"]) == ["past"])
    for sayings in days {
      for (said, day) in sayings + onBoth {
        #expect(try await bench.add("x", ["deadline": .string(said)])["deadline"].text == day, "\(said)")
      }
      bench.daemon.clock.advance(milliseconds: 24 * Self.hour)
    }
    await bench.stop()
  }
}
