import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/documentLink`.
enum ListTextLinks: LanguageMethod {
  static let name = "textDocument/documentLink"
  static let summary = "The links of a text that lead somewhere; their targets come with `documentLink/resolve`."
  typealias Params = TextParams
  typealias Result = JSONValue

  /// More links than these are not followed.
  private static let most = 2_000

  static func prepare(_ params: TextParams, in snapshot: Snapshot) -> TextRequest? {
    TextRequest(params.textDocument.uri, in: snapshot)
  }

  static func answer(_ request: TextRequest, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let links: [JSONValue] = try await caller.services.library.read(as: caller) { snapshot in
      try request.text.scan.links.prefix(most).compactMap { link in
        let meaning = try snapshot.meaning(of: link.target, in: nil)
        guard let item = meaning.items.first else { return nil }
        let target = StableLink(collection: item.collection, item: item.id, places: meaning.places)
        return ["range": request.range(link.line, link.range), "data": ["link": .string(target.text)]]
      }
    }
    try request.requireCurrent()
    return .array(links)
  }
}

/// LSP's `documentLink/resolve`.
enum ResolveTextLink: LanguageMethod {
  static let name = "documentLink/resolve"
  static let summary = "A link of a text with its target: the file or virtual text of the item."
  typealias Params = GivenLink
  typealias Result = JSONValue

  static func prepare(_ params: GivenLink, in snapshot: Snapshot) throws -> JSONObject? { try params.members() }

  static func answer(_ link: JSONObject, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let client = caller.language, let target = link["data"]?["link"]?.stringValue.flatMap(StableLink.init),
      let location = try await client.locations(of: [TextTarget(target)], for: caller).first ?? nil
    else { return .object(link) }
    var link = link
    link["target"] = .string(location.uri)
    return .object(link)
  }
}
