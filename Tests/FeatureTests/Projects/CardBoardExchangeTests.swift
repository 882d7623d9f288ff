import Client
import TestSupport
import Testing
import Wire

@testable import Projects

@Suite("Projects: boards in files") struct CardBoardExchangeTests {
  private static let formats = ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"]

  /// A library with cards on three boards, one of which has columns of its own and one of which is archived.
  private func filled() async throws -> ExchangeBench {
    let bench = try await ExchangeBench()
    let columns: JSONValue = [
      ["state": "seed", "title": "Seed, 씨앗"], ["state": "doing"],
      ["state": "eaten", "title": "Eaten", "isOpen": false],
    ]
    for (id, title) in [("g", "Garden, 정원"), ("h", "--> cp-board:x")] {
      _ = try await bench.client.call("projects/addBoard", ["id": .string(id), "title": .string(title)])
    }
    _ = try await bench.client.call("projects/columns", ["board": "g", "columns": columns])
    for (id, board) in [("a", "default"), ("b", "g"), ("c", "g"), ("d", "g"), ("e", "h")] {
      _ = try await bench.client.call(
        "projects/add", ["id": .string(id), "title": .string(id), "board": .string(board)])
    }
    for (id, state) in [("c", "doing"), ("d", "eaten")] {
      _ = try await bench.client.call("projects/move", ["id": .string(id), "state": .string(state)])
    }
    _ = try await bench.client.call("projects/updateBoard", ["id": "h", "archived": true])
    return bench
  }

  /// Each board's title, columns and cards, and whether it is archived.
  private func content(_ bench: ExchangeBench) async throws -> [String] {
    var content: [String] = []
    for board in try await bench.client.call("projects/boards", ["archived": true]).items {
      let shown = try await bench.client.call("projects/board", ["board": board.id])
      let columns = shown["columns"].list.map { column in
        "\(column["state"].text) \(column["title"].text) \(column["items"].list.map { $0["title"].text }.sorted())"
      }
      content.append("\(board["title"].text)\(board["archived"] == true ? ", archived" : ""): \(columns)")
    }
    return content.sorted()
  }

  @Test(
    "every format brings the boards with their titles, columns and cards to another library, and nothing the second time",
    arguments: formats)
  func roundTrip(format: String) async throws {
    let bench = try await filled()
    let wanted = try await content(bench)
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 5 && again["changed"] == false, "\(file)")
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 5, "\(file)")
    #expect(try await content(other) == wanted, "\(file)")
    #expect(try await other.take(file, as: format)["known"] == 5)
    // A card that changes its board takes it along, to another board and back to the default one.
    _ = try await other.client.call("projects/move", ["id": "a", "board": "g"])
    _ = try await other.client.call("projects/move", ["id": "e", "board": "default"])
    #expect(try await bench.take(other.export(format), as: format)["updated"] == 2, "\(file)")
    let there = try await content(other)
    #expect(try await content(bench) == there)
    // One undo removes the boards of the first import with their cards.
    let third = try await ExchangeBench()
    _ = try await third.take(file, as: format)
    _ = try await third.client.call("changes/undo")
    #expect(try await content(third) == ["Board: [\"todo TODO []\", \"doing DOING []\", \"done DONE []\"]"])
    for bench in [bench, other, third] { await bench.stop() }
  }

  @Test("a board of the file that the library has by another id is that one", arguments: formats)
  func sameTitle(format: String) async throws {
    let bench = try await filled()
    let other = try await ExchangeBench()
    _ = try await other.client.call("projects/addBoard", ["id": "mine", "title": "GARDEN, 정원"])
    _ = try await other.take(bench.export(format), as: format)
    #expect(try await other.client.call("projects/list", ["board": "mine"]).items.count == 3)
    #expect(try await other.client.call("projects/boards", ["archived": true]).items.count == 3)
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("of two boards with the title of a file's board none is that one", arguments: formats)
  func sameTitles(format: String) async throws {
    let bench = try await filled()
    let other = try await ExchangeBench()
    for id in ["mine", "yours"] {
      _ = try await other.client.call("projects/addBoard", ["id": .string(id), "title": "Garden, 정원"])
    }
    _ = try await other.take(bench.export(format), as: format)
    for id in ["mine", "yours"] {
      #expect(try await other.client.call("projects/list", ["board": .string(id)]).items.isEmpty, "\(id)")
    }
    #expect(try await other.client.call("projects/boards", ["archived": true]).items.count == 5)
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("the cards of one board are exported alone, and tasks that name no board come to the board of the import")
  func oneBoard() async throws {
    let bench = try await filled()
    let reply = try await bench.client.call("projects/export", ["format": "jsonl", "inline": true, "board": "g"])
    #expect(reply["cards"] == 3)
    let list = "- [ ] Dig\n- [x] Rake\n"
    #expect(try await bench.take(list, as: "markdown", ["board": "Garden, 정원"])["added"] == 2)
    let titles = try await bench.client.call("projects/list", ["board": "g"]).items.map { $0["title"].text }
    #expect(titles == ["b", "Dig", "c", "d", "Rake"])
    // On the next import they stay where they were put since.
    let id = try await bench.client.call("projects/list", ["board": "g", "query": "Dig"]).items[0].id
    _ = try await bench.client.call("projects/move", ["id": id, "board": "h"])
    #expect(try await bench.take(list, as: "markdown", ["board": "g"])["known"] == 2)
    #expect(try await bench.client.call("projects/get", ["id": id])["board"] == "h")
    #expect(try await bench.refusal(list, as: "markdown", ["board": "nowhere"])?.data?["field"] == "board")
    await bench.stop()
  }

  @Test("a task of another program keeps its board in its own file, and an edit of it there leaves the board")
  func otherProgram() async throws {
    let bench = try await ExchangeBench()
    let file = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Dig\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    _ = try await bench.take(file, as: "ics")
    _ = try await bench.client.call("projects/addBoard", ["id": "g", "title": "Garden"])
    let id = try #require(try await bench.card("Dig")).id
    _ = try await bench.client.call("projects/move", ["id": id, "board": "g"])
    let exported = try await bench.export("ics")
    #expect(exported.contains("X-COMMONPLACE-BOARD:g\\,Garden"), "\(exported)")
    _ = try await bench.take(exported.replacing("SUMMARY:Dig", with: "SUMMARY:Dig deeper"), as: "ics")
    let card = try await bench.client.call("projects/get", ["id": id])
    #expect(card["title"] == "Dig deeper" && card["board"] == "g")
    // The file without the board is no move.
    _ = try await bench.take(file.replacing("Dig", with: "Dig here"), as: "ics")
    #expect(try await bench.client.call("projects/get", ["id": id])["board"] == "g")
    let other = try await ExchangeBench()
    _ = try await other.take(exported, as: "ics")
    #expect(try await other.client.call("projects/list", ["board": "Garden"]).items.map { $0["title"] } == ["Dig"])
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("a board that is written by hand is found by its title, or added with it")
  func byHand() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/addBoard", ["id": "g", "title": "Garden party"])
    _ = try await bench.take("Dig cp-board:garden%20party\nRead cp-board:House\n", as: "todotxt")
    #expect(try await bench.client.call("projects/list", ["board": "g"]).items.map { $0["title"] } == ["Dig"])
    #expect(try await bench.client.call("projects/list", ["board": "House"]).items.map { $0["title"] } == ["Read"])
    await bench.stop()
  }

  @Test("of a file with too many boards the tasks come all the same, with a note on each that has no board")
  func tooMany() async throws {
    let bench = try await ExchangeBench()
    let lines = (0..<203).map { "Task \($0) cp-board:b\($0)" }.joined(separator: "\n")
    let report = try await bench.take(lines, as: "todotxt")
    #expect(report["added"] == 203 && report["notes"].list.map { $0["field"] } == ["board", "board", "board"])
    #expect(try await bench.client.call("projects/list").items.count == 3)
    #expect(try await bench.client.call("projects/boards").items.count == 201)
    await bench.stop()
  }

  @Test("a board that was changed on both sides is a conflict of the card, shown by the titles of the boards")
  func conflict() async throws {
    let bench = try await filled()
    let other = try await ExchangeBench()
    _ = try await other.take(bench.export("jsonl"), as: "jsonl")
    _ = try await other.client.call("projects/move", ["id": "a", "board": "g"])
    _ = try await bench.client.call("projects/move", ["id": "a", "board": "h"])
    _ = try await bench.take(other.export("jsonl"), as: "jsonl")
    #expect(try await bench.client.call("projects/get", ["id": "a"])["board"] == "h")
    let conflicts = try await bench.client.call("changes/conflicts").items
    #expect(conflicts.map { $0["field"] } == ["board"], "\(conflicts)")
    let choice: JSONValue = ["collection": "projects", "id": "a", "field": "board", "take": "theirs"]
    _ = try await bench.client.call("changes/resolve", choice)
    #expect(try await bench.client.call("projects/get", ["id": "a"])["board"] == "g")
    for bench in [bench, other] { await bench.stop() }
  }
}
