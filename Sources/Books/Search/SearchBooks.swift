import Contract
import Exchange
import Kit
import Store
import Wire

enum SearchBooks: ExternalReadMethod {
  static let name = "books/search"
  static let summary =
    "Searches catalogues for books, page by page, as the user types. Blank queries, and queries repeated within a day, "
    + "cause no request. A newer query of the same client and view supersedes an older one. A search takes at most "
    + "eight seconds; then the error names each catalogue queried, with its own reason."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.searchBooks")
  static let errors: [ErrorKind] = [
    .badResponse, .httpStatus, .invalidURL, .rateLimited, .refusedAddress, .superseded, .timedOut, .tooLarge,
    .unauthorized, .unreachable,
  ]

  struct Params: Payload {
    var query: String
    var offset: Int?
    var after: String?
    var limit: Int?
    var catalogue: CatalogueName?
    var debounce: Int?
    var refresh: Bool?
    var view: String?
    var remember: Bool?
    static let example = Params(
      query: "소년이 온다", offset: nil, after: nil, limit: 20, catalogue: nil, debounce: 600, refresh: nil, view: nil,
      remember: nil)
    static let fields = [
      "query": "Words of a title or author names, or an ISBN; each catalogue's own operators work too.",
      "offset": "The number of books to skip.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 20.",
      "catalogue":
        "The catalogue to query, or `all`, which merges equal books. Default: Google Books; Open Library if Google "
        + "fails, which a warning reports, or lacks the book of an ISBN.",
      "debounce": "Milliseconds to wait before a service is queried; 600 suits a front end that sends every keystroke.",
      "refresh": "Queries the service even if the result is cached.",
      "view": "The client's view that this is for. Default: one for all.",
      "remember":
        "Whether it is recorded for `search/history`. Default: unless there is a `debounce` or a `view`, as while the "
        + "user is typing.",
    ]
    static let limits: [String: FieldLimits] = [
      "query": .length(0...1_000), "offset": .range(0...100_000), "after": .length(1...256), "limit": .range(1...40),
      "debounce": .range(0...5_000), "view": .length(1...256),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = FoundBooks

  struct Plan: Sendable {
    var params: Params
    var offset: Int
    var view: BookSearches.ViewKey
    /// Nil for a blank query.
    var request: BookSearches.SearchRequest?

    /// Whether the search is recorded: the beginning of a list, for a deliberate query and not an intermediate one.
    var isNoted: Bool {
      offset == 0 && (params.remember ?? (params.debounce == nil && params.view == nil))
    }
  }
  typealias Fetched = BookSearches.Found

  private static let usualLimit = 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let place = try params.after.map(place)
    let offset = place?.offset ?? params.offset ?? 0
    let view = BookSearches.ViewKey(connection: snapshot.caller.connectionID, name: params.view ?? "")
    var plan = Plan(params: params, offset: offset, view: view)
    guard let query = BookQuery(params.query) else { return plan }
    plan.request = BookSearches.SearchRequest(
      view: view, query: query, catalogue: params.catalogue, standIn: place?.catalogue, offset: offset,
      limit: params.limit ?? usualLimit, debounce: params.debounce.map { .milliseconds($0) },
      isForced: params.refresh ?? false)
    return plan
  }

  static func known(_ plan: Plan, in snapshot: Snapshot) throws -> BookSearches.Found? {
    let services = snapshot.services
    guard let request = plan.request else { return nothing(plan, with: services) }
    return try services.bookSearches.known(request, with: services)
  }

  /// A blank query causes no request, and empties its view.
  private static func nothing(_ plan: Plan, with services: Services) -> BookSearches.Found {
    services.bookSearches.clear(plan.view, with: services)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> BookSearches.Found {
    guard let request = plan.request else { return nothing(plan, with: services) }
    return try await services.bookSearches.search(request, with: services)
  }

  static func finish(
    _ found: BookSearches.Found, of plan: Plan, in snapshot: Snapshot
  ) throws -> FoundBooks {
    let view = BookView(in: snapshot)
    var results = ShownFoundBooks(view: view, generation: found.generation, difference: found.difference)
    results.offset = plan.offset
    results.limit = plan.params.limit ?? usualLimit
    guard let state = found.state else { return try FoundBooks(results) }
    if plan.isNoted {
      let search = RecordedSearch(plan.params.query, scope: .books, count: state.total)
      snapshot.services.searchNotes.add(search, with: snapshot.services)
    }
    results.items = try view.books(found.books)
    results.total = state.total
    results.totalIsEstimate = !state.isEnded
    let end = plan.offset + found.books.count
    results.hasMore = found.hasMore
    results.next = found.hasMore ? cursor(end, in: state.catalogues, plan) : nil
    results.state = state.books.isEmpty && state.isEnded ? .noResults : .results
    results.freshness = found.isLive ? .live : .cached
    results.fetchedAt = state.fetchedAt
    results.catalogues = state.catalogues
    results.warnings = found.warnings.map { .init($0.catalogue, $0.obstacle, in: snapshot) }
    // Otherwise it would be unclear why a key that was just added to the file has no effect.
    if found.warnings.contains(where: \.obstacle.isRefusal), let mistake = snapshot.services.configuration()?.mistake {
      results.warnings.append(.init(nil, CatalogueObstacle(kind: .configuration, text: mistake.text), in: snapshot))
    }
    if let query = plan.request?.query, !query.isChecked {
      results.warnings.append(
        .init(nil, CatalogueObstacle(kind: .misprint, text: Text("books.misprint")), in: snapshot))
    }
    results.heading = view.words("books.results", ["count": String(state.total)])
    results.notice = results.state == .noResults ? view.words("books.noResults") : nil
    return try FoundBooks(results)
  }

  /// `offset`, preceded by the catalogue that replaces the usual one: the list continues there, even if the usual one
  /// is available again.
  private static func cursor(_ offset: Int, in catalogues: [String], _ plan: Plan) -> String {
    guard plan.params.catalogue == nil, catalogues.count == 1, let only = catalogues.first,
      only != BookCatalogues.types.first?.name
    else { return "\(offset)" }
    return "\(only)/\(offset)"
  }

  private static func place(_ cursor: String) throws(RPCError) -> (catalogue: String?, offset: Int) {
    let parts = cursor.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let catalogue = parts.count == 2 ? parts.first : nil
    guard parts.count <= 2, let offset = parts.last.flatMap({ Int($0) }), (0...100_000).contains(offset),
      catalogue.map({ name in BookCatalogues.types.contains { $0.name == name } }) ?? true
    else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": cursor]))
    }
    return (catalogue, offset)
  }
}
