import Contract
import HTTP
import Kit
import Synchronization
import Wire

/// Requests of the Google Reader API. The user's name and password are sent for a login alone; the token that it returns
/// is sent with all other requests, and is stored in memory only.
///
///     ClientLogin ──► Auth ──► GET …                    a refused token: one more login
///                       └────► token ──► POST …, T
struct ReaderClient: Sendable {
  let base: String
  private let client: SourceClient
  private let sessions: ReaderSessions
  private let key: String

  init(_ address: SourceAddress, _ network: SourceNetwork, _ sessions: ReaderSessions, base: String) {
    (self.base, self.sessions) = (base, sessions)
    key = "\(base) \(address.credential ?? "")"
    client = SourceClient(
      address: address, network: network,
      budget: RequestBudget(service: "greader \(base)", tokens: 30, refill: .milliseconds(500), atOnce: 1))
  }

  /// Gets JSON.
  func get(_ path: String, _ query: [(String, String)] = []) async throws -> JSONValue {
    try await withSession { session in
      let response = try await ask(path, [("output", "json")] + query, form: nil, session.auth)
      return try await SourceClient.json(response.scrubbed(of: session.auth))
    }
  }

  /// Posts a form, and gets JSON.
  func post(_ path: String, _ form: [(String, String)]) async throws -> JSONValue {
    try await SourceClient.json(posted(path, form))
  }

  /// Posts a form whose response is no more than its status.
  func send(_ path: String, _ form: [(String, String)]) async throws {
    _ = try await posted(path, form)
  }

  private func posted(_ path: String, _ form: [(String, String)]) async throws -> HTTPResponse {
    try await withSession { session in
      let action = try await action(session)
      return try await ask(path, [], form: form + [("T", action.value)], session.auth).scrubbed(of: session.auth)
    }
  }

  // MARK: Sessions

  /// Runs a request with the token. If a token from an earlier login is refused, it is repeated once with a new one.
  private func withSession<Result>(_ body: (ReaderSession) async throws -> Result) async throws -> Result {
    if let known = sessions[key] {
      do {
        return try await body(known)
      } catch let failure as SourceFailure where failure.error.kind == .unauthorized {
        sessions[key] = nil
      }
    }
    return try await body(login())
  }

  private func login() async throws -> ReaderSession {
    let url = base + "/accounts/ClientLogin"
    guard let secret = try await client.secret(for: url) else {
      throw SourceFailure(wanting: Origin(url)?.description ?? base)
    }
    let parts = secret.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw SourceFailure(
        .unauthorized,
        RPCError(
          .unauthorized,
          text: Text("boards.notNameAndPassword", ["name": client.address.credential ?? ""])))
    }
    let form = [("Email", String(parts[0])), ("Passwd", String(parts[1])), ("service", "reader")]
    let response = try await client.answer(to: request(url, form))
    let lines = String(decoding: response.body.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.hasPrefix("Auth=") }), let auth = Self.token(line.dropFirst(5)) else {
      throw SourceFailure.useless("noObject", .notSource)
    }
    let session = ReaderSession(auth: auth)
    sessions[key] = session
    return session
  }

  /// The token that accompanies forms.
  private func action(_ session: ReaderSession) async throws -> Secret {
    if let action = session.action { return action }
    let response = try await ask("token", [], form: nil, session.auth)
    let text = String(decoding: response.body.prefix(1 << 16), as: UTF8.self)
    guard let action = Self.token(text.prefix { !$0.isNewline }) else { throw SourceFailure.useless("noObject") }
    sessions[key] = ReaderSession(auth: session.auth, action: action)
    return action
  }

  /// A token that can stand in a header.
  private static func token(_ text: Substring) -> Secret? {
    let isToken = (1...2_000).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    return isToken ? Secret(String(text)) : nil
  }

  // MARK: Requests

  private func ask(
    _ path: String, _ query: [(String, String)], form: [(String, String)]?, _ auth: Secret
  ) async throws -> HTTPResponse {
    let url = "\(base)/reader/api/0/\(path)" + (query.isEmpty ? "" : "?\(Self.encoded(query))")
    var request = request(url, form)
    request.credentials = ["Authorization": "GoogleLogin auth=\(auth.value)"]
    return try await client.answer(to: request)
  }

  private func request(_ url: String, _ form: [(String, String)]?) -> HTTPRequest {
    var request = client.request(url, accept: "application/json, text/plain;q=0.9")
    guard let form else { return request }
    (request.method, request.body) = (.post, Array(Self.encoded(form).utf8))
    request.headers.append("Content-Type", "application/x-www-form-urlencoded")
    return request
  }

  private static func encoded(_ pairs: [(String, String)]) -> String {
    pairs.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }
}

/// The result of a login.
struct ReaderSession: Sendable {
  var auth: Secret
  /// The token for forms; nil until the first form.
  var action: Secret?
}

/// The sessions of this process, by service and credential.
final class ReaderSessions: Sendable {
  private let sessions = Mutex<[String: ReaderSession]>([:])

  subscript(key: String) -> ReaderSession? {
    get { sessions.withLock { $0[key] } }
    set { sessions.withLock { $0[key] = newValue } }
  }
}

extension Services {
  var readerSessions: ReaderSessions { memory.object(ReaderSessions.self) { ReaderSessions() } }
}
