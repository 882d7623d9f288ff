import Client
import Daemon
import TestSupport
import Wire

/// A daemon whose whole library is searched, and a client of it.
struct QueryBench {
  let daemon: TestDaemon
  let client: Client

  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), locale: String = "en-US",
    timeZone: String = "Etc/UTC", positionEncoding: String = "utf-16"
  ) async throws {
    daemon = try await .started(in: folder, clock: clock) { settings in
      // No test may fail because the machine is busy.
      settings.workers.timeout = .seconds(60)
    }
    client = try await daemon.client(locale: locale, timeZone: timeZone, positionEncoding: positionEncoding)
  }

  init(daemon: TestDaemon, client: Client) {
    (self.daemon, self.client) = (daemon, client)
  }

  @discardableResult
  func write(_ text: String, id: String, day: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["text": .string(text), "id": .string(id)]
    if let day { params["day"] = .string(day) }
    return try await client.call("diary/add", .object(params))
  }

  /// Many entries at once.
  func write(_ entries: [(text: String, id: String)]) async throws {
    try await client.calls("diary/add", entries.map { ["text": .string($0.text), "id": .string($0.id)] })
  }

  @discardableResult
  func card(_ title: String, id: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    try await client.call("projects/add", .object(more.with(["title": .string(title), "id": .string(id)])))
  }

  @discardableResult
  func book(_ title: String, id: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    try await client.call(
      "books/addToShelf", .object(more.with(["byHand": ["title": .string(title)], "id": .string(id)])))
  }

  func ask(_ text: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    try await client.call("search/query", .object(more.with(["text": .string(text)])))
  }

  /// The ids of the first hits, best first.
  func ids(_ text: String, _ more: JSONObject = [:]) async throws -> [String] {
    try await ask(text, more).items.map { $0.id.text }
  }

  func found(_ text: String) async throws -> Set<String> { Set(try await ids(text)) }

  func stop() async { await daemon.stop() }
}

extension JSONObject {
  fileprivate func with(_ more: JSONObject) -> JSONObject {
    var all = self
    for member in more.members { all[member.key] = member.value }
    return all
  }
}
