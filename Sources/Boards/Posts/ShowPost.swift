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
    + "reply has the stored parts and `failure`. `versions` has its versions before edits."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.showPost")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var id: PostID
    var board: BoardID?
    var versions: Bool?
    var images: Bool?
    var style: PostDateStyle?
    static let example = Params(id: "0193", board: "0192", versions: true, images: nil, style: nil)
    static let fields = [
      "id": "The post.",
      "board": "The board to show it on: a post of several sources has each one's own text. Default: its first.",
      "versions": "Whether to include the versions before edits.",
      "images": "Whether to fetch the images in its text, which then stay available offline.",
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
    var head = record.head
    if let source = plan.source,
      let account = try snapshot.find(PostAccountSummary.self, id: PostAccount.id(of: record.id, from: source))
    {
      head = account.head
    }
    // A source whose lists contain whole posts never had separate bodies.
    guard head.bodyMark.map({ !sameBytes($0, head.listMark) }) ?? !head.isWhole, let placement,
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

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var fetched = try await text(of: plan, with: services)
    guard plan.params.images == true else { return fetched }
    let id = plan.params.id.text
    let (urls, home) = try await services.library.read(as: plan.caller) { snapshot in
      let record = try snapshot.get(PostRecord.self, id: id).described(by: plan.source, in: snapshot)
      let source = try plan.source.flatMap { try snapshot.find(SourceRecord.self, id: $0) }
      return (try record.images.value(), source.flatMap { $0.isTyped ? $0.address.url : nil })
    }
    fetched.pictures = await PostPicture.all(of: urls, home: home, with: services)
    return fetched
  }

  private static func text(of plan: Plan, with services: Services) async throws -> Fetched {
    guard let visit = plan.visit, let board = visit.board else { return Fetched() }
    do {
      try await services.boardFetches.post(plan.remoteID, visit, board, with: services)
      return Fetched(isLive: true)
    } catch let failure as SourceFailure {
      return Fetched(failure: failure.error)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Post {
    let post = try snapshot.get(PostRecord.self, id: plan.params.id.text)
    let account = try plan.source.flatMap { try PostAccount.find(of: post.id, from: $0, in: snapshot) }
    let record = try post.described(by: plan.source, in: snapshot)
    let failure = fetched.failure?.naming(plan.visit?.source)
    // Nothing was ever there to be shown instead.
    if let failure, record.text.isEmpty, record.html.isEmpty { throw failure }
    let view = try PostView(plan.params.style, of: nil, in: snapshot)
    var shown = try view.shown(PostSummary(record), from: plan.source)
    (shown.text, shown.html) = (record.text, record.html)
    shown.images =
      try fetched.pictures
      ?? record.images.value().map { PostPicture(url: $0, path: nil, mediaType: nil) }
    if let pictures = fetched.pictures {
      let files = Dictionary(pictures.map { ($0.url, $0.path) }, uniquingKeysWith: { first, _ in first })
      shown.html = SafeHTML.fill(record.html) { url in
        files[url].flatMap(\.self).map { URL(filePath: $0).absoluteString }
      }
    }
    if plan.params.versions == true {
      shown.versions =
        try account.map { try PostVersion.all(of: $0, in: snapshot) } ?? PostVersion.all(of: post, in: snapshot)
    }
    shown.freshness = fetched.isLive ? .live : .cached
    shown.failure = failure.map { RemoteProblem($0, for: snapshot.reader, services: snapshot.services) }
    return try Post(shown)
  }
}
