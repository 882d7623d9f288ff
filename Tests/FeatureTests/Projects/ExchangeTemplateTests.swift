import Client
import TestSupport
import Testing
import Wire

@testable import Projects
@testable import System

/// Recurring tasks of Taskwarrior: a template, and the tasks that were made from it.
@Suite("Projects: Taskwarrior's templates") struct ExchangeTemplateTests {
  private static let template =
    #"{"id":1,"description":"Water","due":"20261107T150000Z","entry":"20261101T000000Z","mask":"+-","recur":"weekly","status":"recurring","uuid":"10000000-0000-0000-0000-000000000000","urgency":1}"#

  private static func child(_ number: Int, _ day: String, _ status: String, _ more: String = "") -> String {
    #"{"description":"Water","due":"202611\#(day)T150000Z","entry":"20261101T000000Z","imask":\#(number),"parent":"10000000-0000-0000-0000-000000000000","recur":"weekly","status":"\#(status)","uuid":"2000000\#(number)-0000-0000-0000-000000000000"\#(more)}"#
  }

  private static let other = #"{"description":"Sow","status":"pending","uuid":"30000000-0000-0000-0000-000000000000"}"#

  private static func file(_ tasks: String...) -> String { "[\n" + tasks.joined(separator: ",\n") + "\n]\n" }

  private static let usual = file(template, other, child(0, "07", "completed"), child(1, "14", "pending"))

  @Test("the last open task comes again as its template says, which is no card; all goes back as it was")
  func back() async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(Self.usual, as: "taskwarrior")
    #expect(report["added"] == 3 && report["skipped"] == 0 && report["notes"].list.isEmpty, "\(report)")
    let cards = try await bench.cards().filter { $0["title"] == "Water" }
    #expect(cards.map { $0["recurrence"]?["rule"]?.stringValue }.contains("FREQ=WEEKLY") && cards.count == 2)
    #expect(cards.first { $0["state"] == "done" }?["recurrence"] ?? .null == .null)
    #expect(try await bench.export("taskwarrior") == Self.usual)
    #expect(try await bench.take(Self.usual, as: "taskwarrior")["changed"] == false)
    // The urgency of the template is counted anew each day, and its mask is kept as it is now.
    let later = Self.usual.replacing(#""urgency":1}"#, with: #""urgency":2}"#)
    #expect(try await bench.take(later, as: "taskwarrior")["changed"] == false)
    // Our own lines carry it on.
    let second = try await ExchangeBench()
    _ = try await second.take(bench.export("jsonl"))
    #expect(try await second.export("taskwarrior") == Self.usual)
    await bench.stop()
    await second.stop()
  }

  @Test("a card that came again here goes out as the template's next task, so that Taskwarrior makes no second")
  func next() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.usual, as: "taskwarrior")
    let card = try #require(try await bench.cards().first { $0["title"] == "Water" && $0["state"] == "todo" })
    #expect(card["deadline"] == "2026-11-15")
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["title"] == "Water" && $0["state"] == "todo" })
    #expect(next["deadline"] == "2026-11-22")
    let file = try await bench.export("taskwarrior")
    let tasks = try JSONParser.parse(file).arrayValue ?? []
    #expect(tasks.first { $0["status"] == "recurring" }?["mask"] == "++-", "\(file)")
    let exported = try #require(tasks.first { $0["uuid"] == next.id })
    #expect(exported["imask"] == 2 && exported["parent"] == "10000000-0000-0000-0000-000000000000", "\(file)")
    #expect(exported["status"] == "pending" && exported["due"] == "20261121T150000Z")
    #expect(tasks.filter { $0["imask"] == 1 }.map { $0["status"] } == ["completed"])
    #expect(try await bench.take(file, as: "taskwarrior")["added"] == 0)
    #expect(try await bench.cards().count == 4)
    await bench.stop()
  }

  @Test("weeks that were skipped here have their numbers too")
  func skipped() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.usual, as: "taskwarrior")
    let card = try #require(try await bench.cards().first { $0["title"] == "Water" && $0["state"] == "todo" })
    bench.bench.daemon.clock.advance(milliseconds: 17 * 86_400_000)
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["title"] == "Water" && $0["state"] == "todo" })
    #expect(next["deadline"] == "2026-12-13")
    let tasks = try JSONParser.parse(try await bench.export("taskwarrior")).arrayValue ?? []
    #expect(tasks.first { $0["uuid"] == next.id }?["imask"] == 5)
    #expect(tasks.first { $0["status"] == "recurring" }?["mask"] == "++----")
    await bench.stop()
  }

  @Test("when Taskwarrior has made the next task, that one comes again and the one before does not")
  func madeThere() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.usual, as: "taskwarrior")
    let later = Self.file(
      Self.template.replacing("+-", with: "+--"), Self.other, Self.child(0, "07", "completed"),
      Self.child(1, "14", "pending"), Self.child(2, "21", "pending"))
    let report = try await bench.take(later, as: "taskwarrior")
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let rules = try await bench.cards().filter { $0["title"] == "Water" && $0["state"] == "todo" }.map { card in
      "\(card["deadline"].text) \(card["recurrence"]?["rule"]?.stringValue ?? "-")"
    }
    #expect(Set(rules) == ["2026-11-15 -", "2026-11-22 FREQ=WEEKLY"])
    #expect(try await bench.export("taskwarrior") == later)
    await bench.stop()
  }

  @Test("a template that nothing was made from is a card itself; one with only finished tasks is named and kept")
  func alone() async throws {
    let bench = try await ExchangeBench()
    let file = Self.file(Self.template)
    #expect(try await bench.take(file, as: "taskwarrior")["added"] == 1)
    let card = try #require(try await bench.card("Water"))
    // Of the two that were made, the first is done.
    #expect(card["recurrence"]?["rule"] == "FREQ=WEEKLY" && card["deadline"] == "2026-11-15")
    #expect(try await bench.export("taskwarrior") == file)
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "doing"])
    #expect(try await bench.export("taskwarrior").contains(#""status":"recurring""#))
    await bench.stop()

    let done = try await ExchangeBench()
    let finished = Self.file(Self.template, Self.child(0, "07", "completed"))
    let report = try await done.take(finished, as: "taskwarrior")
    #expect(report["added"] == 1 && report["notes"].list.map { $0["reason"] } == ["template"])
    #expect(try await done.export("taskwarrior") == finished)
    await done.stop()
  }

  @Test(
    "Taskwarrior's periods are rules; what means nothing in whole days is told and goes back",
    arguments: [
      ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("weekly", "FREQ=WEEKLY"),
      ("2wks", "FREQ=WEEKLY;INTERVAL=2"), ("3 days", "FREQ=DAILY;INTERVAL=3"), ("fortnight", "FREQ=WEEKLY;INTERVAL=2"),
      ("monthly", "FREQ=MONTHLY"), ("P1M", "FREQ=MONTHLY"), ("2q", "FREQ=MONTHLY;INTERVAL=6"),
      ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("yearly", "FREQ=YEARLY"), ("biannual", "FREQ=YEARLY;INTERVAL=2"),
      ("PT2H", nil), ("hourly", nil), ("", nil),
    ])
  func periods(period: String, rule: String?) {
    #expect(TaskwarriorFamilies.rule(of: ["recur": .string(period)]) == rule)
  }

  @Test("until when it recurs is a part of the rule")
  func until() {
    let template: JSONObject = ["recur": "weekly", "until": "20271231T000000Z"]
    #expect(TaskwarriorFamilies.rule(of: template) == "FREQ=WEEKLY;UNTIL=20271231")
  }
}
