import Client
import TestSupport
import Testing
import Wire

@testable import Projects

@Suite("Projects: tags, and cards that wait for others") struct BlockingTests {
  @Test("a card is blocked while one of those that it waits for is open, and whoever shows it is told")
  func blocked() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client()
    for id in ["a", "b"] { try await bench.add(id, id: id) }
    let card = try await bench.add("c", id: "c", ["blockedBy": ["a", "b", "a"]])
    #expect(card["blockedBy"] == ["a", "b"] && card["blocked"] == true)
    #expect(try await bench.ids(["blocked": true]) == ["c"])
    try await bench.move("a", to: "done")
    #expect(try await bench.get("c")["blocked"] == true)
    try await bench.move("b", to: "done")
    #expect(try await bench.get("c")["blocked"] == false)
    #expect(try await bench.ids(["blocked": false, "isOpen": true]) == ["c"])
    _ = try await other.call("session/sync")
    let told = other.commits.flatMap { $0["changes"].list }.filter { $0.id == "c" && $0["fields"] == ["blocked"] }
    #expect(!told.isEmpty)
    // Being told is no change of the card: its own add can still be taken back.
    #expect(try await bench.get("c")["revision"] == card["revision"])
    await bench.stop()
  }

  @Test("whoever shows a card that waits is told when an undo or a redo blocks it or frees it, and of nothing else")
  func undone() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("changes/subscribe")
    try await bench.add("a", id: "a")
    let waiting = try await bench.add("b", id: "b", ["blockedBy": ["a"]])
    /// What the other client is told of the card that waits, by one call of the first.
    func told(_ method: String, _ params: JSONValue = [:]) async throws -> [JSONValue] {
      _ = try await other.call("session/sync")
      let before = other.commits.count
      _ = try await bench.client.call(method, params)
      _ = try await other.call("session/sync")
      return other.commits.dropFirst(before).flatMap { $0["changes"].list }.filter { $0.id == "b" }.map {
        $0["fields"] ?? .null
      }
    }
    #expect(try await told("projects/move", ["id": "a", "state": "done"]) == [["blocked"]])
    #expect(try await told("changes/undo") == [["blocked"]])
    #expect(try await bench.get("b")["blocked"] == true)
    #expect(try await told("changes/redo") == [["blocked"]])
    #expect(try await told("changes/undo") == [["blocked"]])
    #expect(try await told("projects/remove", ["id": "a"]) == [["blocked"]])
    #expect(try await told("changes/undo") == [["blocked"]])
    #expect(try await told("changes/redo") == [["blocked"]])
    #expect(try await told("changes/undo") == [["blocked"]])
    // Also where it comes back by hand, with the id that it had.
    #expect(try await told("projects/remove", ["id": "a"]) == [["blocked"]])
    #expect(try await told("projects/add", ["id": "a", "title": "a"]) == [["blocked"]])
    #expect(try await bench.get("b")["blocked"] == true)
    // Its title holds nobody up.
    #expect(try await told("projects/update", ["id": "a", "title": "changed"]) == [])
    #expect(try await told("changes/undo") == [])
    // Being told is no change of the card.
    #expect(try await bench.get("b")["revision"] == waiting["revision"])
    _ = try await bench.client.call("changes/undo", ["clock": waiting["clock"] ?? .null])
    #expect(try await bench.client.failure("projects/get", ["id": "b"])?.data?["kind"] == "notFound")
    await bench.stop()
  }

  @Test("which cards wait is asked once for a whole list, by who waits for whom, and not card by card")
  func askedOnce() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c", "d"] { try await bench.add(id, id: id, id == "d" ? ["blockedBy": ["b", "c"]] : [:]) }
    try await bench.move("b", to: "done")
    #expect(try await bench.ids(["blocked": true]) == ["d"])
    #expect(try await bench.ids(["blocked": false]) == ["a", "c", "b"])
    await bench.stop()
    let waiting = Readiness.waiting(for: CardLanes(of: CardBoards()).only(open: true)).sql
    for word in ["IN", "NOT IN"] {
      let plan = try queryPlan(
        of: "SELECT id FROM project WHERE id \(word) (\(waiting)) AND state = ? ORDER BY rank, id",
        in: bench.daemon.library)
      #expect(!plan.contains { $0.contains("CORRELATED") }, "\(plan)")
      let steps = plan.drop { !$0.contains("SUBQUERY") }
      #expect(steps.dropFirst().first?.contains("projectBlock") == true, "\(plan)")
    }
  }

  @Test("cards that would wait for each other are refused, and the error names the way round")
  func cycles() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Paint", id: "a")
    try await bench.add("Sand", id: "b", ["blockedBy": ["a"]])
    try await bench.add("Buy", id: "c", ["blockedBy": ["b"]])
    let failure = try await bench.client.failure("projects/update", ["id": "a", "blockedBy": ["c"]])
    #expect(failure?.data?["field"] == "blockedBy[0]" && failure?.data?["cycle"] == ["a", "c", "b", "a"])
    #expect(failure?.message.contains("Paint → Buy → Sand → Paint") == true)
    let itself = try await bench.client.failure("projects/update", ["id": "a", "blockedBy": ["a"]])
    #expect(itself?.data?["cycle"] == ["a", "a"])
    #expect(try await bench.refusal("projects/update", ["id": "a", "blockedBy": ["zz"]]) == "blockedBy[0]")
    #expect(try await bench.get("a")["blockedBy"] == [])
    await bench.stop()
  }

  @Test("J15 a removed card holds nobody up; undo brings it back to its place, and whom it held up")
  func removal() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    _ = try await bench.client.call("projects/update", ["id": "c", "blockedBy": ["b"]])
    #expect(try await bench.client.call("projects/remove", ["id": "b"])["removed"] == "b")
    let free = try await bench.get("c")
    #expect(free["blocked"] == false && free["blockedBy"] == [])
    // Another change of the card that waited does not stand in the way.
    _ = try await bench.daemon.client(name: "other").call("projects/update", ["id": "c", "title": "changed"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board()["todo"] == ["a", "b", "c"])
    let held = try await bench.get("c")
    #expect(held["blocked"] == true && held["blockedBy"] == ["b"] && held["title"] == "changed")
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.board()["todo"] == ["a", "c"])
    await bench.stop()
  }

  @Test("tags keep their letters and order, none twice, and are found in any case, width and composition")
  func tags() async throws {
    let bench = try await ProjectBench()
    let nfd = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"
    let card = try await bench.add("x", id: "a", ["tags": ["  Errands", "집", "Errands", .string(nfd)]])
    #expect(card["tags"] == ["Errands", "집", .string(nfd)])
    try await bench.add("y", id: "b", ["tags": ["errands"]])
    #expect(try await bench.ids(["tag": "ＥＲＲＡＮＤＳ"]) == ["a", "b"])
    #expect(try await bench.ids(["tag": "한국"]) == ["a"])
    #expect(try await bench.ids(["tag": "errand"]) == [])
    _ = try await bench.client.call("projects/update", ["id": "a", "tags": ["other"]])
    #expect(try await bench.ids(["tag": "errands"]) == ["b"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.ids(["tag": "errands"]) == ["a", "b"])
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    #expect(try await bench.ids(["tag": "errands"]) == ["b"])
    await bench.stop()
  }
}
