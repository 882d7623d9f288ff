import Client
import Contract
import Daemon
import Kit
import Synchronization
import TestSupport
import Wire

@testable import Boards
@testable import System

/// A daemon whose sources a test plays, and a client of it.
struct BoardBench: ClientBench {
  let daemon: TestDaemon
  let client: Client
  /// What answers at any URL that no other source of the test has.
  let source: FakeSource
  private let others: Others

  private final class Others: Sendable {
    let byURL = Mutex<[String: FakeSource]>([:])
    let addresses = Mutex<[SourceAddress]>([])
  }

  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), name: String = "test",
    locale: String = "en-US", timeZone: String = "Etc/UTC", positionEncoding: String = "utf-16",
    source: FakeSource = FakeSource(), pace: Refresher.Pace = Refresher.Pace(),
    change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    let others = Others()
    (self.source, self.others) = (source, others)
    daemon = try await .started(in: folder, clock: clock, change: change)
    let memory = daemon.daemon.services.memory
    let make: BoardSources.Maker = { address, _ in
      others.addresses.withLock { $0.append(address) }
      return others.byURL.withLock { $0[address.url] } ?? source
    }
    _ = memory.object(BoardSources.self) { BoardSources([.mailplug: make, .discourse: make, .feed: make]) }
    _ = memory.object(Refresher.self) { Refresher(pace) }
    client = try await daemon.client(
      name: name, locale: locale, timeZone: timeZone, positionEncoding: positionEncoding)
  }

  /// The addresses for which sources were made, in their order.
  var addresses: [SourceAddress] { others.addresses.withLock(\.self) }

  static let url = "https://groupware.example/api/v2"

  /// Adds a source; by a URL of its own it is another than `source`.
  @discardableResult
  func add(
    _ kind: String = "mailplug", _ url: String = BoardBench.url, as other: FakeSource? = nil, _ more: JSONObject = [:]
  ) async throws -> JSONValue {
    if let other { others.byURL.withLock { $0[url] = other } }
    var params = more
    params["kind"] = .string(kind)
    params["url"] = .string(url)
    return try await client.call("boards/addSource", .object(params))
  }

  /// The ids of all boards, in their order.
  func boards() async throws -> [JSONValue] {
    try await client.call("boards/list").items.map(\.id)
  }

  func posts(_ params: JSONValue = [:]) async throws -> JSONValue { try await client.call("boards/posts", params) }

  func titles(_ params: JSONValue = [:], of method: String = "boards/posts") async throws -> [String] {
    try await client.call(method, params).items.map { $0["title"].text }
  }

  /// A source with one board that has these posts, looked at once.
  static func showing(
    _ posts: [FetchedPost], clock: TestClock = TestClock(), locale: String = "en-US", timeZone: String = "Etc/UTC",
    positionEncoding: String = "utf-16"
  ) async throws -> (bench: BoardBench, page: JSONValue) {
    let bench = try await BoardBench(
      clock: clock, locale: locale, timeZone: timeZone, positionEncoding: positionEncoding)
    bench.source.change { $0.posts["1"] = posts }
    try await bench.add()
    return (bench, try await bench.posts())
  }

  func stop() async { await daemon.stop() }
}
