import Client
import Contract
import Features
import Kit
import SQLite
import Store
import TestSupport
import Testing
import Wire

@testable import Projects
@testable import System

@Suite("Projects: several boards of cards") struct CardBoardTests {
  @Test("a library has the default board, and methods without a board mean it")
  func defaultBoard() async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    let reply = try await bench.client.call("projects/boards")
    #expect(reply["defaultBoard"] == "default" && reply.items.map(\.id) == ["default"])
    let board = reply.items[0]
    #expect(board["title"] == "Board" && board["isDefault"] == true && board["archived"] == false)
    #expect(board["cards"] == 1 && board["open"] == 1 && board["overdue"] == 0)
    try await bench.addBoard("Garden", id: "g")
    try await bench.add("b", id: "b", ["board": "Garden"])
    #expect(try await bench.get("a")["board"] == "default")
    #expect(try await bench.get("a")["display"]?["board"] == nil)
    #expect(try await bench.get("b")["board"] == "g")
    #expect(try await bench.get("b")["display"]?["board"] == "Garden")
    #expect(try await bench.ids() == ["a"])
    #expect(try await bench.board()["todo"] == ["a"])
    #expect(try await bench.ids(["board": "g"]) == ["b"])
    #expect(try await bench.ids(["allBoards": true]) == ["a", "b"])
    let shown = try await bench.client.call("projects/board", ["board": "garden"])
    #expect(shown["board"] == "g" && shown["title"] == "Garden" && shown["total"] == 1)
    let korean = try await bench.daemon.client(locale: "ko-KR")
    #expect(try await korean.call("projects/boards").items.map { $0["title"] } == ["보드", "Garden"])
    await bench.stop()
  }

  @Test("boards are renamed, moved and archived, the default one too except for its archive, and undo reverts each")
  func changes() async throws {
    let bench = try await ProjectBench()
    for (title, id) in [("Garden", "g"), ("House", "h")] { try await bench.addBoard(title, id: id) }
    let renamed = try await bench.client.call("projects/updateBoard", ["id": "default", "title": "Inbox"])
    #expect(renamed["title"] == "Inbox" && renamed["isDefault"] == true)
    #expect(try await bench.client.call("projects/updateBoard", ["id": "default"])["changed"] == false)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == ["Board", "Garden", "House"])
    for (params, order) in [
      (["id": "h", "before": "default"], ["h", "default", "g"]), (["id": "g", "after": "h"], ["h", "g", "default"]),
      (["id": "h"], ["g", "default", "h"]), (["id": "default"], ["g", "h", "default"]),
    ] as [(JSONValue, [String])] {
      let before = try await bench.boards()
      _ = try await bench.client.call("projects/moveBoard", params)
      #expect(try await bench.boards() == order)
      _ = try await bench.client.call("changes/undo")
      #expect(try await bench.boards() == before)
      _ = try await bench.client.call("changes/redo")
    }
    #expect(try await bench.client.call("projects/moveBoard", ["id": "default"])["changed"] == false)
    #expect(try await bench.refusal("projects/moveBoard", ["id": "g", "before": "g"]) == "before")
    #expect(try await bench.refusal("projects/moveBoard", ["id": "g", "after": "x"]) == "notFound")
    _ = try await bench.client.call("projects/updateBoard", ["id": "g", "archived": true])
    #expect(try await bench.boards() == ["h", "default"])
    #expect(try await bench.boards(["archived": true]) == ["g", "h", "default"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.boards() == ["g", "h", "default"])
    let refused = try await bench.client.failure("projects/updateBoard", ["id": "default", "archived": true])
    #expect(refused?.message == "“Board” is the default board. It can be neither removed nor archived.")
    let history = try await bench.client.call("changes/history", ["collection": "cardBoards", "id": "h"])
    #expect(!history.items.isEmpty)
    await bench.stop()
  }

  @Test("where no rank is left between two boards all of them get new ones, in the same order")
  func ranks() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c"] { try await bench.addBoard(id, id: id) }
    for turn in 0..<120 {
      let id = turn.isMultiple(of: 2) ? "b" : "c"
      _ = try await bench.client.call("projects/moveBoard", ["id": .string(id), "after": "a"])
      #expect(try await bench.boards() == ["default", "a", id, id == "b" ? "c" : "b"])
    }
    let ranks = try await bench.client.call("projects/boards").items.map { $0["rank"].text.utf8.count }
    #expect(ranks.allSatisfy { $0 <= 40 })
    await bench.stop()
  }

  @Test("another client is notified of a new board and of its columns, and both see each other's boards")
  func twoClients() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("changes/subscribe")
    try await bench.addBoard("Garden", id: "g")
    _ = try await other.call("session/sync")
    let commit = try #require(other.commits.last)
    #expect(commit["changes"].list.map { $0["collection"] } == ["cardBoards"])
    #expect(commit["changes"].list.map(\.id) == ["g"])
    let columns: JSONValue = [["state": "seed", "title": "Seed"], ["state": "done"]]
    _ = try await other.call("projects/columns", ["board": "Garden", "columns": columns])
    let board = try await bench.client.call("projects/board", ["board": "g"])["columns"].list
    #expect(board.map { $0["state"] } == ["seed", "done"])
    #expect(try await bench.client.call("projects/columns")["columns"].list.count == 3)
    #expect(try await bench.add("Plant", id: "p", ["board": "g"])["state"] == "seed")
    #expect(
      try await bench.client.call("projects/actions", ["id": "p"])["actions"].list.map { $0["state"] } == ["done"])
    #expect(try await bench.refusal("projects/move", ["id": "p", "state": "doing"]) == "state")
    _ = try await bench.client.call("projects/remove", ["id": "p"])
    _ = try await other.call("changes/undo")
    #expect(try await bench.client.call("projects/columns", ["board": "g"])["columns"].list.count == 3)
    await bench.stop()
  }

  @Test("a card that moves to another board keeps its column by name or title, else lands in the first one and says so")
  func moves() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    let columns: JSONValue = [
      ["state": "seed", "title": "Seed"], ["state": "wip", "title": "Doing"],
      ["state": "eaten", "title": "Eaten", "isOpen": false],
    ]
    _ = try await bench.client.call("projects/columns", ["board": "g", "columns": columns])
    for id in ["a", "b", "c"] { try await bench.add(id, id: id) }
    try await bench.move("b", to: "doing")
    try await bench.move("c", to: "done")
    let first = try await bench.client.call("projects/move", ["id": "a", "board": "Garden"])
    #expect(first["board"] == "g" && first["state"] == "seed" && first["movedAt"] != nil)
    #expect(
      first["display"]?["message"] == "The board “Garden” has no column “TODO”: the card is in “Seed”.")
    let second = try await bench.client.call("projects/move", ["id": "b", "board": "g"])
    #expect(second["state"] == "wip" && second["display"]?["message"] == nil)
    let third = try await bench.client.call("projects/update", ["id": "c", "board": "g", "title": "Carrots"])
    #expect(third["state"] == "eaten" && third["title"] == "Carrots" && third["completedAt"] != nil)
    #expect(third["display"]?["message"].text.contains("“Eaten”") == true)
    #expect(try await bench.client.call("projects/board")["total"] == 0)
    // Back by one undo each, to board, column and place.
    for _ in 0..<3 { _ = try await bench.client.call("changes/undo") }
    #expect(try await bench.board() == ["todo": ["a"], "doing": ["b"], "done": ["c"]])
    #expect(try await bench.get("c")["title"] == "c")
    // To a place beside another card, which must be on that board.
    _ = try await bench.client.call("projects/move", ["id": "a", "board": "g"])
    let placed = try await bench.client.call(
      "projects/move", ["id": "b", "board": "g", "state": "seed", "before": "a"])
    #expect(placed["state"] == "seed")
    #expect(try await bench.ids(["board": "g", "state": "seed"]) == ["b", "a"])
    #expect(try await bench.refusal("projects/move", ["id": "c", "state": "todo", "before": "a"]) == "conflict")
    // Without a column and a board it stays in its column.
    _ = try await bench.client.call("projects/move", ["id": "b", "after": "a"])
    #expect(try await bench.ids(["board": "g", "state": "seed"]) == ["a", "b"])
    #expect(try await bench.refusal("projects/move", ["id": "c", "board": "Gardem"]) == "board")
    _ = try await bench.client.call("projects/update", ["id": "b", "board": .null])
    #expect(try await bench.get("b")["board"] == "default")
    await bench.stop()
  }

  @Test("a recurring card of a board brings its next card there, and cards wait for cards of other boards")
  func cards() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    let weekly: JSONObject = ["board": "g", "deadline": "2026-11-21", "recurrence": ["rule": "FREQ=WEEKLY"]]
    try await bench.add("Water", id: "w", weekly)
    try await bench.add("Walk", id: "x", ["blockedBy": ["w"]])
    #expect(try await bench.get("x")["blocked"] == true)
    #expect(try await bench.ids(["blocked": true]) == ["x"])
    let next = try await bench.move("w", to: "done")["nextCard"].text
    #expect(try await bench.get(next)["board"] == "g")
    #expect(try await bench.get("x")["blocked"] == false)
    #expect(try await bench.ids(["board": "g", "state": "todo"]) == [next])
    await bench.stop()
  }

  @Test("a draft carries its board, and what is added from it is on that board")
  func drafts() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    _ = try await bench.client.call(
      "projects/columns", ["board": "g", "columns": [["state": "seed", "title": "Seed"], ["state": "done"]]])
    let draft = try await bench.client.call("projects/draft", ["title": "Plant", "board": "Garden"])
    #expect(draft["board"] == "g" && draft["display"]?["heading"] == "Seed")
    try await bench.add("Plant", id: draft.id.text, ["board": "g"])
    #expect(try await bench.client.call("projects/drafts").items.isEmpty)
    await bench.stop()
  }

  @Test("the columns of one title on several boards are listed together, whatever their names")
  func sameColumnTitle() async throws {
    let bench = try await ProjectBench()
    for (id, state) in [("g", "waiting"), ("h", "others")] {
      try await bench.addBoard(id, id: id)
      let columns: JSONValue = [["state": "todo"], ["state": .string(state), "title": "On hold"], ["state": "done"]]
      _ = try await bench.client.call("projects/columns", ["board": .string(id), "columns": columns])
      try await bench.add(id, id: "card-\(id)", ["board": .string(id)])
      try await bench.move("card-\(id)", to: state)
    }
    try await bench.add("other", id: "other")
    #expect(try await bench.ids(["allBoards": true, "state": "on hold"]) == ["card-g", "card-h"])
    #expect(try await bench.ids(["allBoards": true, "state": "On hold", "sort": "deadline"]) == ["card-g", "card-h"])
    #expect(try await bench.ids(["allBoards": true, "state": "others"]) == ["card-h"])
    #expect(try await bench.refusal("projects/list", ["allBoards": true, "state": "nowhere"]) == "state")
    await bench.stop()
  }

  @Test("a column that is open on one board and closed on another means what its board says, in lists and searches")
  func openness() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    let closing: JSONValue = [["state": "todo"], ["state": "doing", "isOpen": false], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["board": "g", "columns": closing])
    for (id, board) in [("a", "default"), ("b", "g")] {
      try await bench.add("fig \(id)", id: id, ["board": .string(board), "deadline": "2026-11-01"])
      try await bench.move(id, to: "doing")
    }
    #expect(try await bench.get("a")["overdue"] == true)
    #expect(try await bench.get("b")["overdue"] == false)
    #expect(try await bench.ids(["allBoards": true, "isOpen": true]) == ["a"])
    #expect(try await bench.ids(["allBoards": true, "isOpen": false, "sort": "changed"]) == ["b"])
    #expect(try await bench.ids(["allBoards": true, "overdue": true]) == ["a"])
    #expect(try await bench.ids(["allBoards": true, "overdue": false]) == ["b"])
    for (query, ids) in [("is:open", ["a"]), ("is:closed", ["b"]), ("is:overdue", ["a"]), ("is:doing", ["b", "a"])] {
      let found = try await bench.client.call("search/query", ["text": .string("fig \(query)")]).items
      #expect(Set(found.map { $0.id.text }) == Set(ids), "\(query)")
    }
    let counts = try await bench.client.call("projects/boards").items
    #expect(counts.map { $0["open"] } == [1, 0] && counts.map { $0["overdue"] } == [1, 0])
    await bench.stop()
  }

  @Test("the cards of an archived board are out of sight and never due, and searches find them")
  func archive() async throws {
    let bench = try await ProjectBench { $0.dayCheck = .milliseconds(2) }
    try await bench.addBoard("Garden", id: "g")
    try await bench.add("Figs", id: "f", ["board": "g", "deadline": "2026-11-21"])
    try await bench.add("Bread", id: "b", ["deadline": "2026-11-21"])
    _ = try await bench.client.call("projects/updateBoard", ["id": "g", "archived": true])
    #expect(try await bench.ids(["allBoards": true]) == ["b"])
    #expect(try await bench.ids(["allBoards": true, "archived": true]) == ["b", "f"])
    #expect(try await bench.ids(["board": "g"]) == ["f"])
    let day = try await bench.client.call("diary/day").items
    #expect(day.filter { $0["kind"] == "due" }.map(\.id) == ["b"])
    #expect(try await bench.client.call("search/query", ["text": "figs"]).items.map(\.id) == ["f"])
    bench.daemon.clock.advance(milliseconds: 24 * 3_600_000)
    #expect(try await bench.client.heard("projects/didBecomeOverdue", atLeast: 1) == [["ids": ["b"]]])
    await bench.stop()
  }

  @Test("a board with cards is removed with them or once they have another board, in one step for undo")
  func removal() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    let columns: JSONValue = [["state": "todo"], ["state": "seed", "title": "Seed"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["board": "g", "columns": columns])
    for id in ["a", "b", "c"] { try await bench.add(id, id: id, ["board": "g"]) }
    try await bench.move("b", to: "seed")
    let refused = try await bench.client.failure("projects/removeBoard", ["id": "g"])
    #expect(
      refused?.message
        == "The board “Garden” has 3 cards and cannot be removed. Name the board that gets them as `to`, or remove "
        + "them too with `withCards`.")
    #expect(refused?.data?["kind"] == "notAllowed")
    #expect(try await bench.refusal("projects/removeBoard", ["id": "default", "withCards": true]) == "notAllowed")
    #expect(try await bench.refusal("projects/removeBoard", ["id": "g", "to": "g"]) == "to")
    #expect(try await bench.refusal("projects/removeBoard", ["id": "x"]) == "notFound")
    let whole = try await bench.client.call("projects/board", ["board": "g"])["columns"]
    for how in [["to": "Board"], ["withCards": true]] as [JSONObject] {
      var params = how
      params["id"] = "g"
      let removed = try await bench.client.call("projects/removeBoard", .object(params))
      #expect(removed["removed"] == "g" && removed["cards"] == 3)
      #expect(try await bench.boards() == ["default"])
      #expect(try await bench.board()["todo"] == (how["to"] == nil ? [] : ["a", "c", "b"]))
      #expect(try await bench.refusal("projects/add", ["title": "x", "board": "g"]) == "board")
      _ = try await bench.client.call("changes/undo")
      #expect(
        try await bench.client.call("projects/board", ["board": "g"])["columns"].list.map { $0["state"] }
          == whole.list.map { $0["state"] })
      #expect(try await bench.ids(["board": "g"]) == ["a", "c", "b"])
      #expect(try await bench.ids() == [])
    }
    await bench.stop()
  }

  @Test("a large board is removed slice by slice, and a card that another client adds meanwhile is not lost")
  func largeBoard() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    try await bench.addBoard("Garden", id: "g")
    let adds = (0..<3_000).map { index in
      bench.client.send("projects/add", ["title": .string("Card \(index)"), "board": "g"])
    }
    for add in adds { _ = try await add.value() }
    let removal = bench.client.send("projects/removeBoard", ["id": "g", "to": "default"])
    var added = 0
    for index in 0..<200 {
      // From the removal on the board is refused by its name.
      if (try? await other.call("projects/add", ["title": .string("Late \(index)"), "board": "g"])) != nil {
        added += 1
      }
    }
    #expect(try await removal.value()["cards"] == .integer(Int64(3_000 + added)))
    #expect(try await bench.client.call("projects/board", ["limit": 0])["total"] == .integer(Int64(3_000 + added)))
    #expect(try await bench.boards() == ["default"])
    await bench.stop()
  }

  @Test("an undo does not take a board away from the cards that are on it by now")
  func refusedUndo() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    try await bench.addBoard("Garden", id: "g")
    _ = try await other.call("projects/add", ["title": "a", "id": "a", "board": "g"])
    let failure = try await bench.client.failure("changes/undo")
    #expect(failure?.data?["kind"] == "conflict")
    #expect(failure?.message.hasPrefix("The board “Garden” has 1 card and cannot be removed.") == true)
    // Forced, the board stays in sight for its card.
    _ = try await bench.client.call("changes/undo", ["force": true])
    #expect(try await bench.boards() == ["default", "g"])
    #expect(try await bench.ids(["board": "g"]) == ["a"])
    _ = try await bench.client.call("projects/removeBoard", ["id": "g", "to": "default"])
    #expect(try await bench.boards() == ["default"])
    #expect(try await bench.ids() == ["a"])
    await bench.stop()
  }

  @Test("200 boards are all: the next one is refused with a sentence")
  func bound() async throws {
    let bench = try await ProjectBench()
    try await bench.client.calls(
      "projects/addBoard", (0..<200).map { ["title": .string("Board \($0)"), "id": .string("b\($0)")] })
    let failure = try await bench.client.failure("projects/addBoard", ["title": "One more"])
    #expect(failure?.data?["kind"] == "notAllowed")
    #expect(failure?.message == "There can be 200 boards besides the default one. Remove one first.")
    // The same again is no new one.
    #expect(try await bench.client.call("projects/addBoard", ["title": "Board 3", "id": "b3"])["changed"] == false)
    #expect(try await bench.client.call("projects/boards").items.count == 201)
    await bench.stop()
  }

  @Test("titles may be anything in one line, and a board is found by its title only if one board has it")
  func titles() async throws {
    let bench = try await ProjectBench()
    for title in ["", " ", "a\nb", "a\u{1B}[31m", "a\0b", String(repeating: "x", count: 101)] {
      #expect(try await bench.refusal("projects/addBoard", ["title": .string(title)]) == "title", "\(title)")
    }
    for (index, title) in ["'; DROP TABLE project; --", "정원 🌱", "e\u{301}", "%s", "../../x", "[[a]]"].enumerated() {
      try await bench.addBoard(title, id: "t\(index)")
      let id = try await bench.add("x", ["board": .string(title)]).id
      #expect(try await bench.get(id.text)["board"] == .string("t\(index)"), "\(title)")
    }
    // Composition and case do not matter.
    #expect(try await bench.client.call("projects/board", ["board": "É"])["board"] == "t2")
    for id in ["columns", "default"] {
      #expect(try await bench.client.failure("projects/addBoard", ["title": "x", "id": .string(id)]) != nil)
    }
    #expect(try await bench.refusal("projects/addBoard", ["title": "x", "id": "t0"]) == "exists")
    try await bench.addBoard("정원 🌱", id: "twin")
    let failure = try await bench.client.failure("projects/board", ["board": "정원 🌱"])
    #expect(failure?.message.contains("정원 🌱 (t1), 정원 🌱 (twin)") == true)
    await bench.stop()
  }

  @Test("a card that changed its board is found in its history by the titles of the boards")
  func history() async throws {
    let bench = try await ProjectBench()
    try await bench.addBoard("Garden", id: "g")
    try await bench.add("a", id: "a")
    _ = try await bench.client.call("projects/move", ["id": "a", "board": "g"])
    let version = try await bench.client.call(
      "changes/history", ["collection": "projects", "id": "a", "diff": true]
    ).items[0]
    let diff = version["diffs"].list.first { $0["field"] == "board" }
    #expect(diff?["display"]?["before"] == "Board" && diff?["display"]?["after"] == "Garden")
    await bench.stop()
  }

  @Test("a library of before has its cards on the default board, with their columns, counts and places")
  func migration() async throws {
    let folder = TemporaryFolder()
    let first = try await ProjectBench(in: folder)
    for id in ["a", "b", "c", "d"] { try await first.add(id, id: id) }
    try await first.move("c", to: "todo", before: "a")
    try await first.move("b", to: "doing")
    let removal = try await first.client.call("projects/remove", ["id": "d"])["clock"] ?? .null
    await first.stop()
    try OldLibraries.execute(
      """
      DROP TRIGGER projectReminderChanged; DROP TRIGGER projectReminderWent;
      DROP TABLE projectReminder; ALTER TABLE project DROP COLUMN reminders;
      ALTER TABLE project DROP COLUMN snoozedUntil; ALTER TABLE project DROP COLUMN dismissedAt;
      DROP TABLE projectBoard; DROP INDEX projectByPlace; DROP INDEX projectByDeadline; DROP TABLE projectCount;
      DROP TRIGGER projectMoved; DROP TRIGGER projectWent;
      DROP INDEX projectByStart; DROP INDEX projectSomeday; DROP INDEX projectStarting;
      ALTER TABLE project DROP COLUMN start;
      ALTER TABLE project DROP COLUMN someday; DROP INDEX projectByParent; DROP INDEX projectRecurring;
      ALTER TABLE project DROP COLUMN board; ALTER TABLE project DROP COLUMN parent; ALTER TABLE project DROP COLUMN steps;
      CREATE TABLE projectCount (state TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO projectCount SELECT state, count(*) FROM project GROUP BY state;
      CREATE TRIGGER projectCame AFTER INSERT ON project BEGIN SELECT 1; END;
      CREATE TRIGGER projectMoved AFTER UPDATE OF state ON project BEGIN SELECT 1; END;
      CREATE TRIGGER projectWent AFTER DELETE ON project BEGIN SELECT 1; END;
      CREATE INDEX projectByPlace ON project (state, rank, id);
      CREATE INDEX projectByDeadline ON project (state, deadline, time, id) WHERE deadline IS NOT NULL;
      DELETE FROM grdb_migrations WHERE identifier IN (
        'projects/006', 'projects/007', 'projects/008', 'projects/009', 'projects/012', 'projects/014');
      UPDATE changes SET before = json_remove(before, '$.board') WHERE collection = 'projects' AND before IS NOT NULL;
      """, in: LibraryFolder(folder.file("library")))
    let bench = try await ProjectBench(in: folder)
    #expect(try await bench.board() == ["todo": ["c", "a"], "doing": ["b"], "done": []])
    #expect(try await bench.get("a")["board"] == "default")
    try await bench.addBoard("Garden", id: "g")
    _ = try await bench.client.call("projects/move", ["id": "b", "board": "g"])
    let counts = try await bench.client.call("projects/boards").items.map { $0["cards"] }
    #expect(counts == [2, 1])
    // A removal of before is undone to the default board, and so is one of now.
    _ = try await bench.client.call("changes/undo", ["clock": removal])
    #expect(try await bench.get("d")["board"] == "default")
    _ = try await bench.client.call("projects/remove", ["id": "d"])
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board()["todo"] == ["c", "a"])
    await bench.stop()
  }

  @Test("one board is read by the index that begins with it, and the cards of many boards are by the same index")
  func plans() async throws {
    let bench = try await ProjectBench(features: AllFeatures.features + [BoardPlanProbe.feature])
    for id in ["g", "h"] { try await bench.addBoard(id, id: id) }
    let plans = try await bench.client.call("probe/boardPlans")
    #expect(
      plans["column"] == "SEARCH project USING COVERING INDEX projectByPlace (board=? AND state=?)", "\(plans)")
    for name in ["overdueOfOne", "overdueOfAll"] {
      #expect(plans[name].text.contains("projectByDeadline (board=? AND state=? AND deadline<?)"), "\(plans)")
    }
    await bench.stop()
  }
}

extension ProjectBench {
  @discardableResult
  func addBoard(_ title: String, id: String) async throws -> JSONValue {
    try await client.call("projects/addBoard", ["title": .string(title), "id": .string(id)])
  }

  func boards(_ params: JSONValue = [:]) async throws -> [String] {
    try await client.call("projects/boards", params).items.map { $0.id.text }
  }

  func titles() async throws -> [String] {
    try await client.call("projects/boards").items.map { $0["title"].text }
  }
}

/// How SQLite executes the statements of boards.
private enum BoardPlanProbe: ReadMethod {
  static let name = "probe/boardPlans"
  static let summary = "How SQLite executes the statements."
  static let effects: Effects = .reads
  typealias Params = Empty
  static let feature = Feature(name: "probe", routes: [Route(BoardPlanProbe.self)])

  struct Result: Payload {
    var column: String
    var overdueOfOne: String
    var overdueOfAll: String
    static let example = Result(column: "", overdueOfOne: "", overdueOfAll: "")
    static let fields = ["column": "A.", "overdueOfOne": "B.", "overdueOfAll": "C."]
  }

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Result {
    func plan(_ statement: (sql: String, values: [SQLValue])) throws -> String {
      var steps: [String] = []
      try snapshot.db.each("EXPLAIN QUERY PLAN " + statement.sql, statement.values) { steps.append($0.text(3)) }
      return steps.joined(separator: "; ")
    }
    let view = try ProjectView(in: snapshot)
    func overdue(_ boards: [CardBoardRecord]) throws -> String {
      var listing = ProjectListing(.deadline, view, boards)
      listing.narrow(toOpen: true)
      listing.narrow("deadline < ?", [.text("2026-11-21")])
      return try plan(listing.idStatement(ListPart(limit: 100)))
    }
    let column = ProjectListing(.board, view, view.boards.all).column(CardLanes.Lane(board: "g", state: "todo"))
    return Result(
      column: try plan(column.idStatement(ListPart(limit: 100))), overdueOfOne: try overdue([view.boards.all[1]]),
      overdueOfAll: try overdue(view.boards.all))
  }
}
