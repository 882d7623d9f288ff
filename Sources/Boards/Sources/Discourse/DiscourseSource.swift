import HTTP
import Kit
import Markup
import Wire

/// A forum that runs Discourse: its categories are the boards, its topics the posts, and a topic's body contains all
/// of its posts.
///
/// The first board is `latest`, the topics of all categories. Without a credential it is read anonymously; a
/// credential is a user's key (`User-Api-Key`), or `name:key` for a key of the site's administrators (`Api-Username`,
/// `Api-Key`).
struct DiscourseSource: BoardSource {
  static let latest = "latest"

  private let client: SourceClient
  private let base: String

  /// The service finds no more pages than this, and answers the next with 400.
  private static let searchPages = 10
  /// The number of posts per request, as in the service's own pages.
  private static let chunk = 20
  /// The most requests for one topic: a longer topic is read in part, and marked as incomplete.
  private static let chunkLimit = 15

  let canSearch = true

  init(_ address: SourceAddress, _ network: SourceNetwork) {
    base = Self.base(address.url)
    // By default a site allows a user's key 20 requests a minute, and an address 200.
    let gap: Duration = address.credential == nil ? .milliseconds(300) : .seconds(3)
    client = SourceClient(
      address: address, network: network,
      budget: RequestBudget(
        service: "discourse \(base)", tokens: 20, refill: gap, gap: address.credential == nil ? .zero : gap, atOnce: 1),
      proof: DiscourseKey.headers, judge: DiscourseResponses.judge)
  }

  /// Users copy the address of the page that they see.
  static func base(_ url: String) -> String {
    let base = ServiceURL.base(url)
    for page in ["/latest", "/categories", "/top", "/new", "/latest.json", "/categories.json"]
    where base.hasSuffix(page) {
      return String(base.dropLast(page.count))
    }
    return base
  }

  // MARK: Boards

  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards {
    try await SourceFailure.explaining {
      let answer = try await client.json("\(base)/categories.json?include_subcategories=true")
      guard let list = ServiceFields(answer["category_list"]) else {
        throw SourceFailure.useless("noObject", .notSource)
      }
      let boards = DiscourseCategories.boards(list.list("categories"))
      return FetchedBoards(boards: [FetchedBoard(id: Self.latest, displayName: "")] + boards, title: try await title())
    }
  }

  /// The forum's title; nil if the request for it fails, which is no reason to refuse its boards.
  private func title() async throws -> String? {
    do {
      return ServiceFields(try await client.json("\(base)/site/basic-info.json"))?.text("title")
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  // MARK: Topics

  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      let answer = try await client.json(try url(of: board, at: cursor))
      guard let list = ServiceFields(answer["topic_list"]) else { throw SourceFailure.useless("noList", .notSource) }
      let topics = DiscourseTopics(base: base, users: answer["users"])
      let posts = try await onThread { check in
        try list.list("topics").compactMap { try topics.post($0, checkCancelled: check) }
      }
      // A topic that was answered between two requests is on both pages.
      return PostPage(
        posts: Self.once(posts), next: posts.isEmpty ? nil : list.text("more_topics_url").flatMap(Self.cursor))
    }
  }

  /// The first page of a board, or the page that a page named as the next, which is a path below the site.
  private func url(of board: String, at cursor: String?) throws -> String {
    if let cursor {
      // The path of a site in a folder may begin with the folder.
      let folder = base.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
      let path = !folder.isEmpty && cursor.hasPrefix(folder + "/") ? String(cursor.dropFirst(folder.count)) : cursor
      return base + path
    }
    if board == Self.latest { return "\(base)/latest.json" }
    guard !board.isEmpty, board.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw SourceFailure(.missing, .notFound("boards", id: board))
    }
    // Slugs may be empty and may change; the site uses the id.
    return "\(base)/c/-/\(board)/l/latest.json"
  }

  /// `/latest?no_definitions=true&page=1`, which a browser would get as a page, with `.json` before the query.
  private static func cursor(_ next: String) -> String? {
    var path = next
    if next.contains("://") {
      guard let start = next.firstRange(of: "://").map({ next[$0.upperBound...] }),
        let slash = start.firstIndex(of: "/")
      else {
        return nil
      }
      path = String(start[slash...])
    }
    guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 2000 else { return nil }
    let mark = path.firstIndex(of: "?") ?? path.endIndex
    return path[..<mark].hasSuffix(".json") ? path : path[..<mark] + ".json" + path[mark...]
  }

  private static func once(_ posts: [FetchedPost]) -> [FetchedPost] {
    var seen: Set<String> = []
    return posts.filter { seen.insert($0.id).inserted }
  }

  // MARK: One topic

  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost {
    try await SourceFailure.explaining {
      let answer = try await client.json("\(base)/t/\(PercentEncoding.encoded(id)).json")
      guard let topic = ServiceFields(answer), let stream = ServiceFields(topic["post_stream"]) else {
        throw SourceFailure.useless("noObject", .notSource)
      }
      var posts: [String: JSONValue] = [:]
      for post in stream.list("posts") { if let id = ServiceFields(post)?.id("id") { posts[id] = post } }
      // The stream lists all posts in their order; missing ones are requested.
      var order = stream.list("stream").compactMap { $0.integerValue.map { String($0) } ?? $0.stringValue }
      if order.isEmpty { order = stream.list("posts").compactMap { ServiceFields($0)?.id("id") } }
      var known: Set<String> = []
      order = order.filter { known.insert($0).inserted }
      let missing = order.filter { posts[$0] == nil }
      let asked = missing.prefix(Self.chunk * Self.chunkLimit)
      for start in stride(from: 0, to: asked.count, by: Self.chunk) {
        let ids = asked[start..<min(start + Self.chunk, asked.count)]
        let query = ids.map { "post_ids[]=\(PercentEncoding.encoded($0))" }.joined(separator: "&")
        let more = try await client.json("\(base)/t/\(PercentEncoding.encoded(id))/posts.json?\(query)")
        for post in ServiceFields(more["post_stream"])?.list("posts") ?? [] {
          if let id = ServiceFields(post)?.id("id") { posts[id] = post }
        }
      }
      let inOrder = order.compactMap { posts[$0] }
      let base = base
      return try await onThread { check in
        var post =
          try DiscourseTopics(base: base, users: nil).post(answer, checkCancelled: check) ?? FetchedPost(id: id)
        let thread = DiscourseThread(base: base, checkCancelled: check)
        post.body = try thread.body(inOrder, isWhole: missing.count == asked.count)
        post.writer = ServiceFields(inOrder.first).flatMap { DiscourseThread.writer($0) } ?? post.writer
        return post
      }
    }
  }

  // MARK: Search

  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      guard let page = cursor.map({ Int($0) }) ?? 1, (1...Self.searchPages).contains(page) else {
        throw SourceFailure.useless("cursorUnknown")
      }
      let answer = try await ask(query, page)
      let found = try await onThread { [base] check in
        try DiscourseHits(base: base).posts(answer, board: query.board, checkCancelled: check)
      }
      let hasMore = answer["grouped_search_result"]?["more_full_page_results"]?.boolValue == true
      var result = PostPage(posts: Self.once(found))
      if hasMore, page < Self.searchPages {
        result.next = String(page + 1)
      } else if hasMore {
        result.notice = RPCError(
          .tooLarge, text: Text("boards.searchEnds", ["count": String(Self.searchPages), "service": "Discourse"]))
      }
      return result
    }
  }

  private func ask(_ query: SourceQuery, _ page: Int) async throws -> JSONValue {
    let words = DiscourseWords.words(query)
    // Nothing but marks: the service would refuse it.
    guard words.contains(where: { $0.isLetter || $0.isNumber }) else { throw Self.tooShort }
    do {
      return try await client.json("\(base)/search.json?q=\(PercentEncoding.encoded(words))&page=\(page)")
    } catch let failure as SourceFailure where failure.error.data["status"] == 400 && page == 1 {
      // Each site has its own minimum length, three characters by default, and two syllables are a whole word in
      // Korean.
      throw Self.tooShort
    }
  }

  private static let tooShort = SourceFailure(
    .query, RPCError(.notAllowed, text: Text("boards.wordTooShort", ["service": "Discourse"])))
}
