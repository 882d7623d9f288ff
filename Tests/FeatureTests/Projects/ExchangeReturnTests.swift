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

  /// Two libraries that have both changed the title of `a` and have handed that to each other.
  private func conflict(_ format: String) async throws -> (first: ExchangeBench, second: ExchangeBench) {
    let (first, second) = try await pair(format)
    _ = try await first.client.call("projects/update", ["id": "a", "title": "First"])
    _ = try await second.client.call("projects/update", ["id": "a", "title": "Second"])
    let (left, right) = (try await first.export(format), try await second.export(format))
    #expect(try await take(right, as: format, into: first) == "0 0 1 conflict", "\(right)")
    #expect(try await take(left, as: format, into: second) == "0 0 1 conflict", "\(left)")
    return (first, second)
  }

  @Test(
    "J8 of a card that both sides changed each keeps its own version, however often they exchange it",
    arguments: formats)
  func conflictReturns(format: String) async throws {
    let (first, second) = try await conflict(format)
    for _ in 0..<2 {
      let (left, right) = (try await first.export(format), try await second.export(format))
      #expect(try await take(right, as: format, into: first) == "0 0 1", "\(right)")
      #expect(try await take(left, as: format, into: second) == "0 0 1", "\(left)")
    }
    for (bench, titles) in [(first, ["First", "Second"]), (second, ["Second", "First"])] {
      #expect(try await bench.titles() == [titles[0]])
      let conflicts = try await bench.client.call("changes/conflicts").items
      #expect(conflicts.map { $0["theirs"]?["title"]?.stringValue } == [titles[1]])
      await bench.stop()
    }
  }

  @Test(
    "J8 of a step that changed very many cards those that the other side changed too are in conflict, and no others")
  func manyAtOnce() async throws {
    let (first, second) = (try await ExchangeBench(), try await ExchangeBench())
    try await first.client.calls(
      "projects/add",
      (1_001...2_100).map { ["id": .string("c\($0)"), "title": .string("Card \($0)"), "deadline": .null] })
    let file = try await first.export("jsonl")
    #expect(try await take(file, as: "jsonl", into: second) == "1100 0 0")
    #expect(try await take(file.replacing("Card ", with: "First "), as: "jsonl", into: first) == "0 1100 0")
    // The last ones, by their ids too.
    for number in 2_091...2_095 {
      _ = try await second.client.call(
        "projects/update", ["id": .string("c\(number)"), "title": .string("Second \(number)")])
    }
    #expect(try await take(first.export("jsonl"), as: "jsonl", into: second).hasPrefix("0 1095 5 conflict"))
    #expect(try await take(second.export("jsonl"), as: "jsonl", into: first).hasPrefix("0 0 1100 conflict"))
    #expect(try await first.client.call("projects/board")["total"] == 1_100)
    for bench in [first, second] { await bench.stop() }
  }

  @Test(
    "J8 what is changed after a conflict is followed, and what one side settles ends it on both", arguments: formats)
  func conflictGoesOn(format: String) async throws {
    let (first, second) = try await conflict(format)
    _ = try await second.client.call("projects/update", ["id": "a", "title": "Second, later"])
    #expect(try await take(second.export(format), as: format, into: first) == "0 0 1 conflict")
    _ = try await first.client.call("changes/resolve", ["id": "a", "field": "title", "take": "theirs"])
    #expect(try await first.titles() == ["Second, later"])
    #expect(try await take(first.export(format), as: format, into: second) == "0 0 1")
    for bench in [first, second] {
      #expect(try await bench.client.call("changes/conflicts").items.isEmpty)
      #expect(try await bench.titles() == ["Second, later"])
    }
    // From here on they are level.
    _ = try await second.client.call("projects/update", ["id": "a", "title": "Both"])
    #expect(try await take(second.export(format), as: format, into: first) == "0 1 0")
    for bench in [first, second] {
      #expect(try await bench.titles() == ["Both"])
      await bench.stop()
    }
  }

  @Test("J8 a card in conflict that is removed comes again as its file has it, and in no conflict", arguments: formats)
  func removedInConflict(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let file = try await bench.export(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    let there = file.replacing("One", with: "There")
    #expect(try await take(there, as: format, into: bench) == "0 0 1 conflict")
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    #expect(try await take(there, as: format, into: bench) == "1 0 0 cameAgain", "\(file)")
    #expect(try await bench.titles() == ["There"])
    #expect(try await bench.client.call("changes/conflicts").items.isEmpty)
    await bench.stop()
  }

  @Test("J8 a card that was removed here and comes with its file again is told, with the day", arguments: formats)
  func removed(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let file = try await bench.export(format)
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let report = try await bench.take(file, as: format)
    let notes = report["notes"].list
    #expect(report["added"] == 1 && notes.map { $0["reason"] } == ["cameAgain"], "\(report)")
    #expect(notes[0]["display"].text.contains("removed here on 2026-11-2"), "\(report)")
    #expect(notes[0]["skipped"] == false)
    // What an undo took out was not removed by anybody.
    _ = try await bench.client.call("changes/undo")
    #expect(try await take(file, as: format, into: bench) == "1 0 0")
    await bench.stop()
  }

  @Test("J8 a line of ours that lost its revision is of the card that it names, and follows that from then on")
  func lostRevision() async throws {
    let bench = try await ExchangeBench()
    for (id, title) in [("a", "One"), ("b", "Two")] {
      _ = try await bench.client.call("projects/add", ["id": .string(id), "title": .string(title), "deadline": .null])
    }
    _ = try await bench.client.call("projects/update", ["id": "b", "blockedBy": ["a"]])
    let file = try await bench.export("jsonl").replacing(/"(revision":[0-9]+|epoch":"[^"]*"),/, with: "")
    #expect(!file.contains("revision"), "\(file)")
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 2", "\(file)")
    #expect(try await take(file.replacing("One", with: "Three"), as: "jsonl", into: bench) == "0 1 1")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    #expect(try await take(file.replacing("One", with: "There"), as: "jsonl", into: bench) == "0 0 2 conflict")
    #expect(try await bench.titles() == ["Here", "Two"])
    await bench.stop()
  }

  @Test("J8 a line that says what its card said at several times is no old one: both versions stand, and that is told")
  func mixedTimes() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": "2026-12-01"])
    let file = try await bench.export("jsonl").replacing(/"(revision":[0-9]+|epoch":"[^"]*"),/, with: "")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Two"])
    _ = try await bench.client.call("projects/update", ["id": "a", "deadline": "2026-12-02"])
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 1", "\(file)")
    let mixed = file.replacing("2026-12-01", with: "2026-12-02")
    #expect(try await take(mixed, as: "jsonl", into: bench) == "0 0 1 conflict", "\(mixed)")
    #expect(try await bench.titles() == ["Two"])
    await bench.stop()
  }

  @Test(
    "J8 what two libraries change of the card that came again in both is merged field by field",
    arguments: formats.filter { $0 != "taskwarrior" })
  func nextChanged(format: String) async throws {
    let (first, second) = (try await ExchangeBench(), try await ExchangeBench())
    _ = try await first.client.call(
      "projects/add", ["id": "w", "title": "Water", "deadline": "2026-12-04", "recurrence": ["rule": "FREQ=WEEKLY"]])
    #expect(try await take(first.export(format), as: format, into: second) == "1 0 0")
    let changes: [(ExchangeBench, String, JSONValue)] = [(first, "body", "all"), (second, "tags", ["home"])]
    for (bench, field, value) in changes {
      let done = try await bench.client.call("projects/move", ["id": "w", "state": "done"])
      _ = try await bench.client.call("projects/update", ["id": done["nextCard"] ?? .null, field: value])
    }
    #expect(try await take(second.export(format), as: format, into: first) == "0 1 1")
    #expect(try await take(first.export(format), as: format, into: second) == "0 1 1")
    for bench in [first, second] {
      #expect(try await bench.cards().count == 2)
      let next = try #require(try await bench.cards().first { $0["deadline"] == "2026-12-11" })
      let card = try await bench.client.call("projects/get", ["id": next.id])
      #expect(card["body"] == "all" && card["tags"] == ["home"], "\(card)")
      await bench.stop()
    }
  }

  @Test("J8 a recurring card that is done in two libraries comes again as one card", arguments: formats)
  func doneTwice(format: String) async throws {
    let (first, second) = (try await ExchangeBench(), try await ExchangeBench())
    _ = try await first.client.call(
      "projects/add", ["id": "w", "title": "Water", "deadline": "2026-12-04", "recurrence": ["rule": "FREQ=WEEKLY"]])
    #expect(try await take(first.export(format), as: format, into: second) == "1 0 0")
    for bench in [first, second] { _ = try await bench.client.call("projects/move", ["id": "w", "state": "done"]) }
    #expect(try await take(second.export(format), as: format, into: first) == "0 0 2")
    #expect(try await take(first.export(format), as: format, into: second) == "0 0 2")
    for bench in [first, second] {
      #expect(try await bench.cards().map { $0["deadline"].text }.sorted() == ["2026-12-04", "2026-12-11"])
      await bench.stop()
    }
  }
}
