import Client
import Kit
import TestSupport
import Testing
import Wire

@testable import Projects
@testable import System

@Suite("Projects: moves") struct MoveTests {
  @Test("J13 J14 a card is offered exactly the other columns, as data with words in the client's language")
  func actions() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    try await bench.move("a", to: "doing")
    let actions = try await bench.client.call("projects/actions", ["id": "a"])["actions"].list
    #expect(actions.map { $0["state"].text } == ["todo", "done"])
    #expect(actions.map { $0["display"].text } == ["Move To TODO", "Move To DONE"])
    let card = try await bench.get("a")
    #expect(card["actions"] == ["todo", "done"])
    #expect(card["display"]?["actions"] == ["Move To TODO", "Move To DONE"])
    let korean = try await bench.daemon.client(locale: "ko-KR")
    let words = try await korean.call("projects/actions", ["id": "a"])["actions"].list.map { $0["display"].text }
    #expect(words == ["할 일로 이동", "완료로 이동"])
    #expect(try await bench.refusal("projects/actions", ["id": "zz"]) == "notFound")
    await bench.stop()
  }

  @Test("a column may be said as it is shown, in the client's language, and one that is not there is answered with all")
  func shownTitles() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    let korean = try await bench.daemon.client(locale: "ko-KR")
    #expect(try await korean.call("projects/move", ["id": "a", "state": "진행 중"])["state"] == "doing")
    #expect(try await bench.client.call("projects/move", ["id": "a", "state": "Done"])["state"] == "done")
    // On a board without it, the first closed column; any other name is refused as before.
    try await bench.addBoard("Garden", id: "g")
    let columns: JSONValue = [
      ["state": "sown", "title": "Sown"], ["state": "eaten", "title": "Eaten", "isOpen": false],
      ["state": "dead", "title": "Dead", "isOpen": false],
    ]
    _ = try await bench.client.call("projects/columns", ["board": "g", "columns": columns])
    try await bench.add("peas", id: "peas", ["board": "g"])
    #expect(try await bench.client.call("projects/move", ["id": "peas", "state": "done"])["state"] == "eaten")
    #expect(try await bench.refusal("projects/move", ["id": "peas", "state": "todo"]) == "state")
    let listed = try await bench.client.call("projects/list").items[0]
    #expect(listed["actions"] == ["todo", "doing"])
    #expect(listed["display"]?["actions"] == ["Move To TODO", "Move To DOING"])
    let refused = try await korean.failure("projects/move", ["id": "a", "state": "다른 곳"])
    #expect(refused?.message.contains("할 일, 진행 중, 완료") == true)
    await bench.stop()
  }

  @Test("J22 cards keep the order of adding until they are moved, and then the order kept by hand")
  func order() async throws {
    let bench = try await ProjectBench()
    for id in ["z", "y", "x", "w", "v"] { try await bench.add(id, id: id) }
    #expect(try await bench.board()["todo"] == ["z", "y", "x", "w", "v"])
    try await bench.move("v", to: "todo", before: "z")
    try await bench.move("z", to: "todo", after: "x")
    #expect(try await bench.board()["todo"] == ["v", "y", "x", "z", "w"])
    try await bench.move("y", to: "doing")
    try await bench.move("x", to: "doing", before: "y")
    try await bench.move("w", to: "doing", after: "x")
    #expect(try await bench.board() == ["todo": ["v", "z"], "doing": ["x", "w", "y"], "done": []])
    try await bench.add("u", id: "u")
    #expect(try await bench.board()["todo"] == ["v", "z", "u"])
    // Back: the add, w, x.
    for _ in 0..<3 { _ = try await bench.client.call("changes/undo") }
    #expect(try await bench.board() == ["todo": ["v", "x", "z", "w"], "doing": ["y"], "done": []])
    await bench.stop()
  }

  @Test("J22 a move to where the card stands already changes nothing, also when it is asked for again")
  func sameAgain() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    let card = try await bench.get("b")
    for params: JSONValue in [
      ["id": "b", "state": "todo"], ["id": "b", "state": "todo", "before": "c"],
      ["id": "b", "state": "todo", "after": "a"],
    ] {
      let reply = try await bench.client.call("projects/move", params)
      #expect(reply["changed"] == false && reply["revision"] == card["revision"])
    }
    try await bench.move("b", to: "done")
    #expect(try await bench.move("b", to: "done")["changed"] == false)
    await bench.stop()
  }

  @Test("J17 a move next to a card that was removed, or is in another column now, is refused and says so")
  func neighbours() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b"] { try await bench.add(id, id: id) }
    try await bench.add("Buy paint", id: "c")
    try await bench.move("c", to: "doing")
    let elsewhere = try await bench.client.failure("projects/move", ["id": "a", "state": "todo", "before": "c"])
    #expect(elsewhere?.data?["kind"] == "conflict" && elsewhere?.data?["current"]?["state"] == "doing")
    #expect(elsewhere?.message.contains("“Buy paint” is in another column now, DOING.") == true)
    _ = try await bench.client.call("projects/remove", ["id": "b"])
    let gone = try await bench.client.failure("projects/move", ["id": "a", "state": "todo", "after": "b"])
    #expect(gone?.data?["kind"] == "notFound" && gone?.data?["id"] == "b")
    #expect(try await bench.refusal("projects/move", ["id": "b", "state": "done"]) == "notFound")
    #expect(try await bench.refusal("projects/move", ["id": "a", "state": "todo", "after": "a"]) == "after")
    #expect(try await bench.refusal("projects/move", ["id": "a", "state": "gone"]) == "state")
    let both: JSONValue = ["id": "a", "state": "doing", "before": "c", "after": "c"]
    #expect(try await bench.refusal("projects/move", both) == "after")
    let stale: JSONValue = ["id": "a", "state": "doing", "ifRevision": 77]
    #expect(try await bench.refusal("projects/move", stale) == "conflict")
    #expect(try await bench.board() == ["todo": ["a"], "doing": ["c"], "done": []])
    await bench.stop()
  }

  @Test("J17 J22 of many moves by several clients at once no card is lost or doubled, and the order is the serial one")
  func concurrency() async throws {
    let bench = try await ProjectBench()
    let names = (0..<24).map { "p\($0)" }
    for name in names { try await bench.add(name, id: name) }
    var clients: [Client] = []
    for number in 0..<4 { clients.append(try await bench.daemon.client(name: "mover \(number)")) }
    var moves: [(JSONObject, PendingReply)] = []
    var random = SplitMix(state: 7)
    for step in 0..<400 {
      let id = names[random.next(24)]
      var params: JSONObject = ["id": .string(id), "state": .string(["todo", "doing", "done"][random.next(3)])]
      if random.next(4) > 0 {
        params[random.next(2) == 0 ? "before" : "after"] = .string(names[random.next(24)])
      }
      moves.append((params, clients[step % 4].send("projects/move", .object(params))))
    }
    // What was answered with a clock happened in the order of the clocks; what was refused did not happen.
    var done: [(clock: Int64, params: JSONObject)] = []
    var refused = 0
    for (params, reply) in moves {
      do {
        let answer = try await reply.value()
        if answer["changed"] != false { done.append((answer.clock, params)) }
      } catch let error as RemoteError {
        refused += 1
        #expect(["conflict", nil].contains(error.data?["kind"]?.text), "\(error)")
      }
    }
    #expect(refused > 0 && done.count > 100)
    var model: [String: [String]] = ["todo": names, "doing": [], "done": []]
    for (_, params) in done.sorted(by: { $0.clock < $1.clock }) {
      let id = params["id"].text
      for state in model.keys { model[state]?.removeAll { $0 == id } }
      var column = model[params["state"].text] ?? []
      let place =
        params["before"].flatMap { column.firstIndex(of: $0.text) }
        ?? params["after"].flatMap { column.firstIndex(of: $0.text) }.map { $0 + 1 } ?? column.count
      column.insert(id, at: place)
      model[params["state"].text] = column
    }
    let board = try await bench.board()
    #expect(board.values.joined().sorted() == names.sorted())
    #expect(board == model)
    let counts = try await bench.client.call("projects/board")["columns"].list.map(\.count)
    #expect(counts == ["todo", "doing", "done"].map { model[$0]?.count ?? -1 })
    await bench.stop()
  }

  @Test("J22 ranks are always found between two cards, and stay short however often cards go to the same place")
  func shortRanks() async throws {
    let bench = try await ProjectBench()
    for id in ["first", "last", "x", "y"] { try await bench.add(id, id: id) }
    try await bench.move("last", to: "todo", after: "y")
    var replies: [PendingReply] = []
    for step in 0..<300 {
      let params: JSONValue = ["id": .string(step % 2 == 0 ? "x" : "y"), "state": "todo", "after": "first"]
      replies.append(bench.client.send("projects/move", params))
    }
    var longest = 0
    for reply in replies { longest = max(longest, try await reply.value()["rank"].text.utf8.count) }
    #expect(longest <= 40)
    #expect(try await bench.board()["todo"] == ["first", "y", "x", "last"])
    await bench.stop()
  }

  @Test("J22 a rank between two others lies between them, byte by byte, and appending keeps ranks short")
  func ranks() throws {
    var ranks: [String] = []
    var random = SplitMix(state: 3)
    for _ in 0..<2_000 {
      let place = random.next(ranks.count + 1)
      let lower: String? = place == 0 ? nil : ranks[place - 1]
      let upper: String? = place == ranks.count ? nil : ranks[place]
      let rank = try #require(Rank.between(lower, upper))
      if let lower { #expect(lower.utf8.lexicographicallyPrecedes(rank.utf8)) }
      if let upper { #expect(rank.utf8.lexicographicallyPrecedes(upper.utf8)) }
      ranks.insert(rank, at: place)
    }
    var last: String?
    for _ in 0..<20_000 { last = Rank.between(last, nil) }
    #expect((last?.utf8.count ?? 99) <= 5)
    var first: String?
    for _ in 0..<20_000 { first = Rank.between(nil, first) }
    #expect((first?.utf8.count ?? 99) <= 5)
    let spread = try #require(Rank.between("a0", "a1", count: 1_000))
    #expect(spread.count == 1_000 && spread.allSatisfy { $0.utf8.count <= 6 })
    #expect(spread == spread.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && Set(spread).count == 1_000)
    #expect(Rank.between("a1", "a1") == nil && Rank.between("a2", "a1") == nil && Rank.between("?", nil) == nil)
  }

  @Test("J22 where two cards have the same rank, as after an undo, a card is put between them all the same")
  func sameRank() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    for id in ["a", "b", "c", "d"] { try await bench.add(id, id: id) }
    try await bench.move("b", to: "doing")
    // Another takes the place that b left, with the rank that b had or one near it; then b comes back to its own.
    _ = try await other.call("projects/move", ["id": "d", "state": "todo", "after": "a"])
    _ = try await bench.client.call("changes/undo")
    let column = try await bench.board()["todo"] ?? []
    #expect(column.sorted() == ["a", "b", "c", "d"])
    for neighbour in column where neighbour != "c" {
      try await bench.move("c", to: "todo", after: neighbour)
      let now = try await bench.board()["todo"] ?? []
      #expect(now.firstIndex(of: "c") == (now.firstIndex(of: neighbour) ?? 0) + 1)
    }
    await bench.stop()
  }
}

/// Random numbers that are the same in every run.
struct SplitMix {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
