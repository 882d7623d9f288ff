import Client
import TestSupport
import Testing
import Wire

/// There is no method that syncs. What there is, is enough for a program that does: see `FollowingStore`.
@Suite("Projects: a store elsewhere that follows a library") struct FollowingTests {
  private struct Pair {
    let first: ProjectBench
    let second: ProjectBench
    var follower: FollowingStore

    init() async throws {
      first = try await ProjectBench()
      second = try await ProjectBench(clock: first.daemon.clock)
      follower = FollowingStore(second.client)
    }

    /// What the first library shows and the second does not, or the other way; nothing where they are level.
    func difference() async throws -> [JSONValue] {
      let pictures = [
        try await FollowingStore.picture(of: first.client), try await FollowingStore.picture(of: second.client),
      ]
      if pictures[0] == pictures[1] { return [] }
      return pictures[0].filter { !pictures[1].contains($0) } + ["and"]
        + pictures[1].filter { !pictures[0].contains($0) }
    }

    func secondsClock() async throws -> Int64 { try await second.client.call("session/sync").clock }

    func stop() async {
      await first.stop()
      await second.stop()
    }
  }

  @Test(
    "J19 J22 another library is kept level by changes/since and the methods of the cards alone: what was added, edited, moved, removed, undone and came again, in the order kept by hand, also after a lost connection and from a reset"
  )
  func following() async throws {
    var pair = try await Pair()
    let first = pair.first
    for id in ["a", "b", "c", "d"] { try await first.add("card \(id)", id: id, ["body": .string("text of \(id)\n")]) }
    try await first.move("c", to: "todo", before: "a")
    try await first.move("d", to: "doing")
    // What was never seen begins with a reset.
    var isReset = try await pair.follower.catchUp(with: first.client)
    #expect(isReset)
    #expect(try await pair.difference() == [])
    #expect(try await pair.second.board() == ["todo": ["c", "a", "b"], "doing": ["d"], "done": []])

    // Edits, a column of one's own, moves between and inside columns, and whom they wait for.
    let columns: JSONValue = [
      ["state": "todo"], ["state": "doing"], ["state": "waiting", "title": "Waiting"], ["state": "done"],
    ]
    _ = try await first.client.call("projects/columns", ["columns": columns])
    _ = try await first.client.call(
      "projects/update",
      [
        "id": "a", "title": "장보기", "body": .null, "deadline": "2026-12-24", "time": "09:30", "tags": ["집", "+errands"],
        "priority": 2, "blockedBy": ["b", "d"],
      ])
    _ = try await first.client.call("projects/update", ["id": "b", "deadline": .null])
    try await first.move("a", to: "waiting")
    try await first.move("b", to: "waiting", before: "a")
    try await first.move("d", to: "todo", after: "c")
    isReset = try await pair.follower.catchUp(with: first.client)
    #expect(!isReset)
    #expect(try await pair.difference() == [])
    // Whoever waited for whom, it is now the other way round.
    _ = try await first.client.call("projects/update", ["id": "a", "blockedBy": []])
    _ = try await first.client.call("projects/update", ["id": "b", "blockedBy": ["a"]])
    try await pair.follower.catchUp(with: first.client)
    #expect(try await pair.difference() == [])

    // A recurring card brings its next one once, not once in each library; and an undo takes both back.
    try await first.add("water", id: "w", ["deadline": "2026-11-19", "recurrence": ["rule": "FREQ=WEEKLY"]])
    try await pair.follower.catchUp(with: first.client)
    try await first.move("w", to: "done")
    try await pair.follower.catchUp(with: first.client)
    #expect(try await pair.difference() == [])
    #expect(try await pair.second.ids().count == 6)
    _ = try await first.client.call("changes/undo")
    try await pair.follower.catchUp(with: first.client)
    #expect(try await pair.difference() == [])
    #expect(try await pair.second.get("w")["recurrence"]?["rule"] == "FREQ=WEEKLY")

    // The connection is lost, and the follower with it; all that is left are an epoch and a clock.
    let line = try await first.daemon.client(name: "follower")
    try await pair.follower.catchUp(with: line)
    await line.close()
    _ = try await first.client.call("projects/remove", ["id": "c"])
    for id in ["e", "f", "g"] { try await first.add("card \(id)", id: id) }
    try await first.move("g", to: "todo", before: "e")
    _ = try await first.client.call("projects/remove", ["id": "b"])
    _ = try await first.client.call("changes/undo")
    try await first.move("w", to: "done")
    let before = pair.follower.clock
    let again = try await first.daemon.client(name: "follower")
    // Commit by commit: what comes in small parts is the same in the end.
    isReset = try await pair.follower.catchUp(with: again, limit: 1)
    #expect(!isReset)
    #expect(try await pair.difference() == [])

    // What came twice, since nobody knows whether it had come, changes nothing.
    let level = try await pair.secondsClock()
    pair.follower.clock = before
    try await pair.follower.catchUp(with: again)
    #expect(try await pair.secondsClock() == level)

    // One that remembers nothing, or a clock of a library from before it was restored, begins with everything.
    pair.follower = FollowingStore(pair.second.client)
    isReset = try await pair.follower.catchUp(with: again)
    #expect(isReset)
    #expect(try await pair.secondsClock() == level)
    pair.follower.epoch = "another"
    for id in ["a", "b"] { try await first.move(id, to: "todo", before: "g") }
    _ = try await first.client.call(
      "projects/columns", ["columns": [["state": "doing"], ["state": "todo"], ["state": "done"]]])
    _ = try await first.client.call("projects/remove", ["id": "e"])
    isReset = try await pair.follower.catchUp(with: again)
    #expect(isReset)
    #expect(try await pair.difference() == [])
    await pair.stop()
  }

  @Test(
    "J19 J22 after each of many changes at random the library that follows shows the same cards in the same order, however many it takes over at once"
  )
  func atRandom() async throws {
    var pair = try await Pair()
    let (client, names) = (pair.first.client, (0..<10).map { "p\($0)" })
    var random = SplitMix(state: 19)
    func any(_ choices: [String]) -> JSONValue { .string(choices[random.next(choices.count)]) }
    var done = 0
    for step in 0..<160 {
      let id = any(names)
      let call: (method: String, params: JSONObject) =
        switch random.next(8) {
        case 0, 1: ("projects/add", ["id": id, "title": .string("card \(step)")])
        case 2: ("projects/update", ["id": id, "title": .string("title \(step)"), "tags": [any(["x", "y", "z"])]])
        case 3: ("projects/update", ["id": id, "blockedBy": .array([any(names)])])
        case 4: ("projects/remove", ["id": id])
        case 5: ("changes/undo", [:])
        case 6: ("projects/update", ["id": id, "recurrence": ["rule": "FREQ=DAILY"]])
        default:
          ("projects/move", ["id": id, "state": any(["todo", "doing", "done"]), "after": any(names)])
        }
      var params = call.params
      // Half of the moves go to the end.
      if call.method == "projects/move", random.next(2) == 0 { params["after"] = nil }
      // What is refused, as a move behind a card that is not there, has changed nothing.
      if try await client.failure(call.method, .object(params)) == nil { done += 1 }
      guard random.next(3) == 0 else { continue }
      try await pair.follower.catchUp(with: client, limit: 1 + random.next(5))
      let difference = try await pair.difference()
      #expect(difference == [], "step \(step)")
      if !difference.isEmpty { break }
    }
    #expect(done > 40)
    await pair.stop()
  }
}
