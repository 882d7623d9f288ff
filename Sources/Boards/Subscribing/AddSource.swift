import Contract
import Display
import Kit
import Store
import Wire

enum AddSource: ExternalReadMethod {
  static let name = "boards/addSource"
  static let summary =
    "Adds a source after it has answered, with its boards and, for a feed, its posts. The first pages of the boards of "
    + "groupware or a forum are fetched right after the reply. A source that cannot be read is not added; with "
    + "`network.offline` it is added unverified. Adding the same kind and URL again, or another URL of the same "
    + "service, returns the existing source."
  static let effects: Effects = [.writes, .network]
  static let doing = Text("doing.addSource")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.exists, .invalidURL, .notAllowed]

  struct Params: Payload {
    var id: SourceID?
    var kind: SourceKind
    var url: String
    var title: String?
    var credential: String?
    var items: String?
    static let example = Params(
      id: nil, kind: .mailplug, url: "https://groupware.example/api/v2", title: "The groupware", credential: "work",
      items: nil)
    static let fields = [
      "id": "An id chosen by the client.",
      "kind":
        "`mailplug`: the boards of groupware; `discourse`: a forum; `feed`: RSS, Atom, JSON Feed, or a page that links "
        + "to one; `greader`: an account with a feed reader that has the Google Reader API, such as FreshRSS or Miniflux, "
        + "whose credential is `name:password`.",
      "url":
        "Its base URL, with or without a path, or the feed's. It must have no user, password or token; if a feed "
        + "requires one in its URL, write `{credential}` in its place, which is filled in for each request.",
      "title": "Its title. Default: the source's own.",
      "credential": "The name of a credential that config.toml defines for its origin.",
      "items":
        "For a page without a feed: its elements that are posts, as CSS of types, classes, ids, attributes, descendants and "
        + "children, such as `li.news, article`. A post has the first link in its element, or that of its heading.",
    ]
    static let limits = SourceRecord.fields.limits("url", "title", "credential", "items")
  }
  typealias Result = SourceReply

  struct Plan: Sendable {
    var params: Params
    var url: String
    var caller: any Caller
    /// The id of the existing source, so that no request is needed.
    var known: String?
    /// The existing source is from a file, and the user types its URL now.
    var confirms = false
  }

  struct Fetched: Sendable {
    var id: String
    var isNew: Bool
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let url = try SourceURL.checked(params.url, field: "url")
    _ = try params.items.map { try SourceRecord.checked($0, field: "items") }
    if let id = params.id, let known = try snapshot.find(SourceRecord.self, id: id.text) {
      try requireSame(known, params, url, in: snapshot)
      return Plan(params: params, url: url, caller: snapshot.caller, known: known.id)
    }
    let known = try SourceRecord.asked(at: url, kind: params.kind, credential: params.credential, in: snapshot)
    var plan = Plan(params: params, url: url, caller: snapshot.caller, known: known?.id)
    plan.confirms = known.map { !$0.isTyped && sameBytes($0.url, url) } ?? false
    return plan
  }

  private static func confirm(_ id: String, of plan: Plan, in transaction: Transaction) throws {
    let record = try transaction.snapshot.get(SourceRecord.self, id: id)
    guard !record.isTyped, sameBytes(record.url, plan.url) else { return }
    let changed = try transaction.change(record) { $0.isTyped = true }
    // The place to which its archive has moved it is not confirmed.
    try UpdateSource.askAnew(changed, isElsewhere: true, in: transaction)
  }

  /// Refuses an id that the client has already used for another source.
  private static func requireSame(
    _ known: SourceRecord, _ params: Params, _ url: String, in snapshot: Snapshot
  ) throws {
    guard known.kind == params.kind, sameBytes(known.url, url), known.items == params.items else {
      throw RPCError(
        .exists, text: Text("boards.exists", ["id": known.id]),
        data: ["current": try SourceReply(known, in: snapshot).value])
    }
  }

  /// The source is the client's own write, to be undone by it; the posts that were fetched along are the daemon's,
  /// like all fetched data. So they are two writes, and both are done before the reply.
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    if let known = plan.known {
      if plan.confirms {
        try await services.library.write(as: plan.caller, label: name) { try confirm(known, of: plan, in: $0) }
      }
      return Fetched(id: known, isNew: false)
    }
    let boards = try await boards(of: plan, with: services)
    try Task.checkCancellation()
    let result = try await services.library.write(
      as: plan.caller, label: name, returning: { try add(plan, boards, in: $0) })
    if result.isNew, let pages = boards?.pages, !pages.isEmpty {
      let visit = try await services.library.read(as: DaemonCaller()) { try SourceVisit(source: result.id, in: $0) }
      _ = try await BoardFetch(visit: visit, services: services).keepPages(pages)
    }
    services.boardRefresher.wake()
    return result
  }

  /// Nil if no requests are allowed.
  private static func boards(of plan: Plan, with services: Services) async throws -> FetchedBoards? {
    var address = SourceAddress(kind: plan.params.kind, url: plan.url, credential: plan.params.credential)
    address.items = plan.params.items
    do throws(SourceFailure) {
      return try await services.boardSource(asking: address).boards(nil)
    } catch {
      switch error.kind {
      case .offline: return nil
      case .cancelled: throw CancellationError()
      default: throw explained(error.error, plan)
      }
    }
  }

  /// If the given URL had no scheme and the host is unreachable, the error states the assumed scheme.
  private static func explained(_ error: RPCError, _ plan: Plan) -> RPCError {
    guard error.kind == .unreachable || error.kind == .timedOut, !plan.params.url.contains("://") else { return error }
    var explained = error
    explained.text = Text("boards.guessedScheme").saying(error.text, at: "failure")
    return explained
  }

  private static func add(_ plan: Plan, _ boards: FetchedBoards?, in transaction: Transaction) throws -> Fetched {
    let (snapshot, params) = (transaction.snapshot, plan.params)
    // Another client may have added it meanwhile, or a page names an existing feed.
    for url in [plan.url, boards?.movedTo].compactMap(\.self) {
      let known = try SourceRecord.asked(at: url, kind: params.kind, credential: params.credential, in: snapshot)
      if let known { return Fetched(id: known.id, isNew: false) }
    }
    if let id = params.id, let known = try snapshot.find(SourceRecord.self, id: id.text) {
      try requireSame(known, params, plan.url, in: snapshot)
    }
    var record = SourceRecord()
    record.id = params.id?.text ?? transaction.services.newID()
    record.kind = params.kind
    record.url = plan.url
    record.title = params.title
    record.credential = params.credential
    record.items = params.items
    record.foundTitle = FetchedPost.fitted(boards?.title)
    record.movedTo = boards?.movedTo
    record.state = boards?.state?.text
    if let boards {
      record.fetchedAt = transaction.now
      // A source without fetched pages is due at once.
      let isDue = boards.pages.isEmpty && record.kind != .feed
      record.nextAt =
        isDue ? transaction.now : RefreshSchedule.next(after: transaction.now, of: record.id, freshFor: boards.freshFor)
    }
    record = try transaction.insert(record)
    if let boards { try BoardIntake(source: record, transaction: transaction).take(boards.boards) }
    return Fetched(id: record.id, isNew: true)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> SourceReply {
    var shown = try ShownSource(snapshot.get(SourceRecord.self, id: fetched.id), in: snapshot)
    if !fetched.isNew { shown.existing = true }
    return try SourceReply(shown)
  }
}

extension Services {
  /// The plug-in for an address; an unknown kind is a failure of the source like any other.
  func boardSource(asking address: SourceAddress) throws(SourceFailure) -> any BoardSource {
    do {
      return try boardSource(at: address)
    } catch {
      throw SourceFailure(.notSource, error as? RPCError ?? .internalError)
    }
  }
}
