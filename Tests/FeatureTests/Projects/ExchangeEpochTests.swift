import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Files of our own in a library that did not write them.
@Suite("Projects: files of another library") struct ExchangeEpochTests {
  private static let formats = ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"]

  /// A file of the card `a`, written at revision 2 of its library, and another library in which it has come and was
  /// changed since, which is revision 2 there.
  private func collision(_ format: String) async throws -> (other: ExchangeBench, file: String) {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let written = try await bench.client.call("projects/update", ["id": "a", "title": "Two"])
    let file = try await bench.export(format)
    #expect(try await bench.take(file, as: format)["changed"] == false)
    await bench.stop()
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 1)
    let changed = try await other.client.call("projects/update", ["id": "a", "title": "There"])
    #expect(changed["revision"] == written["revision"])
    return (other, file)
  }

  @Test("a file is no edit of another library's card, though the numbers are the same", arguments: formats)
  func collision(format: String) async throws {
    let (other, file) = try await collision(format)
    let report = try await other.take(file, as: format)
    #expect(report["known"] == 1 && report["changed"] == false, "\(file)")
    #expect(try await other.titles() == ["There"])
    let edited = file.replacing("Two", with: "Two, edited")
    let beside = try await other.take(edited, as: format)
    #expect(beside["known"] == 1 && beside["conflicts"] == 1, "\(file)")
    #expect(beside["notes"].list.map { $0["reason"] } == ["conflict"])
    #expect(try await other.titles() == ["There"])
    let conflict = try #require(try await other.client.call("changes/conflicts").items.first)
    #expect(conflict["theirs"] == ["title": "Two, edited"], "\(conflict)")
    #expect(try await other.take(edited, as: format)["changed"] == false)
    await other.stop()
  }

  @Test("a file from before files said their library is taken for another library's", arguments: formats)
  func withoutEpoch(format: String) async throws {
    let (other, file) = try await collision(format)
    let epoch = /X-COMMONPLACE-EPOCH:[^\r]*\r\n|,"commonplaceepoch":"[^"]*"|"epoch":"[^"]*",/
    let old = file.replacing(epoch, with: "").replacing(/(revision:[0-9]+),[^ \n]*/) { $0.output.1 }
    #expect(old != file)
    #expect(try await other.take(old, as: format)["changed"] == false, "\(old)")
    let edited = old.replacing("Two", with: "Two, edited")
    let report = try await other.take(edited, as: format)
    #expect(report["known"] == 1 && report["conflicts"] == 1, "\(edited)")
    #expect(try await other.titles() == ["There"])
    await other.stop()
  }

  @Test("a card that came from another library follows its later files until it is changed here", arguments: formats)
  func later(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let other = try await ExchangeBench()
    #expect(try await other.take(bench.export(format), as: format)["added"] == 1)
    for title in ["Two", "Three"] {
      _ = try await bench.client.call("projects/update", ["id": "a", "title": .string(title)])
      let report = try await other.take(bench.export(format), as: format)
      #expect(report["updated"] == 1 && report["added"] == 0, "\(report)")
      #expect(try await other.titles() == [title])
    }
    _ = try await other.client.call("projects/update", ["id": "a", "title": "Here"])
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Four"])
    let both = try await other.take(bench.export(format), as: format)
    #expect(both["known"] == 1 && both["notes"].list.map { $0["reason"] } == ["conflict"], "\(both)")
    #expect(try await other.titles() == ["Here"])
    await bench.stop()
    await other.stop()
  }

  @Test(
    "what this library wrote after it took the card over is its own file, and its edit is followed", arguments: formats)
  func writtenAnew(format: String) async throws {
    let (other, _) = try await collision(format)
    let file = try await other.export(format)
    #expect(try await other.take(file, as: format)["changed"] == false, "\(file)")
    let report = try await other.take(file.replacing("There", with: "Edited"), as: format)
    #expect(report["updated"] == 1 && report["added"] == 0, "\(file)")
    #expect(try await other.titles() == ["Edited"])
    await other.stop()
  }

  @Test(
    "a copy of another library's file that was edited under another name is an edit of its card", arguments: formats)
  func otherName(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "Milk", "deadline": .null])
    let file = try await bench.export(format)
    await bench.stop()
    let other = try await ExchangeBench()
    func take(_ name: String, _ text: String) async throws -> JSONValue {
      let path = other.bench.daemon.folder.file(name)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return try await other.client.call("projects/import", ["path": .string(path), "format": .string(format)])
    }
    #expect(try await take("one", file)["added"] == 1)
    let report = try await take("two", file.replacing("Milk", with: "Milk and bread"))
    #expect(report["updated"] == 1 && report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await other.titles() == ["Milk and bread"])
    // Somebody has written into it: what the first says now is not of that.
    #expect(try await take("three", file.replacing("Milk", with: "Beer"))["conflicts"] == 1)
    #expect(try await other.titles() == ["Milk and bread"])
    await other.stop()
  }
}
