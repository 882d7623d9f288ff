import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: sub-tasks and steps in files") struct PartsExchangeTests {
  /// The titles of all cards, each with that of its parent.
  private func parents(_ bench: ExchangeBench) async throws -> [String: String] {
    var parents: [String: String] = [:]
    for card in try await bench.cards() { parents[card["title"].text] = card["display"]?["parent"]?.text ?? "" }
    return parents
  }

  @Test(
    "every format brings sub-tasks and steps to another library, and nothing the second time",
    arguments: ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await ExchangeBench()
    for (id, title, parent) in [
      ("l", "Leaf", nil), ("h", "House", nil), ("p", "Pack", "h"), ("b", "Books", "p"), ("c", "Call", "h"),
    ] as [(String, String, String?)] {
      var params: JSONObject = ["id": .string(id), "title": .string(title), "body": "Line\nof text"]
      params["parent"] = parent.map(JSONValue.string)
      _ = try await bench.client.call("projects/add", .object(params))
    }
    // A part that is older than its whole.
    _ = try await bench.client.call("projects/update", ["id": "l", "parent": "b"])
    let steps: JSONValue = [["text": "Foo, bar; --> [x]", "done": true], ["text": "책 싸기"]]
    _ = try await bench.client.call("projects/update", ["id": "p", "steps": steps])
    let wanted = ["House": "", "Pack": "House", "Books": "Pack", "Call": "House", "Leaf": "Books"]
    #expect(try await parents(bench) == wanted)
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 5 && again["changed"] == false, "\(file)")
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 5, "\(file)")
    #expect(try await parents(other) == wanted, "\(file)")
    #expect(try await other.client.call("projects/get", ["id": "p"])["steps"] == steps, "\(file)")
    #expect(try await other.take(file, as: format)["known"] == 5)
    // What changes there comes back.
    _ = try await other.client.call("projects/update", ["id": "b", "parent": "h"])
    _ = try await other.client.call("projects/update", ["id": "c", "parent": .null])
    _ = try await other.client.call("projects/steps", ["id": "p", "toggle": 1])
    let changed = try await other.export(format)
    #expect(try await bench.take(changed, as: format)["updated"] == 3, "\(changed)")
    #expect(
      try await parents(bench) == ["House": "", "Pack": "House", "Books": "House", "Call": "", "Leaf": "Books"])
    #expect(try await bench.client.call("projects/get", ["id": "p"])["checklist"] == ["done": 2, "of": 2])
    for bench in [bench, other] { await bench.stop() }
  }

  @Test("steps that a file and the library have changed are merged one by one, in their order")
  func mergedSteps() async throws {
    let bench = try await ExchangeBench()
    let steps: JSONValue = [["text": "Soap"], ["text": "Rice"], ["text": "Tea"]]
    _ = try await bench.client.call("projects/add", ["id": "p", "title": "Shop", "steps": steps])
    let file = try await bench.export("jsonl")
    let changed: JSONValue = [["text": "Tea"], ["text": "Soap"], ["text": "Brown rice"]]
    _ = try await bench.client.call("projects/update", ["id": "p", "steps": changed])
    let edited = file.replacing(#"{"text":"Rice"}"#, with: #"{"text":"Rice","done":true},{"text":"Salt"}"#)
    #expect(edited != file)
    let report = try await bench.take(edited, as: "jsonl")
    #expect(report["updated"] == 1 && report["conflicts"] == nil, "\(report)")
    #expect(
      try await bench.client.call("projects/get", ["id": "p"])["steps"]
        == [["text": "Tea"], ["text": "Soap"], ["text": "Brown rice", "done": true], ["text": "Salt"]])
    await bench.stop()
  }

  private static func calendar(_ tasks: String...) -> String {
    let components = tasks.map { "BEGIN:VTODO\n\($0)\nEND:VTODO\n" }.joined()
    return "BEGIN:VCALENDAR\n\(components)END:VCALENDAR\n".replacing("\n", with: "\r\n")
  }

  @Test("RELATED-TO names the parent, before or after it in the file, and what cannot be a parent stays in the file")
  func related() async throws {
    let bench = try await ExchangeBench()
    let file = Self.calendar(
      "UID:c\nSUMMARY:Child\nRELATED-TO:p", "UID:p\nSUMMARY:Parent",
      "UID:d\nSUMMARY:Second\nRELATED-TO;RELTYPE=PARENT:p\nRELATED-TO;RELTYPE=SIBLING:c",
      "UID:x\nSUMMARY:Stray\nRELATED-TO:nowhere", "UID:m\nSUMMARY:Moon\nRELATED-TO:s",
      "UID:s\nSUMMARY:Sun\nRELATED-TO:m")
    let report = try await bench.take(file, as: "ics")
    // One parent is neither in the file nor in the library, and two cards would be parts of each other.
    let notes = report["notes"].list
    #expect(report["added"] == 6 && notes.map { $0["reason"] } == ["badValue", "cycle"], "\(report)")
    #expect(notes.first?["field"] == "parent" && notes.first?["title"] == "Stray", "\(notes)")
    var found = try await parents(bench)
    #expect(found == ["Child": "Parent", "Parent": "", "Second": "Parent", "Stray": "", "Moon": "Sun", "Sun": ""])
    let exported = try await bench.export("ics")
    for line in file.split(separator: "\r\n") { #expect(exported.contains(line), "\(line)") }
    let again = try await bench.take(file, as: "ics")
    #expect(again["known"] == 6 && again["notes"].list.allSatisfy { $0["title"] != "Stray" }, "\(again)")
    // The parent comes later, in a file of its own.
    _ = try await bench.take(Self.calendar("UID:nowhere\nSUMMARY:Found"), as: "ics")
    found = try await parents(bench)
    #expect(found["Stray"] == "Found")
    // Another parent, here and then there.
    let child = try #require(try await bench.card("Child")).id
    let stray = try #require(try await bench.card("Stray")).id
    _ = try await bench.client.call("projects/update", ["id": child, "parent": stray])
    #expect(try await bench.export("ics").contains("RELATED-TO;RELTYPE=PARENT:x\r\n"))
    _ = try await bench.take(file.replacing("RELTYPE=PARENT:p", with: "RELTYPE=PARENT:x"), as: "ics")
    found = try await parents(bench)
    #expect(found["Second"] == "Stray" && found["Child"] == "Stray")
    await bench.stop()
  }

  @Test("another parent or blocker changes its own RELATED-TO line alone, and the first parent stays removed")
  func otherRelations() async throws {
    let bench = try await ExchangeBench()
    let relations = [
      "RELATED-TO;X-WHY=a:p", "RELATED-TO;RELTYPE=PARENT:q", "RELATED-TO;RELTYPE=DEPENDS-ON;GAP=P1D:p",
      "RELATED-TO;RELTYPE=DEPENDS-ON:gone", "RELATED-TO;RELTYPE=SIBLING:q", "RELATED-TO;RELTYPE=DEPENDS-ON:c",
    ]
    let child = "UID:c\nSUMMARY:Child\n" + relations.joined(separator: "\n")
    let file = Self.calendar(
      "UID:p\nSUMMARY:Parent", "UID:q\nSUMMARY:Quarter", "UID:r\nSUMMARY:Rest", child)
    _ = try await bench.take(file, as: "ics")
    let id = try #require(try await bench.card("Child")).id
    let (quarter, rest) = (
      try #require(try await bench.card("Quarter")).id, try #require(try await bench.card("Rest")).id
    )
    func update(_ values: JSONObject) async throws -> [String] {
      var params = values
      params["id"] = id
      _ = try await bench.client.call("projects/update", .object(params))
      return try await bench.export("ics").split(separator: "\r\n").filter {
        $0.hasPrefix("RELATED-TO") || $0.hasPrefix("X-COMMONPLACE-OTHER")
      }.map(String.init)
    }
    // The first parent alone is replaced.
    #expect(
      try await update(["parent": rest])
        == ["RELATED-TO;RELTYPE=PARENT:r"] + relations.dropFirst())
    // Without a parent, the further one is not read as the card's.
    let removed = try await update(["parent": .null])
    #expect(removed == Array(relations.dropFirst()) + ["X-COMMONPLACE-OTHER-PARENTS:q"])
    #expect(try await bench.take(bench.export("ics"), as: "ics")["known"] == 4)
    #expect(try await parents(bench)["Child"] == "")
    // One that the file has already is not added again.
    #expect(try await update(["parent": quarter]) == Array(relations.dropFirst()))
    // A further blocker has a line of its own, and those that no card can have stay.
    let blockers = try await bench.client.call("projects/get", ["id": id])["blockedBy"].list
    let changed = try await update(["blockedBy": .array(blockers + [rest])])
    // The list that was set has no blocker that is not here.
    let others = relations.dropFirst().filter { !$0.hasSuffix(":gone") }
    #expect(changed == others + ["RELATED-TO;RELTYPE=DEPENDS-ON:r"], "\(changed)")
    let fewer = try await update(["blockedBy": [rest]])
    #expect(fewer.contains(relations[5]) && !fewer.contains(relations[2]), "\(fewer)")
    await bench.stop()
  }

  private static let list = """
    # House

    - [ ] Move
      with care
      - [ ] Pack
        - [x] Books
      - notes
        - [ ] Call

    - [ ] Sell
    Text between.
      - [ ] Alone

    """

  @Test("a task below another in a Markdown list is a part of it, and an unchanged list stays as it is")
  func nested() async throws {
    let bench = try await ExchangeBench()
    let folder = TemporaryFolder()
    let path = folder.file("list.md")
    func take(_ text: String) async throws -> JSONValue {
      try Data(text.utf8).write(to: URL(filePath: path))
      return try await bench.client.call("projects/import", ["path": .string(path), "format": "markdown"])
    }
    #expect(try await take(Self.list)["added"] == 6)
    let wanted = ["Move": "", "Pack": "Move", "Books": "Pack", "Call": "Move", "Sell": "", "Alone": ""]
    #expect(try await parents(bench) == wanted)
    #expect(try await bench.export("markdown") == Self.list)
    #expect(try await take(Self.list)["known"] == 6)
    // A line that is moved to another task becomes a part of that.
    let moved = Self.list.replacing("    - [x] Books\n", with: "").replacing("Sell\n", with: "Sell\n  - [x] Books\n")
    #expect(try await take(moved)["updated"] == 1)
    #expect(try await parents(bench).filter { wanted[$0.key] != $0.value } == ["Books": "Sell"])
    // What was changed here is written into the line, and survives the next import.
    let call = try #require(try await bench.card("Call")).id
    _ = try await bench.client.call("projects/update", ["id": call, "parent": .null])
    let exported = try await bench.export("markdown")
    #expect(exported.contains("parent:none"), "\(exported)")
    #expect(try await take(moved)["known"] == 6)
    #expect(try await parents(bench)["Call"] == "")
    await bench.stop()
  }

  @Test("a sub-task that is made here is written below its task in the list from which that came")
  func nestedHere() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.list, as: "markdown")
    let pack = try #require(try await bench.card("Pack")).id
    _ = try await bench.client.call(
      "projects/add", ["id": "new", "title": "Plates", "parent": pack, "deadline": .null])
    let exported = try await bench.export("markdown")
    #expect(exported.contains("  - [ ] Pack\n    - [ ] Plates <!-- commonplace id:new"), "\(exported)")
    #expect(!exported.contains("parent:"))
    let other = try await ExchangeBench()
    #expect(try await other.take(exported, as: "markdown")["added"] == 7)
    #expect(try await parents(other)["Plates"] == "Pack")
    for bench in [bench, other] { await bench.stop() }
  }
}
