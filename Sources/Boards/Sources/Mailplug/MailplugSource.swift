import HTTP
import Kit
import Wire

/// The boards of a MailPlug groupware: `…/api/v2/boards` with a bearer token.
///
/// Known from its client alone: no request for one post, no documentation of limits. So one request at a time, and
/// never a wrong token twice.
struct MailplugSource: BoardSource {
  private let client: SourceClient
  private let base: String

  private static let pageSize = 30
  /// The most pages read for one post, or for boards.
  private static let pageLimit = 40

  let canSearch = true

  init(_ address: SourceAddress, _ network: SourceNetwork) {
    base = Self.base(address.url)
    client = SourceClient(
      address: address, network: network,
      budget: RequestBudget(service: "mailplug \(base)", tokens: 10, refill: .milliseconds(500), atOnce: 1))
  }

  /// With the part of the path that the user has given.
  static func base(_ url: String) -> String {
    let base = ServiceURL.base(url)
    if base.hasSuffix("/api/v2/boards") { return base }
    return base + (base.hasSuffix("/api/v2") ? "/boards" : "/api/v2/boards")
  }

  // MARK: Boards

  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards {
    try await SourceFailure.explaining {
      let envelope = try await allBoards()
      return FetchedBoards(boards: envelope.boards, total: envelope.total)
    }
  }

  private func allBoards() async throws -> (boards: [FetchedBoard], total: Int?) {
    var boards: [FetchedBoard] = []
    var total: Int?
    var offset = 0
    for _ in 0..<Self.pageLimit {
      let page = try MailplugEnvelope(try await client.json(offset == 0 ? base : "\(base)?offset=\(offset)&limit=30"))
      total = page.total ?? total
      let known = Set(boards.map(\.id))
      let new = page.items.compactMap(MailplugEnvelope.board).filter { !known.contains($0.id) }
      boards += new
      offset += page.items.count
      guard !new.isEmpty, let all = total, offset < all else { break }
    }
    return (boards, total)
  }

  // MARK: Posts

  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      try await page(of: board, at: try Self.offset(cursor), query: "")
    }
  }

  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      let words = "&search=\(PercentEncoding.encoded(query.text))&searchTarget=\(query.target.rawValue)"
      return try await page(of: query.board, at: try Self.offset(cursor), query: words)
    }
  }

  private func page(of board: String, at offset: Int, query: String) async throws -> PostPage {
    let url = "\(base)/\(PercentEncoding.encoded(board))/posts?offset=\(offset)&limit=\(Self.pageSize)\(query)"
    let page = try MailplugEnvelope(try await client.json(url))
    let base = base
    let posts = try await onThread { check in
      try page.items.compactMap { try MailplugPost(base: base, checkCancelled: check).post($0) }
    }
    // By the received count, never by the requested one; the total may grow meanwhile.
    let end = offset + page.items.count
    let isEnd = page.items.isEmpty || page.total.map { end >= $0 } ?? false
    return PostPage(posts: posts, next: isEnd ? nil : String(end), total: page.total)
  }

  /// There is no request for one post, so its board is read until it is found.
  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost {
    try await SourceFailure.explaining {
      var offset = 0
      for _ in 0..<Self.pageLimit {
        let page = try await page(of: board, at: offset, query: "")
        if let post = page.posts.first(where: { sameBytes($0.id, id) }) { return post }
        guard let next = page.next.flatMap({ Int($0) }) else { break }
        offset = next
      }
      throw SourceFailure(.missing, .notFound("posts", id: id))
    }
  }

  private static func offset(_ cursor: String?) throws -> Int {
    guard let cursor else { return 0 }
    guard let offset = Int(cursor), (0...Int(Int32.max)).contains(offset) else {
      throw SourceFailure.useless("cursorUnknown")
    }
    return offset
  }
}
