import Client
import Documents
import Features
import Foundation
import Kit
import Store
import Synchronization
import System
import TestSupport
import Testing
import Wire

/// A collection of which the declared fields say all has every method without a line of its own.
@Suite("Collections of declared fields") struct CollectionTests {
  private struct Bench {
    let daemon: TestDaemon
    let client: Client

    init(_ feature: Feature = BookmarksFeature.feature) async throws {
      daemon = try await TestDaemon(features: AllFeatures.features + [feature])
      client = try await daemon.client()
    }

    func call(_ method: String, _ params: JSONObject) async throws -> JSONValue {
      try await client.call(method, .object(params))
    }

    func titles(_ params: JSONObject) async throws -> [String] {
      try await call("webBookmarks/list", params).items.map { $0["title"].text }
    }

    /// Three pages.
    func fill() async throws {
      for (id, title, tags) in [("a", "Émile", ["Novel"]), ("b", "zebra", []), ("c", "Apple", ["novel", "fruit"])] {
        daemon.clock.advance(milliseconds: 1)
        _ = try await call(
          "webBookmarks/add",
          [
            "id": .string(id), "url": .string("https://example.org/\(id)"), "title": .string(title),
            "tags": .array(tags.map { .string($0) }), "note": .string("A note on \(title)."),
          ])
      }
    }
  }

  @Test("items are added once, changed field by field, removed, and come back by an undo")
  func written() async throws {
    let bench = try await Bench()
    let new: JSONObject = ["id": "a", "url": "https://example.org", "title": "A", "tags": [" x ", "x"]]
    let added = try await bench.call("webBookmarks/add", new)
    #expect(added["tags"] == ["x"] && added["note"] == "" && added["revision"]?.integerValue != nil)
    #expect(try await bench.call("webBookmarks/add", new)["revision"] == added["revision"])
    var other = new
    other["title"] = "B"
    let exists = try await bench.client.failure("webBookmarks/add", .object(other))
    #expect(exists?.kind == "exists" && exists?.message == "There is another item with the id a.")
    let refused = try await bench.client.failure("webBookmarks/add", ["url": " ", "title": "A"])
    #expect(refused?.code == -32602 && refused?.data?["field"] == "url")
    let changed = try await bench.call("webBookmarks/update", ["id": "a", "note": "Read it.", "tags": .null])
    #expect(changed["note"] == "Read it." && changed["title"] == "A" && changed["tags"] == [])
    let late = try await bench.client.failure(
      "webBookmarks/update", ["id": "a", "title": "C", "ifRevision": added["revision"] ?? .null])
    #expect(late?.kind == "conflict")
    let history = try await bench.call("changes/history", ["collection": "webBookmarks", "id": "a"])
    #expect(history.items.first?["fields"] == ["tags", "note"])
    _ = try await bench.call("webBookmarks/remove", ["id": "a"])
    #expect(try await bench.client.failure("webBookmarks/get", ["id": "a"])?.kind == "notFound")
    _ = try await bench.call("changes/undo", [:])
    #expect(try await bench.call("webBookmarks/get", ["id": "a"])["note"] == "Read it.")
    await bench.daemon.stop()
  }

  @Test("what the collection refuses of an item is refused of one that is added, changed or imported")
  func checked() async throws {
    let bench = try await Bench()
    _ = try await bench.call("webBookmarks/add", ["id": "a", "url": "u", "title": "A"])
    for (method, params): (String, JSONValue) in [
      ("webBookmarks/add", ["id": "b", "url": "u", "title": "B", "readOn": "1989-03-12"]),
      ("webBookmarks/update", ["id": "a", "readOn": "1989-03-12"]),
    ] {
      let failure = try await bench.client.failure(method, params)
      #expect(failure?.code == -32602 && failure?.data?["field"] == "readOn", "\(method)")
    }
    let lines = #"{"url": "u", "title": "C", "readOn": "1989-03-12"}"# + "\n" + #"{"url": "u", "title": "D"}"#
    let report = try await take(bench, lines)
    #expect(report["added"] == 1 && report["notes"]?[0]?["field"] == "readOn")
    #expect(try await bench.titles([:]) == ["A", "D"])
    #expect(try await bench.call("webBookmarks/get", ["id": "a"])["readOn"] == nil)
    // What was changed here and in the file makes no sense together.
    let file = try await export(bench, "jsonl")
    _ = try await bench.call("webBookmarks/update", ["id": "a", "title": ""])
    let merged = try await take(bench, file.replacing(#""isPublic":false"#, with: #""isPublic":true"#))
    #expect(merged["notes"]?[0]?["field"] == "title" && merged["updated"] == 1)
    #expect(try await bench.call("webBookmarks/get", ["id": "a"])["isPublic"] == false)
    await bench.daemon.stop()
  }

  @Test("the history of a yes or no says true and false, and people read words")
  func booleans() async throws {
    let bench = try await Bench()
    _ = try await bench.call("webBookmarks/add", ["id": "a", "url": "u", "title": "A"])
    for isPublic in [true, false] {
      _ = try await bench.call("webBookmarks/update", ["id": "a", "isPublic": .bool(isPublic)])
    }
    let versions = try await bench.call("changes/history", ["collection": "webBookmarks", "id": "a"]).items
    #expect(versions.map { $0["before"]?["isPublic"] } == [true, false, nil])
    #expect(versions.map { $0["display"]?["isPublic"] } == ["yes", "no", nil])
    await bench.daemon.stop()
  }

  @Test("an export makes what shows its items once, however many they are")
  func shownOnce() async throws {
    let count = Mutex(0)
    var feature = BookmarksFeature.feature
    feature.collections = [
      ItemCollection(
        BookmarkRecord.self,
        payloads: { snapshot in
          count.withLock { $0 += 1 }
          return { try ItemJSON<ShownBookmark>?(ItemJSON(ShownBookmark($0, in: snapshot))) }
        })
    ]
    let bench = try await Bench(feature)
    try await bench.fill()
    count.withLock { $0 = 0 }
    let reply = try await bench.call(
      "library/exportItems", ["collection": "webBookmarks", "format": "jsonl", "inline": true])
    #expect(reply["items"] == 3 && count.withLock { $0 } == 1)
    await bench.daemon.stop()
  }

  @Test("items are listed by any field, in parts, and by the words that stand in them")
  func listed() async throws {
    let bench = try await Bench()
    try await bench.fill()
    #expect(try await bench.titles([:]) == ["Émile", "zebra", "Apple"])
    #expect(try await bench.titles(["descending": true]) == ["Apple", "zebra", "Émile"])
    #expect(try await bench.titles(["sort": "title"]) == ["Apple", "zebra", "Émile"])
    #expect(try await bench.titles(["sort": "url", "descending": true, "limit": 1]) == ["Apple"])
    #expect(try await bench.titles(["query": "nov"]) == ["Émile", "Apple"])
    #expect(try await bench.titles(["query": "note zeb"]) == ["zebra"])
    #expect(try await bench.call("webBookmarks/list", ["limit": 1]).items[0]["note"] == nil)
    // Whatever comes meanwhile moves nothing.
    let first = try await bench.call("webBookmarks/list", ["sort": "title", "limit": 2])
    #expect(first["total"] == 3 && first["hasMore"] == true)
    _ = try await bench.call("webBookmarks/add", ["url": "u", "title": "Aa/b%"])
    let rest = try await bench.call(
      "webBookmarks/list", ["sort": "title", "limit": 2, "after": first["next"] ?? .null])
    #expect(rest.items.map { $0["title"].text } == ["Émile"] && rest["offset"] == 3 && rest["next"] == nil)
    let slashed = try await bench.call("webBookmarks/list", ["sort": "title", "limit": 1])
    #expect(slashed.items[0]["title"] == "Aa/b%")
    #expect(
      try await bench.titles(["sort": "title", "limit": 1, "after": slashed["next"] ?? .null]) == ["Apple"])
    for wrong in ["a", "a/b/c", "x/y"] {
      let failure = try await bench.client.failure("webBookmarks/list", ["after": .string(wrong)])
      #expect(failure?.data?["field"] == "after", "\(wrong)")
    }
    await bench.daemon.stop()
  }

  @Test("the search over the whole library finds them by words and tags")
  func found() async throws {
    let bench = try await Bench()
    try await bench.fill()
    let hits = try await bench.call("search/query", ["text": "note tag:NOVEL"])
    #expect(Set(hits.items.map { $0["id"].text }) == ["a", "c"])
    #expect(hits.items.allSatisfy { $0["collection"] == "webBookmarks" })
    let suggested = try await bench.call("search/suggest", ["scope": "library", "text": "tag:nov"])
    #expect("\(suggested)".contains("ovel"))
    await bench.daemon.stop()
  }

  @Test("any collection is written as a table and as lines of JSON", arguments: ["csv", "jsonl"])
  func exported(format: String) async throws {
    let bench = try await Bench()
    try await bench.fill()
    _ = try await bench.call("webBookmarks/update", ["id": "b", "note": "=1, \"two\"\nlines"])
    let reply = try await bench.call(
      "library/exportItems", ["collection": "webBookmarks", "format": .string(format), "inline": true])
    #expect(reply["items"] == 3)
    let text = String(decoding: try #require(Data(base64Encoded: reply["data"].text)), as: UTF8.self)
    if format == "csv" {
      #expect(text.hasPrefix("id,revision,createdAt,updatedAt,url,title,tags,note,readOn,isPublic,epoch\r\n"))
      #expect(text.contains(#",https://example.org/b,zebra,[],"=1, ""two""\#nlines","#))
      let guarded = try await bench.call(
        "library/exportItems", ["collection": "webBookmarks", "format": "csv", "inline": true, "spreadsheet": true])
      let cells = String(decoding: try #require(Data(base64Encoded: guarded["data"].text)), as: UTF8.self)
      #expect(cells.contains("\"'=1, \"\"two\"\"\nlines\"") && cells.contains(",note\r\n"))
    } else {
      let lines = try text.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
      #expect(lines.map { $0["title"].text } == ["Émile", "zebra", "Apple"] && lines[2]["tags"] == ["novel", "fruit"])
    }
    await bench.daemon.stop()
  }

  @Test("every collection of the library can be exported, and its items are as many as there are")
  func exportedAll() async throws {
    let bench = try await Bench()
    _ = try await bench.call("projects/add", ["title": "A card"])
    _ = try await bench.call("diary/add", ["text": "An entry."])
    let failure = try await bench.client.failure(
      "library/exportItems", ["collection": "nothing", "format": "csv", "inline": true])
    #expect(failure?.data?["field"] == "collection")
    for collection in AllFeatures.features.flatMap(\.collections).map(\.name) {
      let folder = bench.daemon.folder
      let path = folder.file("\(collection).jsonl")
      let reply = try await bench.call(
        "library/exportItems", ["collection": .string(collection), "format": "jsonl", "path": .string(path)])
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
      #expect(reply["items"]?.integerValue == Int64(lines), "\(collection)")
      #expect(lines == (["projects", "diary"].contains(collection) ? 1 : 0), "\(collection)")
    }
    await bench.daemon.stop()
  }

  private func export(_ bench: Bench, _ format: String) async throws -> String {
    let reply = try await bench.call(
      "library/exportItems", ["collection": "webBookmarks", "format": .string(format), "inline": true])
    return String(decoding: try #require(Data(base64Encoded: reply["data"].text)), as: UTF8.self)
  }

  private func take(_ bench: Bench, _ text: String, _ params: JSONObject = [:]) async throws -> JSONValue {
    var params = params
    params["data"] = .string(Data(text.utf8).base64EncodedString())
    return try await bench.call("webBookmarks/import", params)
  }

  @Test("what was exported comes back into another library, and not twice", arguments: ["csv", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await Bench()
    try await bench.fill()
    _ = try await bench.call("webBookmarks/update", ["id": "a", "readOn": "2026-11-01"])
    let file = try await export(bench, format)
    let other = try await Bench()
    let dry = try await take(other, file, ["dryRun": true])
    #expect(dry["added"] == 3 && dry["confirm"] != nil)
    #expect(try await other.titles([:]).isEmpty)
    #expect(try await take(other, file)["added"] == 3)
    #expect(try await take(other, file)["known"] == 3)
    for id in ["a", "b", "c"] {
      let (one, two) = (
        try await bench.call("webBookmarks/get", ["id": .string(id)]),
        try await other.call("webBookmarks/get", ["id": .string(id)])
      )
      for field in ["url", "title", "tags", "note", "readOn"] { #expect(one[field] == two[field]) }
    }
    _ = try await other.call("changes/undo", [:])
    #expect(try await other.titles([:]).isEmpty)
    await bench.daemon.stop()
    await other.daemon.stop()
  }

  @Test("what was changed here and in the file is merged field by field, and both changed is a conflict")
  func merged() async throws {
    let bench = try await Bench()
    try await bench.fill()
    let file = try await export(bench, "jsonl")
    _ = try await bench.call("webBookmarks/update", ["id": "a", "title": "Here", "tags": ["Novel", "here"]])
    _ = try await bench.call("webBookmarks/update", ["id": "b", "note": "Here."])
    let edited = file.replacing("Émile", with: "There").replacing("[\"Novel\"]", with: "[\"Novel\",\"there\"]")
      .replacing("A note on Apple.", with: "Another note.")
    let report = try await take(bench, edited)
    #expect(report["updated"] == 2 && report["known"] == 1 && report["conflicts"] == 1 && report["skipped"] == 0)
    let both = try await bench.call("webBookmarks/get", ["id": "a"])
    #expect(both["title"] == "Here" && both["tags"] == ["Novel", "here", "there"])
    #expect(try await bench.call("webBookmarks/get", ["id": "b"])["note"] == "Here.")
    #expect(try await bench.call("webBookmarks/get", ["id": "c"])["note"] == "Another note.")
    let conflicts = try await bench.call("changes/conflicts", ["collection": "webBookmarks"])
    #expect(conflicts.items.count == 1 && conflicts.items[0]["theirs"] == ["title": "There"])
    #expect(conflicts.items[0]["display"]?["title"] == "Here")
    _ = try await bench.call(
      "changes/resolve", ["collection": "webBookmarks", "id": "a", "field": "title", "take": "theirs"])
    #expect(try await bench.call("webBookmarks/get", ["id": "a"])["title"] == "There")
    await bench.daemon.stop()
  }

  @Test("each row that is left out is told with its field, and the others come")
  func leftOut() async throws {
    let bench = try await Bench()
    let long = String(repeating: "x", count: 1_001)
    let report = try await take(
      bench, "url,title,tags,stars\nu1,One,,5\n,Two,,\nu3,\(long),,\nu4,Four,\"[\"\"a\"\", 1]\",\nu1,One,,5\n")
    #expect(report["added"] == 1 && report["skipped"] == 4 && report["format"] == "csv")
    let notes = report["notes"]?.arrayValue ?? []
    let skipped = notes.filter { $0["skipped"] == true }
    #expect(skipped.map { $0["line"]?.integerValue }.sorted { ($0 ?? 0) < ($1 ?? 0) } == [3, 4, 5, 6])
    let fields = Set(skipped.compactMap { $0["field"]?.stringValue })
    #expect(fields.isSuperset(of: ["url", "title"]))
    #expect(notes.contains { $0["field"] == "stars" && $0["skipped"] == false })
    let wrong = try await bench.client.failure(
      "webBookmarks/import", ["data": .string(Data("a,b\n1,2\n".utf8).base64EncodedString())])
    #expect(wrong?.kind == "corrupt")
    let lines = try await take(bench, "{\"url\":\"v\"}\n{\n\n{\"url\":\"w\",\"title\":7}\n")
    #expect(lines["added"] == 1 && lines["skipped"] == 2 && lines["format"] == "jsonl")
    await bench.daemon.stop()
  }

  @Test("an empty cell takes away what the file had, and a new row needs no id")
  func cleared() async throws {
    let bench = try await Bench()
    try await bench.fill()
    _ = try await bench.call("webBookmarks/update", ["id": "a", "readOn": "2026-11-01"])
    let file = try await export(bench, "csv")
    let edited = file.replacing("2026-11-01", with: "").replacing("\"[\"\"Novel\"\"]\"", with: "")
    let report = try await take(bench, edited + ",,,,https://example.org/d,New,,,,\r\n")
    #expect(
      report["added"] == 1 && report["updated"] == 1 && report["known"] == 2 && report["skipped"] == 0, "\(report)")
    let cleared = try await bench.call("webBookmarks/get", ["id": "a"])
    #expect(cleared["readOn"] == nil && cleared["tags"] == [] && cleared["title"] == "Émile", "\(cleared) \(edited)")
    await bench.daemon.stop()
  }

  @Test("a file that is edited again is an edit of what came from it, also one of another library")
  func editedAgain() async throws {
    let bench = try await Bench()
    let other = try await Bench()
    try await bench.fill()
    let path = bench.daemon.folder.file("pages.jsonl")
    func give(_ text: String, to bench: Bench) async throws -> JSONValue {
      try Data(text.utf8).write(to: URL(filePath: path))
      return try await bench.call("webBookmarks/import", ["path": .string(path)])
    }
    let file = try await export(bench, "jsonl")
    #expect(try await give(file.replacing("zebra", with: "one"), to: bench)["updated"] == 1)
    let second = try await give(file.replacing("zebra", with: "two"), to: bench)
    #expect(second["updated"] == 1 && second["conflicts"] == nil)
    #expect(try await bench.call("webBookmarks/get", ["id": "b"])["title"] == "two")
    #expect(try await give(file, to: other)["added"] == 3)
    _ = try await bench.call("webBookmarks/update", ["id": "b", "title": "three"])
    let followed = try await give(export(bench, "jsonl"), to: other)
    #expect(followed["updated"] == 1 && followed["conflicts"] == nil)
    #expect(try await other.call("webBookmarks/get", ["id": "b"])["title"] == "three")
    await bench.daemon.stop()
    await other.daemon.stop()
  }

  @Test("a place goes on behind a title that ends as no character does by itself")
  func oddTitles() async throws {
    let bench = try await Bench()
    for title in ["a", "b\u{0600}", "b\u{0600}/\u{0301}%2F", "c"] {
      _ = try await bench.call("webBookmarks/add", ["url": "u", "title": .string(title)])
    }
    var (titles, after) = ([String](), JSONValue.null)
    repeat {
      let part = try await bench.call("webBookmarks/list", ["sort": "title", "limit": 1, "after": after])
      titles += part.items.map { $0["title"].text }
      after = part["next"] ?? .null
    } while !after.isNull
    #expect(titles == ["a", "b\u{0600}", "b\u{0600}/\u{0301}%2F", "c"])
    await bench.daemon.stop()
  }
}
