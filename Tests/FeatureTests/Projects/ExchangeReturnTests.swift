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
    #expect(try await take(right, as: format, into: first) == "1 0 0 conflict", "\(right)")
    #expect(try await take(left, as: format, into: second) == "1 0 0 conflict", "\(left)")
    return (first, second)
  }

  @Test("J8 what both sides said of a card each of them has once, however often they exchange it", arguments: formats)
  func conflictReturns(format: String) async throws {
    let (first, second) = try await conflict(format)
    for _ in 0..<2 {
      let (left, right) = (try await first.export(format), try await second.export(format))
      #expect(try await take(right, as: format, into: first) == "0 0 2", "\(right)")
      #expect(try await take(left, as: format, into: second) == "0 0 2", "\(left)")
    }
    for bench in [first, second] {
      #expect(try await bench.titles() == ["First", "Second"])
      await bench.stop()
    }
  }

  @Test("J8 of a step that changed very many cards what another library keeps beside its own is known, whichever it is")
  func manyAtOnce() async throws {
    let (first, second) = (try await ExchangeBench(), try await ExchangeBench())
    for number in 1_001...2_100 {
      _ = try await first.client.call(
        "projects/add", ["id": .string("c\(number)"), "title": .string("Card \(number)"), "deadline": .null])
    }
    let file = try await first.export("jsonl")
    #expect(try await take(file, as: "jsonl", into: second) == "1100 0 0")
    #expect(try await take(file.replacing("Card ", with: "First "), as: "jsonl", into: first) == "0 1100 0")
    // The last ones, by their ids too.
    for number in 2_091...2_095 {
      _ = try await second.client.call(
        "projects/update", ["id": .string("c\(number)"), "title": .string("Second \(number)")])
    }
    #expect(try await take(first.export("jsonl"), as: "jsonl", into: second).hasPrefix("5 1095 0 conflict"))
    #expect(try await take(second.export("jsonl"), as: "jsonl", into: first).hasPrefix("5 0 1100 conflict"))
    #expect(try await first.client.call("projects/board")["total"] == 1_105)
    for bench in [first, second] { await bench.stop() }
  }

  @Test("J8 what is changed after a conflict is followed by the copies there, on both sides", arguments: formats)
  func conflictGoesOn(format: String) async throws {
    let (first, second) = try await conflict(format)
    // One's own card, of which the other has a copy.
    _ = try await second.client.call("projects/update", ["id": "a", "title": "Second, later"])
    #expect(try await take(second.export(format), as: format, into: first) == "0 1 1")
    #expect(try await first.titles() == ["First", "Second, later"])
    // The copy, of which the other has the card.
    for title in ["First, later", "First, at last"] {
      let copy = try #require(try await second.cards().first { $0.id != "a" })
      _ = try await second.client.call("projects/update", ["id": copy.id, "title": .string(title)])
      #expect(try await take(second.export(format), as: format, into: first) == "0 1 1", "\(title)")
      #expect(try await first.titles() == [title, "Second, later"])
    }
    _ = try await take(first.export(format), as: format, into: second)
    for bench in [first, second] {
      #expect(try await bench.titles() == ["First, at last", "Second, later"])
      await bench.stop()
    }
  }

  @Test("J8 a copy goes on with its file also when the card beside which it came is removed", arguments: formats)
  func copyAlone(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let file = try await bench.export(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    let there = file.replacing("One", with: "There")
    #expect(try await take(there, as: format, into: bench) == "1 0 0 conflict")
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    #expect(try await take(there, as: format, into: bench) == "0 0 1", "\(file)")
    #expect(try await take(file.replacing("One", with: "Later"), as: format, into: bench) == "0 1 0", "\(file)")
    #expect(try await bench.titles() == ["Later"])
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
    #expect(try await take(file.replacing("One", with: "There"), as: "jsonl", into: bench) == "1 0 1 conflict")
    #expect(try await bench.titles() == ["Here", "There", "Two"])
    await bench.stop()
  }

  @Test("J8 a line that says what its card said at several times is no old one: both are kept, and told")
  func mixedTimes() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": "2026-12-01"])
    let file = try await bench.export("jsonl").replacing(/"(revision":[0-9]+|epoch":"[^"]*"),/, with: "")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Two"])
    _ = try await bench.client.call("projects/update", ["id": "a", "deadline": "2026-12-02"])
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 1", "\(file)")
    let mixed = file.replacing("2026-12-01", with: "2026-12-02")
    #expect(try await take(mixed, as: "jsonl", into: bench) == "1 0 0 conflict", "\(mixed)")
    #expect(try await bench.titles() == ["One", "Two"])
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
