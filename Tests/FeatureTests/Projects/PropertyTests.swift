import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Cards: fields of the user's own") struct PropertyTests {
  private static let taskwarrior = #"""
    [{"id":1,"description":"Buy seeds","entry":"20261121T124325Z","estimate":"PT2H","points":3,"github.title":"Seeds","status":"pending","uuid":"116e7f2f-f571-4024-ba6b-f1228557b6c5","urgency":2.5}]
    """#

  private func take(_ file: String, as format: String, into bench: ProjectBench) async throws -> JSONValue {
    let data = Data(file.utf8).base64EncodedString()
    return try await bench.client.call("projects/import", ["data": .string(data), "format": .string(format)])
  }

  private func export(_ format: String, from bench: ProjectBench) async throws -> String {
    let export = try await bench.client.call("projects/export", ["format": .string(format), "inline": true])
    return String(decoding: try #require(Data(base64Encoded: export["data"].text)), as: UTF8.self)
  }

  @Test("they are set as a whole, shown with the card, in its history, and an undo takes them back")
  func field() async throws {
    let bench = try await ProjectBench()
    let properties: JSONValue = [["name": "estimate", "value": "3h"], ["name": "Kunde", "value": "Müller & Co."]]
    #expect(try await bench.add("Paint", id: "a", ["properties": properties])["properties"] == properties)
    #expect(try await bench.client.call("projects/list").items.first?["properties"] == nil)
    _ = try await bench.client.call("projects/update", ["id": "a", "properties": nil])
    #expect(try await bench.get("a")["properties"] == nil)
    let history = try await bench.client.call("changes/history", ["collection": "projects", "id": "a"])
    #expect("\(history)".contains("Müller & Co."), "\(history)")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get("a")["properties"] == properties)
    let twice: JSONValue = [["name": "a", "value": "1"], ["name": "a", "value": "2"]]
    let broken: JSONValue = [["name": "a\nb", "value": "1"]]
    for wrong in [twice, broken] {
      let failure = try await bench.client.failure("projects/update", ["id": "a", "properties": wrong])
      #expect(failure?.data?["field"]?.text.hasPrefix("properties[") == true, "\(wrong)")
    }
    await bench.stop()
  }

  @Test("a task that expires is reported, as cards do not, and the attribute is exported again")
  func expiring() async throws {
    let bench = try await ProjectBench()
    func task(_ more: String, _ end: String) -> String {
      #"{"description":"Buy","entry":"20261121T124325Z","uuid":"116e7f2f-f571-4024-ba6b-f1228557b6c"# + end + #"","#
        + more
        + #","until":"20261231T000000Z"}"#
    }
    let file =
      "[" + task(#""status":"pending""#, "1") + "," + task(#""status":"completed","end":"20261122T000000Z""#, "2") + "]"
    let report = try await take(file, as: "taskwarrior", into: bench)
    #expect(report["added"] == 2 && report["notes"].list.map { $0["field"] } == ["until"], "\(report)")
    #expect(report["notes"].list.map { $0["skipped"] } == [false])
    #expect(try await export("taskwarrior", from: bench).matches(of: /"until":"20261231T000000Z"/).count == 2)
    await bench.stop()
  }

  @Test("user-defined attributes of Taskwarrior are imported, edited here and exported, and the file stays as it was")
  func userDefined() async throws {
    let bench = try await ProjectBench()
    #expect(try await take(Self.taskwarrior, as: "taskwarrior", into: bench)["added"] == 1)
    let id = try #require(try await bench.client.call("projects/list").items.first).id.text
    let card = try await bench.get(id)
    #expect(
      card["properties"] == [
        ["name": "estimate", "value": "PT2H"], ["name": "points", "value": "3"],
        ["name": "github.title", "value": "Seeds"],
      ])
    #expect(try await export("taskwarrior", from: bench).contains(#""points":3,"github.title":"Seeds""#))
    #expect(try await take(Self.taskwarrior, as: "taskwarrior", into: bench)["known"] == 1)
    let edited: JSONValue = [
      ["name": "points", "value": "5"], ["name": "estimate", "value": "PT3H"], ["name": "due date", "value": "soon"],
    ]
    _ = try await bench.client.call("projects/update", ["id": .string(id), "properties": edited])
    let file = try await export("taskwarrior", from: bench)
    let task = try #require(try JSONParser.parse(Array(file.utf8)).arrayValue?.first)
    #expect(task["points"] == 5 && task["estimate"] == "PT3H" && task["github.title"] == nil, "\(file)")
    #expect(task["due date"] == nil && task["due"] == nil, "\(file)")
    let other = try await ProjectBench()
    #expect(try await take(file, as: "taskwarrior", into: other)["added"] == 1)
    let there = try #require(try await other.client.call("projects/list").items.first).id.text
    let back = try await other.get(there)["properties"].list
    let pairs = back.map { "\($0["name"].text)=\($0["value"].text)" }
    #expect(Set(pairs) == ["points=5", "estimate=PT3H", "due date=soon"])
    // An edit in Taskwarrior comes with the next import.
    let changed = file.replacing("PT3H", with: "PT4H")
    #expect(try await take(changed, as: "taskwarrior", into: bench)["updated"] == 1)
    #expect("\(try await bench.get(id)["properties"].list)".contains("PT4H"))
    await bench.stop()
    await other.stop()
  }

  @Test("they come back from every other format", arguments: ["ics", "todotxt", "markdown", "jsonl"])
  func formats(format: String) async throws {
    let bench = try await ProjectBench()
    let properties: JSONValue = [["name": "Kunde", "value": "Müller; \"Co\", 50 %\nzweite Zeile"]]
    _ = try await bench.add("Paint", id: "a", ["properties": properties])
    let file = try await export(format, from: bench)
    let other = try await ProjectBench()
    #expect(try await take(file, as: format, into: other)["added"] == 1, "\(file)")
    #expect(try await other.get("a")["properties"] == properties, "\(file)")
    #expect(try await take(file, as: format, into: other)["known"] == 1)
    await bench.stop()
    await other.stop()
  }

  @Test("cards that an earlier version imported from Taskwarrior get their attributes, and lose none in an export")
  func earlierVersion() async throws {
    let folder = TemporaryFolder()
    let bench = try await ProjectBench(in: folder)
    // An attribute of blanks is no property.
    let file = Self.taskwarrior.replacing("\"estimate\"", with: "\"blank\": \"\\t\", \"estimate\"")
    #expect(file.contains("\\t"))
    _ = try await take(file, as: "taskwarrior", into: bench)
    let id = try #require(try await bench.client.call("projects/list").items.first).id.text
    let before = try await bench.get(id)["properties"]
    await bench.stop()
    try OldLibraries.execute(
      """
      ALTER TABLE project DROP COLUMN properties;
      DELETE FROM grdb_migrations WHERE identifier = 'projects/013';
      """, in: LibraryFolder(folder.file("library")))
    let later = try await ProjectBench(in: folder)
    #expect(try await later.get(id)["properties"] == before && before?.arrayValue?.count == 3)
    #expect(try await export("taskwarrior", from: later).contains("PT2H"))
    #expect(try await take(file, as: "taskwarrior", into: later)["known"] == 1)
    await later.stop()
  }
}
