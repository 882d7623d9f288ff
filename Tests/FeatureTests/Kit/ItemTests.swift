import Client
import TestSupport
import Testing
import Wire

/// One item of any collection, for clients that have no code for it.
@Suite("The item of a change") struct ItemTests {
  @Test("an item of any collection is shown with its title, and a removed one by the columns that were kept last")
  func items() async throws {
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let card = try #require(try await client.call("projects/add", ["title": "Return the book"])["id"])
    let entry = try #require(try await client.call("diary/add", ["text": "# Rain\n\nAll day."])["id"])
    let search = try #require(try await client.call("search/save", ["text": "river"])["id"])
    let titles: [(String, JSONValue, String)] = [
      ("projects", card, "Return the book"), ("diary", entry, "Rain"), ("savedSearches", search, "river"),
    ]
    for (collection, id, title) in titles {
      let shown = try await client.call("changes/item", ["collection": .string(collection), "id": id])
      #expect(shown["exists"] == true && shown["display"]?["title"] == .string(title), "\(shown)")
      #expect(shown["item"]?["id"] == id)
    }
    #expect(
      try await client.call("changes/item", ["collection": "projects", "id": card])["item"]?["state"] == "todo")
    // What lists leave out as it may be long, a client may not need.
    _ = try await client.call("projects/update", ["id": card, "body": "To the library."])
    for isListed in [true, false] {
      let shown = try await client.call(
        "changes/item", ["collection": "projects", "id": card, "listed": .bool(isListed)])
      #expect((shown["item"]?["body"] == nil) == isListed && shown["display"]?["title"] == "Return the book")
    }
    _ = try await client.call("projects/remove", ["id": card])
    let gone = try await client.call("changes/item", ["collection": "projects", "id": card])
    #expect(gone["exists"] == false && gone["display"]?["title"] == "Return the book")
    #expect(gone["item"]?["tags"] == [] && gone["item"]?["came"] == nil)
    // Those that only one method for all of them shows.
    let waiting: JSONValue = ["state": "waiting", "title": "Waiting"]
    _ = try await client.call("projects/columns", ["columns": [["state": "todo"], waiting, ["state": "done"]]])
    let columns = try await client.call("changes/item", ["collection": "columns", "id": "columns"])
    #expect(columns["display"]?["title"] == "TODO, Waiting, DONE")
    let unknown = try await client.failure("changes/item", ["collection": "projects", "id": "none"])
    #expect(unknown?.data?["kind"] == "notFound")
    #expect(try await client.failure("changes/item", ["collection": "unicorns", "id": card])?.code == -32602)
    await daemon.stop()
  }
}
