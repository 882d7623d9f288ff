import Client
import TestSupport
import Testing
import Wire

@testable import Search
@testable import System

@Suite("Search: questions that are kept") struct SavedSearchTests {
  /// The next notice behind those that were heard.
  private static func notice(_ client: Client, from heard: Int) async throws -> JSONValue {
    let frame = try await client.firstReceived(from: heard) { frame in
      if case .single(.notification("search/didChange", _)) = frame { true } else { false }
    }
    guard case .single(.notification(_, let params)) = frame else { return .null }
    return params
  }

  @Test("a question is saved, changed, listed with what it finds now, removed, and brought back by undo")
  func keeping() async throws {
    let bench = try await QueryBench()
    try await bench.card("late", id: "late", ["deadline": "2020-01-01"])
    let saved = try await bench.client.call("search/save", ["text": "is:overdue", "title": "Overdue", "id": "s1"])
    #expect(saved["count"] == 1 && saved["display"]?["title"] == "Overdue" && saved["display"]?["count"] == "1 found")
    _ = try await bench.client.call("search/save", ["text": "river", "collections": ["diary"], "id": "s2"])
    try await bench.card("later", id: "later", ["deadline": "2020-01-02"])
    try await bench.card("river", id: "card")
    let all = try await bench.client.call("search/saved").items
    #expect(all.map { $0.id } == ["s1", "s2"] && all.map { $0["count"] } == [2, 0])
    #expect(all[1]["display"]?["title"] == "river" && all[1]["collections"] == ["diary"])
    let changed = try await bench.client.call(
      "search/save", ["text": "sea", "id": "s2", "ifRevision": all[1]["revision"] ?? .null])
    #expect(changed["count"] == 0 && changed["collections"] == ["diary"])
    let old = try await bench.client.failure(
      "search/save", ["text": "x", "id": "s2", "ifRevision": all[1]["revision"] ?? .null])
    #expect(old?.data?["kind"] == "conflict")
    #expect(try await bench.client.call("search/forget", ["id": "s1"])["removed"] == "s1")
    #expect(try await bench.client.call("search/saved").items.map { $0.id } == ["s2"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("search/saved").items.map { $0.id } == ["s1", "s2"])
    await bench.stop()
  }

  @Test("who changes a saved search keeps what is not said again, and null puts it back")
  func changing() async throws {
    let bench = try await QueryBench()
    let params: JSONObject = ["text": "river", "title": "Water", "collections": ["diary"], "id": "s"]
    _ = try await bench.client.call("search/save", .object(params))
    let other = try await bench.client.call("search/save", ["text": "lake", "id": "s"])
    #expect(other["text"] == "lake" && other["title"] == "Water" && other["collections"] == ["diary"])
    let untitled = try await bench.client.call("search/save", ["text": "lake", "title": .null, "id": "s"])
    #expect(untitled["title"] == nil && untitled["display"]?["title"] == "lake" && untitled["collections"] == ["diary"])
    let everywhere = try await bench.client.call("search/save", ["text": "lake", "collections": .null, "id": "s"])
    #expect(everywhere["collections"] == nil)
    await bench.stop()
  }

  @Test(
    "what cannot be asked is not kept",
    arguments: [("\"river", "text"), ("AND", "text"), (" \u{3000}", "text"), ("\u{1}", "text")])
  func refusals(_ text: String, _ field: String) async throws {
    let bench = try await QueryBench()
    let failure = try await bench.client.failure("search/save", ["text": .string(text)])
    #expect(failure?.code == -32602 && failure?.data?["field"].text == field)
    let lines = try await bench.client.failure("search/save", ["text": "a", "title": "one\ntwo"])
    #expect(lines?.data?["field"] == "title")
    #expect(try await bench.client.call("search/saved")["total"] == 0)
    await bench.stop()
  }

  @Test("every client hears when a saved search finds something new, or something no more, and of nothing else")
  func notices() async throws {
    let bench = try await QueryBench()
    let other = try await bench.daemon.client()
    try await bench.write("a slow river", id: "one")
    _ = try await bench.client.call("search/save", ["text": "river", "id": "s"])
    try await bench.write("nothing of it", id: "two")
    var heard = other.received.count
    try await bench.write("river again", id: "three")
    let added = try await Self.notice(other, from: heard)
    #expect(added["id"] == "s" && added["count"] == 2 && added["removed"] == [])
    #expect(added["added"] == [["collection": "diary", "id": "three"]])
    heard = other.received.count
    _ = try await bench.client.call("diary/update", ["id": "one", "text": "a slow sea"])
    let removed = try await Self.notice(other, from: heard)
    #expect(removed["count"] == 1 && removed["removed"] == [["collection": "diary", "id": "one"]])
    #expect(other.heard("search/didChange").count == 2)
    await bench.stop()
  }

  @Test("another query of a saved search is no news: only what it finds from then on is notified")
  func changedQuery() async throws {
    let bench = try await QueryBench()
    try await bench.write("a slow river", id: "one")
    try await bench.write("a quiet lake", id: "two")
    _ = try await bench.client.call("search/save", ["text": "river", "id": "s"])
    _ = try await bench.client.call("search/save", ["text": "barrier", "id": "t"])
    var heard = bench.client.received.count
    try await bench.write("the first barrier", id: "three")
    #expect(try await Self.notice(bench.client, from: heard)["id"] == "t")
    heard = bench.client.received.count
    _ = try await bench.client.call("search/save", ["text": "lake", "id": "s"])
    _ = try await bench.client.call("changes/undo")
    // The notice of the other search proves that the query was evaluated.
    try await bench.write("the second barrier", id: "four")
    let second = try await Self.notice(bench.client, from: heard)
    #expect(second["id"] == "t" && second["count"] == 2, "\(second)")
    heard = bench.client.received.count
    try await bench.write("another river", id: "five")
    let notice = try await Self.notice(bench.client, from: heard)
    #expect(notice["id"] == "s" && notice["count"] == 2 && notice["removed"] == [], "\(notice)")
    #expect(notice["added"] == [["collection": "diary", "id": "five"]], "\(notice)")
    #expect(bench.client.heard("search/didChange").count == 3)
    await bench.stop()
  }

  /// One whose clock turns the day.
  private static func bench(dayCheck: Duration) async throws -> QueryBench {
    let daemon = try await TestDaemon.started { $0.dayCheck = dayCheck }
    let bench = QueryBench(daemon: daemon, client: try await daemon.client())
    try await bench.write("a slow river", id: "entry", day: "2026-11-21")
    for (id, day) in [("a", "2026-11-21"), ("b", "2026-11-23")] {
      try await bench.card(id, id: id, ["deadline": .string(day)])
    }
    // Of one moment, so that they are looked at in the order of their ids.
    for (id, text) in [
      ("1", "is:overdue"), ("2", "in:diary before:today"), ("3", "river after:오늘"), ("4", "river"),
      ("5", "river before:2026-11-22"),
    ] {
      _ = try await bench.client.call("search/save", ["text": .string(text), "id": .string(id)])
    }
    return bench
  }

  @Test("when the library's day turns saved searches are looked at again, also after a sleep, and what changed is told")
  func turning() async throws {
    let bench = try await Self.bench(dayCheck: .milliseconds(2))
    let other = try await bench.daemon.client(timeZone: "Asia/Seoul")
    bench.daemon.clock.advance(milliseconds: 21 * 3_600_000)
    for client in [bench.client, other] {
      // A look that was still under way when the clock went on may have told of the last ones first.
      let told = try await client.heard("search/didChange", atLeast: 3).sorted {
        $0["id"].text < $1["id"].text
      }
      #expect(told.map { $0["id"] } == ["1", "2", "3"] && told.map { $0["count"] } == [1, 1, 0])
      #expect(told.map { $0["added"].list.map { $0.id } } == [["a"], ["entry"], []])
      #expect(told.map { $0["removed"].list.map { $0.id } } == [[], [], ["entry"]])
    }
    _ = try await bench.client.heard("session/didChangeDay", atLeast: 1)
    // Four days in a lid, and then a day on which nothing is due.
    bench.daemon.clock.advance(milliseconds: 96 * 3_600_000)
    let late = try await bench.client.heard("search/didChange", atLeast: 4)
    #expect(late[3]["id"] == "1" && late[3]["count"] == 2 && late[3]["added"].list.map { $0.id } == ["b"])
    _ = try await bench.client.heard("session/didChangeDay", atLeast: 2)
    bench.daemon.clock.advance(milliseconds: 24 * 3_600_000)
    _ = try await bench.client.heard("session/didChangeDay", atLeast: 3)
    // What a commit changes is told behind it, and shows that nothing else was.
    try await bench.write("another river", id: "last", day: "2026-11-20")
    let told = try await bench.client.heard("search/didChange", atLeast: 7)
    #expect(told.dropFirst(4).map { $0["id"] } == ["2", "4", "5"])
    await bench.stop()
  }

  @Test("a client that travels has the daemon look at the library's day, and the saved searches with it")
  func travelling() async throws {
    let bench = try await Self.bench(dayCheck: .seconds(3_600))
    bench.daemon.clock.advance(milliseconds: 21 * 3_600_000)
    _ = try await bench.client.call("session/configure", ["timeZone": "Pacific/Honolulu"])
    let told = try await bench.client.heard("search/didChange", atLeast: 3)
    #expect(told.map { $0["id"].text }.sorted() == ["1", "2", "3"])
    await bench.stop()
  }

  @Test("a saved search has the library's days, wherever the client is that saves it")
  func daysOfTheLibrary() async throws {
    let bench = try await QueryBench()
    try await bench.write("the day before", id: "old", day: "2026-11-20")
    let honolulu = try await bench.daemon.client(timeZone: "Pacific/Honolulu")
    let saved = try await honolulu.call("search/save", ["text": "in:diary after:today", "id": "s"])
    #expect(saved["count"] == 1)
    try await bench.write("today", id: "new", day: "2026-11-21")
    let told = try await honolulu.heard("search/didChange", atLeast: 1)[0]
    #expect(told["count"] == 1 && told["added"].list.map { $0.id } == ["new"] && told["removed"] == [])
    await bench.stop()
  }

  @Test("a saved search is taken up by the next daemon")
  func restarted() async throws {
    let bench = try await QueryBench()
    _ = try await bench.client.call("search/save", ["text": "river", "id": "s"])
    await bench.stop()
    let again = try await QueryBench(in: bench.daemon.folder)
    // It does so by itself, at a time of its own; a second time changes nothing.
    let services = again.daemon.daemon.services
    await services.searchWatch.begin(with: services)
    let heard = again.client.received.count
    try await again.write("river", id: "one")
    #expect(try await Self.notice(again.client, from: heard)["count"] == 1)
    await again.stop()
  }
}
