import Client
import Features
import System
import TestSupport
import Testing
import Wire

@Suite("Projects: kept, undone, removed") struct ProjectWriteTests {
  @Test("J18 cards, their order, their columns and what they wait for are there after the daemon has ended")
  func durable() async throws {
    let bench = try await ProjectBench()
    let columns: JSONValue = [["state": "todo"], ["state": "waiting", "title": "Waiting"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    for id in ["a", "b", "c"] { try await bench.add("card \(id)", id: id, ["body": "text", "tags": ["x"]]) }
    try await bench.move("c", to: "todo", before: "a")
    try await bench.move("b", to: "waiting")
    _ = try await bench.client.call("projects/update", ["id": "a", "blockedBy": ["b"], "deadline": "2027-01-01"])
    let before = try await bench.client.call("projects/board")
    let archive = bench.daemon.folder.file("archive.tar")
    _ = try await bench.client.call("library/export", ["path": .string(archive)])
    await bench.stop()
    let next = try await ProjectBench(in: bench.daemon.folder)
    #expect(try await next.client.call("projects/board")["columns"] == before["columns"])
    await next.stop()
    // And in another library that took its archive over, where counts, tags and waiting are derived anew.
    let another = try await ProjectBench()
    _ = try await another.client.call("library/import", ["path": .string(archive)])
    let columns2 = try await another.client.call("projects/board")["columns"].list
    #expect(columns2.map { $0["title"] } == before["columns"].list.map { $0["title"] })
    #expect(columns2.map(\.count) == [2, 1, 0])
    #expect(try await another.ids(["blocked": true]) == ["a"])
    #expect(try await another.ids(["tag": "X"]) == ["c", "a", "b"])
    await another.stop()
  }

  @Test("J18 a library from before there were projects gets its board when it is opened")
  func olderLibrary() async throws {
    let older = try await ProjectBench(features: AllFeatures.features.filter { $0.name != "projects" })
    let entry = try await older.client.call("diary/add", ["text": "from before"])
    #expect(try await older.client.failure("projects/board")?.code == RPCError.Code.methodNotFound)
    await older.stop()
    let bench = try await ProjectBench(in: older.daemon.folder)
    #expect(try await bench.board() == ["todo": [], "doing": [], "done": []])
    try await bench.add("x", id: "a")
    #expect(try await bench.board()["todo"] == ["a"])
    #expect(try await bench.client.call("diary/get", ["id": entry.id])["text"] == "from before")
    await bench.stop()
  }

  @Test("undo and redo take back each client's own moves, adds and changes, also with another client's between them")
  func undo() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    try await bench.move("a", to: "doing")
    _ = try await other.call("projects/move", ["id": "b", "state": "done"])
    try await bench.move("c", to: "doing", before: "a")
    #expect(try await bench.get("a")["startedAt"] != nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board() == ["todo": ["c"], "doing": ["a"], "done": ["b"]])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board() == ["todo": ["a", "c"], "doing": [], "done": ["b"]])
    #expect(try await bench.get("a")["startedAt"] == nil)
    _ = try await other.call("changes/undo")
    #expect(try await bench.board(other) == ["todo": ["a", "b", "c"], "doing": [], "done": []])
    _ = try await bench.client.call("changes/redo")
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.board() == ["todo": ["b"], "doing": ["c", "a"], "done": []])
    // What another has changed since is not taken back in silence.
    _ = try await other.call("projects/update", ["id": "c", "title": "theirs"])
    let changed = try await bench.client.failure("changes/undo")
    #expect(
      changed?.data?["kind"] == "conflict" && changed?.message.contains("“theirs” has changed since") == true)
    _ = try await other.call("projects/remove", ["id": "c"])
    let removed = try await bench.client.failure("changes/undo")
    #expect(removed?.data?["kind"] == "conflict" && removed?.data?["current"] == JSONValue.null)
    #expect(removed?.message.contains("“theirs” has been removed since") == true, "\(removed?.message ?? "")")
    await bench.stop()
  }

  @Test("a revision that has not been yet is no older one: the refusal says so, and which is the current one")
  func noRevisionYet() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    let now = try await bench.get("a")["revision"]?.integerValue ?? 0
    let early: JSONValue = ["id": "a", "title": "b", "ifRevision": 99_999]
    let refused = try await bench.client.failure("projects/update", early)
    #expect(refused?.data?["kind"] == "conflict" && refused?.data?["current"]?["revision"] == .integer(now))
    #expect(
      refused?.message.contains("no revision 99999 yet, its current one is \(now)") == true, "\(refused?.message ?? "")"
    )
    // Of columns that nobody has arranged too.
    let columns: JSONValue = ["columns": [["state": "todo"], ["state": "done"]], "ifRevision": 99_999]
    let arranged = try await bench.client.failure("projects/columns", columns)
    #expect(arranged?.data?["kind"] == "conflict" && arranged?.data?["current"]?["revision"] == 0)
    #expect(arranged?.data?["current"]?["columns"].list.map { $0["state"] } == ["todo", "doing", "done"])
    #expect(
      arranged?.message.contains("Start from the columns in `current`") == true, "\(arranged?.message ?? "")")
    await bench.stop()
  }

  @Test("a redo is called one, and no undo: in what became of each item, and where it is refused")
  func redoWords() async throws {
    let bench = try await ProjectBench(locale: "ko-KR")
    let other = try await bench.daemon.client(name: "other")
    try await bench.add("one", id: "a")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "two"])
    func word(_ method: String) async throws -> String {
      let reply = try await bench.client.call(method)
      return (reply.items[0]["display"]?["kind"]).text
    }
    #expect(try await word("changes/undo") == "되돌림")
    #expect(try await word("changes/redo") == "다시 실행")
    #expect(try await word("changes/undo") == "되돌림")
    _ = try await other.call("projects/update", ["id": "a", "title": "theirs"])
    let failure = try await bench.client.failure("changes/redo")
    #expect(failure?.data?["kind"] == "conflict" && failure?.data?["key"] == "error.redoConflictOf")
    #expect(failure?.message.contains("다시 실행하지 않았습니다") == true, "\(failure?.message ?? "")")
    // Only an undo can be told which commit.
    #expect(failure?.message.contains("되돌") == false && failure?.message.contains("clock") == false)
    await bench.stop()
  }

  @Test(
    "J15 all cards go with the confirm of a dry run that is still true, and one undo brings all of them back in order")
  func removeAll() async throws {
    let bench = try await ProjectBench(locale: "ko-KR")
    let adding = (0..<700).map { bench.client.send("projects/add", ["title": .string("card \($0)")]) }
    for reply in adding { _ = try await reply.value() }
    try await bench.add("last", id: "last")
    try await bench.move("last", to: "doing")
    let before = try await bench.board()
    #expect(try await bench.refusal("projects/removeAll", [:]) == "confirm")
    let stale = try #require(try await bench.client.call("projects/removeAll", ["dryRun": true])["confirm"])
    try await bench.move("last", to: "done")
    #expect(try await bench.refusal("projects/removeAll", ["confirm": stale]) == "confirm")
    _ = try await bench.client.call("changes/undo")
    let asked = try await bench.client.call("projects/removeAll", ["dryRun": true])
    #expect(asked["count"] == 701 && asked["display"]?["message"] == "카드 701개를 정말로 모두 삭제하시겠어요?")
    #expect(try await bench.client.call("projects/removeAll", ["confirm": asked["confirm"]!])["removed"] == 701)
    #expect(try await bench.client.call("projects/board")["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board() == before)
    await bench.stop()
  }

  @Test(
    "J13 work begins when a card leaves the first column, ends in a closed one, and neither is kept of a card that goes back"
  )
  func times() async throws {
    let bench = try await ProjectBench()
    try await bench.add("x", id: "a")
    let started = try await bench.move("a", to: "doing")["startedAt"]
    #expect(started != nil)
    bench.daemon.clock.advance(milliseconds: 1_000)
    let done = try await bench.move("a", to: "done")
    #expect(done["startedAt"] == started && done["completedAt"] != nil && done["completedAt"] != started)
    let reopened = try await bench.move("a", to: "doing")
    #expect(reopened["startedAt"] == started && reopened["completedAt"] == nil)
    #expect(try await bench.move("a", to: "todo")["startedAt"] == nil)
    await bench.stop()
  }

  @Test("every client is told what came, moved, changed and went")
  func told() async throws {
    let bench = try await ProjectBench()
    try await bench.add("x", id: "a")
    try await bench.move("a", to: "doing")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "y"])
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let changes = bench.client.commits.flatMap { $0["changes"].list }
    #expect(changes.map { $0["kind"].text } == ["added", "updated", "updated", "removed"])
    #expect(changes.allSatisfy { $0["collection"] == "projects" && $0.id == "a" })
    #expect(Set(changes[1]["fields"].list.map(\.text)).isSuperset(of: ["state", "startedAt"]))
    #expect(changes[2]["fields"] == ["title"])
    await bench.stop()
  }
}
