import Client
import Wire

/// The bridge's own client of the daemon, for `/file`.
///
/// The paths that the daemon replies stay valid while their client is connected, so it is one for all requests.
actor FileClient {
  struct Folders: Sendable {
    var library: String
    var caches: String
  }

  struct Connection: Sendable {
    let client: Client
    let methods: FileMethods
    let folders: Folders
  }

  private let library: Library
  private let voice: Voice
  private var opening: Task<Result<Connection, BridgeFailure>, Never>?
  /// The newest reply of which several files may be requested. Its paths are valid for its client only.
  private var shared: (call: String, client: Client, reply: JSONValue)?

  init(_ library: Library, voice: Voice) {
    self.library = library
    self.voice = voice
  }

  /// - Throws: `BridgeFailure` if no daemon can be reached.
  func folders() async throws(BridgeFailure) -> Folders { try await connection().folders }

  /// The connected client; a new one after the daemon has ended.
  ///
  /// - Throws: `BridgeFailure` if no daemon can be reached.
  func connection() async throws(BridgeFailure) -> Connection {
    let task = opening ?? Task { [library, voice] in await open(library, voice) }
    opening = task
    let result = await task.value
    if case .failure = result, opening == task { opening = nil }
    return try result.get()
  }

  /// Forgets the client, whose connection has ended, and closes what is left of it.
  func leave(_ connection: Connection) async {
    let present = opening
    if let present, case .success(let current) = await present.value, current.client === connection.client,
      opening == present
    {
      opening = nil
    }
    await connection.client.close()
  }

  /// Calls a method, once for all requests that name its reply alike one after the other.
  ///
  /// - Throws: the errors of `Client.call`.
  func reply(of method: String, _ params: JSONValue, by connection: Connection, sharedAs name: String?) async throws
    -> JSONValue
  {
    let call = "\(name ?? "") \(method) \(params)"
    if name != nil, let shared, shared.call == call, shared.client === connection.client { return shared.reply }
    let reply = try await connection.client.call(method, params)
    if name != nil { shared = (call, connection.client, reply) }
    return reply
  }

  private func open(_ library: Library, _ voice: Voice) async -> Result<Connection, BridgeFailure> {
    let result = await Self.open(library, voice)
    // The next request finds a client that lives.
    if case .success(let connection) = result {
      Task {
        _ = try? await connection.client.closed()
        await leave(connection)
      }
    }
    return result
  }

  private static func open(_ library: Library, _ voice: Voice) async -> Result<Connection, BridgeFailure> {
    do {
      let client = try await Client.connect(socket: try await library.reach())
      return try await greet(client, voice)
    } catch let failure as BridgeFailure {
      return .failure(failure)
    } catch {
      return .failure(.daemonEnded)
    }
  }

  /// - Throws: the errors of `Client.call`; the client is closed then.
  private static func greet(_ client: Client, _ voice: Voice) async throws -> Result<Connection, BridgeFailure> {
    do {
      let greeting: JSONValue = [
        // The page's own name: what was uploaded is undone where it was dropped.
        "clientInfo": ["name": "web"], "locale": .string(voice.reader.locale.identifier),
      ]
      _ = try await client.call("initialize", greeting)
      let status = try await client.call("session/status")
      let methods = FileMethods(try await client.call("rpc.discover"))
      guard let library = status["library"]?["path"]?.stringValue, let caches = status["caches"]?["path"]?.stringValue
      else { throw BridgeFailure.daemonEnded }
      return .success(Connection(client: client, methods: methods, folders: Folders(library: library, caches: caches)))
    } catch {
      await client.close()
      throw error
    }
  }
}
