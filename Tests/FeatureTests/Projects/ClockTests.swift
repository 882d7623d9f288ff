import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: time spent") struct ClockTests {
  private static let minute: Int64 = 60_000

  @Test("one clock runs at a time, its minutes are added when it stops or the card is finished, and undone")
  func clock() async throws {
    let clock = TestClock()
    let bench = try await ProjectBench(clock: clock)
    for id in ["a", "b"] { try await bench.add(id, id: id) }
    let started = try await bench.client.call("projects/clock", ["id": "a"])
    #expect(started["clockedSince"] == "2026-11-21T03:04:05.678Z" && started["spent"] == nil)
    #expect(started["display"]?["badges"] == ["clock running"])
    clock.advance(milliseconds: 65 * Self.minute)
    #expect(try await bench.client.call("projects/clock", ["id": "a"])["changed"] == false)
    _ = try await bench.client.call("projects/clock", ["id": "b"])
    let stopped = try await bench.get("a")
    #expect(stopped["spent"] == 65 && stopped["clockedSince"] == nil && stopped["display"]?["badges"] == ["1:05 h"])
    clock.advance(milliseconds: 10 * Self.minute)
    let done = try await bench.move("b", to: "done")
    #expect(done["spent"] == 10 && done["clockedSince"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get("b")["clockedSince"] != nil)
    clock.advance(milliseconds: 20 * Self.minute)
    #expect(try await bench.client.call("projects/clock", ["id": "b", "stop": true])["spent"] == 30)
    #expect(try await bench.client.call("projects/clock", ["id": "b", "stop": true])["changed"] == false)
    _ = try await bench.client.call("projects/update", ["id": "b", "spent": 45])
    #expect(try await bench.get("b")["spent"] == 45)
    #expect(try await bench.refusal("projects/update", ["id": "b", "spent": -1]) == "spent")
    await bench.stop()
  }

  @Test("the next card of a series has no time spent")
  func series() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a", ["deadline": "2026-11-21", "spent": 12, "recurrence": ["rule": "FREQ=DAILY"]])
    let next = try #require(try await bench.move("a", to: "done")["nextCard"]?.stringValue)
    #expect(try await bench.get(next)["spent"] == nil)
    #expect(try await bench.get("a")["spent"] == 12)
    await bench.stop()
  }

  @Test(
    "the time spent comes back from every format into another library",
    arguments: ["jsonl", "ics", "todotxt", "markdown", "taskwarrior"])
  func formats(format: String) async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a", ["spent": 65])
    let export = try await bench.client.call("projects/export", ["format": .string(format), "inline": true])
    let other = try await ProjectBench()
    _ = try await other.client.call("projects/import", ["data": export["data"] ?? .null, "format": .string(format)])
    #expect(try await other.client.call("projects/list").items.map { $0["spent"] } == [65])
    await bench.stop()
    await other.stop()
  }
}
