import Contract
import Store
import Wire

enum ShowPost: ExternalReadMethod {
  static let name = "boards/post"
  static let summary =
    "One post with its text, as safe HTML and plain. What the list did not bring is fetched, and kept; where that cannot "
    + "be, what is kept is answered and says so. What it was before an edit is in `versions`."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var id: PostID
    var versions: Bool?
    var style: PostDateStyle?
    static let example = Params(id: "0193", versions: true, style: nil)
    static let fields = [
      "id": "The post.", "versions": "Whether to tell what it was before it was edited.",
      "style": "How `display.date` is written, as in `boards/posts`.",
    ]
  }
  typealias Result = ShownPost

  struct Plan: Sendable {
    var params: Params
    /// Whom to ask, where there is something to ask.
    var visit: SourceVisit?
    var remoteID = ""
  }

  struct Fetched: Sendable {
    var isLive = false
    var failure: RPCError?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let record = try snapshot.get(PostSummary.self, id: params.id.text)
    var plan = Plan(params: params)
    let head = record.head
    guard !head.isWhole || head.bodyMark.map({ !sameBytes($0, head.listMark) }) ?? false,
      // Fetched since the list last told of it, and there is no more of it.
      !(head.bodyMark.map { sameBytes($0, head.listMark) } ?? false),
      let placement = try head.placements.value().first,
      let source = try snapshot.find(SourceRecord.self, id: placement.source),
      let board = try snapshot.find(BoardRecord.self, id: placement.board)
    else { return plan }
    plan.visit = SourceVisit(source: source, board: board)
    plan.remoteID = placement.remoteID
    return plan
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    guard let visit = plan.visit, let board = visit.board else { return Fetched() }
    do {
      try await services.boardDesk.post(plan.remoteID, visit, board, with: services)
      return Fetched(isLive: true)
    } catch let failure as SourceFailure {
      return Fetched(failure: failure.error)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> ShownPost {
    let record = try snapshot.get(PostRecord.self, id: plan.params.id.text)
    // Nothing was ever there to be shown instead.
    if let failure = fetched.failure, record.text.isEmpty, record.html.isEmpty { throw failure }
    let view = try PostView(plan.params.style, of: nil, in: snapshot)
    return ShownPost(
      post: try view.post(PostSummary(record), .whole(text: record.text, html: record.html)),
      images: try record.images.value(),
      versions: plan.params.versions == true ? try PostVersion.all(of: record, in: snapshot) : nil,
      freshness: fetched.isLive ? .live : .cached,
      failure: fetched.failure.map { RemoteProblem($0, for: snapshot.reader, services: snapshot.services) })
  }
}

/// A post with what there is to say of its text.
struct ShownPost: Payload {
  var post: Post
  var images: [String]
  var versions: [PostVersion]?
  var freshness: Freshness
  var failure: RemoteProblem?

  static let example = ShownPost(
    post: .example, images: ["https://groupware.example/lunch.png"], versions: [.example], freshness: .live,
    failure: nil)
  static let fields = [
    "post": "The post with `contents`, `html` and `attachments`.",
    "images": "The pictures that its text shows, in their order. The HTML loads none of them.",
    "versions": "What it was before each edit that was seen, the newest first.",
    "freshness": "`live` where the source was asked just now.",
    "failure": "Why the source could not be asked; what is here was kept.",
  ]
}
