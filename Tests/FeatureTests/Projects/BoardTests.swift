import Client
import Contract
import Store
import TestSupport
import Testing
import Wire

@testable import Features
@testable import Kit
@testable import Projects
@testable import SQLite
@testable import System

@Suite("Projects: the board") struct BoardTests {
  @Test("J1 J2 J17 the board has three columns with their counts, whose sum is the total, as they were in one moment")
  func columns() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c", "d"] { try await bench.add("Card \(id)", id: id) }
    try await bench.move("b", to: "doing")
    try await bench.move("c", to: "done")
    let board = try await bench.client.call("projects/board")
    let columns = board["columns"].list
    #expect(columns.map { $0["state"].text } == ["todo", "doing", "done"])
    #expect(columns.map { $0["title"].text } == ["TODO", "DOING", "DONE"])
    #expect(columns.map(\.count) == [2, 1, 1] && board["total"] == 4)
    #expect(columns.map { $0["isOpen"] } == [true, true, false])
    #expect(columns[0]["items"].list.map { $0["title"].text } == ["Card a", "Card d"])
    #expect(columns[0]["items"].list.allSatisfy { $0["body"] == nil })
    let korean = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    let titles = try await korean.call("projects/columns")["columns"].list.map { $0["title"].text }
    #expect(titles == ["할 일", "진행 중", "완료"])
    await bench.stop()
  }

  @Test("J2 a column tells how many cards it has whatever is asked for of them, and goes on in the list")
  func limits() async throws {
    let bench = try await ProjectBench()
    for number in 1...7 { try await bench.add("\(number)", id: "p\(number)") }
    let column = try await bench.client.call("projects/board", ["limit": 3])["columns"].list[0]
    #expect(column.count == 7 && column["items"].list.map { $0.id.text } == ["p1", "p2", "p3"])
    let rest: JSONValue = ["state": "todo", "after": column["next"]!, "limit": 3]
    let page = try await bench.client.call("projects/list", rest)
    #expect(page.items.map { $0.id.text } == ["p4", "p5", "p6"] && page["offset"] == 3 && page["total"] == 7)
    // What comes and goes meanwhile moves nothing.
    _ = try await bench.client.call("projects/remove", ["id": "p6"])
    try await bench.move("p7", to: "todo", before: "p1")
    try await bench.add("8", id: "p8")
    let last = try await bench.client.call("projects/list", ["state": "todo", "after": page["next"]!])
    #expect(last.items.map { $0.id.text } == ["p8"] && last["hasMore"] == false)
    let none = try await bench.client.call("projects/board", ["limit": 0])
    #expect(none["columns"].list.allSatisfy { $0["items"] == [] } && none["total"] == 7)
    await bench.stop()
  }

  @Test("30 of 200 cards are moved in one call, and the whole board is one more")
  func many() async throws {
    let bench = try await ProjectBench()
    try await bench.client.calls(
      "projects/add", (1...200).map { ["title": .string("Card \($0)"), "id": .string("p\($0)")] })
    let moved = (1...30).map { "p\($0)" }
    _ = try await bench.client.call(
      "projects/move", ["ids": .array(moved.map { .string($0) }), "state": "doing"])
    let board = try await bench.board()
    #expect(board["doing"] == moved && board["todo"] == (31...200).map { "p\($0)" } && board["done"] == [])
    await bench.stop()
  }

  @Test("J2 of very long cards a column gives fewer, with their number and where to go on")
  func longCards() async throws {
    let bench = try await ProjectBench()
    let usual: [JSONValue] = [["state": "todo"], ["state": "doing"], ["state": "done"]]
    let more = (0..<47).map { JSONValue.object(["state": .string("s\($0)"), "title": .string("S\($0)")]) }
    _ = try await bench.client.call("projects/columns", ["columns": .array(usual + more)])
    let tags = (100..<200).map { JSONValue.string("\($0)" + String(repeating: "한", count: 97)) }
    let ids = ["a", "b", "c", "d"]
    for id in ids { try await bench.add(id, id: id, ["tags": .array(tags)]) }
    let column = try #require(try await bench.client.call("projects/board")["columns"].list.first)
    let shown = column["items"].list.map { $0.id.text }
    #expect(column["count"] == 4 && (1..<4).contains(shown.count))
    let next = try #require(column["next"])
    let rest = try await bench.client.call("projects/list", ["state": "todo", "after": next])
    #expect(shown + rest.items.map { $0.id.text } == ids && rest["total"] == 4)
    await bench.stop()
  }

  @Test("J17 a card that moves is in one column in every reply, while another client moves it to and fro")
  func oneState() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    let moves = (0..<60).map { index -> PendingReply in
      let state: JSONValue = ["doing", "done", "todo"][index % 3]
      return other.send("projects/move", ["id": "b", "state": state])
    }
    for _ in 0..<30 {
      let board = try await bench.board()
      #expect(board.values.joined().sorted() == ["a", "b", "c"])
    }
    for move in moves { _ = try await move.value() }
    await bench.stop()
  }

  @Test("J1 columns are renamed, added and put in another order, and undo takes that back")
  func arranging() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    let wanted: JSONValue = [
      ["state": "todo", "title": "Later"], ["state": "waiting", "title": "기다림"], ["state": "doing"],
      ["state": "dropped", "title": "Dropped", "isOpen": false], ["state": "done"],
    ]
    let columns = try await bench.client.call("projects/columns", ["columns": wanted])["columns"].list
    #expect(columns.map { $0["title"].text } == ["Later", "기다림", "DOING", "Dropped", "DONE"])
    #expect(columns.map { $0["isOpen"] } == [true, true, true, false, false] && columns[0].count == 1)
    let moved = try await bench.move("a", to: "dropped")
    #expect(moved["completedAt"] != nil && moved["display"]?["state"] == "Dropped")
    #expect(moved["actions"] == ["todo", "waiting", "doing", "done"])
    #expect(try await bench.client.call("projects/columns", ["columns": wanted])["changed"] == false)
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    let usual = try await bench.client.call("projects/columns")["columns"].list
    #expect(usual.map { $0["state"].text } == ["todo", "doing", "done"] && usual[0]["title"] == "TODO")
    await bench.stop()
  }

  @Test("J1 a column with cards cannot go, by no undo either unless it is forced, and that hides none of them")
  func keptColumns() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    let wanted: JSONValue = [["state": "todo"], ["state": "waiting", "title": "Waiting"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["columns": wanted])
    try await bench.add("a", id: "a")
    _ = try await other.call("projects/move", ["id": "a", "state": "waiting"])
    let usual: JSONValue = ["columns": [["state": "todo"], ["state": "doing"], ["state": "done"]]]
    let failure = try await bench.client.failure("projects/columns", usual)
    #expect(failure?.data?["kind"] == "notAllowed" && failure?.data?["state"] == "waiting")
    #expect(
      failure?.message
        == "The column “Waiting” has 1 card and cannot be removed. Move its cards to another column first.")
    // The card is another client's move, so this client's newest undoable commits are the add and the columns.
    let taken = try await bench.client.failure("changes/undo", ["clock": 1])
    #expect(taken?.data?["kind"] == "conflict" && taken?.message == failure?.message)
    #expect((taken?.data?["current"]?["columns"]).list.map { $0["title"] } == [nil, "Waiting", nil])
    let kept = try await bench.client.call("projects/columns")["columns"].list
    #expect(kept.map { $0["title"] } == ["TODO", "Waiting", "DONE"])
    _ = try await bench.client.call("changes/undo", ["clock": 1, "force": true])
    let columns = try await bench.client.call("projects/board")["columns"].list
    #expect(columns.map { $0["state"].text } == ["todo", "doing", "done", "waiting"])
    #expect(columns[3]["items"].list.map { $0.id } == ["a"])
    await bench.stop()
  }

  @Test("J1 what an undo brought back goes by no redo once it has cards; without them it does")
  func redoneColumns() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    try await bench.add("a", id: "a")
    let wanted: JSONValue = [["state": "todo"], ["state": "waiting", "title": "Waiting"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["columns": wanted])
    let fewer: JSONValue = [["state": "todo"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["columns": fewer])
    _ = try await bench.client.call("changes/undo")
    _ = try await other.call("projects/move", ["id": "a", "state": "waiting"])
    let failure = try await bench.client.failure("changes/redo")
    #expect(failure?.data?["kind"] == "conflict" && failure?.message.contains("Waiting” has 1 card") == true)
    _ = try await other.call("projects/move", ["id": "a", "state": "todo"])
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.call("projects/columns")["columns"].list.count == 2)
    await bench.stop()
  }

  @Test("columns that make no sense are refused by the field that is wrong")
  func badColumns() async throws {
    let bench = try await ProjectBench()
    let bad: [(JSONValue, String)] = [
      ([["state": "todo"], ["state": "todo"]], "columns[1].state"), ([["state": "mine"]], "columns[0].title"),
      ([["state": "done"]], "columns"), ([["state": "todo", "title": "a\nb"]], "columns[0].title"), ([], "columns"),
      ([["state": "할 일", "title": "x"]], "columns[0].state"),
    ]
    for (columns, field) in bad {
      #expect(try await bench.refusal("projects/columns", ["columns": columns]) == field, "\(columns)")
    }
    #expect(try await bench.client.call("session/sync").clock == 0)
    await bench.stop()
  }

  @Test("a part of a column and what is due are found by their indexes, and nothing is sorted or counted on the way")
  func plans() async throws {
    let bench = try await ProjectBench(features: AllFeatures.features + [PlanProbe.feature])
    try await bench.add("a")
    let plans = try await bench.client.call("probe/plans")
    for name in ["board", "boardBehind"] {
      #expect(plans[name].text.contains("USING COVERING INDEX projectByPlace"), "\(plans)")
      #expect(!plans[name].text.contains("TEMP B-TREE"), "\(plans)")
    }
    #expect(plans["overdue"].text.contains("projectByDeadline"), "\(plans)")
    #expect(plans["counts"].text == "SEARCH projectCount USING PRIMARY KEY (board=?)", "\(plans)")
    await bench.stop()
  }

  @Test("J2 a column goes on in the board itself, by the same word that a part says: no card lost and none twice")
  func goingOn() async throws {
    let bench = try await ProjectBench()
    for number in 1...7 { try await bench.add("\(number)", id: "p\(number)") }
    for id in ["p6", "p7"] { try await bench.move(id, to: "doing") }
    let board = try await bench.client.call("projects/board", ["limit": 2])
    #expect(board["columns"].list.map { $0["next"] != nil } == [true, false, false])
    var column = board["columns"].list[0]
    var shown = column["items"].list.map { $0.id.text }
    while let next = column["next"] {
      let part = try await bench.client.call("projects/board", ["limit": 2, "after": next])
      #expect(part["columns"].list.map { $0["state"] } == ["todo"] && part["total"] == 7)
      column = try #require(part["columns"].list.first)
      #expect(column["offset"]?.integerValue == Int64(shown.count) && column.count == 5)
      shown += column["items"].list.map { $0.id.text }
    }
    #expect(shown == ["p1", "p2", "p3", "p4", "p5"])
    #expect(try await bench.refusal("projects/board", ["after": "x"]) == "after")
    await bench.stop()
  }
}

/// Asks SQLite how it goes about the statements of the board.
private enum PlanProbe: ReadMethod {
  static let name = "probe/plans"
  static let summary = "How SQLite goes about it."
  static let effects: Effects = .reads
  typealias Params = Empty
  static let feature = Feature(name: "probe", routes: [Route(PlanProbe.self)])

  struct Result: Payload {
    var board: String
    var boardBehind: String
    var overdue: String
    var counts: String
    static let example = Result(board: "", boardBehind: "", overdue: "", counts: "")
    static let fields = ["board": "A.", "boardBehind": "B.", "overdue": "C.", "counts": "D."]
  }

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Result {
    func plan(_ statement: String, _ values: [SQLValue]) throws -> String {
      var steps: [String] = []
      try snapshot.db.each("EXPLAIN QUERY PLAN " + statement, values) { steps.append($0.text(3)) }
      return steps.joined(separator: "; ")
    }
    let view = try ProjectView(in: snapshot)
    let all = view.boards.all
    let board = ProjectListing(.board, view, all).column(CardLanes.Lane(board: "default", state: "todo"))
    var overdue = ProjectListing(.deadline, view, all)
    overdue.narrow(toOpen: true)
    overdue.narrow("deadline < ?", [.text("2026-11-21")])
    func plan(_ statement: (sql: String, values: [SQLValue])) throws -> String {
      try plan(statement.sql, statement.values)
    }
    let part = ListPart(limit: 100)
    return Result(
      board: try plan(board.idStatement(part)),
      boardBehind: try plan(board.idStatement(after: [.text("a0"), .text("a")], part)),
      overdue: try plan(overdue.idStatement(part)),
      counts: try plan("SELECT state, count FROM projectCount WHERE board = ? ORDER BY state", [.text("default")]))
  }
}
