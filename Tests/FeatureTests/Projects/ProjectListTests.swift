import Client
import TestSupport
import Testing
import Wire

@Suite("Projects: lists") struct ProjectListTests {
  @Test(
    "cards are found by words of title, body and tags, the last of which may go on, narrowed by everything else too")
  func query() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Return the book", id: "a", ["body": "To the library", "tags": ["errands"]])
    try await bench.add("책을 반납하기", id: "b", ["body": "도서관에서"])
    try await bench.add("Buy bread", id: "c", ["tags": ["errands"]])
    try await bench.move("c", to: "done")
    #expect(try await bench.ids(["query": "BOOK"]) == ["a"])
    #expect(try await bench.ids(["query": "book libr"]) == ["a"])
    #expect(try await bench.ids(["query": "errands"]) == ["a", "c"])
    #expect(try await bench.ids(["query": "errands", "state": "done"]) == ["c"])
    for part: JSONValue in ["반납", "서관"] { #expect(try await bench.ids(["query": part]) == ["b"]) }
    for nothing: JSONValue in ["zebra", "++"] { #expect(try await bench.ids(["query": nothing]) == []) }
    #expect(try await bench.ids(["query": "  "]) == ["a", "b", "c"])
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Return it"])
    #expect(try await bench.ids(["query": "book"]) == [])
    _ = try await bench.client.call("projects/remove", ["id": "c"])
    #expect(try await bench.ids(["query": "errands"]) == ["a"])
    let many = JSONValue.string((0..<65).map { "w\($0)" }.joined(separator: " "))
    #expect(try await bench.refusal("projects/list", ["query": many]) == "query")
    await bench.stop()
  }

  @Test("lists go by priority, or by urgency: each term counts as in Taskwarrior, and what is finished comes last")
  func urgency() async throws {
    // The clock of the tests stands at 2026-11-21.
    let bench = try await ProjectBench()
    for (id, values) in [
      ("tagged", ["tags": ["a"]]), ("done", ["deadline": "2026-11-01", "priority": 2]), ("someday", ["someday": true]),
      ("low", ["priority": 9, "body": "Text"]), ("blocker", [:]),
      ("blocked", ["priority": 1, "blockedBy": ["blocker"]]),
      ("soon", ["deadline": "2026-11-28"]), ("high", ["priority": 1]), ("late", ["deadline": "2026-11-10"]),
      ("far", ["deadline": "2027-11-28"]), ("next", ["tags": ["next"]]),
    ] as [(String, JSONObject)] {
      var params = values
      if params["deadline"] == nil { params["deadline"] = .null }
      try await bench.add(id, id: id, params)
    }
    try await bench.move("done", to: "done")
    let order = [
      "next", "late", "blocker", "high", "soon", "low", "far", "blocked", "tagged", "someday", "done",
    ]
    #expect(try await bench.ids(["sort": "urgency"]) == order)
    var (collected, after): ([String], JSONValue?) = ([], nil)
    repeat {
      var params: JSONObject = ["sort": "urgency", "limit": 3]
      params["after"] = after
      let page = try await bench.client.call("projects/list", .object(params))
      collected += page.items.map { $0.id.text }
      after = page["next"]
    } while after != nil
    #expect(collected == order)
    // The day comes nearer.
    bench.daemon.clock.advance(milliseconds: 3 * 86_400_000)
    #expect(try await bench.ids(["sort": "urgency", "limit": 4]) == ["next", "late", "blocker", "soon"])
    #expect(try await bench.ids(["sort": "priority", "limit": 3]) == ["blocked", "high", "done"])
    await bench.stop()
  }

  @Test("a list is narrowed to a priority and higher ones, to fields of the user's own, and to a project's parts")
  func narrowed() async throws {
    let bench = try await ProjectBench()
    let size: JSONValue = [["name": "Size", "value": "Mittel"], ["name": "points", "value": "3"]]
    try await bench.add("a", id: "a", ["priority": 1, "properties": size, "tags": ["+home"]])
    try await bench.add("b", id: "b", ["priority": 5, "tags": ["+home.garden"]])
    try await bench.add("c", id: "c", ["priority": 9, "properties": [["name": "size", "value": "points"]]])
    try await bench.add("d", id: "d", ["tags": ["home.garden", "+homes"]])
    #expect(try await bench.ids(["priority": 1]) == ["a"])
    #expect(try await bench.ids(["priority": 5]) == ["a", "b"])
    #expect(try await bench.ids(["properties": ["size": "MITTEL", "points": "3"]]) == ["a"])
    #expect(try await bench.ids(["properties": ["size": "mittel", "points": "4"]]) == [])
    #expect(try await bench.ids(["tag": "+HOME"]) == ["a", "b"])
    #expect(try await bench.ids(["tag": "home"]) == [])
    let hits = try await bench.client.call("search/query", ["text": "tag:+home"]).items.map(\.id.text)
    #expect(hits.sorted() == ["a", "b"])
    #expect(try await bench.client.call("search/query", ["text": "mittel"]).items.map(\.id) == ["a"])
    let tags = try await bench.client.call("tags/list").items
    #expect(tags.first { $0["tag"] == "+home" }?["total"] == 2, "\(tags)")
    _ = try await bench.client.call("tags/rename", ["from": "+home", "to": "+house"])
    #expect(try await bench.get("b")["tags"] == ["+house.garden"])
    #expect(try await bench.get("d")["tags"] == ["home.garden", "+homes"])
    await bench.stop()
  }

  @Test(
    "J9 J22 lists go by the board, by deadline, or by change, and each goes on behind its cursor whatever comes or goes"
  )
  func cursors() async throws {
    let bench = try await ProjectBench()
    let days: [JSONValue] = ["2026-11-25", .null, "2026-11-23", "2026-11-23", "2026-11-30", .null]
    for (index, day) in days.enumerated() {
      try await bench.add("\(index)", id: "p\(index)", ["deadline": day])
      bench.daemon.clock.advance(milliseconds: 10)
    }
    _ = try await bench.client.call("projects/update", ["id": "p3", "time": "09:00"])
    bench.daemon.clock.advance(milliseconds: 10)
    for id in ["p1", "p4"] {
      try await bench.move(id, to: "doing")
      bench.daemon.clock.advance(milliseconds: 10)
    }
    let expected: [String: [String]] = [
      "board": ["p0", "p2", "p3", "p5", "p1", "p4"], "deadline": ["p3", "p2", "p0", "p4", "p1", "p5"],
      "changed": ["p4", "p1", "p3", "p5", "p2", "p0"], "priority": ["p3", "p2", "p0", "p4", "p1", "p5"],
    ]
    for (sort, order) in expected {
      #expect(try await bench.ids(["sort": .string(sort)]) == order, "\(sort)")
      var collected: [String] = []
      var after: JSONValue?
      repeat {
        var params: JSONObject = ["sort": .string(sort), "limit": 2]
        if let after { params["after"] = after }
        let page = try await bench.client.call("projects/list", .object(params))
        #expect(page["offset"] == json(collected.count) && page["total"] == 6, "\(sort)")
        collected += page.items.map { $0.id.text }
        after = page["next"]
      } while after != nil
      #expect(collected == order, "\(sort)")
      for offset in 0...6 {
        let rest = try await bench.ids(["sort": .string(sort), "offset": json(offset)])
        #expect(rest == Array(order.dropFirst(offset)), "\(sort) \(offset)")
      }
    }
    #expect(try await bench.ids(["from": "2026-11-24"]) == ["p0", "p4"])
    #expect(try await bench.ids(["to": "2026-11-24"]) == ["p3", "p2"])
    #expect(try await bench.ids(["isOpen": false]) == [])
    await bench.stop()
  }
}
