import Contract
import HTTP
import Kit
import Store
import Synchronization
import Wire

/// The only way to request a source: used by clients that read, and by the background refresh.
///
///     boards/posts ──┐                 ┌─► one write, and all waiting requests read the library
///     boards/posts ──┼─► one fetch a ──┤
///     refresh     ───┘   board         └─► or the failure, for all of them
///
/// While any page of a board is being fetched, no other page of it is requested: a caller that joins checks again
/// when it has arrived.
final class BoardFetches: Sendable {
  private let pages = SharedWork<PageReport>()
  private let lists = SharedWork<PageReport>()
  private let busy = Mutex<[String: Int]>([:])
  /// The requests that are running, with their waiting callers, by key. A client that joins a background refresh
  /// makes it urgent, down to the queue of the service.
  private let waiting = Mutex<[String: (priority: RequestPriority, count: Int)]>([:])

  /// The sources that are being requested now.
  var sources: [String] { busy.withLock { $0.keys.sorted() } }

  /// Fetches a page of a board, or joins a running fetch.
  ///
  /// - Parameter isNeeded: asked again when a new fetch begins. The fetch that was to be joined may have ended a moment
  ///   before, and has stored the page.
  func page(
    _ step: FetchStep, of board: String, with services: Services, isBackground: Bool = false,
    isNeeded: @escaping @Sendable (Snapshot) throws -> Bool = { _ in true }
  ) async throws -> PageReport {
    try await priority(for: "page/\(board)", isBackground) { [self] priority in
      try await pages.value(for: board) { [self] _ in
        let found = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
          try isNeeded(snapshot) ? try SourceVisit(board: board, in: snapshot) : nil
        }
        guard var visit = found else { return PageReport() }
        visit.priority = priority
        return try await asking(visit.source.id) { try await BoardFetch(visit: visit, services: services).page(step) }
      }
    }
  }

  /// Fetches the boards of a source.
  func boards(
    of source: String, with services: Services, isBackground: Bool = false
  ) async throws -> PageReport {
    try await priority(for: "boards/\(source)", isBackground) { [self] priority in
      try await lists.value(for: source) { [self] _ in
        var visit = try await services.library.read(as: DaemonCaller()) { try SourceVisit(source: source, in: $0) }
        visit.priority = priority
        return try await asking(source) { try await BoardFetch(visit: visit, services: services).boards() }
      }
    }
  }

  /// Follows an account: its boards, and the posts and marks of all of them.
  func account(
    of source: String, with services: Services, isBackground: Bool = false
  ) async throws -> PageReport {
    try await priority(for: "account/\(source)", isBackground) { [self] priority in
      try await pages.value(for: "account/\(source)") { [self] _ in
        var visit = try await services.library.read(as: DaemonCaller()) { try SourceVisit(source: source, in: $0) }
        visit.priority = priority
        return try await asking(source) { try await BoardFetch(visit: visit, services: services).account() }
      }
    }
  }

  /// Runs a request that others may join, with the priority of the most urgent caller.
  private func priority<Value>(
    for key: String, _ isBackground: Bool, _ body: (RequestPriority) async throws -> Value
  ) async throws -> Value {
    let urgency: RequestPriority.Urgency = isBackground ? .background : .interactive
    let priority = waiting.withLock { waiting in
      let priority = waiting[key]?.priority ?? RequestPriority(urgency)
      waiting[key] = (priority, (waiting[key]?.count ?? 0) + 1)
      return priority
    }
    priority.raise(to: urgency)
    defer {
      waiting.withLock { waiting in
        waiting[key]?.count -= 1
        if waiting[key]?.count == 0 { waiting[key] = nil }
      }
    }
    return try await body(priority)
  }

  /// Fetches one post with its whole body, or joins a running fetch.
  ///
  /// - Parameter isNeeded: asked again when a new fetch begins, as for `page`.
  func post(
    _ remoteID: String, _ visit: SourceVisit, _ board: BoardRecord, with services: Services,
    isNeeded: @escaping @Sendable (Snapshot) throws -> Bool
  ) async throws {
    _ = try await lists.value(for: "post/\(board.id)/\(remoteID)") { [self] _ in
      guard try await services.library.read(as: FeatureCaller.daemon(services), isNeeded) else { return PageReport() }
      try await asking(visit.source.id) {
        try await BoardFetch(visit: visit, services: services).post(remoteID, of: board)
      }
      return PageReport()
    }
  }

  /// Requests a search from a source; two equal searches share one request.
  func search(
    _ query: SourceQuery, at cursor: String?, _ visit: SourceVisit, with services: Services
  ) async throws -> PageReport {
    guard let board = visit.board else { throw RPCError.internalError }
    let key = "search/\(board.id)/\(query.target.rawValue)/\(cursor ?? "")/\(query.text)"
    return try await lists.value(for: key) { [self] _ in
      try await asking(visit.source.id) {
        let page: PostPage
        do throws(SourceFailure) {
          page = try await services.boardSource(asking: visit.address).search(query, at: cursor)
        } catch {
          if error.kind == .cancelled { throw CancellationError() }
          throw error
        }
        return try await BoardFetch(visit: visit, services: services).keepFound(page, of: board)
      }
    }
  }

  func asking<Value>(_ source: String, _ body: () async throws -> Value) async throws -> Value {
    busy.withLock { $0[source, default: 0] += 1 }
    defer {
      busy.withLock { busy in
        busy[source, default: 1] -= 1
        if busy[source] == 0 { busy[source] = nil }
      }
    }
    return try await body()
  }
}

/// The page of a board to fetch.
enum FetchStep: Sendable, Equatable {
  case first
  /// The page after the stored ones, by its cursor.
  case next(String)

  var cursor: String? { if case .next(let cursor) = self { cursor } else { nil } }
}

/// The result of a request to a source.
struct PageReport: Sendable {
  var added = 0
  var changed = 0
  /// The posts of the page, in the source's order.
  var posts: [String] = []
  /// The cursor of the page after it.
  var next: String?
  var total: Int?
  /// Why the result is incomplete; shown to the user.
  var notice: Text?
  /// Why a page of a board is incomplete; of several pages, the first such reason.
  var cut: RPCError?

  static func + (left: PageReport, right: PageReport) -> PageReport {
    PageReport(added: left.added + right.added, changed: left.changed + right.changed, cut: left.cut ?? right.cut)
  }
}

/// A source, and a board of it, as they were at the time of the request.
struct SourceVisit: Sendable {
  var source: SourceRecord
  var board: BoardRecord?
  /// The priority of the waiting caller.
  var priority = RequestPriority(.interactive)

  /// The address to request.
  var address: SourceAddress {
    var address = source.address
    address.priority = priority
    return address
  }

  init(source: SourceRecord, board: BoardRecord?) {
    self.source = source
    self.board = board
  }

  init(board id: String, in snapshot: Snapshot) throws {
    let board = try snapshot.get(BoardRecord.self, id: id)
    self.init(source: try snapshot.get(SourceRecord.self, id: board.source), board: board)
  }

  init(source id: String, in snapshot: Snapshot) throws {
    self.init(source: try snapshot.get(SourceRecord.self, id: id), board: nil)
  }

  /// Refuses to continue if the source was removed or changed meanwhile: the fetched data belong to no source.
  ///
  /// - Throws: `notFound`, `conflict`.
  func requireCurrent(in snapshot: Snapshot) throws {
    let now = try snapshot.get(SourceRecord.self, id: source.id)
    guard now.url == source.url, now.kind == source.kind else {
      throw RPCError(.conflict, text: Text("boards.sourceMoved"))
    }
    if let board { _ = try snapshot.get(BoardRecord.self, id: board.id) }
  }
}

extension Services {
  var boardFetches: BoardFetches { memory.object(BoardFetches.self) { BoardFetches() } }

  /// The plug-in for an address.
  func boardSource(at address: SourceAddress) throws -> any BoardSource {
    guard let source = boardSources.source(at: address, self) else {
      throw RPCError(.notAllowed, text: Text("boards.noKind", ["kind": address.kind.rawValue]))
    }
    return source
  }
}
