import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: history") struct ProjectHistoryTests {
  @Test("the history tells in the reader's words in what column a card stood and what it waited for, beside the names")
  func words() async throws {
    let bench = try await ProjectBench(locale: "ko-KR")
    let english = try await bench.daemon.client(locale: "en-US")
    let columns: JSONValue = [["state": "todo"], ["state": "s-7f", "title": "Waiting"], ["state": "done"]]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    try await bench.add("Buy paint", id: "p")
    try await bench.add("Paint the door", id: "a", ["blockedBy": ["p"]])
    try await bench.move("a", to: "s-7f")
    try await bench.move("a", to: "done")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Paint it", "blockedBy": []])
    let params: JSONValue = ["collection": "projects", "id": "a", "diff": true]
    let versions = try await bench.client.call("changes/history", params).items
    let (freed, closed, moved) = (versions[0], versions[1], versions[2])
    #expect(freed["before"]?["blockedBy"] == ["p"] && freed["display"] == ["blockedBy": "Buy paint"])
    #expect(closed["before"]?["state"] == "s-7f" && closed["display"] == ["state": "Waiting"])
    #expect(moved["before"]?["state"] == "todo" && moved["display"] == ["state": "할 일"])
    func state(_ version: JSONValue) -> JSONValue? { version["diffs"].list.first { $0["field"] == "state" } }
    #expect(state(closed)?["display"] == ["before": "Waiting", "after": "완료"])
    #expect(state(closed)?["diff"]?["pieces"].list.map { $0["text"].text }.joined().contains("s-7f") == true)
    #expect(state(moved)?["display"] == ["before": "할 일", "after": "Waiting"])
    #expect(freed["diffs"].list.first { $0["field"] == "title" }?["display"] == nil)
    // Each client in its own language, and what a removal took away.
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let gone = try await english.call("changes/history", ["collection": "projects", "id": "a", "limit": 1]).items[0]
    #expect(gone["kind"] == "removed" && gone["before"]?["state"] == "done")
    #expect(gone["display"]?["state"] == "DONE")
    await bench.stop()
  }

  @Test("a page of the history of long texts is shorter, and the pages together have every version")
  func long() async throws {
    let bench = try await ProjectBench()
    let texts = (0..<9).map { String(repeating: "\($0)", count: 900_000) }
    try await bench.add("A", id: "a", ["body": .string(texts[0])])
    for text in texts.dropFirst() {
      _ = try await bench.client.call("projects/update", ["id": "a", "body": .string(text)])
    }
    for (diff, most) in [(false, 5), (true, 2)] {
      var found: [JSONValue] = []
      var after: JSONValue?
      repeat {
        let page = try await bench.client.call(
          "changes/history", ["collection": "projects", "id": "a", "diff": .bool(diff), "after": after ?? .null])
        #expect((1...most).contains(page.items.count))
        found += page.items
        after = page["next"]
      } while after != nil
      #expect(found.map { $0["before"]?["body"]?.stringValue } == texts.dropLast().reversed() + [nil])
    }
    await bench.stop()
  }

  @Test("the history shows a removed card that another waited for by its id, and the others by their titles")
  func removedBlocker() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Buy paint", id: "p")
    try await bench.add("Buy a brush", id: "q")
    try await bench.add("Paint the door", id: "a", ["blockedBy": ["p", "q"]])
    _ = try await bench.client.call("projects/update", ["id": "a", "blockedBy": []])
    _ = try await bench.client.call("projects/remove", ["id": "p"])
    let history = try await bench.client.call("changes/history", ["collection": "projects", "id": "a", "limit": 1])
    let freed = history.items[0]
    #expect(freed["before"]?["blockedBy"] == ["p", "q"])
    #expect(freed["display"] == ["blockedBy": "p, Buy a brush"])
    await bench.stop()
  }

  @Test("what became of a card's tags is told as people write them, and of its place among others nothing")
  func tags() async throws {
    let bench = try await ProjectBench(locale: "ko-KR")
    try await bench.add("Buy paint", id: "p")
    try await bench.add("Paint the door", id: "a", ["tags": ["home"]])
    _ = try await bench.client.call("projects/move", ["id": "a", "state": "todo", "before": "p"])
    _ = try await bench.client.call("projects/update", ["id": "a", "tags": ["home", "문"]])
    let params: JSONValue = ["collection": "projects", "id": "a", "diff": true]
    let versions = try await bench.client.call("changes/history", params).items
    #expect(versions[0]["before"]?["tags"] == ["home"] && versions[0]["display"]?["tags"] == "#home")
    let tagged = versions[0]["diffs"].list.first { $0["field"] == "tags" }
    #expect(tagged?["display"] == ["before": "#home", "after": "#home #문"])
    // A program still sees where it stood.
    #expect(versions[1]["fields"] == ["rank"] && versions[1]["before"]?["rank"] != nil)
    #expect(versions[1]["diffs"] == [], "\(versions[1])")
    await bench.stop()
  }

  @Test("what a card was that was removed is told as clients have it, without what imports note for themselves")
  func removed() async throws {
    let bench = try await ProjectBench()
    let file = "- [ ] Paint #home #door 📅 2026-12-01 <!-- commonplace rrule:FREQ=WEEKLY -->\n"
    let data: JSONValue = ["data": .string(Data(file.utf8).base64EncodedString()), "format": "markdown"]
    _ = try await bench.client.call("projects/import", data)
    let id = try #require(try await bench.ids([:]).first)
    _ = try await bench.client.call("projects/remove", ["id": .string(id)])
    let params: JSONValue = ["collection": "projects", "id": .string(id), "limit": 1]
    let gone = try await bench.client.call("changes/history", params).items[0]
    let before = try #require(gone["before"])
    #expect(gone["kind"] == "removed" && before["title"] == "Paint" && before["deadline"] == "2026-12-01")
    #expect(before["tags"] == ["home", "door"] && before["blockedBy"] == [], "\(before)")
    #expect(before["recurrence"]?["rule"] == "FREQ=WEEKLY", "\(before)")
    for inner in ["came", "foreign", "foreignID"] { #expect(before[inner] == nil, "\(before)") }
    // And the diary's.
    let jrnl = "[2026-11-01 09:00] A walk\nalong the river\n"
    let path = bench.daemon.folder.file("jrnl.txt")
    try jrnl.write(toFile: path, atomically: true, encoding: .utf8)
    _ = try await bench.client.call("diary/import", ["path": .string(path), "format": "jrnl"])
    let entry = try #require(try await bench.client.call("diary/list", [:]).items.first)
    _ = try await bench.client.call("diary/remove", ["id": entry["id"]!])
    let told = try await bench.client.call(
      "changes/history", ["collection": "diary", "id": entry["id"]!, "limit": 1]
    ).items[0]["before"]
    #expect(told?["text"].text == "A walk\nalong the river", "\(told ?? .null)")
    #expect(told?["came"] == nil && told?["origin"] == nil)
    await bench.stop()
  }

  @Test("the history of the columns tells what they were called, from left to right")
  func columns() async throws {
    let bench = try await ProjectBench()
    for title in ["Waiting", "On hold"] {
      let columns: JSONValue = [["state": "todo"], ["state": "w", "title": .string(title)], ["state": "done"]]
      _ = try await bench.client.call("projects/columns", ["columns": columns])
    }
    let params: JSONValue = ["collection": "columns", "id": "columns", "diff": true]
    let changed = try await bench.client.call("changes/history", params).items[0]
    #expect(changed["display"] == ["columns": "TODO, Waiting, DONE"])
    #expect(
      changed["diffs"].list.map { $0["display"] } == [
        ["before": "TODO, Waiting, DONE", "after": "TODO, On hold, DONE"]
      ])
    // An undo of it too says what it was about: now they are called so, and were called so until now.
    let back = try await bench.client.call("changes/undo")["items"].list
    #expect(back.map { $0["display"]?["title"] } == ["TODO, Waiting, DONE"])
    let gone = try await bench.client.call("changes/undo")["items"].list
    #expect(gone.map { $0["display"] } == [["title": "TODO, Waiting, DONE", "kind": "removed"]])
    await bench.stop()
  }
}
