import Client
import Contract
import Daemon
import Foundation
import HTTP
import System
import TestSupport
import Testing
import Wire

/// A daemon whose services are all the stand-in, configured by a config.toml as a person writes it, and a client of it.
/// Pauses of the network take no time.
struct RemoteBench {
  let server: CatalogueServer
  let daemon: TestDaemon
  let client: Client
  private let secrets: TemporaryFolder

  /// - Parameters:
  ///   - google: Google's key.
  ///   - secret: what the credential `work` is, for the first origin.
  ///   - allowsOther: the second origin is on the `allow` list.
  init(
    _ arguments: [String] = [], data: String? = nil, google: String? = nil, secret: String = "test-token",
    allowsOther: Bool = false, clock: TestClock = TestClock(), timeZone: String = "Asia/Seoul",
    change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    let server = try await CatalogueServer(arguments, data: data)
    let secrets = TemporaryFolder()
    (self.server, self.secrets) = (server, secrets)
    let configuration = try Self.configuration(
      server, secrets, google: google, secret: secret, allowsOther: allowsOther)
    let kept = SecretCache { configuration.credentials }
    daemon = try await .started(clock: clock) { settings in
      configuration.apply(to: &settings.http)
      settings.configured = { configuration.features }
      settings.credentials = kept.credentials
      settings.pause = { _ in }
      settings.workers.timeout = .seconds(60)
      change(&settings)
    }
    client = try await daemon.client(timeZone: timeZone)
  }

  private static func configuration(
    _ server: CatalogueServer, _ secrets: TemporaryFolder, google: String?, secret: String, allowsOther: Bool
  ) throws -> Configuration {
    for (name, secret) in [("work", secret), ("google", google ?? "")] {
      try Data(secret.utf8).write(to: URL(filePath: secrets.file(name)))
      chmod(secrets.file(name), 0o600)
    }
    let toml = """
      [network]
      contact = "tests@example.org"
      allow = [\(allowsOther ? "\"\(server.other)\"" : "")]
      [credentials.work]
      origin = "\(server.origin)"
      file = "\(secrets.file("work"))"
      [credentials.google]
      origin = "\(server.origin)"
      file = "\(secrets.file("google"))"
      [books.google]
      url = "\(server.origin)/books/v1"
      \(google == nil ? "" : "credential = \"google\"")
      [books.openLibrary]
      url = "\(server.origin)/ol"
      covers = "\(server.origin)/ol/covers"
      """
    return try Configuration(toml: Array(toml.utf8))
  }

  func stop() async {
    await daemon.stop()
    server.stop()
  }

  /// Runs a case, and ends the daemon and the server behind it, also where it fails.
  func run(_ body: (RemoteBench) async throws -> Void) async throws {
    do {
      try await body(self)
    } catch {
      await stop()
      throw error
    }
    await stop()
  }

  // MARK: - Books

  func search(_ query: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["query"] = .string(query)
    return try await client.call("books/search", .object(params))
  }

  /// All books that a query finds, page by page as somebody scrolls.
  func books(_ query: String, _ more: JSONObject = [:]) async throws -> [JSONValue] {
    try await walk("books/search", more.merging(["query": .string(query)]))
  }

  // MARK: - Boards

  @discardableResult
  func add(_ kind: String, _ path: String, credential: String? = nil) async throws -> JSONValue {
    try await client.call("boards/addSource", source(kind, path, credential))
  }

  func source(_ kind: String, _ path: String, _ credential: String? = nil) -> JSONValue {
    var params: JSONObject = ["kind": .string(kind), "url": .string(server.origin + path)]
    if let credential { params["credential"] = .string(credential) }
    return .object(params)
  }

  /// The board that its source calls so.
  func board(_ remoteID: String) async throws -> JSONValue {
    let boards = try await client.call("boards/list").items
    return try #require(boards.first { $0["boardId"].text == remoteID }).id
  }

  func posts(_ board: JSONValue, _ more: JSONObject = [:]) async throws -> JSONValue {
    try await client.call("boards/posts", .object(more.merging(["board": board])))
  }

  func allPosts(_ board: JSONValue) async throws -> [JSONValue] {
    try await walk("boards/posts", ["board": board])
  }

  /// Asks a source again.
  @discardableResult
  func refresh(_ source: JSONValue) async throws -> JSONValue {
    try await client.call("boards/refresh", ["source": source.id])
  }

  // MARK: - Both

  /// All items of a list, page behind page.
  private func walk(_ method: String, _ params: JSONObject) async throws -> [JSONValue] {
    var (items, params): ([JSONValue], JSONObject) = ([], params)
    for _ in 0..<100 {
      let page = try await client.call(method, .object(params))
      items += page.items
      guard page["hasMore"] == true, let next = page["next"] else { return items }
      params["after"] = next
    }
    Issue.record("\(method) has no end")
    return items
  }

  /// The kind of the failure, whether it is the reply or stands in it beside what was kept; "none" where there is none.
  func failure(_ method: String, _ params: JSONValue) async throws -> String {
    do {
      let reply = try await client.call(method, params)
      return reply["failure"]?["kind"].text ?? "none"
    } catch let error as RemoteError {
      return (error.data?["kind"] ?? error.data?["field"])?.text ?? "\(error.code)"
    }
  }

  /// How a refresh of a source fails.
  func refreshFailure(_ source: JSONValue) async throws -> String {
    try await failure("boards/refresh", ["source": source.id])
  }

  /// How much time the client's pauses were, while something was done.
  func paused(_ body: () async throws -> Void) async throws -> Duration {
    let before = daemon.networkTime.passed
    try await body()
    return daemon.networkTime.passed - before
  }

  /// Returns when so many requests of a path have reached the server.
  func reached(_ prefix: String, _ count: Int = 1) async throws {
    while try server.log(prefix).count < count { await Task.yield() }
  }
}

extension JSONObject {
  /// This with other members put over it.
  func merging(_ other: JSONObject) -> JSONObject {
    var all = self
    for member in other.members { all[member.key] = member.value }
    return all
  }
}
