import Features
import TestSupport
import Testing
import Wire

@Suite struct SmokeTests {
  @Test("what one client writes is told to another, undone, and found again after a restart")
  func writeTellUndoRestart() async throws {
    let features = AllFeatures.features + [ToyFeature.feature]
    let first = try await TestDaemon(features: features)
    let writer = try await first.client(name: "writer")
    let other = try await first.client(name: "other")
    let toy = try await writer.call("toys/add", ["title": "A top"])
    let id = try #require(toy["id"])
    #expect(toy["clock"] == 1)
    _ = try await other.call("session/sync")
    #expect(
      other.received.contains {
        if case .single(.notification("changes/didCommit", let params)) = $0 { params["clock"] == 1 } else { false }
      })
    let updated = try await other.call("toys/update", ["id": id, "title": "A better top"])
    #expect(updated["revision"] == 2)
    let undone = try await other.call("changes/undo")
    #expect(undone["clock"] == 3)
    #expect(try await writer.call("toys/get", ["id": id])["title"] == "A top")
    await first.stop()

    let second = try await TestDaemon(features: features, in: first.folder)
    let reader = try await second.client()
    #expect(try await reader.call("toys/get", ["id": id])["title"] == "A top")
    let missed = try await reader.call("changes/since", ["clock": 1])
    #expect(missed["changes"]?[0]?["kind"] == "updated")
    await second.stop()
  }
}
