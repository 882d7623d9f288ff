import Contract
import Exchange
import FoundationEssentials
import HTTP
import Kit
import Wire

/// Looks works up: by DOI through content negotiation (https://citation.doi.org), which Crossref and DataCite both
/// answer with CSL-JSON, papers of arXiv by their DOI, books through the catalogues, and titles at Crossref.
struct WorkLookup: Sendable {
  let services: Services
  let caller: FeatureCaller

  /// One answer with its references has a few hundred KiB.
  private static let limit = 4 << 20

  /// The bibliography of a work; nil if its service does not know it.
  ///
  /// - Throws: an `RPCError` of the network or the service.
  func item(of identifier: WorkIdentifier) async throws -> CSLItem? {
    switch identifier {
    case .doi(let doi): return try await item(of: doi)
    case .arXiv(let id):
      guard let doi = id.doi, var item = try await item(of: doi) else { return nil }
      item["number"] = item["number"] ?? identifier.text
      return item
    case .isbn(let isbn): return try await book(isbn)
    }
  }

  private func item(of doi: DOI) async throws -> CSLItem? {
    let path = PercentEncoding.encoded(doi.text).replacing("%2F", with: "/")
    let answer = try await json(
      "\(services.settings().documents.doi)/\(path)", accept: "application/vnd.citationstyles.csl+json", of: "doi.org")
    guard let answer, var item = CSLItem(reading: answer, isService: true) else { return nil }
    item["id"] = nil
    item["DOI"] = item["DOI"] ?? doi.text
    return item
  }

  private func book(_ isbn: ISBN) async throws -> CSLItem? {
    do {
      let book = try await services.library.call("books/get", ["id": .string("isbn.\(isbn.digits)")], as: caller)
      func text(_ name: String) -> String? { book[name]?.stringValue }
      return CSLItem.book(
        title: text("title"), subtitle: text("subtitle"),
        authors: (book["authors"]?.arrayValue ?? []).compactMap(\.stringValue), publisher: text("publisher"),
        published: text("published"), isbn: isbn.digits, pageCount: book["pageCount"]?.integerValue,
        language: text("language"))
    } catch let error as RPCError where error.kind == .notFound {
      return nil
    }
  }

  /// The DOIs of works with this title, the most similar first.
  ///
  /// - Throws: an `RPCError` of the network or the service.
  func works(titled title: String) async throws -> [(doi: DOI, title: String)] {
    let query = [("query.bibliographic", title), ("rows", "3"), ("select", "DOI,title")]
      .map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&")
    let answer = try await json(
      "\(services.settings().documents.crossref)/works?\(query)", accept: "application/json", of: "Crossref")
    return (answer?["message"]?["items"]?.arrayValue ?? []).prefix(3).compactMap { item in
      guard let doi = item["DOI"]?.stringValue.flatMap({ DOI($0) }), let title = item["title"]?[0]?.stringValue else {
        return nil
      }
      return (doi, title)
    }
  }

  /// nil for 404 and 410, and for 406, by which doi.org answers for a DOI without a bibliography.
  private func json(_ url: String, accept: String, of service: String) async throws -> JSONValue? {
    let budget = RequestBudget(service: service, tokens: 5, refill: .milliseconds(500))
    do throws(HTTPFailure) {
      let response = try await services.http.get(
        HTTPRequest(url: url, headers: ["Accept": accept], limit: Self.limit, budget: budget, within: .seconds(30)))
      if [404, 406, 410].contains(response.status) { return nil }
      try response.requireSuccess()
      guard let json = try? JSONParser.parse([UInt8](response.body)) else {
        throw HTTPFailure.badResponse(reason: "notJSON")
      }
      return json
    } catch {
      throw RPCError(error, named: service)
    }
  }
}
