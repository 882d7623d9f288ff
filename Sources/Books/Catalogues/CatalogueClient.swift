import Contract
import FoundationEssentials
import HTTP
import Kit
import Markup
import Wire

/// The HTTP client of catalogues: requests JSON or XML within a budget, and validates the answers.
struct CatalogueClient: Sendable {
  let services: Services
  /// The deadline of the search; nil for the network's own timeout.
  var end: ContinuousClock.Instant?
  /// The maximal wait for the request's turn and for pauses that the service requests; nil for the default.
  var patience: Duration?

  /// The maximal size of an answer in bytes; a page of twenty books has a tenth of it.
  private static let limit = 8 << 20

  /// An answer and its final URL, which may differ from the requested one.
  struct Answer: Sendable {
    var json: JSONValue
    var url: String
  }

  /// The JSON at a URL; `nil` for 404 and 410, by which services answer for an unknown book.
  ///
  /// - Parameters:
  ///   - parameter: the name under which the credential's secret is in the query.
  ///   - mustExist: whether the URL always exists, as that of a search: then 404 is a failure.
  func json(
    _ url: String, of catalogue: any BookCatalogue.Type, credential: String? = nil, parameter: String = "key",
    mustExist: Bool = false,
    judge: @escaping @Sendable (HTTPResponse) -> ServiceDecision = ServiceDecision.usual
  ) async throws -> Answer? {
    guard
      let response = try await self.response(
        url, of: catalogue, as: "application/json", credential: credential, parameter: parameter, mustExist: mustExist,
        judge: judge)
    else { return nil }
    return Answer(json: try Self.parse(response.body), url: response.finalURL.text)
  }

  /// The XML at a URL that always exists.
  ///
  /// - Throws: `HTTPFailure.badResponse` for anything else.
  func xml(_ url: String, of catalogue: any BookCatalogue.Type) async throws -> XMLDocument {
    guard
      let response = try await self.response(
        url, of: catalogue, as: "application/xml", credential: nil, parameter: "", mustExist: true,
        judge: ServiceDecision.usual),
      let document = try? XMLDocument(
        TextDecoding(response.body), limits: MarkupLimits(bytes: Self.limit),
        checkCancelled: { try Task.checkCancellation() })
    else {
      try Task.checkCancellation()
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    return document
  }

  /// The answer to a request for a type of content; `nil` for 404 and 410, unless the URL must exist.
  private func response(
    _ url: String, of catalogue: any BookCatalogue.Type, as type: String, credential: String?, parameter: String,
    mustExist: Bool, judge: @escaping @Sendable (HTTPResponse) -> ServiceDecision
  ) async throws -> HTTPResponse? {
    var request = HTTPRequest(
      url: url, headers: ["Accept": type], limit: Self.limit, budget: catalogue.budget, judge: judge)
    if let patience { request.patience = patience }
    request.within = end.map { max(.zero, $0 - ContinuousClock.now) }
    var secret: Secret?
    // Before the secret is read: if it changes meanwhile, the definition differs.
    let definition = credential.flatMap { services.credentials.definition(named: $0) }
    if let credential {
      guard let origin = Origin(url) else { throw HTTPFailure.invalidURL(reason: "hostMissing") }
      let key = try await services.credentials.secret(named: credential, for: origin)
      (request.secretQuery, secret) = ((parameter, key), key)
    }
    var response = try await answer(to: request, of: catalogue, with: definition)
    // A secret that the service repeats would be cached with the answer.
    if let secret { response = response.scrubbed(of: secret) }
    if !mustExist, response.status == 404 || response.status == 410 { return nil }
    do throws(HTTPFailure) {
      try response.requireSuccess()
    } catch {
      throw RPCError(error, of: catalogue.title)
    }
    return response
  }

  private func answer(
    to request: HTTPRequest, of catalogue: any BookCatalogue.Type, with definition: Credentials.Definition?
  ) async throws -> HTTPResponse {
    let name = catalogue.name
    do {
      let response = try await services.http.get(request)
      services.catalogueOutages.note(status: response.status, of: name, with: services)
      if (200...299).contains(response.status) { services.catalogueRefusals.forget(name) }
      return response
    } catch {
      services.catalogueOutages.note(error, of: name, with: services)
      if case .refused = error {
        // The key may have been changed since it was read.
        if let definition { services.credentials.forget(definition.name) }
        let obstacle = CatalogueObstacle(failure: error, catalogue: catalogue.title, at: services.now())
        services.catalogueRefusals.note(obstacle, of: name, asked: definition, with: services)
      }
      throw error
    }
  }

  /// Rejects bodies that are no JSON despite a successful status: an HTML page of a proxy, or an empty body.
  ///
  /// - Throws: `HTTPFailure.badResponse`.
  static func parse(_ body: Data) throws(HTTPFailure) -> JSONValue {
    if body.isEmpty { throw .badResponse(reason: "answerEmpty") }
    guard let value = try? JSONParser.parse([UInt8](body)) else {
      let start = body.first { $0 > 0x20 }
      throw .badResponse(reason: start == UInt8(ascii: "<") ? "answerHTML" : "notJSON")
    }
    return value
  }

  /// A URL with its query, in which all reserved characters are percent-encoded.
  static func url(_ base: String, _ path: String, _ query: [(String, String)] = []) -> String {
    let items = query.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }
    return base + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}
