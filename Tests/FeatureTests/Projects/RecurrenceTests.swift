import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Projects

@Suite("Projects: recurrence") struct RecurrenceTests {
  /// The examples of RFC 5545, section 3.8.5.3, that speak of days, with the days that it gives.
  private static let examples: [(rule: String, start: String, days: String)] = [
    ("FREQ=DAILY;COUNT=4", "1997-09-02", "09-03 09-04 09-05 -"),
    ("FREQ=DAILY;UNTIL=19970905T000000Z", "1997-09-02", "09-03 09-04 09-05 -"),
    ("FREQ=DAILY;INTERVAL=2", "1997-09-02", "09-04 09-06 09-08"),
    ("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02", "09-12 09-22 10-02 10-12 -"),
    ("FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "1998-01-30", "01-31 01-01 01-02"),
    ("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "1998-01-30", "01-31 01-01 01-02"),
    ("FREQ=WEEKLY;COUNT=3", "1997-09-02", "09-09 09-16 -"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "1997-09-02", "09-16 09-30 10-14 10-28 11-11"),
    (
      "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997-09-02",
      "09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02 -"
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "1997-09-01",
      "09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03"
    ),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05", "08-10 08-19 08-24 -"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05", "08-17 08-19 08-31 -"),
    ("FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997-09-05", "10-03 11-07 12-05 01-02 02-06 03-06 04-03 05-01 06-05 -"),
    (
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "1997-09-07",
      "09-28 11-02 11-30 01-04 01-25 03-01 03-29 05-03 05-31 -"
    ),
    ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22", "10-20 11-17 12-22 01-19 02-16 -"),
    ("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28", "10-29 11-28 12-29 01-29 02-26"),
    ("FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997-09-02", "09-15 10-02 10-15 11-02 11-15 12-02 12-15 01-02 01-15 -"),
    ("FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997-09-30", "10-01 10-31 11-01 11-30 12-01 12-31 01-01 01-31 02-01 -"),
    (
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997-09-10",
      "09-11 09-12 09-13 09-14 09-15 03-10 03-11 03-12 03-13 -"
    ),
    ("FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "1997-09-02", "09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 01-06"),
    ("FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "1997-06-10", "07-10 06-10 07-10 06-10 07-10 06-10 07-10 06-10 07-10 -"),
    (
      "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "1997-03-10",
      "01-10 02-10 03-10 01-10 02-10 03-10 01-10 02-10 03-10 -"
    ),
    (
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "1997-01-01",
      "04-10 07-19 01-01 04-09 07-18 01-01 04-10 07-19 01-01 -"
    ),
    ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "05-18 05-17"),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997-05-12", "05-11 05-17 05-15"),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03-13", "03-20 03-27 03-05 03-12 03-19 03-26"),
    ("FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "1997-06-05", "06-12 06-19 06-26 07-03"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02", "02-13 03-13 11-13 08-13 10-13"),
    ("FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997-09-13", "10-11 11-08 12-13 01-10 02-07 03-07"),
    ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05", "11-07 11-02"),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04", "10-07 11-06 -"),
    ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29", "10-30 11-27 12-30 01-29 02-26 03-30"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15", "01-30 02-15 03-15 03-30 -"),
    // What RFC 5545 says of days that do not exist, and weeks of the year before.
    ("FREQ=MONTHLY", "2026-01-31", "03-31 05-31 07-31 08-31"), ("FREQ=YEARLY", "2024-02-29", "02-29 02-29"),
    ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", "2024-01-01", "12-30 12-29 01-04"),
    ("FREQ=YEARLY;BYWEEKNO=-1", "2020-12-31", "12-30 12-29"),
    ("FREQ=YEARLY;BYYEARDAY=-1", "2026-12-31", "12-31 12-31"),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01", "-"),
    ("RRULE:freq=daily", "9999-12-30", "12-31 -"),
  ]

  @Test("rules name the days that RFC 5545 says they name", arguments: examples.indices)
  func days(index: Int) throws {
    let (text, first, expected) = Self.examples[index]
    let rule = try RecurrenceRule(text)
    let start = try #require(CalendarDay(first))
    var days: [String] = []
    var last: CalendarDay? = start
    for _ in expected.split(separator: " ") {
      last = last.flatMap { rule.day(after: $0, from: start) }
      days.append(last.map { String($0.description.dropFirst(5)) } ?? "-")
    }
    #expect(days.joined(separator: " ") == expected, "\(text)")
  }

  @Test("a part of a rule that is unknown, means nothing for days, or cannot be, is refused by its name")
  func refusals() {
    for (text, key, part) in [
      ("FREQ=HOURLY", "ruleWord", "HOURLY"), ("FREQ=WEEKY", "ruleWord", "WEEKY"), ("INTERVAL=2", "ruleMissing", "FREQ"),
      ("FREQ=", "ruleMissing", "FREQ"), ("FREQ=DAILY;BYHOUR=9", "badRule", "BYHOUR=9"),
      ("FREQ=DAILY;BYSECOND=1", "badRule", "BYSECOND=1"), ("FREQ=DAILY;RSCALE=CHINESE", "badRule", "RSCALE=CHINESE"),
      ("FREQ=DAILY;", "badRule", ";"), ("every day", "badRule", "every day"),
      ("FREQ=DAILY;INTERVAL=0", "ruleNumber", "0"), ("FREQ=DAILY;COUNT=2;UNTIL=20261231", "ruleClash", "COUNT;UNTIL"),
      ("FREQ=DAILY;FREQ=DAILY", "ruleClash", "FREQ=DAILY"), ("FREQ=WEEKLY;BYDAY=2MO", "ruleClash", "BYDAY"),
      ("FREQ=MONTHLY;BYDAY=XX", "ruleWord", "XX"), ("FREQ=WEEKLY;WKST=XX", "ruleWord", "XX"),
      ("FREQ=MONTHLY;BYWEEKNO=3", "ruleClash", "BYWEEKNO"), ("FREQ=WEEKLY;BYMONTHDAY=3", "ruleClash", "BYMONTHDAY"),
      ("FREQ=DAILY;UNTIL=20260230", "badRule", "UNTIL=20260230"), ("FREQ=MONTHLY;BYSETPOS=1", "ruleClash", "BYSETPOS"),
      ("FREQ=MONTHLY;BYMONTHDAY=32", "ruleNumber", "32"), ("FREQ=YEARLY;BYMONTH=-1", "ruleNumber", "-1"),
      ("FREQ=DAILY;UNTIL=20261231T9", "badRule", "UNTIL=20261231T9"),
      ("FREQ=MONTHLY;BYMONTHDAY=\(Int.min)", "ruleNumber", "\(Int.min)"),
      ("FREQ=MONTHLY;BYDAY=\(Int.min)MO", "ruleWord", "\(Int.min)MO"),
    ] {
      do throws(RPCError) {
        _ = try RecurrenceRule(text)
        Issue.record("\(text) is no rule")
      } catch {
        let arguments = error.text.arguments
        #expect(error.text.key == "projects.\(key)" && (arguments["part"] ?? arguments["found"]) == part, "\(text)")
      }
    }
  }

  @Test("a rule with a misspelled word is told which one it is, and what can stand in its place")
  func misspelled() async throws {
    let bench = try await ProjectBench()
    func message(_ rule: String) async throws -> String? {
      let card: JSONValue = ["title": "water", "deadline": "2026-11-28", "recurrence": ["rule": .string(rule)]]
      return try await bench.client.failure("projects/add", card)?.message
    }
    #expect(
      try await message("FREQ=WEEKY")?.contains("WEEKY is not supported; FREQ can be DAILY, WEEKLY, MONTHLY, YEARLY.")
        == true)
    #expect(try await message("INTERVAL=2")?.contains("FREQ is missing.") == true)
    #expect(
      try await message("FREQ=MONTHLY;BYMONTHDAY=32")?.contains(
        "BYMONTHDAY cannot be 32, only a number of 1…31, -31…-1.") == true)
    await bench.stop()
  }

  @Test("a card that is done comes again on its next day, with what it said, and one undo takes both back")
  func comesAgain() async throws {
    let bench = try await ProjectBench()
    try await bench.add("other", id: "b")
    let rule: JSONValue = ["rule": "FREQ=WEEKLY;BYDAY=SA,WE"]
    try await bench.add(
      "water", id: "a",
      ["deadline": "2026-11-21", "time": "18:00", "body": "all", "tags": ["home"], "priority": 3, "recurrence": rule])
    let done = try await bench.move("a", to: "done")
    #expect(done["completedAt"] != nil && done["recurrence"] == nil)
    #expect(done["display"]?["message"].text.hasPrefix("It recurs on Nov 25, 2026") == true)
    let next = try await bench.client.call("projects/list", ["state": "todo"]).items
    #expect(done["nextCard"] == next[1].id && next[1]["nextCard"] == nil)
    #expect(next.map { $0["title"].text } == ["other", "water"])
    let card = try await bench.get(next[1].id.text)
    #expect(card["deadline"] == "2026-11-25" && card["time"] == "18:00" && card["body"] == "all")
    #expect(card["tags"] == ["home"] && card["priority"] == 3 && card["recurrence"]?["rule"] == rule["rule"])
    #expect(card["startedAt"] == nil && card["completedAt"] == nil)
    // Opened and done once more it brings no second: it has passed the rule on.
    try await bench.move("a", to: "doing")
    try await bench.move("a", to: "done")
    #expect(try await bench.client.call("projects/board")["total"] == 3)
    for _ in 0..<3 { _ = try await bench.client.call("changes/undo") }
    #expect(try await bench.board() == ["todo": ["b", "a"], "doing": [], "done": []])
    #expect(try await bench.get("a")["recurrence"]?["rule"] == rule["rule"])
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.call("projects/board")["total"] == 3)
    await bench.stop()
  }

  @Test("the next card of one that is done anew is no removed one's namesake, but the same again where all was undone")
  func nextAnew() async throws {
    let bench = try await ProjectBench()
    let rule: JSONValue = ["rule": "FREQ=WEEKLY"]
    try await bench.add("water", id: "a", ["deadline": "2026-12-01", "recurrence": rule])
    let first = try #require(try await bench.move("a", to: "done")["nextCard"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.move("a", to: "done")["nextCard"] == first)
    _ = try await bench.client.call("projects/update", ["id": first, "body": "notes"])
    _ = try await bench.client.call("projects/remove", ["id": first])
    try await bench.move("a", to: "doing")
    _ = try await bench.client.call("projects/update", ["id": "a", "recurrence": rule])
    let next = try #require(try await bench.move("a", to: "done")["nextCard"])
    #expect(next != first && next != .null)
    #expect(try await bench.get(next.text)["deadline"] == "2026-12-08")
    await bench.stop()
  }

  @Test(
    "days that were missed are skipped or come one after another, and a card that is done early comes on the day after its own"
  )
  func missed() async throws {
    let bench = try await ProjectBench()
    func next(_ id: String, _ deadline: String, _ recurrence: JSONObject) async throws -> JSONValue? {
      var recurrence = recurrence
      if recurrence["rule"] == nil { recurrence["rule"] = "FREQ=DAILY" }
      try await bench.add(id, id: id, ["deadline": .string(deadline), "recurrence": .object(recurrence)])
      try await bench.move(id, to: "done")
      return try await bench.client.call("projects/list", ["state": "todo"]).items.first { $0["title"].text == id }?[
        "deadline"]
    }
    // A month after a month's last day is the next month's last, and a leap day's year is 28 February.
    let end = try #require(CalendarDay("2027-01-31"))
    #expect(try RecurrenceRule("FREQ=MONTHLY").span(after: end)?.description == "2027-02-28")
    #expect(try RecurrenceRule("FREQ=MONTHLY;BYMONTHDAY=31").span(after: end)?.description == "2027-03-31")
    let leap = try #require(CalendarDay("2028-02-29"))
    #expect(try RecurrenceRule("FREQ=YEARLY").span(after: leap)?.description == "2029-02-28")
    #expect(throws: RPCError.self) { try RecurrenceRule("FREQ=DAILY;INTERVAL=1,2") }
    // Today is the 21st.
    #expect(try await next("a", "2026-11-10", [:]) == "2026-11-21")
    #expect(try await next("b", "2026-11-10", ["missed": "pile"]) == "2026-11-11")
    #expect(try await next("c", "2026-11-10", ["from": "completion"]) == "2026-11-22")
    #expect(try await next("d", "2026-11-21", [:]) == "2026-11-22")
    #expect(try await next("e", "2026-12-01", [:]) == "2026-12-02")
    #expect(try await next("f", "2026-11-10", ["rule": "FREQ=DAILY;INTERVAL=3"]) == "2026-11-22")
    #expect(try await next("g", "2026-11-20", ["rule": "FREQ=DAILY;UNTIL=20261120"]) == nil)
    #expect(try await next("h", "2026-11-10", ["rule": "FREQ=DAILY;COUNT=1", "from": "completion"]) == nil)
    #expect(try await next("i", "2026-11-10", ["rule": "FREQ=DAILY;COUNT=2", "from": "completion", "done": 1]) == nil)
    #expect(try await next("j", "2026-11-20", ["rule": "FREQ=DAILY;COUNT=3", "start": "2026-11-19"]) == "2026-11-21")
    #expect(try await next("k", "2026-11-21", ["rule": "FREQ=DAILY;COUNT=3", "start": "2026-11-19"]) == nil)
    await bench.stop()
  }

  @Test("the count of finished cards ends no daemon: it stops at a million, and one beyond 2^53 is refused")
  func mostDone() async throws {
    let bench = try await ProjectBench()
    for done: Int64 in [1 << 60, .max] {
      let failure = try await bench.client.failure(
        "projects/add",
        ["title": "a", "recurrence": ["rule": "FREQ=DAILY", "from": "completion", "done": .integer(done)]])
      #expect(failure?.data?["field"] == "recurrence.done", "\(done)")
    }
    let recurrence: JSONObject = ["rule": "FREQ=DAILY", "from": "completion", "done": 1_000_007]
    try await bench.add("a", id: "a", ["recurrence": .object(recurrence)])
    try await bench.move("a", to: "done")
    let next = try await bench.client.call("projects/list", ["state": "todo"]).items.first
    #expect(next?["recurrence"]?["done"] == 1_000_000)
    // A file of ours that somebody has edited.
    let line = try await bench.client.call("projects/export", ["format": "jsonl", "inline": true])
    let text = try #require(
      line["data"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) })
    let edited = text.replacing("\"done\":1000000", with: "\"done\":9007199254740992")
    #expect(edited != text)
    let other = try await ProjectBench()
    _ = try await other.client.call(
      "projects/import", ["format": "jsonl", "data": .string(Data(edited.utf8).base64EncodedString())])
    let imported = try await other.client.call("projects/list", ["state": "todo"]).items
    for card in imported { try await other.move(card.id.text, to: "done") }
    #expect(try await other.client.call("session/ping") != nil)
    await other.stop()
    await bench.stop()
  }
}
