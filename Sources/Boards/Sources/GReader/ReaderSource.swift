import Contract
import HTTP
import Kit
import Store
import Wire

/// An account with a feed reader that is used by the Google Reader API, such as FreshRSS or Miniflux: its subscriptions
/// are the boards, and marks go both ways. The credential is `name:password`, of the API if that has its own.
///
/// No two services support the same part of the API, so this uses what all of them have: lists of ids, and posts by
/// their ids in the long form.
struct ReaderSource: MarkingSource {
  private let client: ReaderClient

  /// The posts of one request. Each may have a long text.
  private static let pageSize = 50
  /// The ids of one request. Some services return fewer, with a continuation.
  private static let idsAtOnce = 5_000
  /// The most requests for one list of ids.
  private static let listPages = 40
  /// The posts of an account that is new here, besides its unread and saved ones.
  private static let newest = 1_000
  /// The cursor of a board's first page, for a board whose posts arrived with the whole account.
  static let top = "top"

  private static let state = "user/-/state/com.google/"
  private static let (all, read, starred) = (state + "reading-list", state + "read", state + "starred")

  let canSearch = false

  init(_ address: SourceAddress, _ network: SourceNetwork, _ sessions: ReaderSessions) {
    client = ReaderClient(address, network, sessions, base: Self.base(address.url))
  }

  /// Users copy the addresses that other apps want.
  static func base(_ url: String) -> String {
    let base = ServiceURL.base(url)
    for part in ["/reader/api/0", "/accounts/ClientLogin", "/reader"] where base.hasSuffix(part) {
      return String(base.dropLast(part.count))
    }
    return base
  }

  // MARK: Boards

  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards {
    try await SourceFailure.explaining {
      let answer = try await client.get("subscription/list")
      guard let list = ServiceFields(answer), list["subscriptions"]?.arrayValue != nil else {
        throw SourceFailure.useless("noList", .notSource)
      }
      var seen: Set<String> = []
      let boards = list.list("subscriptions").compactMap(Self.board).filter { seen.insert($0.id).inserted }
      return FetchedBoards(boards: boards, total: boards.count)
    }
  }

  private static func board(_ value: JSONValue) -> FetchedBoard? {
    guard let fields = ServiceFields(value), let id = streamID(fields["id"]) else { return nil }
    let folder = fields.list("categories").lazy.compactMap { ServiceFields($0)?.text("label") }.first
    let title = fields.text("title") ?? fields.text("url") ?? ""
    return FetchedBoard(id: id, displayName: folder.map { "\($0) / \(title)" } ?? title)
  }

  /// The id of a feed's stream; some services use the URL of the feed in it.
  private static func streamID(_ value: JSONValue?) -> String? {
    guard let id = value?.stringValue, id.hasPrefix("feed/"), id.utf8.count <= 2_000, !id.hasNUL else { return nil }
    return id
  }

  // MARK: Posts

  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      let page = try await ids(of: board, most: Self.pageSize, at: cursor == Self.top ? nil : cursor)
      let found = try await contents(page.ids)
      return PostPage(posts: found.filter { $0.board == board }.map(\.post), next: page.next)
    }
  }

  func posts(_ ids: [String]) async throws(SourceFailure) -> [PlacedPost] {
    try await SourceFailure.explaining {
      var posts: [PlacedPost] = []
      for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
        posts += try await contents(Array(ids[start..<min(start + Self.pageSize, ids.count)]))
      }
      return posts
    }
  }

  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost {
    guard let found = try await posts([id]).first(where: { $0.post.id == id }) else {
      throw SourceFailure(.missing, .notFound("posts", id: id))
    }
    return found.post
  }

  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage {
    throw SourceFailure(.missing, .internalError)
  }

  /// The posts in the order of the ids.
  private func contents(_ ids: [String]) async throws -> [PlacedPost] {
    guard !ids.isEmpty else { return [] }
    let answer = try await client.post(
      "stream/items/contents", [("output", "json")] + ids.map { ("i", ReaderItem.longForm(of: $0)) })
    guard let list = ServiceFields(answer) else { throw SourceFailure.useless("noObject") }
    let places = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
    let found = try await onThread { [base = client.base] check in
      try list.list("items").compactMap { try ReaderItem.post($0, base: base, checkCancelled: check) }
    }
    var seen: Set<String> = []
    return found.filter { places[$0.post.id] != nil && seen.insert($0.post.id).inserted }
      .sorted { places[$0.post.id] ?? 0 < places[$1.post.id] ?? 0 }
  }

  // MARK: Marks

  func listing(since: Instant?) async throws(SourceFailure) -> AccountListing {
    try await SourceFailure.explaining {
      let unread = try await list(Self.all, [("xt", Self.read)])
      let saved = try await list(Self.starred)
      let recent =
        if let since {
          try await list(Self.all, [("ot", String(since.milliseconds / 1_000))]).ids
        } else {
          try await ids(of: Self.all, most: Self.newest).ids
        }
      return AccountListing(
        unread: unread.ids, saved: saved.ids, recent: recent, hasAllUnread: unread.isWhole, hasAllSaved: saved.isWhole)
    }
  }

  /// All ids of a stream, in as many requests as the service wants, and whether those were all.
  private func list(
    _ stream: String, _ query: [(String, String)] = []
  ) async throws -> (ids: [String], isWhole: Bool) {
    var (ids, seen, cursor): ([String], Set<String>, String?) = ([], [], nil)
    for _ in 0..<Self.listPages {
      let page = try await self.ids(of: stream, most: Self.idsAtOnce, at: cursor, query)
      // A page may begin with the end of the one before.
      let new = page.ids.filter { seen.insert($0).inserted }
      ids += new
      guard let next = page.next, !new.isEmpty else { return (ids, true) }
      cursor = next
    }
    return (ids, false)
  }

  private func ids(
    of stream: String, most: Int, at cursor: String? = nil, _ query: [(String, String)] = []
  ) async throws -> (ids: [String], next: String?) {
    var query = [("s", stream), ("n", String(most))] + query
    if let cursor { query.append(("c", cursor)) }
    let answer = try await client.get("stream/items/ids", query)
    // An empty list may be left out.
    guard let list = ServiceFields(answer) else { throw SourceFailure.useless("noObject", .notSource) }
    let ids = list.list("itemRefs").compactMap { ServiceFields($0)?.id("id").map(ReaderItem.id) }
    return (ids, ids.isEmpty ? nil : list.text("continuation").flatMap { $0.utf8.count <= 1_000 ? $0 : nil })
  }

  func mark(_ ids: [String], _ change: MarkChange) async throws(SourceFailure) {
    let (name, state) =
      switch change {
      case .read: ("a", Self.read)
      case .unread: ("r", Self.read)
      case .saved: ("a", Self.starred)
      case .unsaved: ("r", Self.starred)
      }
    try await SourceFailure.explaining {
      try await client.send("edit-tag", [(name, state)] + ids.map { ("i", ReaderItem.longForm(of: $0)) })
    }
  }
}
