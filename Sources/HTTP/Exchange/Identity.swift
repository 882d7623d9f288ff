/// What a call sends along, and what of that proves who asks.
struct Identity: Sendable {
  /// For every hop.
  var headers: HTTPHeaders
  /// For the origin of the call's URL alone. libcurl would keep `Authorization` from another host but send `Api-Key`
  /// on, which is one reason why redirects are not left to it.
  var credentials: HTTPHeaders
  /// The same, as a parameter of the query.
  var secretQuery: (name: String, secret: Secret)?
  /// The same, for the place in the URL that `SecretPlace` names.
  var secretPlace: Secret?
  /// For the URL that gave them alone.
  var validators: Validators?

  init(
    headers: HTTPHeaders, credentials: HTTPHeaders, secretQuery: (name: String, secret: Secret)? = nil,
    secretPlace: Secret? = nil, validators: Validators? = nil
  ) {
    self.headers = headers
    self.credentials = credentials
    self.secretQuery = secretQuery
    self.secretPlace = secretPlace
    self.validators = validators
  }

  var hasSecrets: Bool { !credentials.fields.isEmpty || secretQuery != nil || secretPlace != nil }

  /// Leaves the origin that the secrets are for; they do not come back.
  mutating func dropSecrets() { (credentials, secretQuery, secretPlace) = ([:], nil, nil) }

  /// All headers of a request to this URL, which is one without `secretQuery`.
  func headers(for url: WebURL) -> HTTPHeaders {
    var all = headers
    for (name, value) in credentials.fields + (validators?.headers(asking: url).fields ?? []) {
      all.append(name, value)
    }
    return all
  }

  /// The URL as it is sent.
  func sent(_ url: WebURL) -> WebURL {
    let url = secretPlace.map { url.filled(with: $0) } ?? url
    return secretQuery.map { url.appending($0.name, $0.secret.value) } ?? url
  }
}
