import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards

/// What is told while config.toml says that nobody is asked.
@Suite("Boards: offline") struct OfflineTests {
  /// A library whose one source has failed, opened again by a daemon that is offline.
  private func bench(_ failure: SourceFailure) async throws -> BoardBench {
    let folder = TemporaryFolder()
    let source = FakeSource()
    let before = try await BoardBench(in: folder, source: source)
    source.change { $0.posts["1"] = FetchedPost.samples(3) }
    try await before.add()
    _ = try await before.posts()
    source.change { $0.failure = failure }
    for board in try await before.boards() {
      _ = try? await before.posts(["board": board, "refresh": true])
    }
    #expect(try await before.client.call("boards/sources").items[0]["failure"] != nil)
    await before.stop()
    source.change { $0.failure = .offline }
    return try await BoardBench(in: folder, source: source, change: { $0.http.offline = true })
  }

  @Test(
    "offline is said where an earlier failure stands, and no failure of before is told as if it were of now",
    arguments: [SourceFailure.silent, .wrongToken])
  func earlierFailure(failure: SourceFailure) async throws {
    let bench = try await bench(failure)
    let boards = try await bench.boards()
    for params: JSONValue in [[:], ["refresh": true], ["board": boards[0]]] {
      let page = try await bench.posts(params)
      #expect(page.items.count == 3 && page["failure"] == nil && page["state"] == "results", "\(page)")
      #expect(page["hint"] == "Offline: these are stored posts." && page["freshness"] == "cached")
    }
    for method in ["boards/list", "boards/sources"] {
      let told = try await bench.client.call(method).items[0]["failure"]
      #expect(told?["message"] == "The daemon is set to stay offline.", "\(method) \(told ?? nil)")
      #expect(told?["advice"] == "It is set by `network.offline` in config.toml.")
    }
    let report = try await bench.client.call("boards/refresh")
    #expect(report["failed"]?[0]?["failure"]?["message"] == "The daemon is set to stay offline.", "\(report)")
    #expect(report["failed"]?[0]?["failure"]?["advice"] == "It is set by `network.offline` in config.toml.")
    let source = try await bench.client.call("boards/sources").items[0].id
    #expect(
      try await bench.client.failure("boards/refresh", ["source": source])?.message
        == "The daemon is set to stay offline. It is set by `network.offline` in config.toml.")
    let found = try await bench.client.call("boards/search", ["board": boards[0], "query": "post"])
    #expect(found.items.count == 3 && found["failure"] == nil && found["state"] == "results")
    #expect(found["hint"] == "Offline: these are stored posts.")
    await bench.stop()
  }

  @Test("a board of which nothing was ever fetched says so offline, whatever its source said before")
  func nothingFetched() async throws {
    let bench = try await bench(.silent)
    let other = try await bench.boards()[1]
    for params: JSONValue in [["board": other], ["board": other, "refresh": true]] {
      let refused = try await bench.client.failure("boards/posts", params)
      #expect(refused?.kind == "unreachable")
      #expect(
        refused?.message.hasPrefix("Offline: nothing of this board has been fetched yet.") == true,
        "\(String(describing: refused))")
    }
    let found = try await bench.client.call("boards/search", ["board": other, "query": "post"])
    #expect(found["hint"] == "Offline: nothing of this board has been fetched yet." && found["state"] == "noResults")
    let korean = try await bench.daemon.client(locale: "ko-KR")
    #expect(try await korean.failure("boards/posts", ["board": other])?.message.contains("아직 없습니다") == true)
    await bench.stop()
  }
}
