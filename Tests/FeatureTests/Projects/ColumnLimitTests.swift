import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: limits of columns") struct ColumnLimitTests {
  private static let limited: JSONValue = [
    "columns": [["state": "todo"], ["state": "doing", "limit": 2], ["state": "done"]]
  ]

  private func limits(_ bench: ProjectBench) async throws -> [JSONValue?] {
    try await bench.client.call("projects/board")["columns"].list.map { $0["limit"] }
  }

  @Test("a column above its limit takes a card and says so; the limit stays until it is changed, and is undone")
  func limit() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    _ = try await bench.client.call("projects/columns", Self.limited)
    #expect(try await limits(bench) == [nil, 2, nil])
    for id in ["a", "b"] {
      #expect(try await bench.move(id, to: "doing")["display"]?["message"] == nil)
    }
    let moved = try await bench.move("c", to: "doing")
    #expect(moved["state"] == "doing")
    #expect(moved["display"]?["message"] == "“DOING” has 3 cards now, and its limit is 2.")
    // A place of its own in the same column is no news.
    #expect(try await bench.move("c", to: "doing", before: "a")["display"]?["message"] == nil)
    // A client that knows no limits changes none.
    _ = try await bench.client.call(
      "projects/columns",
      ["columns": [["state": "todo"], ["state": "doing", "title": "NOW"], ["state": "done"]]])
    #expect(try await limits(bench) == [nil, 2, nil])
    _ = try await bench.client.call(
      "projects/columns", ["columns": [["state": "todo"], ["state": "doing", "limit": 0], ["state": "done"]]])
    #expect(try await limits(bench) == [nil, nil, nil])
    _ = try await bench.client.call("changes/undo")
    #expect(try await limits(bench) == [nil, 2, nil])
    #expect(
      try await bench.refusal("projects/columns", ["columns": [["state": "todo", "limit": 1_001]]])
        == "columns[0].limit")
    await bench.stop()
  }

  @Test("limits come back from every format into another library", arguments: ["jsonl", "ics", "todotxt", "markdown"])
  func formats(format: String) async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    _ = try await bench.client.call("projects/columns", Self.limited)
    let export = try await bench.client.call("projects/export", ["format": .string(format), "inline": true])
    let other = try await ProjectBench()
    _ = try await other.client.call(
      "projects/import", ["data": export["data"] ?? .null, "format": .string(format)])
    #expect(try await limits(other) == [nil, 2, nil])
    await bench.stop()
    await other.stop()
  }
}
