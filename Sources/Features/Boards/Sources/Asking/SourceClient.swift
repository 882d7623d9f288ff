import Contract
import HTTP
import Wire

/// What a source needs of the daemon.
struct SourceNetwork: Sendable {
  let http: HTTPClient
  let credentials: Credentials
  /// Takes over what has changed in config.toml; before each request.
  let refreshConfiguration: @Sendable () -> Void

  init(http: HTTPClient, credentials: Credentials, refreshConfiguration: @escaping @Sendable () -> Void = {}) {
    self.http = http
    self.credentials = credentials
    self.refreshConfiguration = refreshConfiguration
  }

  init(_ services: Services) {
    self.init(http: services.http, credentials: services.credentials) { services.library.refreshConfiguration() }
  }
}

/// How a source asks its service: with the service's budget, its judgement of answers, and the reader's credential where
/// that is for the place that is asked.
struct SourceClient: Sendable {
  let address: SourceAddress
  let network: SourceNetwork
  let budget: RequestBudget
  /// The headers that a secret is sent with.
  var proof: @Sendable (Secret) -> HTTPHeaders = { ["Authorization": "Bearer \($0.value)"] }
  var judge: @Sendable (HTTPResponse) -> ServiceJudgement = ServiceJudgement.usual

  /// A page of a service's API, or a feed.
  static let bodyLimit = 16 << 20

  /// Gets an answer that is a success, or says "as before".
  func get(
    _ url: String, accept: String, validators: Validators? = nil
  ) async throws -> HTTPResponse {
    network.refreshConfiguration()
    var request = HTTPRequest(
      url: url, headers: ["Accept": accept], limit: Self.bodyLimit, validators: validators, budget: budget,
      urgency: address.isBackground ? .background : .interactive, judge: judge)
    if let name = address.credential, let origin = Origin(url) {
      // What another origin is asked, such as the feed that a page names or the place that the source moved to, it is
      // asked without.
      let isHome =
        network.credentials.definition(named: name)?.origin == origin
        || Origin(address.given ?? address.url) == origin
      if isHome { request.credentials = proof(try await network.credentials.secret(named: name, for: origin)) }
    }
    let response = try await network.http.get(request)
    if response.status == 401, let name = address.credential {
      // It may have been changed since it was read. Nobody asks again by himself.
      network.credentials.forget(name)
    }
    try response.requireSuccess()
    return response
  }

  /// Gets JSON.
  func json(_ url: String) async throws -> JSONValue {
    let response = try await get(url, accept: "application/json")
    return try await onThread { _ in
      do throws(JSONSyntaxError) {
        return try JSONParser.parse([UInt8](response.body))
      } catch {
        guard error.reason == .tooMany else { throw HTTPFailure.badResponse(reason: "notJSON") }
        throw SourceFailure(.passing, RPCError(.tooLarge, text: Text("boards.answerTooLarge")))
      }
    }
  }
}

extension SourceFailure {
  /// Runs what asks and reads, and says of every failure what it means for a source.
  static func explaining<Result>(_ body: () async throws -> Result) async throws(SourceFailure) -> Result {
    do {
      return try await body()
    } catch {
      throw SourceFailure(of: error)
    }
  }

  /// An answer that is of no use.
  static func useless(_ reason: String, _ kind: Kind = .passing) -> SourceFailure {
    SourceFailure(kind, RPCError(HTTPFailure.badResponse(reason: reason)))
  }

  private init(of error: any Error) {
    switch error {
    case let failure as SourceFailure: self = failure
    case let failure as HTTPFailure: self.init(of: failure)
    // Of the credentials.
    case let error as RPCError: self.init(error.kind == .unauthorized ? .unauthorized : .passing, error)
    case is CancellationError: self.init(.cancelled, .cancelled)
    default: self.init(.passing, .internalError)
    }
  }

  private init(of failure: HTTPFailure) {
    let error = RPCError(failure)
    switch failure {
    case .cancelled, .shutDown: self.init(.cancelled, error)
    case .offline: self.init(.offline, error)
    case .unauthorized, .refused, .httpStatus(code: 403, url: _): self.init(.unauthorized, error)
    case .httpStatus(code: 404, url: _): self.init(.missing, error)
    case .httpStatus(code: 410, url: _): self.init(.gone, error)
    case .rateLimited(_, let time), .closed(_, _, let time), .resting(_, let time):
      self.init(.passing, error, retryAfter: time)
    default: self.init(.passing, error)
    }
  }
}
