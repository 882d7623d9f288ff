import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Fields of which two versions stand, until somebody settles them.
@Suite("Conflicts: two versions of a field") struct ConflictTests {
  /// A card that says one thing in its file, and another one here, as both were changed.
  private func disputed(_ here: JSONObject, _ edit: (String) -> String) async throws -> ExchangeBench {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add",
      ["id": "a", "title": "One", "deadline": "2026-12-01", "body": "First.\nSecond.\nThird.\n", "tags": ["x"]])
    let file = try await bench.export("jsonl")
    var change = here
    change["id"] = "a"
    _ = try await bench.client.call("projects/update", .object(change))
    _ = try await bench.take(edit(file), as: "jsonl")
    return bench
  }

  private func conflicts(_ bench: ExchangeBench, _ params: JSONObject = [:]) async throws -> [JSONValue] {
    try await bench.client.call("changes/conflicts", .object(params)).items
  }

  @Test("a field that was changed here and in a file has both versions, which are listed")
  func listed() async throws {
    let bench = try await disputed(["title": "Here", "deadline": "2026-12-02"]) {
      $0.replacing("One", with: "There").replacing("2026-12-01", with: "2026-12-03")
    }
    let listed = try await conflicts(bench)
    #expect(Set(listed.map { $0["field"].text }) == ["title", "deadline"])
    let title = try #require(listed.first { $0["field"] == "title" })
    #expect(title["collection"] == "projects" && title["item"] == "a" && title["display"]?["title"] == "Here")
    #expect(title["ours"] == ["title": "Here"] && title["theirs"] == ["title": "There"])
    let day = try #require(listed.first { $0["field"] == "deadline" })
    #expect(day["ours"]?["deadline"] == "2026-12-02" && day["theirs"]?["deadline"] == "2026-12-03")
    #expect(try await bench.titles() == ["Here"])
    // By item and collection, and in parts.
    #expect(try await conflicts(bench, ["collection": "projects", "id": "a"]).count == 2)
    #expect(try await conflicts(bench, ["collection": "diary"]).isEmpty)
    #expect(try await conflicts(bench, ["id": "b"]).isEmpty)
    let part = try await bench.client.call("changes/conflicts", ["limit": 1])
    #expect(part.items.count == 1 && part["total"] == 2)
    let rest = try await bench.client.call("changes/conflicts", ["limit": 1, "after": try #require(part["next"])])
    #expect(rest.items.count == 1 && rest["next"] == nil && rest.items != part.items)
    let refused = try await bench.client.failure("changes/conflicts", ["after": "nothing"])
    #expect(refused?.code == -32602)
    await bench.stop()
  }

  @Test(
    "a conflict is settled by either version or by another value, and an undo brings it back",
    arguments: [("ours", "Here"), ("theirs", "There"), ("value", "Elsewhere")])
  func settled(take: String, title: String) async throws {
    let bench = try await disputed(["title": "Here"]) { $0.replacing("One", with: "There") }
    var params: JSONObject = ["id": "a", "field": "title", "take": .string(take)]
    if take == "value" { params["value"] = "Elsewhere" }
    let reply = try await bench.client.call("changes/resolve", .object(params))
    #expect(reply["collection"] == "projects" && reply["item"]?["title"]?.stringValue == title)
    #expect(try await bench.titles() == [title])
    #expect(try await conflicts(bench).isEmpty)
    #expect(try await bench.client.failure("changes/resolve", .object(params))?.data?["kind"] == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == ["Here"])
    #expect(try await conflicts(bench).map { $0["theirs"] } == [["title": "There"]])
    await bench.stop()
  }

  @Test("of a text both versions are the lines of both; of a day there is no such thing")
  func both() async throws {
    let bench = try await disputed(["body": "First.\nHere.\nThird.\n", "deadline": "2026-12-02"]) {
      $0.replacing("Second.", with: "There.").replacing("2026-12-01", with: "2026-12-03")
    }
    let whole = try await bench.client.call("projects/get", ["id": "a"])
    #expect(whole["body"] == "First.\nHere.\nThird.\n")
    let refused = try await bench.client.failure(
      "changes/resolve", ["id": "a", "field": "deadline", "take": "both"])
    #expect(refused?.code == -32602 && refused?.data?["field"] == "take")
    let reply = try await bench.client.call("changes/resolve", ["id": "a", "field": "body", "take": "both"])
    #expect(reply["item"]?["body"] == "First.\nHere.\nThere.\nThird.\n")
    let theirs = try await bench.client.call("changes/resolve", ["id": "a", "field": "deadline", "take": "theirs"])
    #expect(theirs["item"]?["deadline"] == "2026-12-03")
    await bench.stop()
  }

  @Test("different lines of a text, and tags of a list, are merged without any conflict")
  func merged() async throws {
    let bench = try await disputed(["body": "First!\nSecond.\nThird.\n", "tags": ["x", "here"]]) {
      $0.replacing("Third.", with: "Third?").replacing(#"["x"]"#, with: #"["x","there"]"#)
    }
    #expect(try await conflicts(bench).isEmpty)
    let card = try await bench.client.call("projects/get", ["id": "a"])
    #expect(card["body"] == "First!\nSecond.\nThird?\n" && card["tags"] == ["x", "here", "there"])
    await bench.stop()
  }

  @Test("a value that the field cannot have is refused, and leaves both versions")
  func refusedValues() async throws {
    let bench = try await disputed(["title": "Here"]) { $0.replacing("One", with: "There") }
    for (value, field) in [("", "value"), ("a\nb", "title")] {
      let refusal = try await bench.client.failure(
        "changes/resolve", ["id": "a", "field": "title", "take": "value", "value": .string(value)])
      #expect(refusal?.code == -32602 && refusal?.data?["field"]?.stringValue == field, "\(value)")
    }
    for params: JSONValue in [
      ["id": "a", "field": "title", "take": "value"],
      ["id": "a", "field": "title", "take": "ours", "value": "X"],
    ] {
      #expect(try await bench.client.failure("changes/resolve", params)?.data?["field"] == "value")
    }
    let old = try await bench.client.failure(
      "changes/resolve", ["id": "a", "field": "title", "take": "theirs", "ifRevision": 1])
    #expect(old?.data?["kind"] == "conflict")
    #expect(try await conflicts(bench).count == 1)
    #expect(try await bench.titles() == ["Here"])
    await bench.stop()
  }

  @Test("the same file again makes no other conflict, and one that was settled does not come back")
  func again() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": "2026-12-01"])
    let file = try await bench.export("ics")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    let edited = file.replacing("One", with: "There")
    #expect(try await bench.take(edited, as: "ics")["conflicts"] == 1)
    #expect(try await bench.take(edited, as: "ics")["conflicts"] == nil)
    #expect(try await conflicts(bench).count == 1)
    // Edited once more, the file has another version of it.
    _ = try await bench.take(file.replacing("One", with: "Where"), as: "ics")
    #expect(try await conflicts(bench).map { $0["theirs"] } == [["title": "Where"]])
    _ = try await bench.client.call("changes/resolve", ["id": "a", "field": "title", "take": "ours"])
    _ = try await bench.take(file.replacing("One", with: "Where"), as: "ics")
    #expect(try await conflicts(bench).isEmpty)
    #expect(try await bench.titles() == ["Here"])
    await bench.stop()
  }

  @Test("a card that is gone has no conflicts; brought back it has them again; clients are told of both")
  func removed() async throws {
    let bench = try await disputed(["title": "Here"]) { $0.replacing("One", with: "There") }
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    #expect(try await conflicts(bench).isEmpty)
    _ = try await bench.client.call("changes/undo")
    #expect(try await conflicts(bench).count == 1)
    let clock = try await bench.client.call("changes/since", ["clock": 0])
    let told = clock["changes"].list.filter { $0["collection"] == "conflicts" }
    #expect(told.contains { $0["kind"] == "added" })
    await bench.stop()
  }

  @Test("a conflict that no reply shows is there all the same, with its stored fields")
  func hidden() async throws {
    let bench = try await disputed(["title": "Here"]) { $0.replacing("One", with: "There") }
    let id = try #require(try await conflicts(bench).first?["id"])
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let item = try await bench.client.call("changes/item", ["collection": "conflicts", "id": id])
    #expect(item["exists"] == true && item["item"]?["id"] == id && item["item"]?["field"] == "title")
    await bench.stop()
  }

  @Test("the conflicts of a card that is removed for good go with it", arguments: [true, false])
  func forgotten(byName: Bool) async throws {
    let bench = try await disputed(["title": "Here"]) { $0.replacing("One", with: "There") }
    let id = try #require(try await conflicts(bench).first?["id"])
    let forget: JSONValue =
      byName ? ["collection": "projects", "id": "a"] : ["before": "2100-01-01T00:00:00.000Z"]
    _ = try await bench.client.call("changes/forget", forget)
    #expect(try await conflicts(bench).count == 1, "the card is there")
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let clock = try await bench.client.call("session/sync")["clock"] ?? .null
    #expect(try await bench.client.call("changes/item", ["collection": "conflicts", "id": id])["exists"] == true)
    _ = try await bench.client.call("changes/forget", forget)
    let gone = try await bench.client.failure("changes/item", ["collection": "conflicts", "id": id])
    #expect(gone?.kind == "notFound")
    let changes = try await bench.client.call("changes/since", ["clock": clock])["changes"].list
    #expect(changes.contains { $0["collection"] == "conflicts" && $0["id"] == id && $0["kind"] == "removed" })
    // Nothing of it is left to be read or brought back.
    #expect(
      try await bench.client.failure("changes/undo") != nil)
    let versions = try await bench.client.call("changes/history", ["collection": "conflicts", "id": id]).items
    #expect(versions.allSatisfy { $0["before"] == nil })
    await bench.stop()
  }

  @Test("an entry that was edited here and in its file has what either changed, or is in conflict")
  func entry() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    _ = try await client.call("diary/add", ["id": "e", "text": "A walk\nAlong the river.\nHome by six.\n"])
    let path = bench.daemon.folder.file("diary.jsonl")
    func export() async throws {
      _ = try await client.call("diary/export", ["format": "jsonl", "path": .string(path), "overwrite": true])
    }
    func take(_ old: String, _ new: String) async throws -> JSONValue {
      let file = try String(contentsOfFile: path, encoding: .utf8)
      try Data(file.replacing(old, with: new).utf8).write(to: URL(filePath: path))
      return try await client.call("diary/import", ["path": .string(path)])
    }
    try await export()
    _ = try await client.call("diary/update", ["id": "e", "text": "A walk\nAlong the river.\nHome by seven.\n"])
    #expect(try await take("A walk", "A long walk")["updated"] == 1)
    #expect(
      try await client.call("diary/get", ["id": "e"])["text"] == "A long walk\nAlong the river.\nHome by seven.\n")
    #expect(try await client.call("changes/conflicts").items.isEmpty)
    try await export()
    _ = try await client.call("diary/update", ["id": "e", "text": "A long walk\nAlong the river.\nHome by eight.\n"])
    let report = try await take("seven", "nine")
    #expect(report["conflicts"] == 1 && report["added"] == 0)
    #expect(
      try await client.call("diary/get", ["id": "e"])["text"] == "A long walk\nAlong the river.\nHome by eight.\n")
    let conflict = try #require(try await client.call("changes/conflicts", ["collection": "diary"]).items.first)
    #expect(conflict["field"] == "text")
    #expect(conflict["theirs"]?["text"] == "A long walk\nAlong the river.\nHome by nine.\n")
    _ = try await client.call("changes/resolve", ["id": "e", "field": "text", "take": "theirs"])
    #expect(try await client.call("diary/get", ["id": "e"])["text"] == "A long walk\nAlong the river.\nHome by nine.\n")
    #expect(try await client.call("diary/list").items.count == 1)
    await bench.stop()
  }
}
