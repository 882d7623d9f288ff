import Client
import Contract
import HTTP
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: refresh") struct RefreshTests {
  /// Holds the refresher between its rounds.
  private final class Steps: Sendable {
    private struct State {
      var waits: [Duration] = []
      var reached: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
      var waiting: [CheckedContinuation<Void, Never>] = []
      var isOver = false
    }
    private let state = Mutex(State())

    var pace: Refresher.Pace {
      var pace = Refresher.Pace()
      pace.start = .zero
      pace.pause = { duration in await self.pause(duration) }
      pace.longest = .seconds(86_400 * 30)
      return pace
    }

    private func pause(_ duration: Duration) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let (ready, isOver) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
            if state.isOver || Task.isCancelled { return ([], true) }
            state.waits.append(duration)
            state.waiting.append(continuation)
            let ready = state.reached.filter { $0.count <= state.waits.count }.map(\.continuation)
            state.reached.removeAll { $0.count <= state.waits.count }
            return (ready, false)
          }
          for waiter in ready { waiter.resume() }
          if isOver { continuation.resume() }
        }
      } onCancel: {
        next()
      }
    }

    /// Returns when it has come to wait for the nth time, and says for how long.
    func wait(_ count: Int) async -> Duration {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.waits.count < count { state.reached.append((count, continuation)) }
          return state.waits.count >= count
        }
        if isThere { continuation.resume() }
      }
      return state.withLock { $0.waits[count - 1] }
    }

    /// Lets it go on.
    func next() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for waiter in waiting { waiter.resume() }
    }

    func end() {
      state.withLock { $0.isOver = true }
      next()
    }
  }

  @Test(
    "a source is asked again by itself when it is due, never before a quarter of an hour, and everybody is told what came"
  )
  func background() async throws {
    let (clock, steps) = (TestClock(), Steps())
    let bench = try await BoardBench(clock: clock, pace: steps.pace)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    try await bench.add()
    _ = try await bench.posts()
    let services = bench.daemon.daemon.services
    #expect(await services.boardRefresher.round(with: services) >= .seconds(900))
    #expect(bench.source.pages.count == 1)
    clock.advance(milliseconds: 17 * 60_000)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(3) }
    let before = bench.client.commits.count
    _ = await services.boardRefresher.round(with: services)
    // The other board, which nobody has opened, is fetched too.
    #expect(bench.source.pages.count == 3)
    _ = try await bench.client.call("session/sync")
    let told = bench.client.commits.dropFirst(before).flatMap { $0["changes"].list }
    #expect(told.contains { $0["collection"] == "posts" && $0["kind"] == "added" })
    #expect(told.contains { $0["collection"] == "boards" })
    #expect(try await bench.client.call("boards/list").items[0]["count"] == 3)
    steps.end()
    await bench.stop()
  }

  @Test("the refresher waits between its rounds, is woken by a source that was added, and ends with the daemon")
  func rounds() async throws {
    let (clock, steps) = (TestClock(), Steps())
    let bench = try await BoardBench(clock: clock, pace: steps.pace)
    bench.daemon.daemon.startBackgroundWork()
    _ = await steps.wait(1)
    steps.next()
    #expect(await steps.wait(2) == .seconds(300))
    bench.source.change { $0.posts["1"] = FetchedPost.samples(1) }
    try await bench.add()
    // Woken: another round, after which it waits for what is due next.
    #expect(await steps.wait(3) >= .seconds(900))
    await bench.stop()
    steps.end()
  }

  @Test(
    "the boards of groupware are fetched right after it was added, those that were never fetched first, so many at a time"
  )
  func firstPages() async throws {
    let (clock, steps) = (TestClock(), Steps())
    let bench = try await BoardBench(clock: clock, pace: steps.pace)
    let count = Refresher.boardsPerRefresh + 2
    bench.source.change { content in
      content.boards = (0..<count).map { FetchedBoard(id: String($0), displayName: "Board \($0)") }
      for board in 0..<count { content.posts[String(board)] = [.sample(board)] }
    }
    bench.daemon.daemon.startBackgroundWork()
    _ = await steps.wait(1)
    let added = try await bench.add()
    #expect(added["fetched"] == false && added["unread"] == 0)
    _ = await steps.wait(2)
    func requested() -> [String] {
      bench.source.requests.compactMap { if case .posts(let board, _, _) = $0 { board } else { nil } }
    }
    #expect(requested() == (0..<Refresher.boardsPerRefresh).map(String.init))
    let source = try await bench.client.call("boards/sources").items[0]
    #expect(source["unread"] == .integer(Int64(Refresher.boardsPerRefresh)) && source["fetched"] == false)
    clock.advance(milliseconds: 17 * 60_000)
    steps.next()
    _ = await steps.wait(3)
    let second = requested().dropFirst(Refresher.boardsPerRefresh)
    #expect(Array(second.prefix(3)) == [String(count - 2), String(count - 1), "0"])
    #expect(try await bench.client.call("boards/sources").items[0]["fetched"] == nil)
    await bench.stop()
    steps.end()
  }

  @Test("what a page left out is told with the board until a page comes that is whole")
  func notices() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change {
      $0.posts["1"] = FetchedPost.samples(2)
      $0.notice = RPCError(.tooLarge, text: Text("boards.feedCut", ["count": "2"]))
    }
    try await bench.add()
    let cut = try await bench.posts()
    #expect(cut.items.count == 2 && cut["failure"]?["kind"] == "tooLarge")
    clock.advance(milliseconds: 3_600_000)
    bench.source.change { $0.notice = nil }
    #expect(try await bench.posts()["failure"] == nil)
    await bench.stop()
  }

  @Test("a board that is locked is left alone for a day, and stops neither its source nor the boards after it")
  func lockedBoard() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts = ["1": FetchedPost.samples(1), "2": FetchedPost.samples(1, from: 10)] }
    try await bench.add()
    let boards = try await bench.boards()
    for board in boards { _ = try await bench.posts(["board": board]) }
    bench.source.change {
      $0.boardFailures["1"] = .locked
      $0.posts["2"] = FetchedPost.samples(2, from: 10)
    }
    clock.advance(milliseconds: 3_600_000)
    let services = bench.daemon.daemon.services
    _ = await services.boardRefresher.round(with: services)
    let list = try await bench.client.call("boards/list").items
    #expect(list[0]["failure"] != nil && list[1]["failure"] == nil && list[1]["count"] == 2)
    let shown = try await bench.client.call("boards/sources").items[0]
    #expect(shown["stopped"] == false && shown["failures"] == 0 && shown["failure"] == nil)
    // Only the board that is not locked is asked for again.
    let asked = bench.source.pages.count
    clock.advance(milliseconds: 3_600_000)
    _ = await services.boardRefresher.round(with: services)
    #expect(bench.source.pages.count == asked + 1)
    await bench.stop()
  }

  @Test(
    "a board whose page fails with a server error or is unusable stops neither its source nor the boards after it",
    arguments: [SourceFailure.serverError, .useless("notJSON")])
  func failingBoard(_ failure: SourceFailure) async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    let services = bench.daemon.daemon.services
    bench.source.change { $0.posts = ["1": FetchedPost.samples(1), "2": FetchedPost.samples(1, from: 10)] }
    try await bench.add()
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    bench.source.change { $0.boardFailures["1"] = failure }
    // In the first round the failing board is requested before the other, in the second after it.
    for count in [2, 3] {
      bench.source.change { $0.posts["2"] = FetchedPost.samples(count, from: 10) }
      clock.advance(milliseconds: 3_600_000)
      _ = await services.boardRefresher.round(with: services)
      let list = try await bench.client.call("boards/list").items
      #expect(list[0]["failure"] != nil && list[1]["failure"] == nil && list[1]["count"] == .integer(Int64(count)))
      let shown = try await bench.client.call("boards/sources").items[0]
      #expect(shown["stopped"] == false && shown["failures"] == 0 && shown["failure"] == nil)
    }
    // A source none of whose boards can be fetched has failed.
    bench.source.change { $0.boardFailures["2"] = failure }
    clock.advance(milliseconds: 3_600_000)
    _ = await services.boardRefresher.round(with: services)
    #expect(try await bench.client.call("boards/sources").items[0]["failures"] == 1)
    await bench.stop()
  }

  @Test("boards that failed are requested after the others, so that many of them do not keep the others waiting")
  func manyFailingBoards() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    let services = bench.daemon.daemon.services
    let count = Refresher.boardsPerRefresh + 1
    bench.source.change { content in
      content.boards = (0..<count).map { FetchedBoard(id: String($0), displayName: "Board \($0)") }
    }
    try await bench.add()
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    bench.source.change { content in
      for board in 0..<count - 1 { content.boardFailures[String(board)] = .serverError }
      content.posts[String(count - 1)] = FetchedPost.samples(1)
    }
    // After a failed round the source is requested later.
    for _ in 0..<2 {
      clock.advance(milliseconds: 3_600_000)
      _ = await services.boardRefresher.round(with: services)
    }
    #expect(try await bench.client.call("boards/list").items[count - 1]["count"] == 1)
    await bench.stop()
  }

  @Test(
    "what failed is asked at growing distances and as late as the service wants; who is gone for good or refused is not asked again"
  )
  func backingOff() async throws {
    let clock = TestClock()
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(1), clock: clock)
    let services = bench.daemon.daemon.services
    let source = page.items[0]["source"]!
    func next() async throws -> Int64 {
      let shown = try await bench.client.call("boards/sources").items[0]
      return (Instant(shown["nextAt"].text)?.milliseconds ?? 0) - clock.now.milliseconds
    }
    bench.source.change { $0.failure = .silent }
    var waits: [Int64] = []
    for _ in 0..<3 {
      clock.advance(milliseconds: try await next())
      _ = await services.boardRefresher.round(with: services)
      waits.append(try await next())
    }
    #expect(waits[0] >= 900_000 && waits[1] > waits[0] * 3 / 2 && waits[2] > waits[1] * 3 / 2)
    // Who asks by hand meanwhile, and again, does not make it wait the longer.
    for _ in 0..<3 { _ = try? await bench.client.call("boards/refresh", ["source": source]) }
    #expect(try await next() == waits[2])
    clock.advance(milliseconds: try await next())
    bench.source.change {
      $0.failure = SourceFailure(.passing, RPCError(.rateLimited), retryAfter: .seconds(86_400 * 2))
    }
    _ = await services.boardRefresher.round(with: services)
    #expect(try await next() >= 2 * 86_400_000)
    for failure in [SourceFailure.gone, .wrongToken] {
      clock.advance(milliseconds: try await next())
      bench.source.change { $0.failure = failure }
      _ = await services.boardRefresher.round(with: services)
      let shown = try await bench.client.call("boards/sources").items[0]
      #expect(shown["stopped"] == true && shown["failure"] != nil)
      let asked = bench.source.requests.count
      clock.advance(milliseconds: 30 * 86_400_000)
      _ = await services.boardRefresher.round(with: services)
      // What was fetched is shown with the reason, and nobody is asked.
      #expect(try await bench.posts()["state"] == "error")
      #expect(bench.source.requests.count == asked)
      bench.source.change { $0.failure = nil }
      #expect(try await bench.client.call("boards/refresh", ["source": source])["sources"] == 1)
      #expect(try await bench.client.call("boards/sources").items[0]["stopped"] == false)
    }
    await bench.stop()
  }

  @Test(
    "what has not changed is a success that writes no post; validators go with the next request and only with the first page"
  )
  func unchanged() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change {
      $0.posts["1"] = FetchedPost.samples(31)
      $0.state = "\"etag\""
    }
    try await bench.add()
    _ = try await bench.posts(["limit": 31])
    clock.advance(milliseconds: 120_000)
    bench.source.change {
      $0.isUnchanged = true
      $0.state = "\"etag 2\""
    }
    let posts = try await bench.posts()
    #expect(posts.items.count == 30 && posts["freshness"] == "live" && posts["state"] == "results")
    clock.advance(milliseconds: 120_000)
    _ = try await bench.posts()
    let states = bench.source.requests.compactMap { request -> String? in
      if case .posts(_, let cursor, let state) = request { "\(cursor ?? "first"): \(state ?? "none")" } else { nil }
    }
    #expect(states == ["first: none", "30: none", "first: \"etag\"", "first: \"etag 2\""])
    await bench.stop()
  }

  @Test("what comes along with the boards is reported of all of them")
  func pagesOfBoards() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.comesWithPages = true }
    try await bench.add()
    bench.source.change {
      $0.posts = ["1": FetchedPost.samples(2), "2": FetchedPost.samples(3, from: 10)]
    }
    bench.daemon.clock.advance(milliseconds: RefreshSchedule.boards)
    let report = try await bench.client.call("boards/refresh")
    #expect(report["added"] == 5, "\(report)")
    await bench.stop()
  }

  @Test("all sources are asked at once; those that fail are named, and the others are there")
  func everything() async throws {
    let bench = try await BoardBench()
    let broken = FakeSource()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    try await bench.add()
    let other = try await bench.add("discourse", "https://forum.example/", as: broken)
    _ = try await bench.posts()
    broken.change { $0.failure = .silent }
    bench.source.change { $0.posts["1"] = FetchedPost.samples(5) }
    let report = try await bench.client.call("boards/refresh")
    #expect(report["sources"] == 2 && report["added"] == 3)
    #expect(report["failed"].list.map { $0["source"] } == [other.id])
    #expect(report["failed"].list.map { $0["title"] } == ["forum.example"], "\(report)")
    #expect(try await bench.refusal("boards/refresh", ["source": other.id]) == "unreachable")
    #expect(try await bench.refusal("boards/refresh", ["source": "none"]) == "notFound")
    #expect(try await bench.client.call("boards/list").items.count == 4)
    await bench.stop()
  }

  @Test("a failure that is kept says when to ask again, and what is left of that by the time it is shown")
  func keptWait() async throws {
    let clock = TestClock()
    let (bench, _) = try await BoardBench.showing([.sample(1)], clock: clock)
    clock.advance(milliseconds: 3_600_000)
    let limited = HTTPFailure.rateLimited(origin: "https://groupware.example", retryAfter: .seconds(120))
    bench.source.change { $0.failure = SourceFailure(limited) }
    _ = try await bench.client.call("boards/refresh")
    for (passed, left) in [(0, 120), (30_000, 90), (60_000, 30)] as [(Int64, Int64)] {
      clock.advance(milliseconds: passed)
      for shown in [
        try await bench.client.call("boards/sources").items[0]["failure"],
        try await bench.posts(["wait": false])["failure"],
      ] {
        #expect(shown?["kind"] == "rateLimited" && shown?["retryAfter"] == .integer(left))
        // And the daemon asks by itself when its own patience is over.
        #expect(shown?["advice"]?.text.hasPrefix("Try again in \(left) seconds. ") == true, "\(shown ?? nil)")
      }
    }
    await bench.stop()
  }
}
