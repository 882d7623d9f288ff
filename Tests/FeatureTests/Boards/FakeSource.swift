import Contract
import Synchronization
import TestSupport
import Wire

@testable import Boards

/// A source that a test fills, fails and holds, and that remembers what it was asked.
final class FakeSource: BoardSource {
  enum Request: Sendable, Equatable {
    case boards
    case posts(board: String, cursor: String?, state: String?)
    case post(String)
    case search(SourceQuery, cursor: String?)
  }

  struct Content: Sendable {
    var title: String?
    var boards = [FetchedBoard(id: "1", displayName: "Notices"), FetchedBoard(id: "2", displayName: "자유게시판")]
    var posts: [String: [FetchedPost]] = [:]
    var whole: [String: FetchedPost] = [:]
    var pageSize = 30
    /// What is said of the number of posts; nil for the truth.
    var total: Int?
    var comesWithPages = false
    var state: String?
    var isUnchanged = false
    var movedTo: String?
    var freshFor: Duration?
    var canSearch = true
    /// The next requests fail with this.
    var failure: SourceFailure?
    /// What is said of every page.
    var notice: RPCError?
    /// Boards that fail by themselves.
    var boardFailures: [String: SourceFailure] = [:]
    /// Who comes while there is a door says so and waits.
    var door: Door?
  }

  struct Door: Sendable {
    let reached = ServerGate()
    let open = ServerGate()
  }

  private let content = Mutex(Content())
  private let log = Mutex<[Request]>([])

  var requests: [Request] { log.withLock(\.self) }
  /// The cursors of the pages that were asked for.
  var pages: [String?] {
    requests.compactMap { if case .posts(_, let cursor, _) = $0 { .some(cursor) } else { nil } }
  }

  func change(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }

  private func come(_ request: Request) async throws(SourceFailure) -> Content {
    log.withLock { $0.append(request) }
    let now = content.withLock(\.self)
    if let door = now.door {
      door.reached.open()
      await door.open.opened()
    }
    if Task.isCancelled { throw SourceFailure(.cancelled, .cancelled) }
    if let failure = now.failure { throw failure }
    return now
  }

  var canSearch: Bool { content.withLock(\.canSearch) }

  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards {
    let now = try await come(.boards)
    var boards = FetchedBoards(boards: now.boards, title: now.title, total: now.boards.count)
    boards.movedTo = now.movedTo
    if now.comesWithPages {
      for board in now.boards { boards.pages[board.id] = page(now.posts[board.id] ?? [], at: nil, now) }
    }
    return boards
  }

  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage {
    let now = try await come(.posts(board: board, cursor: cursor, state: state?.text))
    if let failure = now.boardFailures[board] { throw failure }
    if now.isUnchanged, cursor == nil {
      return PostPage(posts: [], isUnchanged: true, state: now.state.map(SourceState.init(text:)))
    }
    return page(now.posts[board] ?? [], at: cursor, now)
  }

  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost {
    let now = try await come(.post(id))
    guard let post = now.whole[id] else { throw SourceFailure(.missing, RPCError(.httpStatus)) }
    return post
  }

  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage {
    let now = try await come(.search(query, cursor: cursor))
    let found = (now.posts[query.board] ?? []).filter { post in
      let places: [String] =
        switch query.target {
        case .all: [post.title, post.body?.text ?? "", post.writer?.name ?? ""]
        case .title: [post.title]
        case .contents: [post.body?.text ?? ""]
        case .writer: [post.writer?.name ?? ""]
        }
      return places.contains { $0.lowercased().contains(query.text.lowercased()) }
    }
    return page(found, at: cursor, now)
  }

  private func page(_ posts: [FetchedPost], at cursor: String?, _ now: Content) -> PostPage {
    let start = cursor.flatMap { Int($0) } ?? 0
    let here = posts.dropFirst(start).prefix(now.pageSize)
    let end = start + here.count
    var page = PostPage(
      posts: Array(here), next: end < posts.count || now.total.map { end < $0 } ?? false ? String(end) : nil,
      total: now.total ?? posts.count, state: now.state.map(SourceState.init(text:)), freshFor: now.freshFor,
      title: now.title)
    page.notice = now.notice
    return page
  }
}

extension FetchedPost {
  /// A post of a minute before the clock's beginning, each older than the one before.
  static func sample(
    _ number: Int, title: String? = nil, text: String = "", writer: String? = "Ann",
    _ change: (inout FetchedPost) -> Void = { _ in }
  ) -> FetchedPost {
    var post = FetchedPost(id: String(number))
    post.title = title ?? "Post \(number)"
    post.writer = writer.map { Writer(name: $0) }
    post.body = Body(html: "<p>\(text)</p>", text: text)
    post.publishedAt = TestClock().now.adding(milliseconds: -60_000 * Int64(number + 1))
    change(&post)
    return post
  }

  static func samples(_ count: Int, from first: Int = 0) -> [FetchedPost] {
    (first..<first + count).map { sample($0) }
  }
}

extension SourceFailure {
  static let silent = SourceFailure(
    .passing, RPCError(.unreachable, text: Text("network.silent", ["host": "groupware.example"])))
  static let offline = SourceFailure(.offline, RPCError(.unreachable, text: Text("network.offline")))
  static let wrongToken = SourceFailure(
    .unauthorized, RPCError(.unauthorized, text: Text("network.unauthorized", ["host": "groupware.example"])))
  static let locked = SourceFailure(
    .unauthorized,
    RPCError(.httpStatus, text: Text("network.httpStatus", ["code": "403", "url": "https://groupware.example"])))
  static let serverError = SourceFailure(
    .passing,
    RPCError(.httpStatus, text: Text("network.serverTrouble", ["code": "500", "url": "https://groupware.example"])))
  static let gone = SourceFailure(
    .gone, RPCError(.httpStatus, text: Text("network.httpStatus", ["code": "410", "url": "https://groupware.example"])))
}
