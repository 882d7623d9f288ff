import Client
import Display
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026, at 03:04:05.678 UTC.
@Suite("Projects: reminders") struct ReminderTests {
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 60 * minute

  private func bench(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), pauses: Pauses = Pauses(),
    zone: Zone = .utc, remindAt: Int = 540
  ) async throws -> ProjectBench {
    try await ProjectBench(in: folder, clock: clock) { settings in
      settings.pause = { await pauses.pause($0) }
      settings.reader.zone = zone
      settings.configure { $0.cards.remindAt = remindAt }
    }
  }

  private static func due(_ bench: ProjectBench, _ params: JSONValue = [:]) async throws -> [String] {
    try await bench.client.call("projects/reminders", params)["due"].list.map(\.id.text)
  }

  private static func coming(_ bench: ProjectBench, _ params: JSONValue = [:]) async throws -> [String] {
    try await bench.client.call("projects/reminders", params)["coming"].list.map { "\($0.id.text) \($0["at"].text)" }
  }

  private static func ids(_ params: JSONValue) -> [String] { params["reminders"].list.map(\.id.text) }

  // MARK: - The field

  @Test(
    "a reminder is an instant or a distance from the deadline or the start, in the stored form, as a date or in words",
    arguments: [
      ("-60m", "-60m", "1 hour before"), ("-2h", "-120m", "2 hours before"), ("-1w", "-7d", "7 days before"),
      ("1h before", "-60m", "1 hour before"), ("90 minutes before", "-90m", "90 minutes before"),
      ("a day before", "-1d", "1 day before"), ("2 days before at 6pm", "-2d@18:00", "2 days before, 6:00 PM"),
      ("at the deadline", "-0m", "at the deadline"), ("start-1d", "start-1d", "1 day before the start"),
      ("1 day before the start", "start-1d", "1 day before the start"),
      ("+15m", "+15m", "15 minutes after the deadline"),
      ("30분 전", "-30m", "30 minutes before"), ("1時間前", "-60m", "1 hour before"), ("3天前", "-3d", "3 days before"),
      ("tomorrow 9am", "2026-11-22T09:00:00.000Z", "Nov 22, 2026, 9:00 AM"),
      ("tomorrow", "2026-11-22T09:00:00.000Z", "Nov 22, 2026, 9:00 AM"),
      ("9am", "2026-11-21T09:00:00.000Z", "Nov 21, 2026, 9:00 AM"),
      ("2am", "2026-11-22T02:00:00.000Z", "Nov 22, 2026, 2:00 AM"),
      ("2026-11-24T10:00:00+09:00", "2026-11-24T01:00:00.000Z", "Nov 24, 2026, 1:00 AM"),
    ])
  func forms(given: String, stored: String, words: String) async throws {
    let bench = try await bench()
    let card = try await bench.add(
      "x", ["deadline": "2026-11-25", "start": "2026-11-23", "reminders": [.string(given), .string(given)]])
    #expect(card["reminders"] == [.string(stored)])
    #expect(card["display"]?["reminders"].list.map { $0.text.replacing("\u{202F}", with: " ") } == [words])
    let coming = try await bench.client.call("projects/reminders")["coming"].list
    let listed = coming.compactMap { $0["display"]?["reminder"]?.stringValue?.replacing("\u{202F}", with: " ") }
    #expect(listed == coming.map { _ in words } && (stored != "-60m" || !coming.isEmpty), "\(coming)")
    #expect(try await bench.add("y", [:])["reminders"] == nil)
    await bench.stop()
  }

  @Test("what is no reminder is refused, and so is a distance from a day that the card does not have, and a 21st one")
  func refused() async throws {
    let bench = try await bench()
    for wrong in ["soon", "1 fortnight before", "-1d@25:00", "-1x", "1h before at noon", "snooze"] {
      let given: JSONValue = ["title": "x", "reminders": [.string(wrong)]]
      #expect(try await bench.refusal("projects/add", given) == "reminders[0]", "\(wrong)")
    }
    #expect(
      try await bench.client.failure("projects/add", ["title": "x", "reminders": ["soon"]])?.message
        == "“reminders[0]”: “soon” is no reminder. Write a distance such as -60m or 2 days before, or a time such as "
        + "tomorrow 9am.")
    let never: JSONValue = ["title": "x", "deadline": .null, "reminders": ["-60m"]]
    #expect(try await bench.refusal("projects/add", never) == "reminders[0]")
    #expect(try await bench.refusal("projects/add", ["title": "x", "reminders": ["start-1d"]]) == "reminders[0]")
    let many = JSONValue.array((1...21).map { .string("-\($0)m") })
    #expect(try await bench.refusal("projects/add", ["title": "x", "reminders": many]) == "reminders")
    #expect(try await bench.client.call("projects/board")["total"] == 0)
    await bench.stop()
  }

  @Test("a line has reminders after “remind”, which as its first word is the task")
  func line() async throws {
    let bench = try await bench()
    func add(_ line: String) async throws -> JSONValue {
      try await bench.client.call("projects/add", ["line": .string(line)])
    }
    let rent = try await add("Pay rent tomorrow 9am remind 1h before #home remind me tomorrow at 8am")
    #expect(rent["title"] == "Pay rent" && rent["deadline"] == "2026-11-22" && rent["time"] == "09:00")
    #expect(rent["reminders"] == ["-60m", "2026-11-22T08:00:00.000Z"])
    #expect(
      rent["understood"].list.filter { $0["field"] == "reminders" }.map { $0["text"].text }
        == ["remind me tomorrow at 8am", "remind 1h before"])
    let team = try await add("Remind the team tomorrow")
    #expect(team["title"] == "Remind the team" && team["reminders"] == nil)
    let word = try await add("Ask who can remind Bob")
    #expect(word["title"] == "Ask who can remind Bob" && word["reminders"] == nil)
    await bench.stop()
  }

  // MARK: - When they are due

  @Test("a deadline without a time and a start remind at nine, or at the time of the settings")
  func wholeDays() async throws {
    for (remindAt, clock) in [(540, "09:00"), (1_200, "20:00")] {
      let bench = try await bench(remindAt: remindAt)
      let reminders: JSONValue = ["-0m", "-1d", "-30m", "-1d@18:00", "start-0m"]
      try await bench.add("x", id: "a", ["deadline": "2026-11-25", "start": "2026-11-24", "reminders": reminders])
      let early = clock == "09:00" ? "08:30" : "19:30"
      // Before its start a card is put off: what falls on an earlier day does not remind.
      let expected = [
        "a 2026-11-24T\(clock):00.000Z", "a 2026-11-24T\(clock):00.000Z", "a 2026-11-24T18:00:00.000Z",
        "a 2026-11-25T\(early):00.000Z", "a 2026-11-25T\(clock):00.000Z",
      ]
      #expect(try await Self.coming(bench) == expected.sorted())
      #expect(try await Self.coming(bench, ["limit": 2]) == Array(expected.sorted().prefix(2)))
      await bench.stop()
    }
  }

  @Test("when clocks change, days keep the local time of the library and minutes their length")
  func clocksChange() async throws {
    let bench = try await bench(zone: try #require(Zone("Europe/Berlin")))
    // On 28 March 2027, 02:00 becomes 03:00.
    let reminders: JSONValue = ["-60m", "-1d", "-1440m", "-0m"]
    try await bench.add("x", id: "a", ["deadline": "2027-03-28", "time": "03:30", "reminders": reminders])
    #expect(
      try await Self.coming(bench) == [
        "a 2027-03-27T01:30:00.000Z", "a 2027-03-27T02:30:00.000Z", "a 2027-03-28T00:30:00.000Z",
        "a 2027-03-28T01:30:00.000Z",
      ])
    await bench.stop()
  }

  @Test("every client hears of a reminder once, when it is due and not a moment before, and of nothing else")
  func exactly() async throws {
    let pauses = Pauses()
    let bench = try await bench(pauses: pauses)
    let other = try await bench.daemon.client(name: "other", locale: "ko-KR")
    for (id, more) in [
      ("a", [:]), ("done", [:]), ("gone", [:]), ("someday", ["someday": true]), ("later", ["start": "2026-11-25"]),
    ] as [(String, JSONObject)] {
      var fields = more
      fields["deadline"] = "2026-11-25"
      fields["reminders"] = ["2026-11-21T03:05:00Z"]
      try await bench.add(id, id: id, fields)
    }
    try await bench.move("done", to: "done")
    _ = try await bench.client.call("projects/remove", ["id": "gone"])
    try await bench.add("b", id: "b", ["time": "04:04", "reminders": ["-1h"]])
    // The first is due in 54.322 s, the second at 03:04, a moment ago.
    #expect(try await Self.coming(bench) == ["a 2026-11-21T03:05:00.000Z"])
    while await pauses.next() != .seconds(30) {}
    bench.daemon.clock.advance(milliseconds: 54_321)
    pauses.end()
    while await pauses.next() != .milliseconds(1) {}
    for client in [bench.client, other] {
      _ = try await client.call("session/sync")
      #expect(client.heard("projects/didRemind").isEmpty)
    }
    bench.daemon.clock.advance(milliseconds: 1)
    pauses.end()
    for client in [bench.client, other] {
      let heard = try await client.heard("projects/didRemind", atLeast: 1)
      #expect(
        heard == [
          [
            "reminders": [
              ["id": "a", "title": "a", "at": "2026-11-21T03:05:00.000Z", "reminder": "2026-11-21T03:05:00.000Z"]
            ]
          ]
        ])
    }
    // Nothing of a later commit sends it again.
    try await bench.add("c", id: "c", ["reminders": ["2026-11-21T03:06:00Z"]])
    bench.daemon.clock.advance(milliseconds: 60_000)
    try await bench.add("d")
    for client in [bench.client, other] {
      #expect(Self.ids(try await client.heard("projects/didRemind", atLeast: 2)[1]) == ["c"])
    }
    await bench.stop()
  }

  @Test("what was due during a sleep, or while no daemon ran, comes at once and together")
  func missed() async throws {
    let (folder, clock) = (TemporaryFolder(), TestClock())
    let bench = try await bench(in: folder, clock: clock)
    try await bench.add("b", id: "b", ["time": "05:00", "reminders": ["-0m", "-30m"]])
    try await bench.add("a", id: "a", ["time": "04:00", "reminders": ["-0m"]])
    clock.advance(milliseconds: 8 * Self.hour)
    // A commit has the daemon look at the clock, as a timer would.
    try await bench.add("x")
    let heard = try await bench.client.heard("projects/didRemind", atLeast: 1)
    #expect(heard.map(Self.ids) == [["a", "b"]] && heard[0]["reminders"].list[1]["at"] == "2026-11-21T05:00:00.000Z")
    _ = try await bench.client.call("projects/dismiss", ["id": "a"])
    try await bench.add("c", id: "c", ["reminders": ["2026-11-21T12:00:00Z"]])
    await bench.stop()
    clock.advance(milliseconds: 24 * Self.hour)
    let next = try await self.bench(in: folder, clock: clock)
    let other = try await next.daemon.client(name: "other")
    for client in [next.client, other] {
      _ = try await client.call("session/sync")
      #expect(client.heard("projects/didRemind").map(Self.ids) == [["b", "c"]])
    }
    await next.stop()
  }

  // MARK: - What ends them

  @Test("a dismissed card is no longer due, a snoozed one is once more, and both can be undone")
  func ends() async throws {
    let bench = try await bench()
    try await bench.add("x", id: "a", ["time": "04:00", "reminders": ["-0m", "2026-11-22T00:00:00Z"]])
    bench.daemon.clock.advance(milliseconds: Self.hour)
    #expect(try await Self.due(bench) == ["a"])
    let snoozed = try await bench.client.call("projects/snooze", ["id": "a", "for": "10m"])
    #expect(snoozed["snoozedUntil"] == "2026-11-21T04:14:05.678Z")
    #expect(try await Self.due(bench) == [])
    #expect(
      try await Self.coming(bench) == ["a 2026-11-21T04:14:05.678Z", "a 2026-11-22T00:00:00.000Z"])
    bench.daemon.clock.advance(milliseconds: 10 * Self.minute)
    #expect(try await Self.due(bench) == ["a"])
    let again = try await bench.client.call("projects/reminders")["due"].list[0]
    #expect(again["reminder"] == nil && again["display"]?["reminder"] == nil)
    #expect(try await Self.due(bench, ["since": "2026-11-21T04:14:05.678Z"]) == [])
    _ = try await bench.client.call("projects/dismiss", ["id": "a"])
    #expect(try await Self.due(bench) == [])
    #expect(try await Self.coming(bench) == ["a 2026-11-22T00:00:00.000Z"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await Self.due(bench) == ["a"])
    try await bench.move("a", to: "done")
    #expect(try await Self.due(bench) == [])
    #expect(try await Self.coming(bench) == [])
    try await bench.move("a", to: "todo")
    #expect(try await Self.due(bench) == ["a"])
    await bench.stop()
  }

  @Test("a snooze ends in words or after a span, and never in the past")
  func snoozes() async throws {
    let bench = try await bench()
    try await bench.add("x", id: "a")
    for (params, until) in [
      (["until": "tomorrow 9am"], "2026-11-22T09:00:00.000Z"), (["until": "2am"], "2026-11-22T02:00:00.000Z"),
      (["for": "2 days"], "2026-11-23T03:04:05.000Z"), (["for": "30분"], "2026-11-21T03:34:05.678Z"),
    ] as [(JSONObject, JSONValue)] {
      var params = params
      params["id"] = "a"
      #expect(try await bench.client.call("projects/snooze", .object(params))["snoozedUntil"] == until)
    }
    for (params, field) in [
      (["until": "yesterday"], "until"), (["until": "soon"], "until"), (["for": "a while"], "for"),
      (["for": "0m"], "for"), (["for": "1 fortnight"], "for"),
    ] as [(JSONObject, String)] {
      var params = params
      params["id"] = "a"
      #expect(try await bench.refusal("projects/snooze", .object(params)) == field, "\(params)")
    }
    #expect(try await bench.refusal("projects/dismiss", ["id": "nothing"]) == "notFound")
    await bench.stop()
  }

  @Test("a recurring card reminds at each occurrence: distances stay, and instants move with the deadline")
  func recurring() async throws {
    let bench = try await bench()
    try await bench.add(
      "x", id: "a",
      [
        "deadline": "2026-11-21", "time": "09:00", "recurrence": ["rule": "FREQ=WEEKLY"],
        "reminders": ["-60m", "2026-11-20T18:00:00Z"],
      ])
    bench.daemon.clock.advance(milliseconds: 6 * Self.hour)
    #expect(try await Self.due(bench) == ["a"])
    let next = try await bench.move("a", to: "done")["nextCard"].text
    #expect(try await bench.get(next)["reminders"] == ["-60m", "2026-11-27T18:00:00.000Z"])
    #expect(try await Self.due(bench) == [])
    #expect(
      try await Self.coming(bench) == ["\(next) 2026-11-27T18:00:00.000Z", "\(next) 2026-11-28T08:00:00.000Z"])
    await bench.stop()
  }

  @Test("of many cards that are due a reply has the last ones, and a notification only says that there are many")
  func many() async throws {
    let bench = try await bench()
    let adding = (0...1_000).map {
      bench.client.send(
        "projects/add", ["title": .string("card \($0)"), "reminders": ["2026-11-21T04:00:00Z"]])
    }
    for reply in adding { _ = try await reply.value() }
    bench.daemon.clock.advance(milliseconds: Self.hour)
    try await bench.add("x")
    #expect(try await bench.client.heard("projects/didRemind", atLeast: 1) == [["reminders": [], "all": true]])
    let reply = try await bench.client.call("projects/reminders", ["limit": 3])
    #expect(reply["due"].list.count == 3 && reply["hasMore"] == true)
    await bench.stop()
  }
}

/// Pauses that only a test ends.
private final class Pauses: Sendable {
  private let waiting = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])
  private let number = Atomic(0)
  private let begun: AsyncStream<Duration>
  private let begin: AsyncStream<Duration>.Continuation

  init() { (begun, begin) = AsyncStream.makeStream() }

  func pause(_ duration: Duration) async {
    let number = number.add(1, ordering: .relaxed).newValue
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if Task.isCancelled { return true }
          waiting[number] = continuation
          return false
        }
        if isOver { return continuation.resume() }
        begin.yield(duration)
      }
    } onCancel: {
      waiting.withLock { $0.removeValue(forKey: number) }?.resume()
    }
  }

  /// The next pause that begins.
  func next() async -> Duration? {
    for await duration in begun { return duration }
    return nil
  }

  /// Ends all pauses that have begun.
  func end() {
    let ended = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting.values
    }
    for continuation in ended { continuation.resume() }
  }
}
