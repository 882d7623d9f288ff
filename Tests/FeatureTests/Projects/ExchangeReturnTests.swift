import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What this library said once, and another one brings back.
@Suite("Projects: what another library has of this one comes back") struct ExchangeReturnTests {
  private static let formats = ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"]

  /// How many came, were updated and were known, and the reasons of the notes.
  private func take(_ file: String, as format: String, into bench: ExchangeBench) async throws -> String {
    let report = try await bench.take(file, as: format)
    let counts = ["added", "updated", "known"].map { String(report[$0]?.integerValue ?? -1) }
    return (counts + report["notes"].list.map { $0["reason"].text }).joined(separator: " ")
  }

  /// Two libraries that have the card `a`, the second out of a file of the first.
  private func pair(_ format: String) async throws -> (first: ExchangeBench, second: ExchangeBench) {
    let first = try await ExchangeBench()
    let second = try await ExchangeBench()
    _ = try await first.client.call("projects/add", ["id": "a", "title": "One", "deadline": "2026-12-01"])
    #expect(try await take(first.export(format), as: format, into: second) == "1 0 0")
    return (first, second)
  }

  @Test(
    "J8 of two files of another library that were taken the older one brings nothing again, whatever was changed here",
    arguments: formats, [true, false])
  func older(format: String, isFirst: Bool) async throws {
    let (first, second) = try await pair(format)
    let (here, there) = isFirst ? (first, second) : (second, first)
    _ = try await here.client.call("projects/update", ["id": "a", "title": "Mine"])
    var files: [String] = []
    for day in ["2026-12-05", "2026-12-06"] {
      _ = try await there.client.call("projects/update", ["id": "a", "deadline": .string(day)])
      files.append(try await there.export(format))
    }
    for file in files { #expect(try await take(file, as: format, into: here) == "0 1 0", "\(file)") }
    #expect(try await take(files[0], as: format, into: here) == "0 0 1", "\(files[0])")
    _ = try await here.client.call("projects/update", ["id": "a", "tags": ["here"]])
    for file in files { #expect(try await take(file, as: format, into: here) == "0 0 1", "\(file)") }
    // Nor is it what the next one goes on from.
    _ = try await there.client.call("projects/update", ["id": "a", "deadline": "2026-12-07"])
    #expect(try await take(there.export(format), as: format, into: here) == "0 1 0")
    let cards = try await here.cards()
    #expect(cards.map { "\($0["title"].text) \($0["deadline"].text)" } == ["Mine 2026-12-07"], "\(cards)")
    for bench in [first, second] { await bench.stop() }
  }

  @Test("J8 what its library took back in a later file an older one does not bring again", arguments: formats)
  func takenBack(format: String) async throws {
    let (first, second) = try await pair(format)
    _ = try await first.client.call("projects/update", ["id": "a", "tags": ["mine"]])
    var files: [String] = []
    for title in ["Two", "One"] {
      _ = try await second.client.call("projects/update", ["id": "a", "title": .string(title)])
      files.append(try await second.export(format))
    }
    for file in files { _ = try await take(file, as: format, into: first) }
    #expect(try await take(files[0], as: format, into: first) == "0 0 1", "\(files[0])")
    #expect(try await first.titles() == ["One"])
    for bench in [first, second] { await bench.stop() }
  }

  @Test("J8 of two edited files of one export the one that was taken first brings no copy of what it brought")
  func twoEdited() async throws {
    let bench = try await ExchangeBench()
    let folder = bench.bench.daemon.folder
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let file = try await bench.export("jsonl")
    func take(_ name: String) async throws -> [JSONValue?] {
      let report = try await bench.client.call(
        "projects/import", ["path": .string(folder.file(name)), "format": "jsonl"])
      return [report["added"], report["updated"], report["known"]]
    }
    for (name, words) in [("one", #""title":"Two""#), ("two", #""title":"One","body":"there""#)] {
      let edited = file.replacing(#""title":"One""#, with: words)
      try Data(edited.utf8).write(to: URL(filePath: folder.file(name)))
    }
    _ = try await bench.client.call("projects/update", ["id": "a", "tags": ["here"]])
    for name in ["one", "two"] { #expect(try await take(name) == [0, 1, 0]) }
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    #expect(try await take("one") == [0, 0, 1])
    #expect(try await bench.titles() == ["Here"])
    await bench.stop()
  }
}
