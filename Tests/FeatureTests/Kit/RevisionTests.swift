import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Changes that name the revision they were made for") struct RevisionTests {
  /// A call that would change something, and the revision that what it changes has.
  private struct Change {
    var params: JSONObject
    var revision: Int64
  }

  private typealias Maker = @Sendable (BoardBench) async throws -> Change

  /// Makes an item for each method that takes `ifRevision`.
  private static let makers: [String: Maker] = [
    "boards/removeRule": { try await rule($0, [:]) },
    "boards/removeSource": { try await source($0, [:]) },
    "boards/updateRule": { try await rule($0, ["read": true]) },
    "boards/updateSource": { try await source($0, ["title": "Another"]) },
    "books/decide": { bench in
      let file = Data("title,author\n,Ann\n".utf8).base64EncodedString()
      _ = try await bench.client.call("books/import", ["data": .string(file), "format": "csv"])
      let row = try #require(try await bench.client.call("books/review").items.first)
      return try change(row, ["choice": "skip"])
    },
    "books/order": { try await book($0, [:]) },
    "books/removeFromShelf": { try await book($0, [:]) },
    "books/setGoal": { bench in
      let goal = try await bench.client.call("books/setGoal", ["books": 12])["goal"] ?? .null
      var other = try change(goal, ["books": 20])
      other.params["id"] = nil
      return other
    },
    "books/updateOnShelf": { try await book($0, ["rating": 3]) },
    "boards/removePage": { bench in
      try change(
        try await bench.client.call("boards/keep", ["url": "https://site.example/a", "html": "<p>A page."]), [:])
    },
    "changes/resolve": { bench in
      let change = try await card(bench, ["field": "title", "take": "theirs"])
      let id = change.params["id"] ?? .null
      let export = try await bench.client.call("projects/export", ["format": "jsonl", "inline": true])
      let file = String(decoding: Data(base64Encoded: export["data"].text) ?? Data(), as: UTF8.self)
      let here = try await bench.client.call("projects/update", ["id": id, "title": "Here"])
      let edited = Data(file.replacing("Return", with: "Read").utf8).base64EncodedString()
      _ = try await bench.client.call("projects/import", ["data": .string(edited), "format": "jsonl"])
      return Change(params: change.params, revision: try #require(here["revision"]?.integerValue))
    },
    "diary/append": { try await entry($0, ["text": "More words."]) },
    "diary/attach": { try await entry($0, ["data": "YSBwaG90bw=="]) },
    "diary/remove": { try await entry($0, [:]) },
    "diary/update": { try await entry($0, ["text": "Other words."]) },
    "documents/placeHighlight": { try await highlight($0, ["page": 0, "lines": ["Another line."]]) },
    "documents/refresh": { try await document($0, ["data": .string(SamplePDF(["A second draft."]).base64)]) },
    "documents/remove": { try await document($0, [:]) },
    "documents/removeHighlight": { try await highlight($0, [:]) },
    "documents/removeRule": { try await documentRule($0, [:]) },
    "documents/setMemo": { bench in
      let document = try await document(bench, [:]).params
      let params: JSONObject = ["id": document["id"]!, "page": 0, "text": "A first thought."]
      let memo = try await bench.client.call("documents/setMemo", .object(params))["memo"] ?? .null
      var other = try change(memo, ["page": 0, "text": "A second thought."])
      other.params["id"] = document["id"]
      return other
    },
    "documents/update": { try await document($0, ["title": "Another"]) },
    "documents/updateHighlight": { try await highlight($0, ["color": "#ff0000"]) },
    "documents/updateRule": { try await documentRule($0, ["title": "Waters"]) },
    "projects/columns": { bench in
      let columns = try await bench.client.call("projects/columns")
      return Change(
        params: [
          "columns": [["state": "todo"], ["state": "doing"], ["state": "later", "title": "Later"], ["state": "done"]]
        ],
        revision: try #require(columns["revision"]?.integerValue))
    },
    "notes/append": { try await note($0, ["text": "More words."]) },
    "files/remove": { try await file($0, [:]) },
    "files/update": { try await file($0, ["name": "Another"]) },
    "notes/attach": { try await note($0, ["data": "YSBwaG90bw=="]) },
    "notes/remove": { try await note($0, [:]) },
    "notes/update": { try await note($0, ["text": "Other words."]) },
    "projects/append": { try await card($0, ["text": "Called, nobody there."]) },
    "projects/attach": { try await card($0, ["data": "YSBwaG90bw=="]) },
    "projects/clock": { try await card($0, [:]) },
    "projects/move": { try await card($0, ["state": "done"]) },
    "projects/moveBoard": { bench in
      _ = try await board(bench, [:])
      return try await board(bench, ["before": "default"])
    },
    "projects/remove": { try await card($0, [:]) },
    "projects/removeBoard": { try await board($0, [:]) },
    "projects/removeCalendar": { try await calendar($0, [:]) },
    "projects/steps": { try await card($0, ["add": "Ask at the desk."]) },
    "projects/update": { try await card($0, ["title": "Another"]) },
    "projects/updateBoard": { try await board($0, ["title": "Another"]) },
    "projects/updateCalendar": { try await calendar($0, ["title": "Another"]) },
    "search/save": { bench in
      try change(try await bench.client.call("search/save", ["text": "river"]), ["text": "a wide river"])
    },
  ]

  private static func change(_ item: JSONValue, _ params: JSONObject) throws -> Change {
    var params = params
    params["id"] = item.id
    return Change(params: params, revision: try #require(item["revision"]?.integerValue, "\(item)"))
  }

  private static func source(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.add(), params)
  }

  private static func rule(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("boards/addRule", ["text": "river", "hide": true]), params)
  }

  private static func documentRule(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("documents/addRule", ["text": "river", "tags": ["water"]]), params)
  }

  private static func book(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("books/addToShelf", ["byHand": ["title": "Sabriel"]]), params)
  }

  private static func entry(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("diary/add", ["text": "A walk."]), params)
  }

  private static func note(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("notes/add", ["text": "Dune"]), params)
  }

  private static func file(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("files/add", ["data": "YSBwaG90bw==", "name": "photo"]), params)
  }

  private static func card(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("projects/add", ["title": "Return the book"]), params)
  }

  private static func board(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    try change(try await bench.client.call("projects/addBoard", ["title": "Garden"]), params)
  }

  private static func calendar(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    let file = bench.daemon.folder.file("events.ics")
    try Data("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261121\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
      .write(to: URL(filePath: file))
    return try change(try await bench.client.call("projects/addCalendar", ["path": .string(file)]), params)
  }

  private static func document(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    let added = try await bench.client.call(
      "documents/add", ["data": .string(SamplePDF(["One line.", "Another line."]).base64)])
    return try change(try await bench.client.indexed(added.id), params)
  }

  private static func highlight(_ bench: BoardBench, _ params: JSONObject) async throws -> Change {
    let document = try await document(bench, [:]).params["id"]!
    _ = try await bench.client.call("documents/addHighlight", ["id": document, "page": 0, "lines": ["One line."]])
    let list = try await bench.client.call("documents/highlights", ["id": document])
    return try change(try #require(list.items.first), params)
  }

  @Test(
    "every method that takes `ifRevision` refuses another revision as a conflict, changes nothing, takes its own, is heard by others, and is undone as a whole"
  )
  func conflicts() async throws {
    let bench = try await BoardBench()
    let methods = try await bench.client.call("rpc.discover")["methods"].list
      .filter { method in method["params"].list.contains { $0["name"] == "ifRevision" } }.map { $0["name"].text }
    #expect(methods.sorted() == Self.makers.keys.sorted(), "a method without a row here, or a row without a method")
    await bench.stop()
    for (method, make) in Self.makers {
      let bench = try await BoardBench()
      let change = try await make(bench)
      let clock = try await bench.client.call("session/status")["library"]?["clock"]
      var params = change.params
      for other in [change.revision - 1, change.revision + 1_000] {
        params["ifRevision"] = .integer(other)
        let failure = try await bench.client.failure(method, .object(params))
        #expect(failure?.kind == "conflict", "\(method): \(String(describing: failure))")
        // The client sees at once what it has missed.
        let current = failure?.data?["current"]
        #expect(current?["revision"] == .integer(change.revision), "\(method): \(String(describing: failure))")
        #expect(current?["id"] == nil || current?["id"] == failure?.data?["id"], "\(method)")
        #expect(try await bench.client.call("session/status")["library"]?["clock"] == clock, "\(method)")
      }
      // Another client hears of the change, and an undo leaves the item as it was before.
      params["ifRevision"] = .integer(change.revision - 1)
      let refused = try await bench.client.failure(method, .object(params))?.data
      let key: JSONValue = ["collection": refused?["collection"] ?? .null, "id": refused?["id"] ?? .null]
      let before = await Self.item(key, bench)
      let other = try await bench.daemon.client()
      let heard = other.commits.count
      params["ifRevision"] = .integer(change.revision)
      #expect(try await bench.client.call(method, .object(params)).clock > (clock?.integerValue ?? 0), "\(method)")
      _ = try await other.call("session/sync")
      let changed = other.commits.dropFirst(heard).flatMap { $0["changes"]?.arrayValue ?? [] }
      #expect(
        changed.contains { $0["collection"] == key["collection"] && $0["id"] == key["id"] },
        "\(method): \(other.commits.dropFirst(heard))")
      _ = try await bench.client.call("changes/undo")
      #expect(await Self.item(key, bench) == before, "\(method)")
      await bench.stop()
    }
  }

  /// An item without what each change renews; null where it is not there, as the columns before they are changed.
  private static func item(_ key: JSONValue, _ bench: BoardBench) async -> JSONValue {
    guard let reply = try? await bench.client.call("changes/item", key), reply["exists"] == true,
      var item = reply["item"]?.objectValue
    else { return .null }
    for member in ["revision", "updatedAt"] { item[member] = nil }
    return .object(item)
  }
}
