import Client
import Daemon
import Features
import Kit
import System
import TestSupport
import Wire

/// A daemon with projects, and a client of it.
struct ProjectBench: ClientBench {
  let daemon: TestDaemon
  let client: Client

  init(
    features: [Feature] = AllFeatures.features, in folder: TemporaryFolder = TemporaryFolder(),
    clock: TestClock = TestClock(), locale: String = "en-US", timeZone: String = "Etc/UTC",
    change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    daemon = try await .started(features: features, in: folder, clock: clock, change: change)
    client = try await daemon.client(locale: locale, timeZone: timeZone)
  }

  /// Adds a card, by this id where one is given.
  @discardableResult
  func add(_ title: String, id: String? = nil, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["title"] = .string(title)
    if let id { params["id"] = .string(id) }
    return try await client.call("projects/add", .object(params))
  }

  @discardableResult
  func move(_ id: String, to state: String, before: String? = nil, after: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["id": .string(id), "state": .string(state)]
    if let before { params["before"] = .string(before) }
    if let after { params["after"] = .string(after) }
    return try await client.call("projects/move", .object(params))
  }

  func get(_ id: String) async throws -> JSONValue { try await client.call("projects/get", ["id": .string(id)]) }

  /// The ids of each column, as one reply to `projects/board` shows them.
  func board(_ client: Client? = nil) async throws -> [String: [String]] {
    let board = try await (client ?? self.client).call("projects/board", ["limit": 1_000])
    return Dictionary(
      uniqueKeysWithValues: board["columns"].list.map { ($0["state"].text, $0["items"].list.map { $0.id.text }) })
  }

  func ids(_ params: JSONValue = [:]) async throws -> [String] {
    try await client.call("projects/list", params).items.map { $0.id.text }
  }

  func stop() async {
    await daemon.stop()
  }
}
