import Client
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026.
@Suite("Search: deadlines") struct QueryDueTests {
  private static func library() async throws -> QueryBench {
    let bench = try await QueryBench()
    for (id, title, deadline) in [
      ("late", "river one", "2020-01-01"), ("today", "river two", "2026-11-21"),
      ("friday", "river three", "2026-11-27"),
      ("done", "river four", "2026-12-10"), ("december", "river five", "2026-12-31"), ("march", "lamp", "2027-03-05"),
    ] {
      try await bench.card(title, id: id, ["deadline": .string(deadline)])
    }
    try await bench.card("river never", id: "never", ["deadline": .null])
    _ = try await bench.client.call("projects/move", ["id": "done", "state": "done"])
    try await bench.write("a river", id: "entry", day: "2026-11-21")
    return bench
  }

  @Test(
    "due: finds cards by a deadline that is a day, or within a week, a month or a year, in words too, and nothing else")
  func days() async throws {
    let bench = try await Self.library()
    for (text, expected) in [
      ("due:2026-11-21", ["today"]), ("due:2026-12", ["done", "december"]), ("due:2020", ["late"]),
      ("due:2026", ["today", "friday", "done", "december"]), ("due:today", ["today"]), ("due:yesterday", []),
      ("due:friday", ["friday"]), ("due:\"this week\"", ["today"]), ("due:\"next week\"", ["friday"]),
      // Said of what is to be done, a month without a year is to come.
      ("due:March", ["march"]), ("due:11월", ["today", "friday"]), ("DUE:\"next year\"", ["march"]),
      ("기한:오늘", ["today"]), ("마감:12월", ["done", "december"]), ("due:今月", ["today", "friday"]),
      ("due:\"by friday\"", ["late", "today", "friday"]), ("due:\"before friday\"", ["late", "today"]),
      // A limit that is over asks for what is late.
      ("due:\"before today\"", ["late"]), ("due:\"by yesterday\"", ["late"]), ("due:어제까지", ["late"]),
      ("due:\"by 2026-11-01\"", ["late"]), ("due:\"before 2020\"", []),
      ("due:금요일까지", ["late", "today", "friday"]), ("due:\"by 2026-12-31\" due:2026-12", ["done", "december"]),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    await bench.stop()
  }

  @Test("start: finds cards by the day from which work on them can begin, as due: does by the deadline")
  func starts() async throws {
    let bench = try await QueryBench()
    for (id, start) in [("monday", "2026-11-23"), ("past", "2026-10-01"), ("december", "2026-12-05")] {
      try await bench.card("river", id: id, ["deadline": "2026-12-31", "start": .string(start)])
    }
    try await bench.card("river", id: "none")
    for (text, expected) in [
      ("start:monday", ["monday"]), ("start:\"next week\"", ["monday"]), ("시작:12월", ["december"]),
      ("start:\"by 2026-11-30\"", ["past", "monday"]), ("river NOT start:2026", ["none"]), ("start:2027", []),
      ("start:2026-12 due:2026-12", ["december"]), ("start:2026-12 OR start:2026-10", ["past", "december"]),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    #expect(try await bench.ids("start:2026") == ["past", "monday", "december"])
    #expect(try await bench.ask("start:monday").items.map { $0["display"]?["date"] } == ["Nov 23, 2026"])
    await bench.stop()
  }

  @Test("due: stands beside words and other conditions, in OR and NOT too")
  func combined() async throws {
    let bench = try await Self.library()
    for (text, expected) in [
      ("river due:2026-12", ["done", "december"]), ("lamp due:2026", []), ("due:2026-12 is:open", ["december"]),
      ("due:2026-12 NOT is:done", ["december"]), ("due:today OR due:2027", ["today", "march"]),
      ("river (due:today OR is:overdue)", ["late", "today"]), ("river in:projects NOT due:2026", ["late", "never"]),
      ("river NOT due:2026", ["late", "never", "entry"]), ("river (in:diary OR due:today)", ["entry", "today"]),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    // By the day on which it is due, and not by when it was written.
    let shown = try await bench.ask("due:2026-12").items
    #expect(shown.map { $0.id.text } == ["done", "december"])
    #expect(shown.map { $0["display"]?["date"] } == ["Dec 10, 2026", "Dec 31, 2026"])
    _ = try await bench.client.call("projects/update", ["id": "december", "deadline": "2027-01-01"])
    #expect(try await bench.ids("due:2026-12") == ["done"])
    await bench.stop()
  }

  @Test("what is asked for by deadlines is shown by them and the soonest first, in OR and parentheses too")
  func order() async throws {
    let bench = try await Self.library()
    let (late, today, friday) = (("late", "Jan 1, 2020"), ("today", "Nov 21, 2026"), ("friday", "Nov 27, 2026"))
    for (text, expected) in [
      ("due:2027 OR due:today", [today, ("march", "Mar 5, 2027")]),
      ("is:open (due:\"next week\" OR is:overdue)", [late, friday]),
      ("(due:\"next week\" OR (due:today is:open)) OR is:overdue", [late, today, friday]),
      ("in:projects (in:diary OR due:\"by friday\")", [late, today, friday]),
    ] as [(String, [(String, String)])] {
      let shown = try await bench.ask(text).items
      #expect(shown.map { $0.id.text } == expected.map(\.0), "\(text)")
      #expect(shown.map { $0["display"]?["date"].text ?? "" } == expected.map(\.1), "\(text)")
    }
    // Where other things are found too, the newest is first; a card that may have been found by something else is shown
    // as it is without deadlines.
    #expect(try await bench.ids("in:diary OR due:2026-12") == ["december", "done", "entry"])
    let others = try await bench.ask("is:done OR due:2027").items
    #expect(Set(others.map { $0["display"]?["date"].text ?? "" }) == ["Nov 21, 2026"] && others.count == 2)
    await bench.stop()
  }

  @Test("what is due goes on behind the last that was shown, whatever was written meanwhile")
  func pages() async throws {
    let bench = try await Self.library()
    var page = try await bench.ask("due:\"by 2027\"", ["limit": 2])
    var seen = page.items.map { $0.id.text }
    while page["hasMore"] == true, seen.count < 10 {
      try await bench.card("soon", id: "soon\(seen.count)", ["deadline": "2026-11-22"])
      page = try await bench.ask("due:\"by 2027\"", ["limit": 2, "after": page["next"] ?? .null])
      seen += page.items.map { $0.id.text }
    }
    #expect(seen == ["late", "today", "friday", "done", "december", "march"])
    await bench.stop()
  }

  @Test("a deadline is a day in no zone, and today that of who asks")
  func zones() async throws {
    let clock = TestClock()
    let bench = try await QueryBench(clock: clock)
    for day in ["2026-11-20", "2026-11-21", "2026-11-22"] {
      try await bench.card(day, id: day, ["deadline": .string(day)])
    }
    let west = try await bench.daemon.client(timeZone: "Pacific/Honolulu")
    func due(_ text: String, _ client: Client) async throws -> [String] {
      try await client.call("search/query", ["text": .string(text)]).items.map { $0.id.text }
    }
    #expect(try await due("due:today", west) == ["2026-11-20"])
    #expect(try await due("due:today", bench.client) == ["2026-11-21"])
    // Both its days.
    for text in ["due:weekend", "due:주말", "due:\"this weekend\""] {
      #expect(try await due(text, bench.client) == ["2026-11-21", "2026-11-22"], "\(text)")
    }
    clock.advance(milliseconds: 15 * 3_600_000)
    let east = try await bench.daemon.client(timeZone: "Asia/Seoul")
    #expect(try await due("due:today", east) == ["2026-11-22"])
    for client in [west, bench.client, east] {
      #expect(try await due("due:2026-11-21", client) == ["2026-11-21"])
    }
    await bench.stop()
  }

  @Test(
    "what is no day, and a deadline where nothing has one, is refused with its place and what to do",
    arguments: [
      ("river due:someday", "search.unreadableDay", 6, "2026-11"), ("due:13월", "search.unreadableDay", 0, "2026-11"),
      ("due:\"by someday\"", "search.unreadableDay", 0, "2026-11"),
      ("due:0000", "search.unreadableDay", 0, "2026-11"),
      ("in:diary due:2026", "search.neverDue", 9, "projects"),
      ("river is:highlight due:today", "search.neverDue", 19, "projects"),
      ("in:books tag:a due:today", "search.neverDue", 15, "projects"),
      ("in:diary start:2026", "search.neverStarts", 9, "projects"),
      ("due: today", "search.nothingAsked", 0, "due:word"),
      ("river OR due:today", "search.mixed", 9, "words"),
    ] as [(String, String, Int64, String)])
  func refused(_ text: String, _ reason: String, _ offset: Int64, _ advice: String) async throws {
    let bench = try await QueryBench()
    let data = try await bench.client.failure("search/query", ["text": .string(text)])?.data ?? .null
    #expect(data["reason"].text == reason && data["offset"] == .integer(offset), "\(data)")
    #expect(data["advice"].text.contains(advice), "\(data)")
    await bench.stop()
  }
}
