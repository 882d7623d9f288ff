import Contract
import Kit
import Store
import Wire

enum SearchPosts: ExternalReadMethod {
  static let name = "boards/search"
  static let summary =
    "Posts with a word in title, contents or author, with the matches marked. If the board's source can search, it is "
    + "queried. Otherwise, offline, and without a board, the stored posts are searched: those with all words, whole or "
    + "as prefixes, newest first."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.searchPosts")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var board: BoardID?
    var query: String
    var target: SearchTarget?
    var kept: Bool?
    var offset: Int?
    var after: String?
    var limit: Int?
    var style: PostDateStyle?
    var remember: Bool?
    static let example = Params(
      board: "0192", query: "lunch", target: .all, kept: nil, offset: nil, after: nil, limit: 30, style: nil,
      remember: nil)
    static let fields = [
      "board": "Only this board. Default: all.",
      "query": "The words to find. If blank, no source is queried, and `state` is `prompt`.",
      "target": "`all` (default), `title`, `contents` or `writer`.",
      "kept": "`true`: searches stored posts only.",
      "offset": "The number of posts to skip; stored posts only.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 30.",
      "style": "The format of `display.date`, as in `boards/posts`.",
      "remember": "`false`: omits it from `search/history`, such as while the user is typing.",
    ]
    static let limits: [String: FieldLimits] = [
      "query": .length(0...1_000), "offset": .range(0...10_000), "after": .length(1...1_024), "limit": .range(1...200),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = RemotePage<Post>

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
    var cursor: SearchCursor?
    /// The source to search; nil to search the library.
    var visit: SourceVisit?
    /// The query, and its board.
    var search: String
    var generation: Int
    var limit: Int { params.limit ?? 30 }
  }

  /// A part of a source's results.
  struct Part: Sendable {
    var posts: [String]
    var offset: Int
    var next: FoundPages.Place?
    var total: Int?
    /// Why the result is incomplete.
    var notice: Text?
  }

  struct Fetched: Sendable {
    /// From the source's response.
    var part: Part?
    /// From the library.
    var found = LocalPostSearch.Found(posts: [], before: 0, total: 0, totalIsEstimate: false)
    var isOffline = false
    /// Why the source refused the query although it was reachable.
    var refusal: Text?
    var failure: RPCError?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let target = params.target ?? .all
    let search = "\(params.board?.text ?? "")/\(target.rawValue)/\(params.query)"
    var plan = Plan(
      params: params, caller: snapshot.caller, cursor: try params.after.map { try SearchCursor($0) }, visit: nil,
      search: search,
      generation: snapshot.services.boardSearches.generation(of: snapshot.caller.connectionID, search: search))
    if !params.query.isBlank { _ = try LocalPostSearch(params.query, target, board: nil) }
    guard let board = params.board else { return plan }
    let visit = try SourceVisit(board: board.text, in: snapshot)
    guard !params.query.isBlank, params.kept != true, plan.cursor?.isStored != true, params.offset ?? 0 == 0,
      !visit.source.isStopped,
      snapshot.services.boardSources.source(at: visit.address, snapshot.services)?.canSearch == true
    else { return plan }
    plan.visit = visit
    return plan
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    if plan.params.query.isBlank { return Fetched() }
    var fetched = try await ask(plan, with: services)
    // On a reader's thread: searching a hundred thousand posts takes longer than a lookup by key.
    if fetched.part == nil {
      fetched.found = try await services.library.read(as: plan.caller) { try look(plan, in: $0) }
    }
    if plan.cursor == nil, plan.params.offset ?? 0 == 0, plan.params.remember != false {
      // If the source failed, the number of results is unknown. For a refused query, and offline, only the library is
      // searched, and its count was shown.
      let count = fetched.part.map { $0.total ?? $0.posts.count } ?? fetched.found.total
      services.searchNotes.add(
        RecordedSearch(
          plan.params.query, scope: .boards, target: (plan.params.target ?? .all).rawValue,
          place: plan.params.board?.text, count: fetched.failure == nil ? count : nil),
        with: services)
    }
    return fetched
  }

  /// The source's results, if one is searched.
  private static func ask(_ plan: Plan, with services: Services) async throws -> Fetched {
    guard let visit = plan.visit, let board = visit.board else { return Fetched() }
    var (found, place) = services.boardSearches.find(plan.search, at: plan.cursor?.place)
    let query = SourceQuery(board: board.remoteID, text: plan.params.query, target: plan.params.target ?? .all)
    do {
      for _ in 0..<rounds {
        guard let step = found.missing(after: place.offset, limit: plan.limit) else { break }
        let report = try await services.boardFetches.search(query, at: step.cursor, visit, with: services)
        found.add(report, at: step.cursor)
        services.boardSearches.store(found, of: place.number)
      }
    } catch let failure as SourceFailure where found.reach <= place.offset {
      // The library is searched instead, and the reply states so.
      switch failure.kind {
      case .offline: return Fetched(isOffline: true)
      case .query: return Fetched(refusal: failure.error.text)
      default: return Fetched(failure: failure.error)
      }
    } catch is SourceFailure {
      // The received posts are returned, and the next part reports the failure.
    }
    let (posts, next) = found.part(from: place, limit: plan.limit)
    return Fetched(
      part: Part(posts: posts, offset: place.offset, next: next, total: found.total, notice: found.notice))
  }

  /// The most pages of a source for one request.
  private static let rounds = 8

  private static func look(_ plan: Plan, in snapshot: Snapshot) throws -> LocalPostSearch.Found {
    var place: LocalPostSearch.Place?
    if case .stored(let known) = plan.cursor { place = known }
    let search = try LocalPostSearch(plan.params.query, plan.params.target ?? .all, board: plan.params.board?.text)
    return try search.find(
      after: place, offset: plan.params.offset ?? 0, limit: plan.limit + 1, in: snapshot)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> RemotePage<Post> {
    if let board = plan.params.board { _ = try snapshot.get(BoardRecord.self, id: board.text) }
    let shown = try ShownSearch(plan, in: snapshot)
    if plan.params.query.isBlank { return shown.prompt }
    if let part = fetched.part { return try shown.answer(part) }
    return try shown.stored(fetched)
  }
}

/// Where a search continues.
enum SearchCursor: Sendable {
  /// After a stored post: `k/at/post`.
  case stored(LocalPostSearch.Place)
  /// In a search of a source: `s/number/offset/skipped/page`; the first page has no name.
  case source(FoundPages.Place)

  init(_ text: String) throws(RPCError) {
    let parts = text.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    switch parts.first {
    case "k" where parts.count == 3:
      if let at = Int64(parts[1]), ItemID(validating: parts[2]) != nil {
        self = .stored(LocalPostSearch.Place(at: at, post: parts[2]))
        return
      }
    case "s" where parts.count >= 4:
      let numbers = parts[1...3].compactMap { Int($0) }.filter { (0...Int(Int32.max)).contains($0) }
      if numbers.count == 3 {
        self = .source(
          FoundPages.Place(
            number: numbers[0], offset: numbers[1], page: parts.count > 4 ? parts[4] : nil, skipped: numbers[2]))
        return
      }
    default: break
    }
    throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
  }

  var text: String {
    switch self {
    case .stored(let place): "k/\(place.at)/\(place.post)"
    case .source(let place):
      "s/\(place.number)/\(place.offset)/\(place.skipped)" + (place.page.map { "/\($0)" } ?? "")
    }
  }

  /// Where a source's search continues.
  var place: FoundPages.Place? { if case .source(let place) = self { place } else { nil } }

  var isStored: Bool { if case .stored = self { true } else { false } }
}
