import Client
import TestSupport
import Testing
import Wire

@Suite("Projects: lanes across the columns") struct BoardLaneTests {
  private static func lanes(_ key: String, _ client: Client) async throws -> [String] {
    let board = try await client.call("projects/board", ["lanes": .string(key), "limit": 0])
    return board["lanes"].list.map { "\($0["lane"]?.stringValue ?? "–"): \($0["count"] ?? .null)" }
  }

  private static func titles(_ key: String, _ lane: String?, _ client: Client) async throws -> [String] {
    var params: JSONObject = ["lanes": .string(key)]
    if let lane { params["lane"] = .string(lane) }
    return try await client.call("projects/list", .object(params)).items.map { $0["title"].text }
  }

  @Test("a board's cards are grouped by tag, priority, parent or week, and each lane is listed column by column")
  func lanes() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    let cards: [JSONObject] = [
      ["id": "trip", "title": "Trip", "tags": ["Travel", "home"], "priority": 1, "deadline": "2026-11-22"],
      ["id": "pack", "title": "Pack", "tags": ["travel"], "parent": "trip", "deadline": "2026-11-23"],
      ["id": "buy", "title": "Buy", "priority": 1, "parent": "trip", "deadline": "2026-11-29"],
      ["id": "call", "title": "Call", "priority": 5, "deadline": nil],
    ]
    for card in cards { _ = try await client.call("projects/add", .object(card)) }
    _ = try await client.call("projects/move", ["id": "pack", "state": "doing"])
    #expect(try await client.call("projects/board")["lanes"] == nil)
    #expect(try await Self.lanes("tag", client) == ["home: 1", "travel: 2", "–: 2"])
    #expect(try await Self.lanes("priority", client) == ["1: 2", "5: 1", "–: 1"])
    #expect(try await Self.lanes("parent", client) == ["trip: 2", "–: 2"])
    // A week ends with its Sunday.
    #expect(try await Self.lanes("week", client) == ["2026-11-16: 1", "2026-11-23: 2", "–: 1"])
    let parents = try await client.call("projects/board", ["lanes": "parent"])["lanes"].list
    #expect(parents.first?["title"] == "Trip" && parents.last?["title"] == nil)

    #expect(try await Self.titles("tag", "travel", client) == ["Trip", "Pack"])
    #expect(try await Self.titles("tag", "TRAVEL", client) == ["Trip", "Pack"])
    #expect(Set(try await Self.titles("tag", nil, client)) == ["Buy", "Call"])
    #expect(Set(try await Self.titles("priority", "1", client)) == ["Trip", "Buy"])
    #expect(try await Self.titles("priority", nil, client) == ["Pack"])
    #expect(try await Self.titles("parent", "trip", client) == ["Buy", "Pack"])
    #expect(Set(try await Self.titles("week", "2026-11-23", client)) == ["Buy", "Pack"])
    #expect(try await Self.titles("week", nil, client) == ["Call"])
    let cell = try await client.call("projects/list", ["lanes": "tag", "lane": "travel", "state": "doing"])
    #expect(cell.items.map { $0["title"] } == ["Pack"] && cell["total"] == 1)
    let error = try await client.failure("projects/list", ["lane": "1"])
    #expect(error?.data?["field"] == "lanes", "\(error as Any)")
    await daemon.stop()
  }
}
