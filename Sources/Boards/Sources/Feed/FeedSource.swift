import Contract
import HTTP
import Kit
import Markup
import Wire

/// A feed: one board, all of it in one response to a conditional request. When the source is added, an HTML page
/// leads to the feed that it names.
struct FeedSource: BoardSource {
  /// The id of a feed's one board.
  static let board = "feed"

  private let client: SourceClient
  private let url: String
  /// If the URL is that of a page without a feed.
  private let items: ElementSelector?

  private static let accept =
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1"

  private static let acceptPage = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

  let canSearch = false

  init(_ address: SourceAddress, _ network: SourceNetwork) {
    url = address.url
    items = address.items.flatMap(ElementSelector.init)
    // Two at a time per host, however many feeds it has, and not all of them in one moment.
    let host = Origin(address.url)?.description ?? address.url
    client = SourceClient(
      address: address, network: network,
      budget: RequestBudget(service: "feed \(host)", tokens: 600, refill: .milliseconds(50), atOnce: 2))
  }

  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards {
    try await SourceFailure.explaining {
      let answer = try await read(url, state, discovers: state == nil)
      guard let page = answer.page else {
        return FetchedBoards(
          boards: [], isUnchanged: true, state: answer.state, freshFor: answer.freshFor)
      }
      // A title, or else only the address is known, which is displayed in the user's own form.
      return FetchedBoards(
        boards: [FetchedBoard(id: Self.board, displayName: page.title ?? "")], title: page.title,
        pages: [Self.board: page], movedTo: page.movedTo, state: page.state, freshFor: page.freshFor)
    }
  }

  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage {
    try await SourceFailure.explaining {
      let answer = try await read(cursor ?? url, cursor == nil ? state : nil, discovers: false)
      guard var page = answer.page else {
        return PostPage(posts: [], isUnchanged: true, state: answer.state, freshFor: answer.freshFor)
      }
      // Only for the first page, which is requested again.
      if cursor != nil { (page.state, page.movedTo) = (nil, nil) }
      return page
    }
  }

  /// A feed has its entries whole, or not at all.
  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost {
    try await SourceFailure.explaining {
      let page = try await read(url, nil, discovers: false).page
      guard let post = page?.posts.first(where: { sameBytes($0.id, id) }) else {
        throw SourceFailure(.missing, .notFound("posts", id: id))
      }
      return post
    }
  }

  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage {
    throw SourceFailure(.missing, .internalError)
  }

  // MARK: Reading

  private struct Answer: Sendable {
    /// Nil if nothing has changed.
    var page: PostPage?
    var state: SourceState?
    var freshFor: Duration?
  }

  private func read(_ url: String, _ state: SourceState?, discovers: Bool) async throws -> Answer {
    let stored = state.flatMap { FeedState($0) }
    let response = try await client.get(
      url, accept: items == nil ? Self.accept : Self.acceptPage, validators: stored?.validators)
    // A 304 may state other validators than those of the request.
    let given = (response.validators ?? (response.isNotModified ? stored?.validators : nil)).map {
      FeedState(validators: $0)
    }
    if response.isNotModified {
      return Answer(page: nil, state: given?.state, freshFor: Self.longest(response.freshFor, stored?.timeToLive))
    }
    let final = response.finalURL.text
    let outcome = try await onThread { [items] check in
      try FeedReading(response.body, response.headers["Content-Type"], final, items: items).outcome(check)
    }
    switch outcome {
    case .feed(let document, let posts):
      var page = PostPage(posts: posts, next: document.next.flatMap { Self.isNamed($0, by: final) ? $0 : nil })
      page.title = document.title
      page.freshFor = Self.longest(response.freshFor, document.timeToLive)
      page.movedTo = response.movedPermanentlyTo.flatMap(Self.storable)
      // A truncated feed is requested again without validators, and so is one with more entries than we read, since a
      // 304 would hide the rest.
      if document.isTruncated {
        page.notice = RPCError(.tooLarge, text: Text("boards.feedCut", ["count": String(posts.count)]))
      } else if !document.isComplete {
        page.notice = RPCError(.badResponse, text: Text("boards.feedEndsEarly", ["count": String(posts.count)]))
      } else {
        let state = FeedState(validators: given?.validators, timeToLive: document.timeToLive)
        page.state = state.state
      }
      return Answer(page: page, state: page.state, freshFor: page.freshFor)
    case .page(let feeds):
      guard discovers,
        let feed = feeds.first(where: { Self.isNamed($0.url, by: final) && Self.storable($0.url) != nil })
      else {
        throw SourceFailure.useless(feeds.isEmpty ? "notFeed" : "pageOfFeeds", .notSource)
      }
      var answer = try await read(feed.url, nil, discovers: false)
      if answer.page?.movedTo == nil { answer.page?.movedTo = Self.storable(feed.url) }
      return answer
    case .useless(let reason, let kind): throw SourceFailure.useless(reason, kind)
    }
  }

  private static func isNamed(_ url: String, by home: String) -> Bool {
    Origin(url)?.mayBeNamed(by: Origin(home)) ?? false
  }

  /// A URL that may be stored: none with a secret in it, which the service issued for this request.
  private static func storable(_ url: String) -> String? {
    guard let text = (try? WebURL(url))?.text, WebURL.masked(text) == text else { return nil }
    return text
  }

  private static func longest(_ left: Duration?, _ right: Duration?) -> Duration? {
    [left, right].compactMap(\.self).max()
  }
}
