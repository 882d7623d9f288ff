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
  /// A connection that the program that started this one has made, until it is used.
  private var inherited: Int32?
  private var current: Client?
  private var opening: Task<Client, any Error>?
  private var known: Catalog?
  private var described: Catalog?
  private var isFollowing = false
  private let writes = Turnstile()
  /// The clock of this session's newest commit.
  private var newestCommit: Int64 = 0
  /// Whether a write has failed that may have commits.
  private var hasUnansweredCommits = false

  init(_ options: Options, whenChanged: @escaping ChangeObserver) {
    self.options = options
    inherited = options.connection
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
    let client: Client
    do {
      client = try await greeted()
    } catch {
      throw visible(error)
    }
    if isFollowing { client.notify("initialized") }
    current = client
    Task { await listen(to: client) }
    return client
  }

  private func greeted() async throws -> Client {
    if let descriptor = inherited {
      inherited = nil
      // Children do not get it.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let client = try await Client.connect(descriptor)
      do {
        try await greet(client)
        return client
      } catch ClientError.closed {
        // That daemon has ended since.
      }
    }
    let (input, output) = try ConnectChild.start(options)
    let client = try await Client.connect(input: input, output: output)
    try await greet(client)
    return client
  }

  private func greet(_ client: Client) async throws {
    var params: JSONObject = [
      "clientInfo": ["name": .string(clientName)],
      "capabilities": ["general": ["positionEncodings": ["utf-32"]]],
    ]
    params["locale"] = options.locale.map { .string($0) }
    params["timeZone"] = options.timeZone.map { .string($0) }
    let greeting = client.send("initialize", .object(params))
    // Paths are checked here; the daemon opens what was checked.
    let confinement = client.send(
      "session/confine",
      [
        "folders": .array(options.permissions.files.folders.map { .string($0) }),
        "closed": .array(options.permissions.files.closed.map { .string($0) }),
      ])
    _ = try await greeting.value()
    _ = try await confinement.value()
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

  /// The methods and collections of the daemon, all that a call needs. Schemas are ten times as long, and a session's
  /// first answer does not wait for them.
  func catalog() async throws -> Catalog {
    if let known { return known }
    let catalog = Catalog(try await read("rpc.discover", ["schemas": false]))
    known = catalog
    return catalog
  }

  /// The same with schemas and texts, for the descriptions of tools.
  func describedCatalog() async throws -> Catalog {
    if let described { return described }
    let catalog = Catalog(try await read("rpc.discover", [:]))
    described = catalog
    return catalog
  }

  /// The connections that one call may lose before it fails.
  private static let mostLosses = 3

  /// A call that changes nothing in the library, sent again if the daemon ended before its reply.
  ///
  /// - Parameter isRepeatable: false for a call that writes a file, which is not sent again.
  /// - Throws: `RemoteError`, `ClientError`, `CancellationError`, `Spawn.Failure`, and `ToolFailure` if the daemon
  /// ended
  ///   before its reply too often, or once if the call is not repeatable.
  func read(
    _ method: String, _ params: JSONObject, isRepeatable: Bool = true,
    onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> JSONValue {
    // The loss of a connection long ago leaves no uncertainty about this call.
    if !isRepeatable { _ = try await read("session/ping", [:]) }
    for _ in 0..<Self.mostLosses {
      let client = try await client()
      do {
        return try await client.call(method, .object(params), onProgress: onProgress)
      } catch ClientError.closed {
        forget(client)
        guard isRepeatable else { throw Self.unknown(method) }
      } catch {
        throw visible(error)
      }
    }
    throw Self.lost
  }

  /// A call that may change the library. Writes of a session run one after the other. If the daemon ended before its
  /// reply and has not made the change, it is sent again.
  ///
  /// - Parameter isPlain: whether the method is a plain write, which can be rehearsed.
  /// - Throws: `ToolFailure` if the daemon ended before its reply and has made the change, or if nobody can say whether
  ///   it has, or too often; otherwise the errors of `read`.
  func write(
    _ method: String, _ params: JSONObject, isPlain: Bool = false,
    onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> JSONValue {
    try await writes.run { [self] in
      try await noteUnansweredCommits()
      for _ in 0..<Self.mostLosses {
        let client = try await client()
        do {
          return try await send(method, params, to: client, onProgress)
        } catch ClientError.closed {
          await forget(client)
          let made: ToolFailure?
          do {
            if isPlain { try await awaitQueuedWrite(method, params) }
            made = try await failureIfMade()
          } catch {
            try Task.checkCancellation()
            throw Self.unknown(method)
          }
          if let made { throw made }
        }
      }
      throw Self.lost
    }
  }

  /// After each loss the log has shown that the change was not made.
  private static let lost = ToolFailure(
    "The daemon ended \(mostLosses) times before it answered. Nothing was changed. Ask the user to run “commonplace call "
      + "library/check”.", data: ["kind": "unreachable", "made": false])

  private static func unknown(_ method: String) -> ToolFailure {
    ToolFailure(
      "The daemon ended before it answered, and whether \(method) was done is unknown. Look at what it should have "
        + "changed before you repeat it.", data: ["kind": "unknown"])
  }

  private func send(
    _ method: String, _ params: JSONObject, to client: Client, _ onProgress: (@Sendable (JSONValue) -> Void)?
  ) async throws -> JSONValue {
    do {
      let reply = try await client.call(method, .object(params), onProgress: onProgress)
      note(reply)
      return reply
    } catch {
      // A write that was cancelled too late, or an import that failed half-way, has commits without a reply.
      if case ClientError.closed = error { throw error }
      hasUnansweredCommits = true
      throw visible(error)
    }
  }

  /// An error of the daemon without what is out of reach; any other error as it is.
  private func visible(_ error: any Error) -> any Error {
    guard let error = error as? RemoteError else { return error }
    return Redaction(permissions: options.permissions, files: known?.filesOfItems ?? []).visible(error)
  }

  /// Reads the session's newest commit after a write that was not answered with one, so that it is not taken for a
  /// later write.
  private func noteUnansweredCommits() async throws {
    guard hasUnansweredCommits else { return }
    newestCommit = max(newestCommit, try await newestLogged()?["clock"]?.integerValue ?? 0)
    hasUnansweredCommits = false
  }

  /// Returns when the write of a lost connection, which a daemon that goes on may have in its queue, has run: its
  /// rehearsal is queued after it.
  private func awaitQueuedWrite(_ method: String, _ params: JSONObject) async throws {
    var rehearsal = params
    rehearsal["dryRun"] = true
    do {
      _ = try await read(method, rehearsal)
    } catch is RemoteError {
      // Such as that of an item that the write has removed.
    }
  }

  private func newestLogged() async throws -> JSONValue? {
    try await read("changes/log", ["client": .string(clientName), "limit": 1])["items"]?[0]
  }

  private func note(_ reply: JSONValue) {
    guard reply["changed"]?.boolValue != false, let clock = reply["clock"]?.integerValue else { return }
    newestCommit = max(newestCommit, clock)
  }

  /// Reads in the log of the next daemon whether an unanswered write was committed; nil if it was not.
  ///
  /// - Throws: the errors of `read`.
  private func failureIfMade() async throws -> ToolFailure? {
    let newest = try await newestLogged()
    guard let clock = newest?["clock"]?.integerValue, clock > newestCommit else { return nil }
    newestCommit = clock
    if let undo = newest?["undoneBy"]?.integerValue {
      return ToolFailure(
        "The daemon ended before it answered. The change was made as commit \(clock), and undone since by commit "
          + "\(undo). Ask the user before you repeat it.",
        data: ["made": false, "clock": .integer(clock)])
    }
    return ToolFailure(
      "The daemon ended before it answered, but the change was made, as commit \(clock). Do not repeat it.",
      data: ["made": true, "clock": .integer(clock)])
  }
}
