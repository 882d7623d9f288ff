import Client
import Contract
import Features
import Foundation
import Kit
import System
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import Books
@testable import Diary
@testable import Documents
@testable import Projects

/// `diary/day`, on Saturday, 21 November 2026, 03:04 in UTC.
@Suite("Diary: the day as a hub") struct DayHubTests {
  private static let hour: Int64 = 3_600_000

  private func day(_ client: Client, _ params: JSONValue = [:]) async throws -> JSONValue {
    try await client.call("diary/day", params)
  }

  /// `documents added`, one for each item.
  private func told(_ day: JSONValue) -> [String] {
    day["items"].list.map { "\($0["collection"].text) \($0["kind"].text)" }
  }

  @Test(
    "a day has its entries, and what was added, marked, read, finished and written in every collection, as it happened")
  func hub() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    func later() { bench.daemon.clock.advance(milliseconds: 60_000) }
    let id = try await bench.id(of: .numbered(3), title: "A paper")
    later()
    _ = try await client.call("documents/toggleBookmark", ["id": id, "page": 1])
    later()
    _ = try await client.call("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["page number 1"]])
    later()
    _ = try await client.call("documents/setMemo", ["id": id, "page": 2, "text": "Look this up."])
    later()
    _ = try await client.call("documents/setPosition", ["id": id, "page": 1])
    later()
    _ = try await client.call("diary/add", ["text": "Of today\nbody"])
    _ = try await client.call("diary/add", ["text": "Of long ago", "day": "2020-01-02"])
    let today = try await day(client)
    #expect(today["day"] == "2026-11-21" && today["hasMore"] == false)
    #expect(today["display"] == ["date": "Nov 21, 2026", "day": "today"])
    #expect(today["entries"].list.map { $0["title"].text } == ["Of today"])
    #expect(told(today) == ["documents added", "bookmarks marked", "documents read", "diary written"])
    let items = today["items"].list
    try #require(items.count == 4)
    #expect(items[0]["id"] == id && items[0]["title"] == "A paper" && items[0]["at"] == "2026-11-21T03:04:05.678Z")
    #expect(items[0]["count"] == 1 && items[0]["acts"] == nil && items[0]["display"]?["kind"] == "added")
    // Three marks on one document are one line, at the time of the first; each can be reached.
    #expect(items[1]["of"] == id && items[1]["count"] == 3 && items[1]["at"] == "2026-11-21T03:05:05.678Z")
    #expect(items[1]["display"] == ["title": "A paper", "kind": "marked ×3", "time": "3:05\u{202F}AM"])
    let acts = items[1]["acts"].list
    try #require(acts.map { $0["collection"] } == ["bookmarks", "highlights", "memos"])
    #expect(acts[0]["id"] == items[1]["id"] && acts[0]["page"] == 1 && acts[0]["text"] == nil)
    #expect(acts[1]["text"] == "page number 1" && acts[1]["page"] == 0 && acts[1]["at"] == "2026-11-21T03:06:05.678Z")
    #expect(acts[2]["text"] == "Look this up." && acts[2]["page"] == 2)
    let highlights = try await client.call("documents/highlights", ["id": id])
    #expect(highlights.items.map(\.id) == [acts[1].id])
    #expect(items[2]["page"] == 1 && items[2]["id"] == id)
    #expect(items[3]["title"] == "Of long ago")
    // The day of long ago has the entry; nothing happened then.
    let old = try await day(client, ["day": "2020-01-02"])
    #expect(old["entries"].list.map { $0["title"].text } == ["Of long ago"] && told(old) == [])
    // What is taken back is not told, and comes back.
    _ = try await client.call("documents/toggleBookmark", ["id": id, "page": 1])
    let rest = try await day(client)["items"].list[1]
    #expect(rest["collection"] == "highlights" && rest["count"] == 2 && rest["acts"].list.count == 2)
    _ = try await client.call("documents/remove", ["id": id])
    #expect(told(try await day(client)) == ["diary written"])
    _ = try await client.call("changes/undo")
    #expect(told(try await day(client)).count == 4)
    await bench.stop()
  }

  @Test("one reply has all collections of a day: what is due first, then everything as it happened, from one state")
  func allCollections() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    func later() { bench.daemon.clock.advance(milliseconds: 60_000) }
    func add(_ id: JSONValue, deadline: JSONValue) async throws {
      _ = try await client.call("projects/add", ["id": id, "title": id, "deadline": deadline])
      later()
    }
    func move(_ id: JSONValue, to state: JSONValue) async throws {
      _ = try await client.call("projects/move", ["id": id, "state": state])
      later()
    }
    let id = try await bench.id(of: .numbered(3), title: "A paper")
    later()
    try await add("a", deadline: "2026-11-21")
    try await add("b", deadline: "2026-12-01")
    try await add("c", deadline: "2026-12-01")
    _ = try await client.call("documents/toggleBookmark", ["id": id, "page": 1])
    later()
    try await move("b", to: "doing")
    _ = try await client.call("documents/setMemo", ["id": id, "page": 2, "text": "Look this up."])
    later()
    try await move("c", to: "doing")
    _ = try await client.call("documents/setPosition", ["id": id, "page": 2])
    later()
    try await move("c", to: "done")
    _ = try await client.call("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["page number 1"]])
    later()
    _ = try await client.call("diary/add", ["text": "Of long ago", "day": "2020-01-02"])
    let written = try await client.call("diary/add", ["text": "Of today"])
    let whole = try await day(client)
    #expect(whole["clock"] == written["clock"] && whole["entries"].list.map { $0["title"].text } == ["Of today"])
    #expect(
      told(whole) == [
        "projects due", "documents added", "projects added", "projects added", "projects added", "bookmarks marked",
        "projects moved", "documents finished", "projects finished", "diary written",
      ])
    let items = whole["items"].list
    try #require(items.count == 10)
    #expect(items[5]["of"] == id && items[5]["count"] == 3)
    #expect(items[0]["id"] == "a" && items[0]["at"] == nil && items[0]["display"]?["time"] == nil)
    #expect(items[6]["id"] == "b" && items[6]["title"] == "b" && items[6]["at"] == "2026-11-21T03:09:05.678Z")
    #expect(items[8]["id"] == "c")
    let korean = try await bench.daemon.client(locale: "ko-KR", timeZone: "Etc/UTC")
    let cards = try await day(korean)["items"].list.filter { $0["collection"] == "projects" }
    #expect(cards.compactMap { $0["display"]?["kind"].text } == ["마감", "추가", "추가", "추가", "이동", "완료"])
    await bench.stop()
  }

  @Test("the marks of a day are one line a document, by their first, whole in every part of the day and of any number")
  func manyMarks() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    func later() { bench.daemon.clock.advance(milliseconds: 60_000) }
    let first = try await bench.id(of: .numbered(210), title: "First")
    let second = try await bench.id(of: .numbered(2), title: "Second")
    func mark(_ id: JSONValue, _ page: Int) async throws {
      later()
      _ = try await client.call("documents/toggleBookmark", ["id": id, "page": .integer(Int64(page))])
    }
    try await mark(second, 0)
    for page in 0..<210 { try await mark(first, page) }
    try await mark(second, 1)
    let items = try await day(client)["items"].list.filter { $0["kind"] == "marked" }
    #expect(items.map { $0["title"] } == ["Second", "First"] && items.map { $0["count"] } == [2, 210])
    #expect(items.map { $0["acts"].list.count } == [2, 200])
    #expect(items[1]["display"]?["kind"] == "marked ×210")
    let part = try await day(client, ["offset": 2, "limit": 1])
    #expect(part["items"].list == [items[0]] && part["hasMore"] == true)
    await bench.stop()
  }

  @Test("a day keeps what happened to cards: what was taken back is not told, and what came later is told of its day")
  func cards() async throws {
    let bench = try await ProjectBench()
    func cards(_ day: JSONValue) async throws -> [String] {
      try await self.day(bench.client, ["day": day])["items"].list.map { "\($0["id"].text) \($0["kind"].text)" }
    }
    for id in ["a", "b"] { try await bench.add(id, id: id, ["deadline": "2026-11-22"]) }
    try await bench.move("b", to: "todo", before: "a")
    #expect(try await cards("2026-11-21") == ["a added", "b added"])
    bench.daemon.clock.advance(milliseconds: 1)
    try await bench.move("a", to: "doing")
    try await bench.move("b", to: "done")
    #expect(try await cards("2026-11-21") == ["a added", "b added", "a moved", "b finished"])
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await cards("2026-11-21") == ["a added", "b added"])
    _ = try await bench.client.call("changes/redo")
    #expect(try await cards("2026-11-21") == ["a added", "b added", "a moved"])
    bench.daemon.clock.advance(milliseconds: 24 * Self.hour)
    try await bench.move("a", to: "done")
    // The day before still tells that it moved then; what is done by its day is not due any more.
    #expect(try await cards("2026-11-21") == ["a added", "b added", "a moved"])
    #expect(try await cards("2026-11-22") == ["b due", "a finished"])
    try await bench.move("a", to: "todo")
    #expect(try await cards("2026-11-22") == ["a due", "b due", "a moved"])
    let part = try await day(bench.client, ["day": "2026-11-22", "offset": 1, "limit": 1])
    #expect(part["items"].list.map { $0["id"].text } == ["b"] && part["hasMore"] == true)
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    #expect(try await cards("2026-11-22") == ["b due"])
    await bench.stop()
  }

  @Test("a card is due on its day until it is done; of one that was done later, its day says so")
  func doneCards() async throws {
    let bench = try await ProjectBench()
    func due(_ day: JSONValue) async throws -> [String] {
      try await self.day(bench.client, ["day": day])["items"].list.filter { $0["kind"] == "due" }
        .map { "\($0["id"].text) \($0["display"]?["kind"].text ?? "")" }
    }
    for id in ["early", "inTime", "late", "open"] { try await bench.add(id, id: id, ["deadline": "2026-11-22"]) }
    try await bench.move("early", to: "done")
    #expect(try await due("2026-11-22") == ["inTime due", "late due", "open due"])
    bench.daemon.clock.advance(milliseconds: 24 * Self.hour)
    try await bench.move("inTime", to: "done")
    #expect(try await due("2026-11-22") == ["late due", "open due"])
    bench.daemon.clock.advance(milliseconds: 24 * Self.hour)
    try await bench.move("late", to: "done")
    #expect(try await due("2026-11-22") == ["late due, done since", "open due"])
    try await bench.move("early", to: "todo")
    #expect(try await due("2026-11-22") == ["early due", "late due, done since", "open due"])
    await bench.stop()
  }

  @Test("a document that was read to its last page that day is finished, once, however often it was opened")
  func reading() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3), title: "A paper")
    func turn(to page: Int, after milliseconds: Int64) async throws {
      bench.daemon.clock.advance(milliseconds: milliseconds)
      _ = try await bench.client.call("documents/setPosition", ["id": id, "page": .integer(Int64(page))])
    }
    // 20:04, and over midnight to 00:24.
    try await turn(to: 1, after: 17 * Self.hour)
    for step in 1...13 { try await turn(to: step % 2, after: 20 * 60_000) }
    try await turn(to: 2, after: 3 * Self.hour)
    try await turn(to: 0, after: 5 * Self.hour)
    let first = try await day(bench.client, ["day": "2026-11-21"])
    #expect(told(first) == ["documents added", "documents read"] && first["items"].list.last?["page"] == 1)
    #expect(first["items"].list.last?["at"].text.hasPrefix("2026-11-21T20:04") == true)
    let second = try await day(bench.client, ["day": "2026-11-22"])
    #expect(told(second) == ["documents finished"] && second["items"].list.first?["page"] == 2)
    // The reading that went over midnight begins this day at its beginning.
    #expect(second["items"].list.first?["at"] == "2026-11-22T00:00:00.000Z")
    #expect(told(try await day(bench.client, ["day": "2026-11-23"])) == [])
    await bench.stop()
  }

  @Test("the day is the client's: its zone, words of its language, and the library's beginning of the day")
  func zones() async throws {
    let bench = try await DiaryBench { $0.dayStartsAt = 4 * 60 }
    _ = try await bench.client.call("diary/add", ["text": "night", "day": "2020-01-02"])
    #expect(told(try await day(bench.client, ["day": "2026-11-20"])) == ["diary written"])
    #expect(told(try await day(bench.client, ["day": "2026-11-21"])) == [])
    #expect(try await day(bench.client)["day"] == "2026-11-20")
    // In Seoul it was four minutes past noon on the 21st.
    let seoul = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    let noon = try await day(seoul, ["day": "오늘"])
    #expect(noon["day"] == "2026-11-21" && noon["display"] == ["date": "2026년 11월 21일", "day": "오늘"])
    #expect(noon["items"].list.map { $0["display"] } == [["title": "night", "kind": "작성", "time": "오후 12:04"]])
    #expect(try await bench.client.failure("diary/day", ["day": "31 february"])?.data?["field"] == "day")
    await bench.stop()
  }

  @Test("a day with 23 hours ends where the next begins")
  func shortDay() async throws {
    // Clocks go forward on 29 March 2026 in Berlin: 23:30Z on the 28th is 00:30, 21:59Z on the 29th is 23:59.
    let bench = try await DiaryBench(clock: TestClock(Instant("2026-03-28T22:59:59Z")!), timeZone: "Europe/Berlin")
    for seconds in [0, 1, 23 * 3_600 - 1, 1] {
      bench.daemon.clock.advance(milliseconds: Int64(seconds) * 1_000)
      _ = try await bench.client.call("diary/add", ["text": "entry", "day": "2020-01-02"])
    }
    #expect(told(try await day(bench.client, ["day": "2026-03-28"])).count == 1)
    #expect(told(try await day(bench.client, ["day": "2026-03-29"])).count == 2)
    #expect(told(try await day(bench.client, ["day": "2026-03-30"])).count == 1)
    await bench.stop()
  }

  @Test("every feature tells what it has of a day through its row; what has no time comes first, and parts go on")
  func sources() async throws {
    var orbits = Feature(name: "orbits")
    orbits.day = { query, snapshot in
      let start = query.instants.lowerBound
      return [
        DayItem(.finished, collection: "orbits", id: "b", at: start + 2, title: "Moon", in: snapshot),
        DayItem(.moved, collection: "orbits", id: "a", at: start + 1, title: "", in: snapshot),
        DayItem(.due, collection: "orbits", id: query.day.description, at: nil, title: "Sun", in: snapshot),
      ]
    }
    let daemon = try await TestDaemon(features: AllFeatures.features + [orbits])
    let client = try await daemon.client()
    for number in 1...4 {
      daemon.clock.advance(milliseconds: 1)
      _ = try await client.call("diary/add", ["text": .string("entry \(number)"), "day": "2020-01-02"])
    }
    let whole = try await day(client)
    #expect(
      told(whole) == ["orbits due", "orbits moved", "orbits finished"] + Array(repeating: "diary written", count: 4))
    try #require(whole["items"].list.count == 7)
    #expect(whole["items"].list[0]["id"] == "2026-11-21" && whole["items"].list[0]["at"] == nil)
    #expect(whole["items"].list[1]["display"]?["title"] == "No title")
    var (parts, offset) = ([JSONValue](), 0)
    while true {
      let part = try await day(client, ["offset": .integer(Int64(offset)), "limit": 3])
      parts += part["items"].list
      offset += 3
      if part["hasMore"] == false { break }
    }
    #expect(parts == whole["items"].list && offset == 9)
    #expect(try await day(client, ["day": "2020-01-02", "limit": 3])["hasMore"] == true)
    await daemon.stop()
  }

  @Test("an import is one item of its day, which names how many came, and hides nothing else")
  func imports() async throws {
    let bench = try await DiaryBench()
    func take(_ count: Int, from first: Int) async throws {
      let lines = (first..<(first + count)).map { "Task \($0)\n" }.joined()
      let params: JSONValue = ["data": .string(Data(lines.utf8).base64EncodedString()), "format": "todotxt"]
      _ = try await bench.client.call("projects/import", params)
      bench.daemon.clock.advance(milliseconds: 60_000)
    }
    try await take(300, from: 0)
    try await take(FoldedItems.mostSingle, from: 1_000)
    _ = try await bench.client.call("projects/add", ["title": "Alone", "deadline": nil])
    let today = try await day(bench.client, ["limit": 100])
    let added = today["items"].list.filter { $0["kind"] == "added" }
    try #require(added.count == 1 + FoldedItems.mostSingle + 1 && today["hasMore"] == false)
    #expect(added[0]["count"] == 300 && added[0]["acts"].list.count == DayItem.mostActs)
    #expect(added[0]["display"]?["title"] == "300 cards" && added[0]["display"]?["kind"] == "added")
    #expect(added[0]["acts"]?[0]?["id"] == added[0]["id"] && added[0]["acts"]?[1]?["collection"] == "projects")
    #expect(added.dropFirst().allSatisfy { $0["count"] == 1 } && added.last?["title"] == "Alone")
    let rest = try await day(bench.client, ["offset": 1])
    #expect(rest["offset"] == 1 && rest["items"].list.count == today["items"].list.count - 1)
    await bench.stop()
  }

  @Test("the due cards of one import are one item of their day, and others stay single")
  func dueImports() async throws {
    let bench = try await DiaryBench()
    func take(_ count: Int, from first: Int) async throws {
      let lines = (first..<(first + count)).map { "Task \($0) due:2026-11-21\n" }.joined()
      let params: JSONValue = ["data": .string(Data(lines.utf8).base64EncodedString()), "format": "todotxt"]
      _ = try await bench.client.call("projects/import", params)
      bench.daemon.clock.advance(milliseconds: 60_000)
    }
    try await take(300, from: 0)
    try await take(FoldedItems.mostSingle, from: 1_000)
    _ = try await bench.client.call("projects/add", ["title": "Alone", "deadline": "2026-11-21"])
    func due() async throws -> [JSONValue] {
      try await day(bench.client, ["day": "2026-11-21", "limit": 100])["items"].list.filter { $0["kind"] == "due" }
    }
    let items = try await due()
    try #require(items.count == 1 + FoldedItems.mostSingle + 1)
    let folded = try #require(items.first { $0["count"] == 300 })
    #expect(folded["display"]?["title"] == "300 cards" && folded["display"]?["kind"] == "due" && folded["at"] == nil)
    #expect(folded["acts"].list.count == DayItem.mostActs && folded["acts"]?[0]?["id"] == folded["id"])
    #expect(items.filter { $0["count"] == 1 }.count == FoldedItems.mostSingle + 1)
    #expect(items.contains { $0["title"] == "Alone" })
    await bench.stop()
  }

  @Test("what happened on a day is found by indexes, not by going through everything")
  func plans() async throws {
    let bench = try await DiaryBench()
    await bench.stop()
    let folded = [
      DocumentDay.added, ProjectDay.added, ProjectDay.moved, ProjectDay.finished, BookDay.added, BoardDay.read,
      BoardDay.saved,
    ]
    let statements =
      ["bookmark", "highlight", "memo"].map { DocumentDay.made(in: $0) } + folded.flatMap { [$0.moments, $0.ofMoment] }
      + ["SELECT * FROM diaryEntry \(DiaryDay.condition)", ReadingTimes.ofDay]
      + [ProjectDay.due, ProjectDay.dueThen].flatMap { [$0.commits, $0.ofCommit] }
    for sql in statements {
      let plan = try queryPlan(of: sql, in: bench.daemon.library)
      #expect(plan.contains { $0.contains("USING INDEX") || $0.contains("USING COVERING INDEX") }, "\(sql): \(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(sql): \(plan)")
    }
  }

  @Test("the due cards of one import are found by their deadline, not among all cards of the import")
  func duePlans() async throws {
    let bench = try await DiaryBench()
    await bench.stop()
    for due in [ProjectDay.due, ProjectDay.dueThen] {
      let plan = try queryPlan(of: due.ofCommit, in: bench.daemon.library)
      #expect(plan.contains { $0.contains("INDEX projectByDeadline (board=? AND state=? AND deadline=?") }, "\(plan)")
    }
  }

  @Test("the days of a month and of other years are found by indexes; days in a row by one pass through the days")
  func calendarPlans() async throws {
    let bench = try await DiaryBench()
    await bench.stop()
    for day in ["2026-11-21", "2027-02-28"] {
      let listing = ShowOnThisDay.listing(of: try #require(CalendarDay(day)))
      for statement in [listing.countStatement(), listing.idStatement(ListPart(limit: 10))] {
        let plan = try queryPlan(of: statement.sql, in: bench.daemon.library)
        #expect(plan.contains { $0.contains("INDEX diaryEntryByDate (<expr>=?") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
      }
    }
    let month = try queryPlan(of: ShowCalendar.monthStatement, in: bench.daemon.library)
    #expect(month == ["SEARCH diaryDay USING PRIMARY KEY (day>? AND day<?)"])
    let days = try queryPlan(of: ShowCalendar.daysStatement, in: bench.daemon.library)
    #expect(days == ["SCAN diaryDay"])
  }
}
