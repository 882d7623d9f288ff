import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import System

@Suite("Texts: searches, changes and days") struct MadeTextTests {
  private func read(_ path: String, _ bench: TextBench) async throws -> JSONValue {
    try await bench.client.call("text/open", ["uri": .string("commonplace:///text/\(path)")])
  }

  private func lines(_ text: JSONValue) -> [String] {
    text["text"].text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("a search is a text of its hits with their links, and one that cannot be parsed is refused")
  func search() async throws {
    let bench = try await TextBench()
    let walk = try await bench.entry("A walk\nalong the slow river, and back")
    let card = try await bench.card("Cross the [slow] river")
    try await bench.card("Something else")
    let found = try await read("search/slow%20river.md", bench)
    #expect(found["readOnly"] == true)
    let shown = lines(found)
    #expect(shown[0] == "# slow river" && shown[2].contains("2"))
    let hits = shown.filter { $0.hasPrefix("- ") }
    #expect(hits.count == 2)
    #expect(hits.contains { $0.hasPrefix("- [[commonplace:/projects/\(card)][Cross the (slow) river]] · ") })
    #expect(hits.contains { $0.hasPrefix("- [[commonplace:/diary/\(walk)][") })
    #expect(shown.contains { $0.hasPrefix("  ") && $0.contains("slow river") })
    #expect(lines(try await read("search/xyzzy.md", bench)).contains { $0.hasPrefix("- ") } == false)
    for wrong in ["search/%22slow.md", "search/slow%20OR.md"] {
      #expect(try await bench.client.failure("text/open", ["uri": .string("commonplace:///text/\(wrong)")]) != nil)
    }
    // Laid again, the file has what was written since.
    func path() async throws -> String {
      try await bench.client.call("text/path", ["path": "search/slow%20river.md"])["path"].text
    }
    let file = try await path()
    try await bench.card("Another slow river")
    #expect(try await path() == file)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Another slow river"))
    await bench.stop()
  }

  @Test("a change is a text of what it replaced, as a unified difference")
  func change() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Return the book", ["deadline": .null, "body": "To the library.\n```\nat six"])
    let update = try await bench.client.call(
      "projects/update", ["id": .string(id), "title": "Return it", "body": "To the library.\n```\nat seven"])
    let path = "changes/projects/\(id)"
    let text = lines(try await read("\(path)/\(update.clock).md", bench))
    #expect(text[0] == "# Return it" && text[2].hasPrefix("test · "))
    // The fence is longer than the one inside.
    let start = try #require(text.firstIndex(of: "## body")) + 2
    #expect(
      Array(text[start...].prefix(7)) == [
        "````diff", "@@ -1,3 +1,3 @@", " To the library.", " ```", "-at six", "+at seven", "````",
      ])
    #expect(text.contains("-Return the book") && text.contains("+Return it"))
    // Later changes are no part of it.
    _ = try await bench.client.call("projects/update", ["id": .string(id), "title": "Third"])
    #expect(lines(try await read("\(path)/\(update.clock).md", bench)).contains("+Return it"))
    let removal = try await bench.client.call("projects/remove", ["id": .string(id)])
    #expect(lines(try await read("\(path)/\(removal.clock).md", bench)).contains("-Third"))
    for wrong in ["\(path)/999999.md", "\(path)/x.md", "changes/none/\(id)/1.md"] {
      let failure = try await bench.client.failure("text/open", ["uri": .string("commonplace:///text/\(wrong)")])
      #expect(failure?.data?["kind"] == "notFound", "\(wrong)")
    }
    await bench.stop()
  }

  @Test("what a unified difference removes and adds makes one text of the other")
  func difference() {
    var random = SeededGenerator(seed: 26)
    for _ in 0..<500 {
      let old = (0..<Int.random(in: 0...30, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      var new = old
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        if new.isEmpty || Bool.random(using: &random) {
          new.insert("new", at: Int.random(in: 0...new.count, using: &random))
        } else {
          new.remove(at: Int.random(in: 0..<new.count, using: &random))
        }
      }
      let text = UnifiedDifference(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")).text
      var applied: [String] = []
      var next = 0
      for line in text.split(separator: "\n") {
        if let place = line.firstMatch(of: #/^@@ -(\d+)(?:,(\d+))? /#) {
          let start = place.output.2 == "0" ? Int(place.output.1)! : Int(place.output.1)! - 1
          applied += old[next..<start]
          next = start
        } else {
          if line.first != "+" {
            #expect(old[next] == line.dropFirst())
            next += 1
          }
          if line.first != "-" { applied.append(String(line.dropFirst())) }
        }
      }
      #expect(applied + old[next...] == new)
    }
  }

  @Test("a day has its entries and all that happened on it, with links, and today is the day's own text")
  func day() async throws {
    let bench = try await TextBench()
    let walk = try await bench.entry("A walk\nalong the river")
    let card = try await bench.card("Return the book", ["deadline": "2026-11-21"])
    let today = try await read("day/today.md", bench)
    #expect(today["uri"].text.hasSuffix("/day/2026-11-21.md") && today["readOnly"] == true)
    let shown = lines(today)
    #expect(shown.filter { $0.hasPrefix("#") } == ["# Nov 21, 2026", "## Diary", "## On this day"])
    let entries = shown.firstIndex(of: "## Diary")! + 2
    #expect(shown[entries].hasSuffix(" [[commonplace:/diary/\(walk)][A walk]]"))
    #expect(shown.contains("- due: [[commonplace:/projects/\(card)][Return the book]]"))
    let empty = lines(try await read("day/2020-01-01.md", bench))
    #expect(!empty.contains { $0.hasPrefix("- ") })
    #expect(try await bench.client.failure("text/open", ["uri": "commonplace:///text/day/none.md"]) != nil)
    await bench.stop()
  }
}
