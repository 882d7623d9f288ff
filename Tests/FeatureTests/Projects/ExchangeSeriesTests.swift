import Client
import TestSupport
import Testing
import Wire

/// A template of Taskwarrior that comes alone, and the tasks that are made from it later.
@Suite("Projects: a recurring task before and after its tasks") struct ExchangeSeriesTests {
  private static let name = "10000000-0000-0000-0000-000000000000"

  private static func template(_ mask: String, status: String = "recurring") -> String {
    #"{"description":"Water","due":"20261107T150000Z","entry":"20261101T000000Z","estimate":"PT2H","mask":"\#(mask)","recur":"weekly","status":"\#(status)","uuid":"\#(name)"}"#
  }

  private static func task(
    _ number: Int, _ day: String, _ status: String = "pending", of parent: String = name
  ) -> String {
    #"{"description":"Water","due":"202611\#(day)T150000Z","entry":"20261101T000000Z","estimate":"PT2H","imask":\#(number),"parent":"\#(parent)","recur":"weekly","status":"\#(status)","uuid":"2000000\#(number)-0000-0000-0000-000000000000"}"#
  }

  private static func file(_ tasks: String...) -> String { "[\n" + tasks.joined(separator: ",\n") + "\n]\n" }

  /// Each card in a line: its day, its column, its rule.
  private func lines(_ bench: ExchangeBench) async throws -> [String] {
    try await bench.cards().map { card in
      "\(card["deadline"].text) \(card["state"].text) \(card["recurrence"]?["rule"]?.stringValue ?? "-")"
    }.sorted()
  }

  @Test("the first task of a template that came alone joins its card; again and the way back make no second")
  func joins() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.file(Self.template("")), as: "taskwarrior")
    let card = try #require(try await bench.card("Water"))
    let made = Self.file(Self.template("-"), Self.task(0, "07"))
    let report = try await bench.take(made, as: "taskwarrior")
    #expect(report["added"] == 0 && report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await lines(bench) == ["2026-11-08 todo FREQ=WEEKLY"])
    #expect(try await bench.card("Water")?.id == card.id)
    #expect(try await bench.export("taskwarrior") == made)
    #expect(try await bench.take(made, as: "taskwarrior")["changed"] == false)
    let later = Self.file(Self.template("+-"), Self.task(0, "07", "completed"), Self.task(1, "14"))
    #expect(try await bench.take(later, as: "taskwarrior")["added"] == 1)
    #expect(try await lines(bench) == ["2026-11-08 done -", "2026-11-15 todo FREQ=WEEKLY"])
    #expect(try await bench.export("taskwarrior") == later)
    #expect(try await bench.take(later, as: "taskwarrior")["changed"] == false)
    await bench.stop()
  }

  @Test("a template whose first task was done before it came is done, and the next one comes again")
  func joinsDone() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.file(Self.template("")), as: "taskwarrior")
    let later = Self.file(Self.template("+-"), Self.task(0, "07", "completed"), Self.task(1, "14"))
    let report = try await bench.take(later, as: "taskwarrior")
    #expect(report["added"] == 1 && report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await lines(bench) == ["2026-11-08 done -", "2026-11-15 todo FREQ=WEEKLY"])
    #expect(try await bench.export("taskwarrior") == later)
    _ = try await bench.client.call("changes/undo")
    #expect(try await lines(bench) == ["2026-11-08 todo FREQ=WEEKLY"])
    await bench.stop()
  }

  @Test("what was changed here stays when tasks are made there, and only the last of them comes again")
  func changedHere() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.file(Self.template("")), as: "taskwarrior")
    let card = try #require(try await bench.card("Water"))
    _ = try await bench.client.call("projects/update", ["id": card.id, "title": "Water all", "tags": ["garden"]])
    #expect(
      try await bench.take(Self.file(Self.template("-"), Self.task(0, "07")), as: "taskwarrior")["added"] == 0)
    #expect(try await bench.titles() == ["Water all"])
    let two = Self.file(Self.template("--"), Self.task(0, "07"), Self.task(1, "14"))
    let report = try await bench.take(two, as: "taskwarrior")
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.titles() == ["Water", "Water all"])
    #expect(try await lines(bench) == ["2026-11-08 todo -", "2026-11-15 todo FREQ=WEEKLY"])
    let file = try await bench.export("taskwarrior")
    #expect(file.contains("Water all") && file.contains(#""estimate":"PT2H""#))
    #expect(try await bench.take(two, as: "taskwarrior")["changed"] == false)
    await bench.stop()
  }

  @Test("a template that comes without the tasks that were made from it is due when the next of them is")
  func mask() async throws {
    let bench = try await ExchangeBench()
    let file = Self.file(Self.template("+X-"))
    _ = try await bench.take(file, as: "taskwarrior")
    let card = try #require(try await bench.card("Water"))
    #expect(card["deadline"] == "2026-11-22" && card["recurrence"]?["start"] == "2026-11-08")
    #expect(try await bench.export("taskwarrior") == file)
    #expect(try await bench.take(file, as: "taskwarrior")["changed"] == false)
    // The third of them joins it, not the first that the file has.
    let whole = Self.file(Self.template("+X-"), Self.task(0, "07", "completed"), Self.task(2, "21"))
    #expect(try await bench.take(whole, as: "taskwarrior")["added"] == 1)
    #expect(try await lines(bench) == ["2026-11-08 done -", "2026-11-22 todo FREQ=WEEKLY"])
    #expect(try await bench.export("taskwarrior").contains(Self.task(2, "21")))
    #expect(try await bench.take(whole, as: "taskwarrior")["changed"] == false)
    await bench.stop()

    let other = try await ExchangeBench()
    _ = try await other.take(file, as: "taskwarrior")
    _ = try await other.client.call("projects/update", ["id": card.id, "deadline": "2026-11-24"])
    let task = try #require(try JSONParser.parse(try await other.export("taskwarrior")).arrayValue?.first)
    #expect(task["due"] == "20261123T150000Z" && task["mask"] == "" && task["status"] == "recurring")
    #expect(try await other.take(other.export("taskwarrior"), as: "taskwarrior")["added"] == 0)
    #expect(try await lines(other) == ["2026-11-24 todo FREQ=WEEKLY"])
    await other.stop()
  }

  @Test("a card that came again before any task was made is a template of its own, and its task joins it")
  func cameAgain() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(Self.file(Self.template("")), as: "taskwarrior")
    let card = try #require(try await bench.card("Water"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["state"] == "todo" })
    var tasks = (try JSONParser.parse(try await bench.export("taskwarrior")).arrayValue ?? []).map { "\($0)" }
    // Done on the 21st, it comes again on the next day of its rule.
    let object = try #require(tasks.compactMap { try? JSONParser.parse($0) }.first { $0["uuid"] == next.id })
    #expect(object["status"] == "recurring" && object["due"] == "20261121T150000Z" && object["mask"] == "", "\(object)")
    tasks.append(Self.task(0, "21", of: next.id.text))
    let report = try await bench.take("[\n" + tasks.joined(separator: ",\n") + "\n]\n", as: "taskwarrior")
    #expect(report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await lines(bench) == ["2026-11-08 done -", "2026-11-22 todo FREQ=WEEKLY"])
    #expect(try await bench.cards().first { $0["state"] == "todo" }?.id == next.id)
    let written = try await bench.export("taskwarrior")
    #expect(!written.contains("null"))
    // The first time the words of the new file are kept; no card changes.
    let back = try await bench.take(written, as: "taskwarrior")
    #expect(back["known"] == 2 && back["updated"] == 0)
    #expect(try await bench.take(written, as: "taskwarrior")["changed"] == false)
    #expect(try await bench.export("taskwarrior") == written)
    await bench.stop()
  }

  @Test("a file that leaves the template out says nothing of it; one in which it was deleted ends it")
  func leftOut() async throws {
    let bench = try await ExchangeBench()
    let whole = Self.file(Self.template("-"), Self.task(0, "07"))
    _ = try await bench.take(whole, as: "taskwarrior")
    #expect(try await bench.take(Self.file(Self.task(0, "07")), as: "taskwarrior")["changed"] == false)
    #expect(try await lines(bench) == ["2026-11-08 todo FREQ=WEEKLY"])
    #expect(try await bench.export("taskwarrior") == whole)
    let ended = Self.file(Self.template("-", status: "deleted"), Self.task(0, "07"))
    _ = try await bench.take(ended, as: "taskwarrior")
    #expect(try await lines(bench) == ["2026-11-08 todo -"])
    #expect(try await !bench.export("taskwarrior").contains(#""recurring""#))
    await bench.stop()
  }

  @Test("a card of ours that came again, was changed here and is followed by a task made there, comes again no more")
  func followed() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.take(
      Self.file(Self.template("+-"), Self.task(0, "07", "completed"), Self.task(1, "14")), as: "taskwarrior")
    let card = try #require(try await bench.cards().first { $0["state"] == "todo" })
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["state"] == "todo" })
    var tasks = (try JSONParser.parse(try await bench.export("taskwarrior")).arrayValue ?? []).map { "\($0)" }
    _ = try await bench.client.call("projects/update", ["id": next.id, "title": "Water all"])
    tasks.append(Self.task(3, "28"))
    let report = try await bench.take("[" + tasks.joined(separator: ",") + "]", as: "taskwarrior")
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.titles() == ["Water", "Water", "Water", "Water all"])
    #expect(try await lines(bench).filter { !$0.hasSuffix("-") } == ["2026-11-29 todo FREQ=WEEKLY"])
    await bench.stop()
  }
}
