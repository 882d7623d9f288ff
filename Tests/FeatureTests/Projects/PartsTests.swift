import Client
import TestSupport
import Testing
import Wire

/// Sub-tasks, which are cards, and steps, which are none.
@Suite("Projects: sub-tasks and steps") struct PartsTests {
  private static func library() async throws -> ProjectBench {
    let bench = try await ProjectBench()
    try await bench.add("Move house", id: "house")
    try await bench.add("Pack", id: "pack", ["parent": "house"])
    try await bench.add("Books", id: "books", ["parent": "pack"])
    try await bench.add("Call the movers", id: "call", ["parent": "house"])
    return bench
  }

  @Test("a card counts the parts that are done, on any board, and a list has the parts of one card")
  func counts() async throws {
    let bench = try await Self.library()
    try await bench.addBoard("Phone", id: "phone")
    _ = try await bench.client.call("projects/move", ["id": "call", "board": "phone"])
    #expect(try await bench.get("house")["children"] == ["done": 0, "of": 2])
    try await bench.move("call", to: "done")
    let house = try await bench.get("house")
    #expect(house["children"] == ["done": 1, "of": 2] && house["parent"] == nil)
    #expect(house["display"]?["badges"] == ["1 of 2 sub-tasks"])
    let books = try await bench.get("books")
    #expect(books["parent"] == "pack" && books["display"]?["parent"] == "Pack" && books["children"] == nil)
    #expect(try await bench.ids(["parent": "house"]) == ["pack", "call"])
    #expect(try await bench.ids(["parent": "house", "isOpen": true]) == ["pack"])
    #expect(try await bench.ids(["parent": "house", "board": "phone"]) == ["call"])
    #expect(try await bench.ids(["parent": "books"]) == [])
    let column = try await bench.client.call("projects/board")["columns"].list[0]["items"].list
    #expect(column.map { $0["children"] } == [["done": 1, "of": 2], ["done": 0, "of": 1], nil])
    _ = try await bench.client.call("projects/update", ["id": "books", "parent": .null])
    #expect(try await bench.get("pack")["children"] == nil)
    await bench.stop()
  }

  @Test("a card cannot be a part of itself, of one of its parts, or of a card that does not exist")
  func cycles() async throws {
    let bench = try await Self.library()
    for parent in ["house", "pack", "books"] {
      let failure = try await bench.client.failure(
        "projects/update", ["id": "house", "parent": .string(parent), "title": "other"])
      #expect(failure?.data?["field"] == "parent", "\(parent)")
    }
    let failure = try await bench.client.failure("projects/update", ["id": "house", "parent": "books"])
    #expect(
      failure?.message
        == "“parent”: the card would be a part of itself: Move house → Books → Pack → Move house.")
    #expect(try await bench.refusal("projects/add", ["title": "x", "parent": "nothing"]) == "parent")
    #expect(try await bench.get("house")["title"] == "Move house")
    await bench.stop()
  }

  @Test("parts stay when their card is removed, and undo makes them its parts again")
  func removal() async throws {
    let bench = try await Self.library()
    _ = try await bench.client.call("projects/remove", ["id": "house"])
    #expect(try await bench.get("pack")["parent"] == nil)
    // A part can still be changed, and is not moved to another card by that.
    _ = try await bench.client.call("projects/update", ["id": "call", "title": "Call"])
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.ids(["parent": "house"]) == ["pack", "call"])
    #expect(try await bench.get("house")["children"] == ["done": 0, "of": 2])
    await bench.stop()
  }

  @Test("clients are told of a card whose parts have changed, by undo too")
  func notifications() async throws {
    let bench = try await Self.library()
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("changes/subscribe")
    /// The cards that another client is told of.
    func told(_ body: () async throws -> Void) async throws -> Set<String> {
      _ = try await other.call("session/sync")
      let before = other.commits.count
      try await body()
      _ = try await other.call("session/sync")
      return Set(other.commits.dropFirst(before).flatMap { $0["changes"].list }.map { $0.id.text })
    }
    let client = bench.client
    #expect(try await told { try await bench.move("call", to: "done") } == ["call", "house"])
    #expect(try await told { _ = try await client.call("changes/undo") } == ["call", "house"])
    #expect(
      try await told { _ = try await client.call("projects/update", ["id": "call", "parent": "pack"]) }
        == ["call", "house", "pack"])
    #expect(try await told { _ = try await client.call("changes/undo") } == ["call", "house", "pack"])
    #expect(try await told { try await bench.add("Van", id: "van", ["parent": "house"]) } == ["van", "house"])
    #expect(try await told { _ = try await client.call("changes/undo") } == ["van", "house"])
    #expect(
      try await told { _ = try await client.call("projects/remove", ["id": "pack"]) } == ["pack", "house", "books"])
    await bench.stop()
  }

  @Test("finishing a card whose parts are open says which, and leaves them as they are")
  func finishing() async throws {
    let bench = try await Self.library()
    try await bench.move("call", to: "done")
    let moved = try await bench.move("house", to: "done")
    #expect(moved["openChildren"] == ["pack"] && moved["display"]?["message"] == "1 sub-task is still open.")
    #expect(try await bench.get("pack")["state"] == "todo")
    #expect(try await bench.get("house")["openChildren"] == nil)
    #expect(try await bench.move("house", to: "doing")["openChildren"] == nil)
    try await bench.move("pack", to: "done")
    #expect(try await bench.move("house", to: "done")["openChildren"] == nil)
    await bench.stop()
  }

  @Test("steps are ticked, added and removed one by one, in lists only counted, and found by their words")
  func steps() async throws {
    let bench = try await ProjectBench()
    let steps: JSONValue = [["text": "Soap"], ["text": "Rice", "done": true], ["text": "Quince", "done": false]]
    let added = try await bench.add("Shopping", id: "a", ["steps": steps])
    #expect(added["steps"] == [["text": "Soap"], ["text": "Rice", "done": true], ["text": "Quince"]])
    #expect(added["checklist"] == ["done": 1, "of": 3] && added["display"]?["badges"] == ["1 of 3 steps"])
    let listed = try await bench.client.call("projects/list").items[0]
    #expect(listed["steps"] == nil && listed["checklist"] == ["done": 1, "of": 3])
    func change(_ params: JSONObject) async throws -> [String] {
      var params = params
      params["id"] = "a"
      return try await bench.client.call("projects/steps", .object(params))["steps"].list.map {
        ($0["done"] == true ? "+" : "-") + $0["text"].text
      }
    }
    #expect(try await change(["toggle": 0]) == ["+Soap", "+Rice", "-Quince"])
    #expect(try await change(["toggle": 1]) == ["+Soap", "-Rice", "-Quince"])
    #expect(try await change(["add": "Tea"]) == ["+Soap", "-Rice", "-Quince", "-Tea"])
    #expect(try await change(["remove": 0]) == ["-Rice", "-Quince", "-Tea"])
    for params: JSONValue in [
      ["id": "a", "toggle": 3], ["id": "a", "remove": 9], ["id": "a", "add": "two\nlines"], ["id": "a", "toggle": -1],
    ] {
      #expect(try await bench.client.failure("projects/steps", params)?.code == -32602, "\(params)")
    }
    #expect(
      try await bench.client.failure("projects/steps", ["id": "a", "toggle": 0, "ifRevision": 1])?.kind == "conflict")
    #expect(try await bench.client.call("search/query", ["text": "quince"]).items.map { $0.id.text } == ["a"])
    #expect(try await bench.ids(["query": "quince"]) == ["a"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get("a")["steps"].list.map { $0["text"].text } == ["Soap", "Rice", "Quince", "Tea"])
    await bench.stop()
  }

  @Test("the next card of a series is a part of the same card, and has its steps unticked")
  func recurring() async throws {
    let bench = try await Self.library()
    let weekly: JSONObject = [
      "parent": "house", "deadline": "2026-11-21", "recurrence": ["rule": "FREQ=WEEKLY"],
      "steps": [["text": "Glass", "done": true], ["text": "Paper"]],
    ]
    try await bench.add("Take out", id: "w", weekly)
    let next = try await bench.get(bench.move("w", to: "done")["nextCard"].text)
    #expect(next["parent"] == "house" && next["steps"] == [["text": "Glass"], ["text": "Paper"]])
    #expect(try await bench.get("w")["checklist"] == ["done": 1, "of": 2])
    #expect(try await bench.get("house")["children"] == ["done": 1, "of": 4])
    await bench.stop()
  }
}
