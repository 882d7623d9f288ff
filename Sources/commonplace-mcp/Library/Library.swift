import Client
import Glibc
import Wire

/// The daemon as this session sees it: connected when first needed, and again when it has ended.
actor Library {
  /// A change of an item, or nil if so much changed that everything has to be fetched again.
  typealias ChangeObserver = @Sendable ([JSONValue]?) -> Void

  /// The name of this session, with which the daemon labels its commits: `agent/4f1c09ab`.
  nonisolated let clientName: String
  private let options: Options
  private let whenChanged: ChangeObserver
  private var current: Client?
  private var opening: Task<Client, any Error>?
  private var known: Catalog?
  private var isFollowing = false
  private let writes = Turnstile()
  /// The clock of this session's newest commit.
  private var newestCommit: Int64 = 0

  init(_ options: Options, whenChanged: @escaping ChangeObserver) {
    self.options = options
    self.whenChanged = whenChanged
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    clientName = "\(options.name)/" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  // MARK: Connecting

  private func client() async throws -> Client {
    if let current { return current }
    let task = opening ?? Task { try await open() }
    opening = task
    defer { if opening == task { opening = nil } }
    return try await task.value
  }

  private func open() async throws -> Client {
    let (input, output) = try ConnectChild.start(options)
    let client = try await Client.connect(input: input, output: output)
    _ = try await client.call(
      "initialize",
      [
        "clientInfo": ["name": .string(clientName)],
        "capabilities": ["general": ["positionEncodings": ["utf-32"]]],
      ])
    // Paths are checked here; the daemon opens what was checked.
    _ = try await client.call(
      "session/confine",
      [
        "folders": .array(options.permissions.files.folders.map { .string($0) }),
        "closed": .array(options.permissions.files.closed.map { .string($0) }),
      ])
    if isFollowing { client.notify("initialized") }
    current = client
    Task { await listen(to: client) }
    return client
  }

  /// Reports changes until the connection ends. The next request connects again, to a daemon that may know of changes
  /// that were not reported.
  private func listen(to client: Client) async {
    do {
      for try await notification in client.notifications where notification.method == "changes/didCommit" {
        whenChanged(notification.params["reset"] == nil ? notification.params["changes"]?.arrayValue ?? [] : nil)
      }
    } catch {
      // More was reported than was read.
      await client.close()
    }
    forget(client)
    if isFollowing { whenChanged(nil) }
  }

  private func forget(_ client: Client) {
    if current === client { current = nil }
  }

  /// Has changes reported from now on.
  func follow() async throws {
    guard !isFollowing else { return }
    let client = try await client()
    isFollowing = true
    client.notify("initialized")
    // Answered after the notifications have begun.
    _ = try await client.call("session/sync")
  }

  func close() async {
    await current?.close()
  }

  // MARK: Calling

  /// The methods and collections of the daemon.
  func catalog() async throws -> Catalog {
    if let known { return known }
    let catalog = Catalog(try await read("rpc.discover", [:]))
    known = catalog
    return catalog
  }

  /// A call that changes nothing, sent again if the daemon ended before its reply.
  ///
  /// - Throws: `RemoteError`, `ClientError`, `CancellationError`, `Spawn.Failure`.
  func read(
    _ method: String, _ params: JSONObject, onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> JSONValue {
    let client = try await client()
    do {
      return try await client.call(method, .object(params), onProgress: onProgress)
    } catch ClientError.closed {
      forget(client)
      return try await self.client().call(method, .object(params), onProgress: onProgress)
    }
  }

  /// A call that may change the library. Writes of a session run one after the other. If the daemon ended before its
  /// reply and has not made the change, it is sent again.
  ///
  /// - Throws: `ToolFailure` if the daemon ended before its reply and has made the change; otherwise the errors of
  ///   `read`.
  func write(
    _ method: String, _ params: JSONObject, onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> JSONValue {
    try await writes.run { [self] in
      let client = try await client()
      do {
        return try await send(method, params, to: client, onProgress)
      } catch ClientError.closed {
        await forget(client)
        try await refuseIfMade()
        return try await send(method, params, to: self.client(), onProgress)
      }
    }
  }

  private func send(
    _ method: String, _ params: JSONObject, to client: Client, _ onProgress: (@Sendable (JSONValue) -> Void)?
  ) async throws -> JSONValue {
    let reply = try await client.call(method, .object(params), onProgress: onProgress)
    note(reply)
    return reply
  }

  private func note(_ reply: JSONValue) {
    guard reply["changed"]?.boolValue != false, let clock = reply["clock"]?.integerValue else { return }
    newestCommit = max(newestCommit, clock)
  }

  /// Reads in the log of the next daemon whether an unanswered write was committed.
  ///
  /// - Throws: `ToolFailure` if it was.
  private func refuseIfMade() async throws {
    let log = try await read("changes/log", ["client": .string(clientName), "limit": 1])
    guard let clock = log["items"]?[0]?["clock"]?.integerValue, clock > newestCommit else { return }
    newestCommit = clock
    if let undo = log["items"]?[0]?["undoneBy"]?.integerValue {
      throw ToolFailure(
        "The daemon ended before it answered. The change was made as commit \(clock), and undone since by commit "
          + "\(undo). Ask the user before you repeat it.",
        data: ["made": false, "clock": .integer(clock)])
    }
    throw ToolFailure(
      "The daemon ended before it answered, but the change was made, as commit \(clock). Do not repeat it.",
      data: ["made": true, "clock": .integer(clock)])
  }
}
