import Client
import Contract
import HTTP
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

/// When a source is asked again that could not be asked, or was not.
@Suite("Boards: what failed and is asked again", .timeLimit(.minutes(10))) struct FirstPageTests {
  @Test("a board of which nothing is here is asked for again when it is opened a few seconds later, and not at once")
  func firstPageHeals() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    try await bench.add()
    let board = try #require(try await bench.boards().first)
    func failure() async throws -> RemoteError? {
      try await bench.client.failure("boards/posts", ["board": board])
    }
    bench.source.change { $0.failure = .silent }
    #expect(try await failure()?.kind == "unreachable")
    bench.source.change { $0.failure = nil }
    let asked = bench.source.pages.count
    #expect(try await failure()?.kind == "unreachable" && bench.source.pages.count == asked)
    clock.advance(milliseconds: 5_000)
    #expect(try await bench.posts(["board": board]).items.count == 2)
    await bench.stop()
  }

  @Test("a board that could not be had is not told as such once its source was heard; one that wants time keeps it")
  func firstPageWaits() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    let source = try await bench.add()
    let board = try #require(try await bench.boards().first)
    bench.source.change {
      $0.failure = SourceFailure(.rateLimited(origin: "https://groupware.example", retryAfter: .seconds(40)))
    }
    for _ in 1...2 {
      #expect(try await bench.client.failure("boards/posts", ["board": board])?.kind == "rateLimited")
      clock.advance(milliseconds: 6_000)
    }
    #expect(bench.source.pages.count == 1)
    bench.source.change { $0.failure = nil }
    _ = try await bench.client.call("boards/refresh", ["source": source.id])
    #expect(try await bench.client.call("boards/list").items[0]["failure"] == nil)
    #expect(try await bench.posts(["board": board]).items.count == 2)
    await bench.stop()
  }

  @Test("a source whose host is left alone for the sake of others was not asked: it is when that is over")
  func resting() async throws {
    let clock = TestClock()
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(1), clock: clock)
    clock.advance(milliseconds: 24 * 3_600_000)
    bench.source.change {
      $0.failure = SourceFailure(.resting(origin: "https://groupware.example", retryAfter: .seconds(44)))
    }
    let services = bench.daemon.daemon.services
    _ = await services.boardRefresher.round(with: services)
    let source = try await bench.client.call("boards/sources").items[0]
    #expect(source["failures"] == 0 && source["failure"] == nil, "\(source)")
    let next = (Instant(source["nextAt"].text)?.milliseconds ?? 0) - clock.now.milliseconds
    #expect((44_000...46_000).contains(next), "\(next)")
    await bench.stop()
  }
}
