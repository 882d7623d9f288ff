import Client
import TestSupport
import Testing
import Wire

@Suite("Dry runs and reasons of writes") struct DryRunTests {
  private func clock(_ bench: ProjectBench) async throws -> JSONValue? {
    try await bench.client.call("session/sync")["clock"]
  }

  @Test("a dry run answers the result and the changes, and leaves no change, clock, notification or step for undo")
  func rollsBack() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Card", id: "a")
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("changes/subscribe")
    let before = try await clock(bench)
    let added = try await bench.client.call("projects/add", ["title": "Second", "id": "b", "dryRun": true])
    #expect(added["title"] == "Second" && added["changed"] == false && added["clock"] == before)
    #expect(added["dryRun"]?["changes"]?.arrayValue?.map { $0["id"] } == ["b"])
    #expect(added["dryRun"]?["changes"]?[0]?["kind"] == "added")
    let updated = try await bench.client.call("projects/update", ["id": "a", "title": "Changed", "dryRun": true])
    #expect(updated["dryRun"]?["changes"]?[0]?["fields"] == ["title"])
    let removed = try await bench.client.call("projects/remove", ["id": "a", "dryRun": true])
    #expect(removed["dryRun"]?["changes"]?[0]?["kind"] == "removed")
    #expect(try await clock(bench) == before)
    #expect(try await bench.get("a")["title"] == "Card")
    #expect(try await bench.client.failure("projects/get", ["id": "b"])?.data?["kind"] == "notFound")
    #expect(try await bench.client.call("search/query", ["text": "Second", "remember": false])["total"] == 0)
    _ = try await other.call("session/sync")
    #expect(other.commits.isEmpty)
    // The newest step is still the real one.
    #expect(try await bench.client.call("changes/undo", ["dryRun": true])["dryRun"]?["changes"]?[0]?["id"] == "a")
    #expect(try await bench.client.call("changes/undo")["items"]?[0]?["id"] == "a")
    await bench.stop()
  }

  @Test("a dry run that fails answers the error of the write, and a later write does what it would have done")
  func fails() async throws {
    let bench = try await ProjectBench()
    let failure = try await bench.client.failure("projects/update", ["id": "x", "title": "A", "dryRun": true])
    #expect(failure?.data?["kind"] == "notFound")
    // Both are pending at once, in this order.
    let dry = bench.client.send("projects/add", ["title": "A", "id": "a", "dryRun": true])
    let real = bench.client.send("projects/add", ["title": "B", "id": "a"])
    _ = try await dry.value()
    _ = try await real.value()
    #expect(try await bench.get("a")["title"] == "B")
    await bench.stop()
  }

  @Test("a long write has a dry run, and a method with a dry run of its own keeps it")
  func longWrite() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b"] { try await bench.add(id, id: id) }
    // A method of its own, whose dry run is its own too.
    let own = try await bench.client.call("projects/removeAll", ["dryRun": true])
    #expect(own["confirm"] != nil && own["dryRun"] == nil)
    let columns = try await bench.client.call("projects/columns", ["dryRun": true])
    #expect(columns["dryRun"]?["changes"] == [])
    await bench.stop()
  }

  @Test("a method that needs the network or a file refuses a dry run, and names the parameter")
  func refused() async throws {
    let bench = try await ProjectBench()
    for method in [
      "boards/refresh", "session/configure", "library/backup", "library/export", "library/exportItems", "diary/export",
      "projects/export", "documents/export", "documents/saveAttachment", "documents/render", "books/cover", "books/get",
      "search/query",
    ] {
      let failure = try await bench.client.failure(method, ["dryRun": true])
      #expect(failure?.data?["field"] == "dryRun" && failure?.data?["reason"] == "param.noDryRun", "\(method)")
    }
    let long = JSONValue.string(String(repeating: "a", count: 501))
    #expect(try await bench.client.failure("projects/add", ["title": "A", "reason": long])?.data?["field"] == "reason")
    await bench.stop()
  }

  @Test("the log shows the reason of a commit, and the commits of one client")
  func reasons() async throws {
    let bench = try await ProjectBench()
    let agent = try await bench.daemon.client(name: "agent/1")
    try await bench.add("Mine", id: "a")
    _ = try await agent.call("projects/add", ["title": "Theirs", "id": "b", "reason": "add: The talk was moved."])
    let log = try await bench.client.call("changes/log", ["client": "agent/1"])
    #expect(log["total"] == 1 && log.items.map { $0["reason"] } == ["add: The talk was moved."])
    #expect(try await bench.client.call("changes/log")["total"] == 2)
    #expect(try await bench.client.call("changes/log", ["client": "nobody"]).items.isEmpty)
    let page = try await bench.client.call("changes/log", ["limit": 1])
    #expect(page["next"] != nil && page.items.first?["client"] == "agent/1")
    await bench.stop()
  }
}
