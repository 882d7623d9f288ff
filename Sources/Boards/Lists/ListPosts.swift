import Contract
import Kit
import Store
import Wire

enum ListPosts: ExternalReadMethod {
  static let name = "boards/posts"
  static let summary =
    "Posts of a board: pinned posts first, then newest first. Posts not stored yet are fetched, a page at a time; if "
    + "the source cannot be fetched, the stored ones are returned with `state` `error`. With `all`, the stored posts "
    + "of all sources, and with `folder` those of one folder's, newest first."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.listPosts")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound, .superseded]

  struct Params: Payload {
    var board: BoardID?
    var all: Bool?
    var folder: [String]?
    var saved: Bool?
    var unread: Bool?
    var hidden: Bool?
    var oldest: Bool?
    var offset: Int?
    var after: String?
    var limit: Int?
    var style: PostDateStyle?
    var refresh: Bool?
    var wait: Bool?
    static let example = Params(
      board: "0192", all: nil, folder: nil, saved: nil, unread: nil, hidden: nil, oldest: nil, offset: nil, after: nil,
      limit: 30,
      style: .default,
      refresh: nil, wait: nil)
    static let fields = [
      "board": "The board. Default: the one that this client has selected, which the reply names.",
      "all":
        "`true`: the stored posts of all sources, newest first, each once; with `unread` or `saved` only those. No "
        + "source is requested.",
      "folder":
        "As `all`, but only of the sources in this folder and those below it: its names, outermost first, in any case "
        + "and width.",
      "saved":
        "`true`: the saved posts of all boards, last saved first, instead of a board's; with `all`, newest first.",
      "unread": "`true`: only stored posts that are unread; nothing is fetched.",
      "hidden":
        "`true`: the posts of all sources that rules or the user have hidden, newest first. No other list has them, and no "
        + "source is requested.",
      "oldest": "`true`: the oldest first; with `all`, `folder` or `hidden`.",
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 30.",
      "style":
        "The format of `display.date`: `default`, the locale's; `seed`: `h:m` for today, else `yy-MM-dd`, and `00:00` "
        + "without a date.",
      "refresh": "`true`: fetches the first page even if the stored one is not old.",
      "wait":
        "`false`: returns the stored posts at once; `state` is `loading` while the source is fetched, and "
        + "`changes/didCommit` reports what arrives. Default `true`.",
    ]
    static let limits: [String: FieldLimits] = [
      "folder": SourceFolder.limits, "offset": .range(0...10_000_000), "after": .length(1...256),
      "limit": .range(1...200),
    ]
    static let atMostOne = [
      ["board", "saved"], ["offset", "after"], ["unread", "saved"], ["board", "all"],
      ["board", "hidden"], ["saved", "hidden"], ["unread", "hidden"], ["all", "hidden"],
      ["board", "folder"],
    ]
  }
  typealias Result = PostList

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
    /// Nil for posts of all boards.
    var supply: PageSupply?
    /// The page to request from the source; nil if everything is stored.
    var step: FetchStep?
    /// The board that the client displayed.
    var shown: String?
    var generation: Int

    /// Nil if no source needs to be requested.
    var asked: (supply: PageSupply, step: FetchStep)? { supply.flatMap { supply in step.map { (supply, $0) } } }
  }
  typealias Fetched = PageSupply.Outcome

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let selection = try BoardSelection(of: snapshot.caller.clientName, in: snapshot)
    let shown = try selection.shown(in: snapshot)
    var plan = Plan(
      params: params, caller: snapshot.caller, supply: nil, step: nil, shown: shown, generation: selection.generation)
    guard params.oldest != true || params.isByTime else {
      throw RPCError.invalidParams(field: "oldest", reason: Text("param.invalid"))
    }
    if params.isByTime {
      _ = try params.after.map { try PostTimeline.order.place($0) }
      return plan
    }
    if params.saved == true {
      _ = try params.after.map { try SavedListing.order.place($0) }
      return plan
    }
    guard let board = params.board?.text ?? shown else {
      throw RPCError(.notFound, text: Text("boards.noBoards"))
    }
    let supply = PageSupply(
      board: board, after: try params.after.map { try PostListing.Place(cursor: $0) }, offset: params.offset ?? 0,
      limit: params.limit ?? 30, onlyUnread: params.unread == true, isForced: params.refresh == true)
    plan.step = try supply.need(in: snapshot, isFirstLook: true)
    plan.supply = supply
    return plan
  }

  static func known(_ plan: Plan, in snapshot: Snapshot) -> PageSupply.Outcome? {
    plan.asked == nil ? PageSupply.Outcome() : nil
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> PageSupply.Outcome {
    guard let (supply, step) = plan.asked else { return PageSupply.Outcome() }
    if plan.params.wait == false {
      services.unawaitedPages.ask(step, for: supply, with: services)
      return PageSupply.Outcome(isLoading: true)
    }
    return try await supply.fill(first: step, for: plan.caller, with: services)
  }

  static func finish(_ outcome: PageSupply.Outcome, of plan: Plan, in snapshot: Snapshot) throws -> PostList {
    guard let supply = plan.supply else {
      return plan.params.isByTime
        ? try timeline(plan, in: snapshot) : PostList(try SavedListing.page(plan, in: snapshot), board: nil)
    }
    try requireShown(supply.board, since: plan, in: snapshot)
    let board = try snapshot.get(BoardRecord.self, id: supply.board)
    // If a gap cannot be filled, the posts after it are shown anyway.
    let source = try snapshot.find(SourceRecord.self, id: board.source)
    let isClosed = outcome.failure != nil || outcome.isOffline || source?.isLimited == true
    let listing = PostListing(board, onlyUnread: supply.onlyUnread, isClosed: isClosed)
    let view = try PostView(plan.params.style, of: board, in: snapshot)
    let places = try listing.places(
      after: supply.after, offset: supply.offset, limit: supply.limit + 1, in: snapshot)
    let items = try places.prefix(supply.limit).compactMap { try view.post($0) }
    let count = try listing.count(in: snapshot)
    // Offline, an earlier failure of the source is not the reason why there is nothing new.
    let isOffline = outcome.isOffline || snapshot.services.hidesFailure(of: source)
    if count == 0, board.fetchedAt == nil {
      if let failure = outcome.failure { throw failure.naming(source) }
      if isOffline { throw RPCError(.unreachable, text: Text("boards.offlineNothing")) }
    }
    let hasMore = places.count > supply.limit || board.hasMore && !isClosed && !supply.onlyUnread && !places.isEmpty
    let isHidden = isOffline && source?.failure != nil
    let failure =
      try outcome.failure.map { RemoteProblem($0, of: source, board, in: snapshot) }
      ?? StoredProblem.shown(isHidden ? nil : board.failure, of: source, board, in: snapshot)
    let state: RemoteState =
      outcome.isLoading ? .loading : failure != nil ? .error : count == 0 && !hasMore ? .empty : .results
    let now = snapshot.services.now()
    let isEstimate = board.hasMore && source?.isLimited != true && !supply.onlyUnread
    let page = RemotePage(
      items: items, offset: try supply.after.map { try listing.count(upTo: $0, in: snapshot) } ?? supply.offset,
      limit: supply.limit, total: isEstimate ? max(count, board.remoteTotal ?? 0) : count,
      totalIsEstimate: isEstimate,
      next: hasMore ? places.prefix(supply.limit).last?.place.cursor : nil,
      generation: try BoardSelection(of: snapshot.caller.clientName, in: snapshot).generation, state: state,
      hint: hint(state, isOffline: isOffline, in: snapshot),
      freshness: failure == nil && !isOffline && (outcome.isLive || board.freshUntil.map { $0 > now } ?? false)
        ? .live : .cached,
      fetchedAt: board.fetchedAt, failure: failure)
    return PostList(page, board: .init(board, of: source, in: snapshot))
  }

  /// Refuses the page of a board if the client has switched to another board meanwhile.
  ///
  /// - Throws: `superseded`.
  private static func requireShown(_ board: String, since plan: Plan, in snapshot: Snapshot) throws {
    guard let before = plan.shown, sameBytes(before, board) else { return }
    let selection = try BoardSelection(of: snapshot.caller.clientName, in: snapshot)
    guard selection.generation != plan.generation, let chosen = selection.chosen, !sameBytes(chosen, board) else {
      return
    }
    throw RPCError.superseded
  }

  private static func hint(_ state: RemoteState, isOffline: Bool, in snapshot: Snapshot) -> String? {
    if isOffline { return snapshot.words(Text("boards.offline")) }
    switch state {
    case .empty: return snapshot.words(Text("boards.empty"))
    case .loading: return snapshot.words(Text("boards.loading"))
    default: return nil
    }
  }
}

extension ListPosts.Params {
  /// Whether the posts of all sources or of a folder are listed by time (`PostTimeline`).
  fileprivate var isByTime: Bool { all == true || hidden == true || folder != nil }
}
