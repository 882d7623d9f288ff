import Books
import Client
import Foundation
import Kit
import TestSupport
import Testing
import Wire

@Suite("Books: copies, and the books to read next") struct ReadingOrderTests {
  private func order(_ bench: BookBench, _ id: JSONValue, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["id"] = id
    return try await bench.client.call("books/order", .object(params))
  }

  private func next(_ bench: BookBench) async throws -> [JSONValue] {
    try await bench.shelf(["next": true, "sort": "next"]).map(\.id)
  }

  private func bench() async throws -> BookBench {
    let bench = try await BookBench()
    for id in ["a", "b", "c", "d"] { _ = try await bench.add("Book \(id)", [], id: id) }
    return bench
  }

  @Test("books to read next stand in the order that the user gives them, before all others")
  func ordered() async throws {
    let bench = try await bench()
    #expect(try await next(bench) == [])
    for id in ["c", "a", "b"] as [JSONValue] { _ = try await order(bench, id) }
    #expect(try await next(bench) == ["c", "a", "b"])
    _ = try await order(bench, "b", ["before": "a"])
    #expect(try await next(bench) == ["c", "b", "a"])
    _ = try await order(bench, "c", ["after": "b"])
    #expect(try await next(bench) == ["b", "c", "a"])
    _ = try await order(bench, "d", ["first": true])
    #expect(try await next(bench) == ["d", "b", "c", "a"])
    _ = try await order(bench, "b", ["remove": true])
    #expect(try await next(bench) == ["d", "c", "a"])
    #expect(try await bench.shelf(["sort": "next"]).map(\.id) == ["d", "c", "a", "b"])
    #expect(try await bench.shelf(["next": false]).map(\.id) == ["b"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await next(bench) == ["d", "b", "c", "a"])
    // Several at once keep their own order.
    _ = try await bench.client.call("books/order", ["ids": ["a", "b"], "first": true])
    #expect(try await next(bench) == ["a", "b", "d", "c"])
    await bench.stop()
  }

  @Test("a book at its place already is not changed, and one that is not among them is no neighbour")
  func unchanged() async throws {
    let bench = try await bench()
    for id in ["a", "b"] as [JSONValue] { _ = try await order(bench, id) }
    let before = try await bench.client.call("books/get", ["id": "b"])["revision"]
    for place in [["after": "a"], ["after": "b"], ["before": "b"], [:]] as [JSONObject] {
      #expect(try await order(bench, "b", place)["revision"] == before, "\(place)")
    }
    #expect(try await bench.refusal("books/order", ["id": "a", "before": "c"]) == "before")
    #expect(try await bench.refusal("books/order", ["id": "a", "after": "none"]) == "notFound")
    #expect(try await bench.refusal("books/order", ["id": "a", "first": true, "remove": true]) != "none")
    await bench.stop()
  }

  @Test("a book that is being read is no longer one to read next")
  func begun() async throws {
    let bench = try await bench()
    for id in ["a", "b"] as [JSONValue] { _ = try await order(bench, id) }
    _ = try await bench.client.call("books/updateOnShelf", ["id": "a", "status": "reading"])
    #expect(try await next(bench) == ["b"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await next(bench) == ["a", "b"])
    await bench.stop()
  }

  @Test("a book with another status than want is none to read next, even if it has a rank")
  func otherStatus() async throws {
    let bench = try await bench()
    _ = try await order(bench, "a")
    _ = try await bench.client.call("books/updateOnShelf", ["id": "b", "status": "read"])
    #expect(try await bench.refusal("books/order", ["id": "b"]) == "id")
    #expect(try await bench.client.call("books/order", ["id": "b", "remove": true]).id == "b")
    let report = try await bench.importing("title,status,rank\nRanked,read,a0\nWanted,want,a5\n")
    #expect(report["added"] == 2, "\(report)")
    let ranked = try await bench.shelf(["query": "Ranked"])[0].id
    let wanted = try await bench.shelf(["query": "Wanted"])[0].id
    #expect(try await next(bench) == ["a", wanted])
    #expect(try await bench.shelf(["sort": "next"]).prefix(2).contains { $0.id == ranked } == false)
    #expect(try await bench.refusal("books/order", ["id": "a", "before": ranked]) == "before")
    await bench.stop()
  }

  @Test("a book comes between two others a hundred times, also where their ranks are equal")
  func between() async throws {
    let bench = try await bench()
    for id in ["a", "b", "c"] as [JSONValue] { _ = try await order(bench, id) }
    for turn in 0..<100 {
      _ = try await order(bench, turn.isMultiple(of: 2) ? "c" : "b", ["after": "a"])
    }
    #expect(try await next(bench) == ["a", "b", "c"])
    let lines = try await bench.export("jsonl").split(separator: "\n").map { try JSONParser.parse(String($0)) }
    let ranks = lines.compactMap { $0["content"]?["rank"]?.stringValue }
    #expect(ranks.count == 3 && ranks.allSatisfy { Rank.isSound($0) }, "\(ranks)")
    // Two devices that add to the end at once give the same rank.
    let same = lines.map { line -> String in
      guard case .object(var object) = line, case .object(var content)? = object["content"] else { return "" }
      if content["rank"] != nil { content["rank"] = "a0" }
      object["content"] = .object(content)
      return JSONValue.object(object).description
    }
    _ = try await bench.client.call("books/removeFromShelf", ["ids": ["a", "b", "c", "d"]])
    #expect(try await bench.importing(same.joined(separator: "\n"))["added"] == 4)
    #expect(try await next(bench) == ["a", "b", "c"])
    _ = try await order(bench, "c", ["before": "b"])
    #expect(try await next(bench) == ["a", "c", "b"])
    await bench.stop()
  }

  @Test("a copy has an owner's mark, a place and a borrower, which search, lists and history have")
  func copy() async throws {
    let bench = try await bench()
    let book = try await bench.client.call(
      "books/updateOnShelf", ["id": "a", "owned": true, "place": " Living room, top ", "lentTo": "Ann Miller"])
    let shelf = book["shelf"] ?? .null
    #expect(shelf["owned"] == true && shelf["place"] == "Living room, top" && shelf["lentTo"] == "Ann Miller")
    #expect(try await bench.shelf(["owned": true]).map(\.id) == ["a"])
    #expect(try await bench.shelf(["owned": false]).count == 3)
    #expect(try await bench.shelf(["lent": true]).map(\.id) == ["a"])
    #expect(try await bench.client.call("search/query", ["text": "miller in:books"]).items.count == 1)
    _ = try await bench.client.call("books/updateOnShelf", ["id": "a", "lentTo": .null, "owned": false])
    let back = try await bench.client.call("books/get", ["id": "a"])["shelf"] ?? .null
    #expect(back["lentTo"] == nil && back["owned"] == nil && back["place"] == "Living room, top")
    #expect(try await bench.shelf(["lent": true]).isEmpty)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf(["lent": true, "owned": true]).map(\.id) == ["a"])
    #expect(try await bench.refusal("books/updateOnShelf", ["id": "a", "place": " "]) == "place")
    await bench.stop()
  }

  @Test("tables and lines have the copy and the order, and bring them back", arguments: ["csv", "jsonl"])
  func exchanged(format: String) async throws {
    let bench = try await bench()
    let copy: JSONValue = ["id": "a", "owned": true, "place": "Hall; left", "lentTo": "Ann"]
    _ = try await bench.client.call("books/updateOnShelf", copy)
    for id in ["b", "a"] as [JSONValue] { _ = try await order(bench, id) }
    let file = try await bench.export(format)
    #expect(try await bench.importing(file)["known"] == 4)
    _ = try await bench.client.call("books/removeFromShelf", ["ids": ["a", "b", "c", "d"]])
    #expect(try await bench.importing(file)["added"] == 4)
    let books = try await bench.shelf(["next": true, "sort": "next"])
    #expect(books.map { $0["title"] } == ["Book b", "Book a"])
    let shelf = books.last?["shelf"] ?? .null
    #expect(shelf["owned"] == true && shelf["place"] == "Hall; left" && shelf["lentTo"] == "Ann")
    await bench.stop()
  }

  @Test("Goodreads' copies and StoryGraph's “Owned?” are owned books, and calibre's columns the copy")
  func imported() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(
      "Book Id,Title,Author,Exclusive Shelf,Owned Copies\n1,Mine,Ann,read,2\n2,Not mine,Ann,read,0\n")
    _ = try await bench.importing(
      "Title,Authors,Read Status,Star Rating,Owned?\nYours,Bob,read,,Yes\nTheirs,Bob,read,,No\n")
    #expect(try await bench.shelf(["owned": true, "sort": "title"]).map { $0["title"] } == ["Mine", "Yours"])
    let goodreads = try await bench.export("goodreads")
    #expect(goodreads.split(separator: "\n")[0].contains("Owned Copies"))
    let folder = bench.daemon.folder.file("Calibre Library")
    try CalibreSample.write(
      into: folder,
      """
      UPDATE custom_columns SET label = 'location', name = 'Location' WHERE id = 5;
      UPDATE custom_columns SET label = 'owned' WHERE id = 2;
      """)
    #expect(try await bench.client.call("books/import", ["path": .string(folder)])["added"] == 3)
    let shelf = try await bench.shelf(["query": "Sabriel"])[0]["shelf"] ?? .null
    #expect(shelf["owned"] == true && shelf["place"] == "Top left" && shelf["note"] == "Read twice.")
    await bench.stop()
  }
  @Test("a place and a borrower that a file has otherwise are told, and stay")
  func kept() async throws {
    let bench = try await BookBench()
    _ = try await bench.add("Sabriel", ["Garth Nix"], id: "s", ["place": "Hall", "lentTo": "Ann"])
    let report = try await bench.importing("title,authors,place,lent to\nSabriel,Garth Nix,Attic,Bob\n")
    #expect(report["notes"].list.map { $0["field"] } == ["place", "lentTo"], "\(report)")
    #expect(report["notes"]?[0]?["display"].text.contains("“Hall” is unchanged; the file has “Attic”") == true)
    let shelf = try await bench.client.call("books/get", ["id": "s"])["shelf"]
    #expect(shelf?["place"] == "Hall" && shelf?["lentTo"] == "Ann")
    await bench.stop()
  }
}
