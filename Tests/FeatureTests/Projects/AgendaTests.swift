import Client
import Contract
import Features
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Projects

/// On Saturday, 21 November 2026.
@Suite("Projects: the agenda") struct AgendaTests {
  /// What an agenda shows: its overdue cards, and for each day with anything what is due, starts and is foreseen.
  private func agenda(_ bench: ProjectBench, _ params: JSONValue = [:]) async throws -> [String] {
    let agenda = try await bench.client.call("projects/agenda", params)
    var lines = agenda["overdue"].list.map { "overdue \($0.id.text)" }
    for day in agenda["days"].list {
      let name = day["day"].text
      lines += day["due"].list.map { "\(name) due \($0.id.text)" }
      lines += day["starting"].list.map { "\(name) starts \($0.id.text)" }
      lines += day["foreseen"].list.map { "\(name) again \($0["card"].text)" }
    }
    return lines
  }

  @Test("days have what is due and what starts, before them is what is overdue, and nothing finished or archived")
  func days() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    try await bench.addBoard("Old", id: "o")
    for (id, day, more) in [
      ("late", "2026-11-01", [:]), ("evening", "2026-11-21", ["time": "18:00"]),
      ("noon", "2026-11-21", ["time": "12:00"]),
      ("fig", "2026-11-23", ["board": "g"]), ("done", "2026-11-22", [:]), ("old", "2026-11-22", ["board": "o"]),
      ("far", "2026-12-24", ["start": "2026-11-22"]),
      ("never", "2026-12-25", ["start": "2026-11-22", "someday": true]),
    ] as [(String, String, JSONObject)] {
      var params = more
      params["deadline"] = .string(day)
      try await bench.add(id, id: id, params)
    }
    try await bench.move("done", to: "done")
    _ = try await bench.client.call("projects/updateBoard", ["id": "o", "archived": true])
    #expect(
      try await agenda(bench) == [
        "overdue late", "2026-11-21 due noon", "2026-11-21 due evening", "2026-11-22 starts far", "2026-11-23 due fig",
      ])
    let days = try await bench.client.call("projects/agenda")["days"].list
    #expect(days.count == 7 && days[0]["display"]?["day"] == "today" && days[6]["day"] == "2026-11-27")
    #expect(try await agenda(bench, ["board": "Garden"]) == ["2026-11-23 due fig"])
    #expect(try await agenda(bench, ["from": "tomorrow", "days": 1]) == ["overdue late", "2026-11-22 starts far"])
    #expect(try await agenda(bench, ["from": "2026-12-24", "days": 1]).last == "2026-12-24 due far")
    // A week is asked for from its Monday on, and a month from its first day on.
    for (from, day) in [("next week", "2026-11-23"), ("다음 주", "2026-11-23"), ("december", "2026-12-01")] {
      let agenda = try await bench.client.call("projects/agenda", ["from": .string(from)])
      #expect(agenda["days"].list.first?["day"] == .string(day), "\(from)")
    }
    // A period or a limit has as many days as it means.
    for (from, first, last) in [
      ("next week", "2026-11-23", "2026-11-29"), ("this month", "2026-11-01", "2026-11-30"),
      ("until 4 december", "2026-11-21", "2026-12-04"), ("this weekend", "2026-11-21", "2026-11-22"),
      ("3 december", "2026-12-03", "2026-12-09"),
    ] {
      let days = try await bench.client.call("projects/agenda", ["from": .string(from)])["days"].list
      #expect(days.first?["day"] == .string(first) && days.last?["day"] == .string(last), "\(from)")
    }
    let short = try await bench.client.call("projects/agenda", ["from": "december", "days": 2])["days"].list
    #expect(short.map { $0["day"] } == ["2026-12-01", "2026-12-02"])
    #expect(try await bench.refusal("projects/agenda", ["days": 367]) == "days")
    await bench.stop()
  }

  @Test("a recurring card is foreseen on its days within the window, from its present deadline on")
  func foreseen() async throws {
    let bench = try await ProjectBench()
    for (id, day, rule) in [
      ("week", "2026-11-21", ["rule": "FREQ=WEEKLY"]), ("ends", "2026-11-20", ["rule": "FREQ=DAILY;COUNT=4"]),
      ("span", "2026-11-21", ["rule": "FREQ=DAILY", "from": "completion"]),
      ("years", "2026-11-22", ["rule": "FREQ=YEARLY"]),
    ] as [(String, String, JSONValue)] {
      try await bench.add(id, id: id, ["deadline": .string(day), "time": "07:00", "recurrence": rule])
    }
    #expect(
      try await agenda(bench, ["days": 15]) == [
        "overdue ends", "2026-11-21 due span", "2026-11-21 due week", "2026-11-21 again ends", "2026-11-22 due years",
        "2026-11-22 again ends", "2026-11-23 again ends", "2026-11-28 again week", "2026-12-05 again week",
      ])
    #expect(try await agenda(bench, ["from": "2027-11-20", "days": 3]).last == "2027-11-22 again years")
    let again = try await bench.client.call("projects/agenda", ["days": 8])["days"].list[7]["foreseen"].list
    let time: JSONValue = ["time": "7:00\u{202F}AM"]
    #expect(again == [["card": "week", "title": "week", "day": "2026-11-28", "time": "07:00", "display": time]])
    await bench.stop()
  }

  @Test("cards whose next day is after the window are not read, whatever their number, and a moved deadline counts")
  func candidates() async throws {
    let bench = try await ProjectBench(features: AllFeatures.features + [CandidateProbe.feature])
    for (id, day, rule) in [
      ("birthday", "2026-11-20", ["rule": "FREQ=YEARLY"]), ("rent", "2026-11-20", ["rule": "FREQ=MONTHLY;INTERVAL=2"]),
      ("fridays", "2026-11-20", ["rule": "FREQ=MONTHLY;BYDAY=FR"]),
      ("span", "2026-11-20", ["rule": "FREQ=DAILY", "from": "completion"]),
      ("moved", "2026-11-20", ["rule": "freq=yearly", "start": "2025-11-24"]),
      ("old", "2025-11-25", ["rule": "FREQ=YEARLY"]), ("ended", "2026-10-23", ["rule": "FREQ=MONTHLY"]),
      ("later", "2026-12-01", ["rule": "FREQ=DAILY"]),
    ] as [(String, String, JSONValue)] {
      try await bench.add(id, id: id, ["deadline": .string(day), "recurrence": rule])
    }
    #expect(
      try await bench.client.call("probe/candidates")["titles"] == ["old", "ended", "fridays", "moved"])
    #expect(
      try await agenda(bench).filter { $0.contains("again") } == [
        "2026-11-23 again ended", "2026-11-24 again moved", "2026-11-25 again old", "2026-11-27 again fridays",
      ])
    await bench.stop()
  }

  @Test("of several columns and boards the earliest cards are listed, of a day by time, then by priority")
  func order() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    for (id, day, more) in [
      ("3", "2026-11-22", ["board": "g", "time": "09:00"]), ("6", "2026-11-23", ["board": "g"]),
      ("7", "2026-11-24", ["board": "g"]), ("1", "2026-11-21", [:]), ("5", "2026-11-22", [:]),
      ("4", "2026-11-22", ["priority": 1]), ("2", "2026-11-22", ["time": "08:00"]), ("8", "2026-11-24", [:]),
    ] as [(String, String, JSONObject)] {
      var params = more
      params["deadline"] = .string(day)
      try await bench.add(id, id: id, params)
    }
    try await bench.move("2", to: "doing")
    for limit in 1...8 {
      let days = try await bench.client.call("projects/agenda", ["limit": .integer(Int64(limit))])["days"].list
      let listed = days.flatMap { $0["due"].list.map(\.id.text) }
      #expect(listed == (1...limit).map(String.init), "\(limit)")
    }
    for id in ["7", "4", "2"] {
      _ = try await bench.client.call("projects/update", ["id": .string(id), "start": "2026-11-21"])
    }
    _ = try await bench.client.call("projects/update", ["id": "7", "start": "2026-11-20"])
    let today = try await bench.client.call("projects/agenda", ["days": 1])["days"].list[0]
    #expect(today["starting"].list.map(\.id.text) == ["2", "4"])
    await bench.stop()
  }

  @Test("of the cards with a day no more are read than are listed, and of all others none")
  func plans() async throws {
    let bench = try await ProjectBench()
    await bench.stop()
    for (day, index) in [(AgendaCards.Day.deadline, "projectByDeadline"), (.start, "projectStarting")] {
      let plan = try queryPlan(of: day.statement, in: bench.daemon.library)
      let bounds = "board=? AND state=? AND \(day.rawValue)>? AND \(day.rawValue)<?"
      #expect(plan == ["SEARCH project USING INDEX \(index) (\(bounds))"])
    }
    let recurring = ForeseenCard.candidates(
      through: CalendarDay(daysSince1970: 20_800), ("board IN (?) AND state IN (?, ?)", []))
    #expect(
      try queryPlan(of: recurring.sql, in: bench.daemon.library)
        == ["SEARCH project USING INDEX projectRecurring (deadline<?)"])
  }

  @Test("an agenda with more cards than its limit says so, and a thousand repeats are no more than the limit")
  func limits() async throws {
    let bench = try await ProjectBench()
    for number in 0..<4 {
      try await bench.add(
        "\(number)", id: "\(number)", ["deadline": "2026-11-21", "recurrence": ["rule": "FREQ=DAILY"]])
    }
    let agenda = try await bench.client.call("projects/agenda", ["days": 366, "limit": 3])
    #expect(agenda["hasMore"] == true && agenda["days"].list.count == 366)
    #expect(agenda["days"].list.reduce(0) { $0 + $1["due"].list.count } == 3)
    #expect(agenda["days"].list.reduce(0) { $0 + $1["foreseen"].list.count } == 3)
    #expect(try await bench.client.call("projects/agenda", ["days": 1])["hasMore"] == false)
    await bench.stop()
  }
}

/// The cards that an agenda of a week reads to foresee their days.
private enum CandidateProbe: ReadMethod {
  static let name = "probe/candidates"
  static let summary = "The titles of cards that may recur within a week."
  static let effects: Effects = .reads
  typealias Params = Empty
  static let feature = Feature(name: "probe", routes: [Route(CandidateProbe.self)])

  struct Result: Payload {
    var titles: [String]
    static let example = Result(titles: [])
    static let fields = ["titles": "A."]
  }

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Result {
    let view = try ProjectView(in: snapshot)
    let open = CardLanes(of: view.boards, view.boards.all).only(open: true).condition()
    let (sql, values) = ForeseenCard.candidates(through: view.today.adding(days: 6), open)
    var titles: [String] = []
    try snapshot.db.each(sql, values) { titles.append($0.text(1)) }
    return Result(titles: titles)
  }
}
