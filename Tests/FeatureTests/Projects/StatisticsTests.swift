import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026, 03:04 UTC.
@Suite("Projects: statistics and dated notes") struct StatisticsTests {
  private static let day: Int64 = 86_400_000

  /// `2026-11-21 +2 -1 =1`, for each period.
  private func periods(_ bench: ProjectBench, _ params: JSONValue) async throws -> [String] {
    try await bench.client.call("projects/statistics", params).items.map { period in
      let counts = ["added", "finished", "open"].map { period[$0]?.integerValue ?? -1 }
      return "\(period["from"].text) +\(counts[0]) -\(counts[1]) =\(counts[2])"
    }
  }

  @Test("periods count what was added and finished in them and was open at their end, on one board or on all")
  func counts() async throws {
    let clock = TestClock()
    let bench = try await ProjectBench(clock: clock)
    try await bench.addBoard("Garden", id: "g")
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    clock.advance(milliseconds: Self.day)
    try await bench.move("a", to: "done")
    try await bench.add("d", id: "d", ["board": "g"])
    clock.advance(milliseconds: Self.day)
    try await bench.move("b", to: "done")
    try await bench.move("d", to: "done")
    #expect(
      try await periods(bench, ["by": "day", "from": "2026-11-20"]) == [
        "2026-11-20 +0 -0 =0", "2026-11-21 +3 -0 =3", "2026-11-22 +1 -1 =3", "2026-11-23 +0 -2 =1",
      ])
    #expect(
      try await periods(bench, ["by": "day", "from": "2026-11-23", "board": "Garden"]) == ["2026-11-23 +0 -1 =0"])
    // A week begins on Monday, and the last of them is that of today.
    let weeks = try await periods(bench, [:])
    #expect(weeks.count == 12 && weeks.suffix(2) == ["2026-11-16 +4 -1 =3", "2026-11-23 +0 -2 =1"])
    #expect(
      try await periods(bench, ["by": "month", "from": "2026-10-31"]) == [
        "2026-10-01 +0 -0 =0", "2026-11-01 +4 -3 =1",
      ])
    let whole = try await bench.client.call("projects/statistics", ["by": "month", "from": "2026-11-01"])
    #expect(whole["added"] == 4 && whole["finished"] == 3 && whole["medianDays"] == 1)
    #expect(whole.items[0]["to"] == "2026-11-30")
    #expect(whole.items[0]["display"]?["progress"] == "4 added, 3 finished, 1 open")
    // A card that is reopened was not finished.
    try await bench.move("a", to: "todo")
    #expect(try await periods(bench, ["by": "month", "from": "2026-11-01"]) == ["2026-11-01 +4 -2 =2"])
    #expect(try await bench.client.call("projects/statistics", ["by": "day", "from": "2026-11-23"])["medianDays"] == 1)
    for params in [
      ["from": "2026-12-24", "to": "2026-11-21"], ["by": "day", "from": "2020-01-01"],
    ] as [JSONValue] {
      #expect(try await bench.refusal("projects/statistics", params) == "from")
    }
    await bench.stop()
  }

  @Test("a note goes to the end of a card with its day and time, is found, exported as an annotation, and undone")
  func notes() async throws {
    let bench = try await ProjectBench(timeZone: "Asia/Seoul")
    try await bench.add("Call Ann", id: "a", ["body": "About the book."])
    let noted = try await bench.client.call("projects/append", ["id": "a", "text": "Nobody there."])
    #expect(noted["body"] == "About the book.\n2026-11-21 12:04 Nobody there.")
    let plain = try await bench.client.call("projects/append", ["id": "a", "text": "- again", "dated": false])
    #expect(plain["body"] == "About the book.\n2026-11-21 12:04 Nobody there.\n- again")
    #expect(try await bench.ids(["query": "nobody"]) == ["a"])
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get("a")["body"] == "About the book.")
    // A card of Taskwarrior gets one more annotation, and keeps those that it had.
    let task =
      #"[{"uuid":"8f0f3a44-6c3b-4b0c-9a5e-0d3b1f2c4d5e","description":"Rent","status":"pending","entry":"20261101T000000Z","#
      + #""annotations":[{"entry":"20261102T000000Z","description":"By bank"}]}]"#
    _ = try await bench.client.call(
      "projects/import", ["data": .string(Data(task.utf8).base64EncodedString()), "format": "taskwarrior"])
    let rent = try #require(try await bench.client.call("projects/list", ["query": "rent"]).items.first)
    _ = try await bench.client.call("projects/append", ["id": rent.id, "text": "Paid"])
    let export = try await bench.client.call("projects/export", ["format": "taskwarrior", "inline": true])
    let tasks = try JSONParser.parse(
      String(decoding: try #require(Data(base64Encoded: export["data"].text)), as: UTF8.self))
    let exported = try #require(tasks.arrayValue?.first { $0["description"] == "Rent" })
    #expect(
      exported["annotations"].list.map { $0["description"] } == ["By bank", "2026-11-21 12:04 Paid"], "\(exported)")
    #expect(exported["annotations"].list.first?["entry"] == "20261102T000000Z")
    await bench.stop()
  }
}
