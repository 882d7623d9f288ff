/// A GET whose answer is small enough to be kept in memory.
package struct HTTPRequest: Sendable {
  /// Who waits for the answer.
  package enum Urgency: Int, Sendable, Comparable {
    /// Nobody: a refresh by itself.
    case background
    /// A person.
    case interactive

    package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
  }

  /// An absolute http or https URL as a person or a service wrote it.
  package var url: String
  /// Sent with every hop. `User-Agent` and `Accept-Encoding` are the client's.
  package var headers: HTTPHeaders
  /// Whether `url` stood in what a service or a page said, such as the address of a picture, and nobody who may ask this
  /// machine's network has written it: then it may lead to no private address, not even as a literal or as `localhost`,
  /// but for the origins that the configuration allows. See `AddressPolicy`.
  package var isNamedByContent: Bool
  /// Headers that prove who asks (`Authorization`, `Api-Key`, `Cookie`): sent to the origin of `url` alone and never
  /// again after a redirect that leaves it.
  package var credentials: HTTPHeaders
  /// A parameter of the query that proves who asks (`key`), for services that take no header. It goes where
  /// `credentials` go, and is in no URL that the client hands out.
  package var secretQuery: (name: String, secret: Secret)?
  /// A secret for the place in `url` that `SecretPlace` names, under the same rules.
  package var secretPlace: Secret?
  /// The largest body accepted, in bytes, after decoding.
  package var limit: Int
  /// What an earlier answer gave; sent as `If-None-Match` and `If-Modified-Since` to `validators.url` and nowhere else.
  package var validators: Validators?
  /// How often this service may be asked.
  package var budget: RequestBudget
  package var urgency: Urgency {
    get { standing.urgency }
    set { standing = Standing(newValue) }
  }
  /// Who waits; whoever holds it may raise it while the call waits.
  package var standing: Standing
  /// How long the call may wait for its turn or for a service's `Retry-After`. What would take longer is answered with
  /// `rateLimited` at once, which says when to come back.
  package var patience: Duration
  /// How long the call may take in all: its waiting, its tries and its redirects. Nil for as long as the configuration
  /// gives each of them. Who waits while typing has less time than a try may take.
  package var within: Duration?
  /// What the service says with an answer. It has the last word: one that knows only its own service's forms ends with
  /// `ServiceJudgement.usual`. Runs on the call's own task; must be a pure function of the answer.
  package var judge: @Sendable (HTTPResponse) -> ServiceJudgement

  package init(
    url: String, headers: HTTPHeaders = [:], credentials: HTTPHeaders = [:],
    secretQuery: (name: String, secret: Secret)? = nil, limit: Int = 8 << 20, validators: Validators? = nil,
    budget: RequestBudget = .usual, urgency: Urgency = .interactive, patience: Duration = .seconds(10),
    within: Duration? = nil, isNamedByContent: Bool = false,
    judge: @escaping @Sendable (HTTPResponse) -> ServiceJudgement = ServiceJudgement.usual
  ) {
    self.url = url
    self.headers = headers
    self.credentials = credentials
    self.secretQuery = secretQuery
    self.limit = limit
    self.validators = validators
    self.budget = budget
    standing = Standing(urgency)
    self.patience = patience
    self.within = within
    self.isNamedByContent = isNamedByContent
    self.judge = judge
  }
}
