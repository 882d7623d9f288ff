import Contract
import HTTP
import Kit
import Wire

/// The network access of a source.
struct SourceNetwork: Sendable {
  let http: HTTPClient
  let credentials: Credentials

  init(http: HTTPClient, credentials: Credentials) {
    self.http = http
    self.credentials = credentials
  }

  init(_ services: Services) {
    self.init(http: services.http, credentials: services.credentials)
  }
}

/// How a source requests its service: with the service's budget, its classification of responses, and the user's
/// credential if that is for the requested origin.
struct SourceClient: Sendable {
  let address: SourceAddress
  let network: SourceNetwork
  let budget: RequestBudget
  /// The headers that a secret is sent with.
  var proof: @Sendable (Secret) -> HTTPHeaders = { ["Authorization": "Bearer \($0.value)"] }
  var judge: @Sendable (HTTPResponse) -> ServiceDecision = ServiceDecision.usual

  /// The size limit of a page of a service's API, or of a feed. Including the cost of parsing, an endless body costs
  /// less than 16 MiB.
  static let bodyLimit = 13 << 20

  /// Returns a successful or a “not modified” response. A secret that the service repeats in it is removed.
  func get(
    _ url: String, accept: String, validators: Validators? = nil
  ) async throws -> HTTPResponse {
    var request = request(url, accept: accept)
    request.validators = validators
    let secret = try await secret(for: url)
    if SecretPlace.isIn(url) {
      guard let secret else { throw noSecret(for: url) }
      guard secret.value.utf8.count >= SecretPlace.shortest else {
        throw RPCError(
          .unauthorized,
          text: Text(
            "network.secretTooShort",
            ["name": address.credential ?? "", "count": String(SecretPlace.shortest)]))
      }
      request.secretPlace = secret
    } else if let secret {
      request.credentials = proof(secret)
    }
    let response = try await answer(to: request)
    return secret.map { response.scrubbed(of: $0) } ?? response
  }

  /// A request with the service's budget and the caller's priority, without a secret.
  func request(_ url: String, accept: String) -> HTTPRequest {
    var request = HTTPRequest(
      url: url, headers: ["Accept": accept], limit: Self.bodyLimit, budget: budget, isNamedByContent: !address.isTyped,
      judge: judge)
    request.priority = address.priority
    return request
  }

  /// Sends a request, and returns a successful or a “not modified” response, as it is.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await network.http.get(request)
    } catch {
      guard case .refusedAddress(let origin, _) = error, !address.isTyped else { throw error }
      let shown = SecretPlace.shown(WebURL.masked(address.given ?? address.url))
      throw SourceFailure(
        .passing,
        RPCError(.refusedAddress, text: Text("boards.unconfirmed", ["url": shown, "origin": origin])))
    }
    if response.status == 401, let name = address.credential {
      // The credential may have been changed since it was read. It is not retried automatically.
      network.credentials.forget(name)
    }
    do throws(HTTPFailure) {
      try response.requireSuccess()
    } catch {
      if case .unauthorized(let origin) = error, address.credential == nil { throw SourceFailure(wanting: origin) }
      // Users can open the address of a feed, but not that of an API.
      throw address.kind == .feed ? SourceFailure(error) : SourceFailure(error, of: address.kind.title)
    }
    return response
  }

  /// The secret for a URL. Other origins, such as the feed that a page names or the source's new place, are requested
  /// without it.
  func secret(for url: String) async throws -> Secret? {
    guard let name = address.credential, let origin = Origin(url) else { return nil }
    let isHome =
      network.credentials.definition(named: name)?.origin == origin
      || Origin(address.given ?? address.url) == origin
    return isHome ? try await network.credentials.secret(named: name, for: origin) : nil
  }

  private func noSecret(for url: String) -> RPCError {
    RPCError(
      .unauthorized,
      text: Text(
        "network.noSecretPlace", ["url": SecretPlace.shown(WebURL.masked(url)), "place": SecretPlace.written]))
  }

  /// Gets JSON.
  func json(_ url: String) async throws -> JSONValue {
    try await Self.json(get(url, accept: "application/json"))
  }

  /// The body of a response as JSON.
  static func json(_ response: HTTPResponse) async throws -> JSONValue {
    try await onThread { _ in
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
  /// Runs a request, and maps every failure to its meaning for a source.
  static func explaining<Result>(_ body: () async throws -> Result) async throws(SourceFailure) -> Result {
    do {
      return try await body()
    } catch {
      throw SourceFailure(of: error)
    }
  }

  /// The failure for an unusable response.
  static func useless(_ reason: String, _ kind: Kind = .passing) -> SourceFailure {
    SourceFailure(kind, RPCError(HTTPFailure.badResponse(reason: reason)))
  }

  /// The failure of a service that requires a credential, for a source without one.
  init(wanting host: String) {
    self.init(.unauthorized, RPCError(.unauthorized, text: Text("network.wantsCredential", ["host": host])))
  }

  private init(of error: any Error) {
    switch error {
    case let failure as SourceFailure: self = failure
    case let failure as HTTPFailure: self.init(failure)
    // A failure of the credentials.
    case let error as RPCError: self.init(error.kind == .unauthorized ? .unauthorized : .passing, error)
    case is CancellationError: self.init(.cancelled, .cancelled)
    default: self.init(.passing, .internalError)
    }
  }
}
