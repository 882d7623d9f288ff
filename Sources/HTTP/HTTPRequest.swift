/// What a request asks for. All may be repeated without harm.
package enum HTTPMethod: String, Sendable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  /// WebDAV (RFC 4918).
  case propfind = "PROPFIND"
  case mkcol = "MKCOL"
}

/// A request whose response fits in memory.
package struct HTTPRequest: Sendable {
  /// Only redirects of `get` are followed: another method's are responses.
  package var method = HTTPMethod.get
  /// What is sent with it, of the type that `headers` state.
  package var body: [UInt8] = []
  /// Whether the request sends or receives a file: it may take any time while bytes pass, is not compressed, and short
  /// requests do not wait for it.
  package var isOfFile = false
  /// An absolute http or https URL from the user or a service.
  package var url: String
  /// Sent with every request, including redirects. The client sets `User-Agent` and `Accept-Encoding`.
  package var headers: HTTPHeaders
  /// Whether `url` comes from the content of a service or a page, such as the address of a picture, and not from the
  /// user: then it must not reach a private address, not even as a literal or as `localhost`, except for the origins
  /// that the configuration allows. See `AddressPolicy`.
  package var isNamedByContent: Bool
  /// Authentication headers (`Authorization`, `Api-Key`, `Cookie`): sent only to the origin of `url`, and not after a
  /// redirect that leaves it.
  package var credentials: HTTPHeaders
  /// An authentication query parameter (`key`), for services that do not accept a header. It is sent where
  /// `credentials` are, and no URL that the client returns contains it.
  package var secretQuery: (name: String, secret: Secret)?
  /// A secret for the placeholder in `url` (`SecretPlace`), under the same rules.
  package var secretPlace: Secret?
  /// The largest body accepted, in bytes, after decoding.
  package var limit: Int
  /// The validators of an earlier response; sent as `If-None-Match` and `If-Modified-Since` only to `validators.url`.
  package var validators: Validators?
  /// The rate limit of this service.
  package var budget: RequestBudget
  package var urgency: RequestPriority.Urgency {
    get { priority.urgency }
    set { priority = RequestPriority(newValue) }
  }
  /// The priority of the call, which its owner may raise while the call waits.
  package var priority: RequestPriority
  /// How long the call may wait for its turn or for a service's `Retry-After`. A longer wait fails immediately with
  /// `rateLimited`, which contains the time to retry.
  package var patience: Duration
  /// The time limit of the whole call: its waiting, its retries and its redirects. Nil for the limits of the
  /// configuration for each of them. A user who waits while typing has less time than one attempt may take.
  package var within: Duration?
  /// Classifies the service's response. It overrides the default, so a function for one service's own formats should
  /// end with `ServiceDecision.usual`. Runs on the call's own task; must be a pure function of the response.
  package var judge: @Sendable (HTTPResponse) -> ServiceDecision

  package init(
    url: String, headers: HTTPHeaders = [:], credentials: HTTPHeaders = [:],
    secretQuery: (name: String, secret: Secret)? = nil, limit: Int = 8 << 20, validators: Validators? = nil,
    budget: RequestBudget = .usual, urgency: RequestPriority.Urgency = .interactive, patience: Duration = .seconds(10),
    within: Duration? = nil, isNamedByContent: Bool = false,
    judge: @escaping @Sendable (HTTPResponse) -> ServiceDecision = ServiceDecision.usual
  ) {
    self.url = url
    self.headers = headers
    self.credentials = credentials
    self.secretQuery = secretQuery
    self.limit = limit
    self.validators = validators
    self.budget = budget
    priority = RequestPriority(urgency)
    self.patience = patience
    self.within = within
    self.isNamedByContent = isNamedByContent
    self.judge = judge
  }
}
