import Client
import Contract
import Kit
import Store
import TestSupport
import Testing
import Wire

@Suite("Rows of another device") struct SharedLimitsTests {
  @Test("a value that no write here may have is refused from another device too, in a new item and in one that is here")
  func limits() async throws {
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    _ = try await client.call("projects/add", ["id": "here", "title": "Plants"])
    let services = daemon.daemon.services
    let rows = try #require(services.library.collection("projects")).sharing
    func put(_ id: String, _ values: JSONObject) async throws {
      try await services.library.write(as: FeatureCaller.daemon(services), label: "sync/run") { transaction in
        let times = ItemTimes(created: transaction.now, updated: transaction.now)
        try rows.put(id, values, times, transaction)
      }
    }
    let long = JSONValue.string(String(repeating: "a", count: 2_000_000))
    for id in ["new", "here"] {
      for values: JSONObject in [["title": ""], ["title": long], ["title": "Tea", "priority": 99]] {
        await #expect(throws: (any Error).self, "\(id) \(values.keys)") { try await put(id, values) }
      }
    }
    #expect(try await client.failure("projects/get", ["id": "new"])?.kind == "notFound")
    #expect(try await client.call("projects/get", ["id": "here"])["title"] == "Plants")
    try await put("new", ["title": "Tea", "priority": 1])
    #expect(try await client.call("projects/get", ["id": "new"])["title"] == "Tea")
    await daemon.stop()
  }
}
