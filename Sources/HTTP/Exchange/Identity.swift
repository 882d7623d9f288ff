/// The headers and secrets of a call.
struct Identity: Sendable {
  /// Sent with every request, including redirects.
  var headers: HTTPHeaders
  /// Sent only to the origin of the call's URL. libcurl would withhold `Authorization` from another host but send
  /// `Api-Key`, which is one reason why it does not follow redirects itself.
  var credentials: HTTPHeaders
  /// A credential that is sent as a query parameter.
  var secretQuery: (name: String, secret: Secret)?
  /// A credential that replaces the placeholder in the URL, see `SecretPlace`.
  var secretPlace: Secret?
  /// Sent only to the URL that returned them.
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

  /// Drops the secrets when a redirect leaves their origin; they are not restored.
  mutating func dropSecrets() { (credentials, secretQuery, secretPlace) = ([:], nil, nil) }

  /// All headers of a request to this URL, which is without `secretQuery`.
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
