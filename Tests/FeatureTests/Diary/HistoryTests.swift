import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Diary
@testable import Exchange
@testable import Kit
@testable import System

@Suite("Diary: history") struct HistoryTests {
  @Test("the history of an entry tells word by word what became of its text, and any version comes back")
  func history() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("A walk\nalong the river")
    let second = try await bench.client.call(
      "diary/update", ["id": entry.id, "text": "A walk\nalong the old river"])
    _ = try await bench.client.call("diary/update", ["id": entry.id, "day": "2026-01-01"])
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "Rain"])
    let params: JSONObject = ["collection": "diary", "id": entry.id, "diff": true]
    let versions = try await bench.client.call("changes/history", .object(params)).items
    #expect(versions.map { $0["kind"].text } == ["updated", "updated", "updated", "added"])
    func pieces(_ version: JSONValue) -> [String] {
      version["diffs"].list.first?["diff"]?["pieces"].list.map { "\($0["kind"].text) \($0["text"].text)" } ?? []
    }
    #expect(pieces(versions[2]) == ["same A walk\nalong the ", "added old ", "same river"])
    #expect(versions[1]["diffs"].list.map { $0["field"] } == ["day"] && versions[0]["before"]?["text"] != nil)
    // The same from the middle of the list on.
    var later = params
    later["after"] = .string("\(versions[1].clock)")
    #expect(
      try await bench.client.call("changes/history", .object(later)).items.first.map(pieces) == pieces(versions[2]))
    let restored = try await bench.client.call(
      "diary/update", ["id": entry.id, "version": .integer(second.clock)])
    #expect(restored["text"] == "A walk\nalong the old river" && restored["day"] == "2026-01-01")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get(entry.id)["text"] == "Rain")
    let first = try await bench.client.call("diary/update", ["id": entry.id, "version": .integer(entry.clock)])
    #expect(first["text"] == "A walk\nalong the river")
    await bench.stop()
  }

  @Test("a version that was never there or is forgotten is refused, and nothing is written")
  func unknownVersions() async throws {
    let bench = try await DiaryBench()
    try await bench.add("another")
    let entry = try await bench.add("one")
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "two"])
    func refusal(_ clock: Int64) async throws -> JSONValue? {
      try await bench.client.failure("diary/update", ["id": entry.id, "version": .integer(clock)])?.data?["kind"]
    }
    #expect(try await refusal(entry.clock - 1) == "notFound")
    // A clock that has not been yet is none of its versions either, and the newest one is.
    let newest = try await bench.client.call("diary/update", ["id": entry.id, "text": "two"]).clock
    #expect(try await refusal(newest + 1) == "notFound")
    let early = try await bench.client.failure("diary/update", ["id": entry.id, "version": 999_999])
    #expect(early?.data?["kind"] == "notFound" && early?.message.contains("There is no state 999999 yet") == true)
    #expect(try await refusal(newest) == nil)
    _ = try await bench.client.call("changes/forget", ["collection": "diary", "id": entry.id])
    #expect(try await refusal(entry.clock) == "notFound")
    #expect(try await bench.get(entry.id)["text"] == "two")
    await bench.stop()
  }

  @Test("who follows the diary finds what changed by its clock, and goes through nothing that changed before")
  func following() async throws {
    let bench = try await DiaryBench()
    await bench.stop()
    for statement in [DiaryWordIndex.changedStatement, MirrorPass<EntryRecord>.changedStatement] {
      let plan = try queryPlan(of: statement, in: bench.daemon.library)
      #expect(plan.contains { $0.hasSuffix("USING PRIMARY KEY (clock>?)") }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("changesByItem") }, "\(plan)")
    }
  }

  @Test(
    "a diff gives both texts back byte for byte",
    arguments: [
      ("", "new"), ("old", ""), ("same", "same"), ("a b c", "a x c"), ("한국어 글이다", "한국어 글이었다"), ("日本語です", "日本人です"),
      ("cafe\u{301}", "caf\u{e9}"), ("a\r\nb", "a\nb"), ("one, two.", "one; two."),
    ])
  func wholeness(old: String, new: String) {
    let diff = TextDiff(from: old, to: new)
    func text(without kind: TextDiff.Piece.Kind) -> String {
      diff.pieces.filter { $0.kind != kind }.map(\.text).joined()
    }
    #expect(sameBytes(text(without: .added), old) && sameBytes(text(without: .removed), new))
    #expect(diff.unit == .words)
  }

  @Test("where very much changed, lines are compared, and at last whole texts; the texts are whole all the same")
  func bounds() {
    func text(_ lines: Int, _ word: String) -> String {
      (0..<lines).map { "\(word)\($0) \(word)\n" }.joined()
    }
    for (lines, unit) in [(1_000, TextDiff.Unit.lines), (2_000, .whole)] {
      let (old, new) = (text(lines, "a"), text(lines, "b"))
      let diff = TextDiff(from: old, to: new)
      #expect(diff.unit == unit)
      #expect(diff.pieces.filter { $0.kind != .added }.map(\.text).joined() == old)
      #expect(diff.pieces.filter { $0.kind != .removed }.map(\.text).joined() == new)
    }
  }
}
