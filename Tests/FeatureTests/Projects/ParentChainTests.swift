import Client
import Daemon
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// Cards that are parts of parts, a thousand levels deep, and libraries that were made before cards had parents.
@Suite("Projects: long chains of sub-tasks") struct ParentChainTests {
  private static let depth = 1_000

  private static func calendar(_ tasks: [String]) -> String {
    let components = tasks.map { "BEGIN:VTODO\n\($0)\nEND:VTODO\n" }.joined()
    return "BEGIN:VCALENDAR\n\(components)END:VCALENDAR\n".replacing("\n", with: "\r\n")
  }

  /// Tasks named by their numbers, each a part of the one before.
  private static let chain = (0..<depth).map { number in
    "UID:u\(number)\nSUMMARY:T\(number)" + (number == 0 ? "" : "\nRELATED-TO:u\(number - 1)")
  }

  private func take(_ file: String, _ client: Client) async throws -> JSONValue {
    let data = Data(file.utf8).base64EncodedString()
    return try await client.call("projects/import", ["data": .string(data), "format": "ics"])
  }

  /// The titles of all cards with parents, each with the title of its parent.
  private func parents(_ client: Client) async throws -> [String: String] {
    var parents: [String: String] = [:]
    var next: JSONValue?
    repeat {
      var params: JSONObject = ["limit": 1_000]
      params["after"] = next
      let page = try await client.call("projects/list", .object(params))
      for card in page.items {
        if let parent = card["display"]?["parent"]?.text { parents[card["title"].text] = parent }
      }
      next = page["next"]
    } while next != nil
    return parents
  }

  private static let expected = Dictionary(
    uniqueKeysWithValues: (1..<depth).map { ("T\($0)", "T\($0 - 1)") })

  @Test("a chain is imported in either order, listed, changed and undone", arguments: [false, true])
  func chain(isReversed: Bool) async throws {
    let bench = try await ProjectBench()
    let file = Self.calendar(isReversed ? Self.chain.reversed() : Self.chain)
    let report = try await take(file, bench.client)
    #expect(report["added"] == .integer(Int64(Self.depth)) && report["notes"].list.isEmpty, "\(report)")
    #expect(try await parents(bench.client) == Self.expected)
    let again = try await take(file, bench.client)
    #expect(again["known"] == .integer(Int64(Self.depth)) && again["notes"].list.isEmpty, "\(again)")
    func card(_ title: String) async throws -> JSONValue {
      try #require(try await bench.client.call("projects/list", ["query": .string(title)]).items.first)
    }
    let (first, last) = (try await card("T0").id, try await card("T999").id)
    // The whole of all cannot be a part of the innermost one, and the sentence that says so is short.
    let failure = try await bench.client.failure("projects/update", ["id": first, "parent": last])
    #expect(
      failure?.data?["field"] == "parent" && (failure?.message.utf8.count ?? .max) < 300, "\(failure?.message ?? "")")
    #expect(try await bench.client.call("projects/list", ["parent": first]).items.map { $0["title"] } == ["T1"])
    // The chain is cut, and a file changes it.
    _ = try await bench.client.call("projects/update", ["id": try await card("T500").id, "parent": .null])
    #expect(try await parents(bench.client)["T500"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await parents(bench.client) == Self.expected)
    let changed = file.replacing("SUMMARY:T999\r\nRELATED-TO:u998", with: "SUMMARY:T999\r\nRELATED-TO:u0")
    #expect(try await take(changed, bench.client)["updated"] == 1)
    #expect(try await parents(bench.client)["T999"] == "T0")
    _ = try await bench.client.call("changes/undo")
    #expect(try await parents(bench.client) == Self.expected)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("projects/list")["total"] == 0)
    await bench.stop()
  }

  @Test("cards that were imported before cards had parents get those that their calendar names, unless in a circle")
  func migration() async throws {
    let folder = TemporaryFolder()
    let first = try await ProjectBench(in: folder)
    let more = [
      // Two parents of each other, one of itself, one that is nowhere, one with its type in quotes, in a folded line.
      "UID:m\nSUMMARY:Moon\nRELATED-TO:s", "UID:s\nSUMMARY:Sun\nRELATED-TO;RELTYPE=PARENT:m",
      "UID:i\nSUMMARY:Itself\nRELATED-TO:i", "UID:x\nSUMMARY:Stray\nRELATED-TO:nowhere",
      "UID:q\nSUMMARY:Quoted\nRELATED-TO;RELTYPE=\"PARENT\"\n :u1",
      "UID:b\nSUMMARY:Brother\nRELATED-TO;RELTYPE=SIBLING:u1",
    ]
    let report = try await take(Self.calendar(Self.chain + more), first.client)
    #expect(report["added"] == .integer(Int64(Self.depth + more.count)))
    try await first.add("Own", id: "own")
    await first.stop()
    try OldLibraries.execute(
      """
      DROP INDEX projectByParent; DROP INDEX projectRecurring;
      ALTER TABLE project DROP COLUMN parent; ALTER TABLE project DROP COLUMN steps;
      DELETE FROM grdb_migrations WHERE identifier = 'projects/008';
      UPDATE changes SET before = json_remove(before, '$.parent', '$.steps') \
        WHERE collection = 'projects' AND before IS NOT NULL;
      """, in: LibraryFolder(folder.file("library")))
    let bench = try await ProjectBench(in: folder)
    var found = try await parents(bench.client)
    #expect(found.removeValue(forKey: "Quoted") == "T1")
    #expect(found == Self.expected)
    #expect(try await bench.client.call("library/check")["ok"] == true)
    // What the migration has set is changed and undone like anything else.
    let quoted = try #require(try await bench.client.call("projects/list", ["query": "Quoted"]).items.first)
    _ = try await bench.client.call("projects/update", ["id": quoted.id, "parent": "own"])
    #expect(try await bench.get("own")["children"] == ["done": 0, "of": 1])
    _ = try await bench.client.call("changes/undo")
    #expect(try await parents(bench.client)["Quoted"] == "T1")
    await bench.stop()
  }
}
