import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Documents: reading times") struct ReadingStatisticsTests {
  /// A document that is read.
  private struct Reading {
    let bench: DocumentBench
    let id: JSONValue

    init(_ bench: DocumentBench, pages: Int, salt: String = "") async throws {
      (self.bench, id) = (bench, try await bench.id(of: .numbered(pages, salt: salt), title: "Read \(salt)"))
      try await turn(to: 0)
    }

    func turn(to page: Int, after seconds: Int64 = 0) async throws {
      bench.daemon.clock.advance(milliseconds: seconds * 1_000)
      _ = try await bench.client.call("documents/setPosition", ["id": id, "page": json(page)])
    }

    func statistics(_ others: JSONObject = [:]) async throws -> JSONValue {
      try await bench.client.call(
        "documents/statistics", .object(JSONObject(others.members + [.init(key: "id", value: id)])))
    }
  }

  private func sums(_ reply: JSONValue?) -> [JSONValue?] { [reply?["seconds"], reply?["pages"]] }

  @Test(
    "the time of a page counts up to five minutes, a page that was leafed past does not, and a pause ends a reading")
  func counting() async throws {
    let bench = try await DocumentBench()
    let reading = try await Reading(bench, pages: 12)
    #expect(sums(try await reading.statistics()) == [0, 0])
    try await reading.turn(to: 1, after: 120)
    #expect(sums(try await reading.statistics()) == [120, 1])
    // Leafed past: its seconds count, the page does not.
    try await reading.turn(to: 2, after: 2)
    #expect(sums(try await reading.statistics()) == [122, 1])
    // Twenty minutes on a page are five.
    try await reading.turn(to: 3, after: 20 * 60)
    #expect(sums(try await reading.statistics()) == [422, 2])
    // Within a page, the time goes on.
    bench.daemon.clock.advance(milliseconds: 60_000)
    _ = try await bench.client.call("documents/setPosition", ["id": reading.id, "page": 3, "y": 0.5])
    #expect(sums(try await reading.statistics()) == [482, 2])
    // Nobody reads for half an hour without turning a page.
    try await reading.turn(to: 4, after: 30 * 60)
    #expect(sums(try await reading.statistics()) == [482, 2])
    try await reading.turn(to: 5, after: 60)
    #expect(sums(try await reading.statistics()) == [542, 3])
    #expect(try await reading.statistics()["display"]?["time"] == "9 min")
    await bench.stop()
  }

  @Test("a reading on another device, whose position was shared, does not count on this one")
  func elsewhere() async throws {
    let bench = try await DocumentBench()
    let reading = try await Reading(bench, pages: 9)
    try await reading.turn(to: 2, after: 60)
    #expect(sums(try await reading.statistics()) == [60, 1])
    await bench.stop()
    // Sync brings the position, and when it was reached, but not the reading.
    let library = LibraryFolder(bench.daemon.folder.file("library"))
    try OldLibraries.execute("DELETE FROM documentReading; DELETE FROM documentShown", in: library)
    bench.daemon.clock.advance(milliseconds: 30_000)
    let again = try await DocumentBench(in: bench.daemon.folder, clock: bench.daemon.clock)
    // It is opened here where the other device is, and read on.
    for (page, sum) in [(2, [0, 0]), (3, [90, 1]), (3, [90, 1]), (5, [180, 2])] as [(Int, [JSONValue?])] {
      _ = try await again.client.call("documents/setPosition", ["id": reading.id, "page": .integer(Int64(page))])
      #expect(sums(try await again.client.call("documents/statistics", ["id": reading.id])) == sum)
      bench.daemon.clock.advance(milliseconds: page == 3 && sum == [90, 1] ? 45_000 : 90_000)
    }
    await again.stop()
  }

  @Test("days and documents have their parts, and a span leaves the others out; a removed document counts no more")
  func parts() async throws {
    let bench = try await DocumentBench()
    let long = try await Reading(bench, pages: 9, salt: "long ")
    try await long.turn(to: 1, after: 200)
    bench.daemon.clock.advance(milliseconds: 86_400_000)
    let short = try await Reading(bench, pages: 9, salt: "short ")
    try await short.turn(to: 1, after: 90)
    func ask(_ params: JSONValue = [:]) async throws -> JSONValue {
      try await bench.client.call("documents/statistics", params)
    }
    let all = try await ask()
    #expect(all["from"] == "2026-01-01" && all["to"] == "2026-11-22" && sums(all) == [290, 2] && all["left"] == nil)
    #expect(all["days"].list.map { $0["day"] } == ["2026-11-21", "2026-11-22"])
    #expect(all["days"].list.map { $0["seconds"] } == [200, 90])
    #expect(all["documents"].list.map { $0["id"] } == [long.id, short.id])
    let first = try await ask(["to": "2026-11-21"])
    #expect(sums(first) == [200, 1] && first["documents"].list.map { $0["title"] } == ["Read long "])
    #expect(sums(try await ask(["from": "2026-11-22"])) == [90, 1])
    #expect(sums(try await ask(["from": "0001-01-01", "to": "9999-12-31"])) == [290, 2])
    #expect(try await bench.client.failure("documents/statistics", ["from": "2026-12-01"])?.data?["field"] == "to")
    _ = try await bench.client.call("documents/remove", ["id": long.id])
    #expect(sums(try await ask()) == [90, 1])
    _ = try await bench.client.call("changes/undo")
    #expect(sums(try await ask()) == [290, 2])
    await bench.stop()
  }

  @Test("the rest takes as long as the pages of the document did, or, of a new one, those of the others")
  func rest() async throws {
    let bench = try await DocumentBench()
    let reading = try await Reading(bench, pages: 66, salt: "long ")
    let unread = try await reading.statistics()["left"]
    #expect(unread?["pagesLeft"] == 65 && unread?["secondsPerPage"] == nil && unread?["display"]?["time"] == nil)
    for page in 1...5 { try await reading.turn(to: page, after: 90) }
    let left = try await reading.statistics()["left"]
    #expect(left?["pagesLeft"] == 60 && left?["secondsPerPage"] == 90 && left?["secondsLeft"] == 5_400)
    #expect(left?["display"]?["time"] == "1 h 30 min")
    let other = try await bench.id(of: .numbered(11, salt: "other "))
    let guess = try await bench.client.call("documents/statistics", ["id": other])["left"]
    #expect(guess?["pagesLeft"] == 10 && guess?["secondsLeft"] == 900)
    try await reading.turn(to: 65, after: 90)
    #expect(try await reading.statistics()["left"]?["secondsLeft"] == 0)
    await bench.stop()
  }
}
