import Contract
import FoundationEssentials
import Kit
import Markup
import Store
import Wire

enum ShowPost: ExternalReadMethod {
  static let name = "boards/post"
  static let summary =
    "One post with its text, as safe HTML and as plain text. Missing parts are fetched and stored; if that fails, the "
    + "reply has the stored parts and `failure`. If its source gives only a summary, `whole` fetches the whole article from "
    + "the post's link; it is stored, and shown in place of the summary. `versions` has its versions before edits."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.showPost")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var id: PostID
    var board: BoardID?
    var versions: Bool?
    var images: Bool?
    var whole: Bool?
    var style: PostDateStyle?
    static let example = Params(id: "0193", board: "0192", versions: true, images: nil, whole: nil, style: nil)
    static let fields = [
      "id": "The post.",
      "board": "The board to show it on: a post of several sources has each one's own text. Default: its first.",
      "versions": "Whether to include the versions before edits.",
      "images": "Whether to fetch the images in its text, which then stay available offline.",
      "whole":
        "True fetches the whole article if the stored one is missing or out of date; false shows the source's own text. "
        + "Default: the stored article, or as `wholeText` of the source says.",
      "style": "The format of `display.date`, as in `boards/posts`.",
    ]
  }
  typealias Result = Post

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
    /// The source whose content is shown.
    var source: String?
    /// The source to request, if the body has to be fetched.
    var visit: SourceVisit?
    var remoteID = ""
    /// The whole article to fetch.
    var article: WholeArticle?
  }

  struct Fetched: Sendable {
    var isLive = false
    var failure: RPCError?
    var pictures: [PostPicture]?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let record = try snapshot.get(PostSummary.self, id: params.id.text)
    let wanted = try params.board.map { try snapshot.get(BoardRecord.self, id: $0.text) }
    let placements = try record.head.placements.value()
    let placement = placements.first { $0.board == wanted?.id } ?? placements.first
    var plan = Plan(params: params, caller: snapshot.caller, source: placement?.source)
    plan.article = try article(of: record.id, from: plan.source, params.whole, in: snapshot)
    guard try needsBody(record.id, from: plan.source, in: snapshot), let placement,
      let source = try snapshot.find(SourceRecord.self, id: placement.source),
      // A feed contains everything it has of an entry, even if that is a title and a link: fetching it again would
      // add nothing, and offline the entry opens as it is.
      source.kind != .feed,
      let board = try snapshot.find(BoardRecord.self, id: placement.board)
    else { return plan }
    plan.visit = SourceVisit(source: source, board: board)
    plan.remoteID = placement.remoteID
    return plan
  }

  /// Whether the body of a post is missing, or older than the post in the source's list.
  private static func needsBody(_ post: String, from source: String?, in snapshot: Snapshot) throws -> Bool {
    let account = try source.flatMap {
      try snapshot.find(PostAccountSummary.self, id: PostAccount.id(of: post, from: $0))
    }
    guard let head = try account?.head ?? snapshot.find(PostSummary.self, id: post)?.head else { return false }
    // A source whose lists contain whole posts never had separate bodies.
    return head.bodyMark.map { !sameBytes($0, head.listMark) } ?? !head.isWhole
  }

  /// The whole article of a post, if it has to be fetched.
  private static func article(
    of post: String, from source: String?, _ isWanted: Bool?, in snapshot: Snapshot
  ) throws -> WholeArticle? {
    let source = try source.flatMap { try snapshot.find(SourceRecord.self, id: $0) }
    guard isWanted != false, isWanted == true || source.map({ $0.wholeText != .never }) == true,
      let article = WholeArticle(of: try snapshot.get(PostRecord.self, id: post), from: source),
      try !article.isCurrent(in: snapshot)
    else { return nil }
    if isWanted == nil {
      if snapshot.services.http.isOffline { return nil }
      if try ArticleFailures.isWaiting(post, in: snapshot) { return nil }
    }
    return article
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var fetched = try await text(of: plan, with: services)
    guard plan.params.images == true else { return fetched }
    let id = plan.params.id.text
    let (urls, home) = try await services.library.read(as: plan.caller) { snapshot in
      let record = try snapshot.get(PostRecord.self, id: id).described(
        by: plan.params.whole == false ? plan.source : PostAccount.page, else: plan.source, in: snapshot)
      let source = try plan.source.flatMap { try snapshot.find(SourceRecord.self, id: $0) }
      return (try record.images.value(), source.flatMap { $0.isTyped ? $0.address.url : nil })
    }
    fetched.pictures = await PostPicture.all(of: urls, home: home, with: services)
    return fetched
  }

  private static func text(of plan: Plan, with services: Services) async throws -> Fetched {
    if let article = plan.article { return try await whole(article, of: plan, with: services) }
    guard let visit = plan.visit, let board = visit.board else { return Fetched() }
    do {
      let (id, source) = (plan.params.id.text, plan.source)
      try await services.boardFetches.post(plan.remoteID, visit, board, with: services) {
        try needsBody(id, from: source, in: $0)
      }
      return Fetched(isLive: true)
    } catch let failure as SourceFailure {
      return Fetched(failure: failure.error)
    }
  }

  /// A failure that the user did not ask for is not shown: the source's own text is there.
  private static func whole(
    _ article: WholeArticle, of plan: Plan, with services: Services
  ) async throws -> Fetched {
    do {
      try await article.fetch(with: services, as: name)
      return Fetched(isLive: true)
    } catch let error as RPCError {
      return Fetched(failure: plan.params.whole == true ? error : nil)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Post {
    let post = try snapshot.get(PostRecord.self, id: plan.params.id.text)
    let failure = plan.article == nil ? fetched.failure?.naming(plan.visit?.source) : fetched.failure
    var shown = try ShownPost.single(
      post, from: plan.source, isWhole: plan.params.whole != false, plan.params.style, in: snapshot)
    let html = shown.html ?? ""
    // Nothing was ever there to be shown instead.
    if let failure, shown.text?.isEmpty ?? true, html.isEmpty { throw failure }
    if let pictures = fetched.pictures { shown.images = pictures }
    if let pictures = fetched.pictures {
      let files = Dictionary(pictures.map { ($0.url, $0.path) }, uniquingKeysWith: { first, _ in first })
      shown.html = SafeHTML.fill(html) { url in
        files[url].flatMap(\.self).map { URL(filePath: $0).absoluteString }
      }
    }
    if plan.params.versions == true {
      let source = shown.article == nil ? plan.source : PostAccount.page
      let account = try source.flatMap { try PostAccount.find(of: post.id, from: $0, in: snapshot) }
      shown.versions =
        try account.map { try PostVersion.all(of: $0, in: snapshot) } ?? PostVersion.all(of: post, in: snapshot)
    }
    shown.freshness = fetched.isLive ? .live : .cached
    shown.failure = failure.map { RemoteProblem($0, for: snapshot.reader, services: snapshot.services) }
    return try Post(shown)
  }
}

extension ShownPost {
  /// A post alone, with its text, the passages that the user marked, and its stored pictures.
  ///
  /// - Parameters:
  ///   - source: the source whose content is shown; nil for the first.
  ///   - isWhole: whether the whole article is shown in place of the source's own text, if it is stored.
  static func single(
    _ post: PostRecord, from source: String? = nil, isWhole: Bool = true, _ style: PostDateStyle? = nil,
    in snapshot: Snapshot
  ) throws -> ShownPost {
    let record = try post.described(by: source, in: snapshot)
    var shown = try PostView(style, of: nil, in: snapshot).shown(PostSummary(record), from: source)
    (shown.text, shown.html) = (record.text, record.html)
    var images = record.images
    if isWhole, let article = try PostAccount.article(of: post.id, in: snapshot), !article.text.isEmpty {
      (shown.text, shown.html, images) = (article.text, article.html, article.images)
      shown.article = PostArticle(
        url: article.head.remoteID, fetchedAt: article.updatedAt, excerpt: record.text)
    }
    shown.images = try images.value().map { PostPicture(url: $0, path: nil, mediaType: nil) }
    if let mark = shown.mark, mark.hasQuotes {
      shown.quotes = PlacedQuote.all(
        try mark.quotes.value(), in: shown.text ?? "", for: snapshot.reader.positionEncoding)
    }
    return shown
  }
}
