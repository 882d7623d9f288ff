import Foundation
import TestSupport
import Testing
import Wire

/// What this library said once, and another one brings back.
@Suite("Diary: what another library has of this one comes back") struct ReturnedEntryTests {
  private func export(_ bench: DiaryBench, as name: String) async throws -> Data {
    let path = bench.daemon.folder.file(name)
    _ = try await bench.client.call(
      "diary/export", ["path": .string(path), "format": "jsonl", "overwrite": true])
    return try Data(contentsOf: URL(filePath: path))
  }

  /// How many came, were updated and were known, and the reasons of the notes.
  private func take(_ file: Data, as name: String, into bench: DiaryBench) async throws -> String {
    let path = bench.daemon.folder.file(name)
    try file.write(to: URL(filePath: path))
    let report = try await bench.client.call("diary/import", ["path": .string(path), "format": "jsonl"])
    let counts = ["added", "updated", "known"].map { String(report[$0]?.integerValue ?? -1) }
    return (counts + report["notes"].list.map { $0["reason"].text }).joined(separator: " ")
  }

  private func texts(in bench: DiaryBench) async throws -> [String] {
    var texts: [String] = []
    for item in try await bench.client.call("diary/list").items {
      texts.append(try await bench.get(item.id)["text"].text)
    }
    return texts.sorted()
  }

  /// Two libraries that have the entry `e`, the second out of a file of the first.
  private func pair() async throws -> (first: DiaryBench, second: DiaryBench) {
    let (first, second) = (try await DiaryBench(), try await DiaryBench())
    try await first.add("one", id: "e")
    #expect(try await take(export(first, as: "out"), as: "in", into: second) == "1 0 0")
    return (first, second)
  }

  @Test("of two files of another library that were taken the older one brings nothing again, whatever was changed here")
  func older() async throws {
    let (first, second) = try await pair()
    _ = try await first.client.call("diary/update", ["id": "e", "day": "2026-11-01"])
    var files: [Data] = []
    for text in ["two", "three"] {
      _ = try await second.client.call("diary/update", ["id": "e", "text": .string(text)])
      files.append(try await export(second, as: text))
    }
    for (place, file) in files.enumerated() {
      #expect(try await take(file, as: "in\(place)", into: first) == "0 1 0")
    }
    for _ in 0..<2 { #expect(try await take(files[0], as: "in0", into: first) == "0 0 1") }
    #expect(try await texts(in: first) == ["three"])
    let entry = try await first.get("e")
    #expect(entry["day"] == "2026-11-01")
    for bench in [first, second] { await bench.stop() }
  }

  @Test("of an entry that both sides changed each keeps its own version, however often they exchange it")
  func conflict() async throws {
    let (first, second) = try await pair()
    _ = try await first.client.call("diary/update", ["id": "e", "text": "first"])
    _ = try await second.client.call("diary/update", ["id": "e", "text": "second"])
    for round in 0..<3 {
      let (left, right) = (try await export(first, as: "out"), try await export(second, as: "out"))
      let wanted = round == 0 ? "0 0 1 conflict" : "0 0 1"
      #expect(try await take(right, as: "in", into: first) == wanted, "\(round)")
      #expect(try await take(left, as: "in", into: second) == wanted, "\(round)")
    }
    for (bench, text) in [(first, "first"), (second, "second")] {
      #expect(try await texts(in: bench) == [text])
      #expect(try await bench.client.call("changes/conflicts").items.count == 1)
      await bench.stop()
    }
  }

  @Test("of a step that changed very many entries those that the other side changed too are in conflict, and no others")
  func manyAtOnce() async throws {
    let (first, second) = (try await DiaryBench(), try await DiaryBench())
    try await first.client.calls(
      "diary/add", (1_001...2_100).map { ["text": .string("Entry \($0)"), "id": .string("e\($0)")] })
    let file = try await export(first, as: "out")
    #expect(try await take(file, as: "in", into: second) == "1100 0 0")
    let edited = String(decoding: file, as: UTF8.self).replacing("Entry ", with: "First ")
    #expect(try await take(Data(edited.utf8), as: "mine", into: first) == "0 1100 0")
    // The last ones, by their ids too.
    for number in 2_091...2_095 {
      _ = try await second.client.call(
        "diary/update", ["id": .string("e\(number)"), "text": .string("Second \(number)")])
    }
    #expect(try await take(export(first, as: "out"), as: "in", into: second).hasPrefix("0 1095 5 conflict"))
    #expect(try await take(export(second, as: "out"), as: "in", into: first).hasPrefix("0 0 1100 conflict"))
    #expect(try await first.client.call("diary/list")["total"] == 1_100)
    for bench in [first, second] { await bench.stop() }
  }

  @Test("an entry that was removed here and comes with its file again is told, with the day")
  func removed() async throws {
    let (first, second) = try await pair()
    let file = try await export(first, as: "out")
    _ = try await first.client.call("diary/remove", ["id": "e"])
    #expect(try await take(file, as: "in", into: first) == "1 0 0 cameAgain")
    #expect(try await texts(in: first) == ["one"])
    for bench in [first, second] { await bench.stop() }
  }
}
