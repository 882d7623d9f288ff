import Contract
import Kit
import Store
import Wire

/// LSP's `workspace/symbol`.
enum FindSymbols: LanguageMethod {
  static let name = "workspace/symbol"
  static let summary =
    "Items by words of their titles, from three letters also of their texts; without words what is due and what "
    + "changed last."

  struct Params: Payload {
    var query: String
    static let example = Params(query: "dune")
    static let fields = ["query": "The words."]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var query: String
    var client: LanguageClient

    /// Whether each symbol needs a file before the user has chosen one.
    var needsFiles: Bool { !client.abilities.resolvesSymbols && client.abilities.documents == .files }
    fileprivate var most: Int { needsFiles ? mostLaid : 100 }
  }

  /// The most symbols for a client that needs files for all of them: they would push others from the desk.
  private static let mostLaid = 20
  private static let mostTitles = 50
  private static let longest = 1_000

  static func prepare(_ params: Params, in snapshot: Snapshot) -> Plan? {
    snapshot.feature.language.map {
      Plan(query: String(params.query.unicodeScalars.prefix(longest)).trimmed, client: $0)
    }
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let symbols = try await found(plan, for: caller)
    let locations = try await places(of: symbols, plan, for: caller)
    let written = zip(symbols, locations).compactMap { symbol, location -> JSONValue? in
      location.map { symbol.json(at: $0) }
    }
    guard progress.takesParts else { return .array(written) }
    progress.part(.array(written))
    return .array([])
  }

  /// A client that resolves symbols gets their places for the one that the user takes: none is laid on the desk before.
  private static func places(
    of symbols: [FoundSymbol], _ plan: Plan, for caller: FeatureCaller
  ) async throws -> [JSONValue?] {
    let targets = symbols.map { TextTarget($0.link) }
    if plan.client.abilities.resolvesSymbols {
      return symbols.map { ["uri": .string($0.link.text)] }
    }
    return try await plan.client.locations(of: targets, for: caller).map { $0?.json }
  }

  private static func found(_ plan: Plan, for caller: FeatureCaller) async throws -> [FoundSymbol] {
    guard !plan.query.isEmpty else {
      return try await LinkableTitle.recent(for: caller, limit: plan.most).compactMap { FoundSymbol($0) }
    }
    let library = caller.services.library
    let titles = try await library.call(
      "search/suggest",
      ["scope": "library", "text": .string(plan.query), "limit": .integer(Int64(min(mostTitles, plan.most)))],
      as: caller)
    var symbols = (titles["titles"]?.arrayValue ?? []).compactMap { LinkableTitle($0).flatMap { FoundSymbol($0) } }
    guard plan.query.count >= 3, symbols.count < plan.most else { return symbols }
    var seen = Set(symbols.map(\.link.text))
    // A query that is still being typed may not be one yet.
    let hits = try? await library.call(
      "search/query",
      ["text": .string(plan.query), "remember": false, "limit": .integer(Int64(plan.most - symbols.count))], as: caller)
    for hit in hits?["items"]?.arrayValue ?? [] {
      guard let title = LinkableTitle(hit),
        let symbol = FoundSymbol(
          title, snippet: hit["snippet"]?.stringValue, page: hit["display"]?["page"]?.stringValue),
        seen.insert(symbol.link.text).inserted
      else { continue }
      symbols.append(symbol)
    }
    return Array(symbols.prefix(plan.most))
  }
}

/// An item among the symbols of the workspace.
struct FoundSymbol: Sendable {
  var name: String
  var kind: Int64
  var container: String?
  var link: StableLink

  /// - Parameters:
  ///   - snippet: the text around the words, if they are not in the title.
  ///   - page: the page with the words, as it is shown.
  init?(_ title: LinkableTitle, snippet: String? = nil, page: String? = nil) {
    guard let link = StableLink(title.link) else { return nil }
    let snippet = snippet.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") } ?? ""
    name = snippet.isEmpty || snippet == title.title ? title.title : "\(title.title) · \(snippet)"
    (kind, self.link) = (title.symbolKind, link)
    let places = [title.kind, page ?? title.date].compactMap(\.self)
    container = places.isEmpty ? nil : places.joined(separator: ", ")
  }

  func json(at location: JSONValue) -> JSONValue {
    var symbol: JSONObject = [
      "name": .string(name), "kind": .integer(kind), "location": location, "data": ["link": .string(link.text)],
    ]
    if let container { symbol["containerName"] = .string(container) }
    return .object(symbol)
  }
}

/// LSP's `workspaceSymbol/resolve`.
enum ResolveSymbol: LanguageMethod {
  static let name = "workspaceSymbol/resolve"
  static let summary = "A symbol of the workspace with its place in a file or virtual text."
  typealias Params = GivenSymbol
  typealias Result = JSONValue

  static func prepare(_ params: GivenSymbol, in snapshot: Snapshot) throws -> JSONObject? { try params.members() }

  static func answer(_ symbol: JSONObject, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let client = caller.language, let link = symbol["data"]?["link"]?.stringValue.flatMap(StableLink.init),
      let location = try await client.locations(of: [TextTarget(link)], for: caller).first ?? nil
    else { return .object(symbol) }
    var symbol = symbol
    symbol["location"] = location.json
    return .object(symbol)
  }
}
