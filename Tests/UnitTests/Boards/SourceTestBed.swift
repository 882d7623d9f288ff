import Foundation
import HTTP
import Synchronization
import TestSupport
import Wire

@testable import Boards
@testable import Kit

/// A service of a test's own, and what sources need to ask it: no pause takes time.
final class SourceTestBed: Sendable {
  let server: ScriptedServer
  let time = SkippedTime()
  let network: SourceNetwork
  private let http: HTTPClient
  private let names = ForgottenNames()

  /// - Parameter secret: what the credential `work` is, for the server's origin; nil for none.
  init(secret: String? = nil, _ answer: @escaping @Sendable (ScriptedServer.Request) -> ServerReply) throws {
    let server = try ScriptedServer(answer)
    self.server = server
    var configuration = HTTPConfiguration()
    time.apply(to: &configuration)
    http = HTTPClient(configuration)
    let origin = Origin(server.origin)!
    let names = names
    network = SourceNetwork(
      http: http,
      credentials: Credentials(
        define: { $0 == "work" && secret != nil ? .init(name: $0, origin: origin) : nil },
        read: { _ in Secret(secret ?? "") }, drop: { names.add($0) }))
  }

  deinit {
    http.shutDown()
    server.stop()
  }

  /// The credentials that a source said were refused.
  var refused: [String] { names.all }

  func address(_ kind: SourceKind, _ path: String = "", credential: String? = nil) -> SourceAddress {
    SourceAddress(kind: kind, url: server.origin + path, credential: credential)
  }

  /// The targets of all requests so far.
  var targets: [String] { server.requests.map(\.target) }
}

private final class ForgottenNames: Sendable {
  private let names = Mutex<[String]>([])
  func add(_ name: String) { names.withLock { $0.append(name) } }
  var all: [String] { names.withLock(\.self) }
}

/// The failure of what a source does; nil if it succeeds.
func failure<Result>(_ body: () async throws(SourceFailure) -> Result) async -> SourceFailure? {
  do throws(SourceFailure) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
