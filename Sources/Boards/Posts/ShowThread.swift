import Contract
import Kit
import Store
import Wire

/// A post of a thread, as clients see it.
struct ThreadPost: Payload {
  struct Display: Payload {
    var writer: String
    var date: String
    static let example = Display(writer: "Ben", date: "3:04 AM")
    static let fields = ["writer": "The author's name.", "date": "Its date, in the requested `style`."]
  }

  var id: String
  var number: Int
  var parent: String?
  var depth: Int
  var writer: String?
  var date: Instant?
  var editedAt: Instant?
  var new: Bool
  var contents: String
  var html: String
  var display: Display

  static let example = ThreadPost(
    id: "4712", number: 2, parent: "4711", depth: 1, writer: "Ben", date: Instant(milliseconds: 1_795_225_445_678),
    editedAt: nil, new: true, contents: "At one, today.", html: "<p>At one, today.</p>", display: .example)
  static let fields = [
    "id": "The id given by the source.", "number": "Its number within the thread, from 1.",
    "parent":
      "The `id` of the post that it answers: the one that the source states, else the first; absent for the first.",
    "depth": "The number of posts above it in the tree: 0 for the first.",
    "writer": "The author's name; absent if the source states none.", "date": "When it was written.",
    "editedAt": "When it was last edited, as the source states.",
    "new": "Whether it arrived after the thread was marked as read; true for all posts of an unread thread.",
    "contents": "Its text.", "html": "The text as safe HTML that loads nothing.", "display": "Strings for people.",
  ]
}

/// The posts of a thread as a tree.
enum ShowThread: ExternalReadMethod {
  static let name = "boards/thread"
  static let summary =
    "The posts of a thread as a tree: each is followed by its answers. A thread that is missing or out of date is fetched "
    + "and stored; if that fails, the reply has the stored posts and `failure`. A post without a thread is its only item. "
    + "The versions of an edited thread are those of `boards/post`."
  static let effects = ShowPost.effects
  static let doing = ShowPost.doing
  static let errors = ShowPost.errors

  struct Params: Payload {
    var id: PostID
    var board: BoardID?
    var new: Bool?
    var style: PostDateStyle?
    var after: String?
    var limit: Int?
    static let example = Params(id: "0193", board: nil, new: nil, style: nil, after: nil, limit: 100)
    static let fields = [
      "id": "The post.", "board": "The board to show it on, as in `boards/post`.",
      "new": "True for new posts only.", "style": "The format of `display.date`, as in `boards/posts`.",
      "after": "`next` of the previous page. Nothing is fetched for it, so that the pages are those of one thread.",
      "limit": PartFields.limitNote(usually: 100),
    ]
    static let limits: [String: FieldLimits] = ["after": .length(1...256), "limit": .range(1...1_000)]
  }

  struct Result: Payload {
    var items: [ThreadPost]
    var offset: Int
    var limit: Int
    var total: Int
    var totalIsEstimate: Bool
    var hasMore: Bool
    var next: String?
    var newCount: Int
    var freshness: Freshness
    var failure: RemoteProblem?

    static let example = Result(
      items: [.example], offset: 0, limit: 100, total: 1, totalIsEstimate: false, hasMore: false, next: nil,
      newCount: 1, freshness: .live, failure: nil)
    static let fields = [
      "items": "The posts.",
      "offset":
        "The number of posts before the first one here: more than the previous pages had if answers to their posts have "
        + "arrived since.",
      "limit": "The requested number of posts.",
      "total":
        "The number of stored posts, of new ones with `new`. It counts those that have arrived since the first page.",
      "totalIsEstimate": "Whether the thread has more posts than are stored.", "hasMore": "Whether more posts follow.",
      "next": "Cursor for the next page: pass it as `after`.", "newCount": "The number of new posts of the thread.",
      "freshness": "`live` if the source was fetched for this reply.",
      "failure": "Why the source could not be fetched; the stored posts are returned.",
    ]
  }

  /// What the post itself needs, with the parameters of the page.
  struct Plan: Sendable {
    var params: Params
    var post: ShowPost.Plan
  }
  typealias Fetched = ShowPost.Fetched

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let post = ShowPost.Params(id: params.id, board: params.board, versions: nil, images: nil, whole: false, style: nil)
    var plan = Plan(params: params, post: try ShowPost.prepare(post, in: snapshot))
    if params.after != nil { (plan.post.visit, plan.post.article) = (nil, nil) }
    return plan
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    try await ShowPost.fetch(plan.post, with: services, progress: progress)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let post = try snapshot.get(PostRecord.self, id: plan.params.id.text).described(by: plan.post.source, in: snapshot)
    let failure = fetched.failure?.naming(plan.post.visit?.source)
    if let failure, post.text.isEmpty, post.html.isEmpty { throw failure }
    let readAt = try snapshot.find(PostMarkRecord.self, id: post.id)?.readAt?.milliseconds
    var thread = try ShownThread(post, readAt: readAt, dates: PostDates(plan.params.style ?? .default, in: snapshot))
    thread.anonymous = snapshot.words(Text("boards.anonymous"))
    var reply = try thread.page(after: plan.params.after, limit: plan.params.limit ?? 100, new: plan.params.new == true)
    reply.freshness = fetched.isLive ? .live : .cached
    reply.failure = failure.map { RemoteProblem($0, for: snapshot.reader, services: snapshot.services) }
    return reply
  }
}

/// The stored posts of a thread, for one client.
private struct ShownThread {
  private let post: PostRecord
  private let parts: [ThreadPart]
  private let tree: [ThreadPart.Branch]
  private let html: [UInt8]
  private let text: [UInt8]
  /// When the thread was marked as read.
  private let readAt: Int64?
  private let dates: PostDates
  var anonymous = ""

  init(_ post: PostRecord, readAt: Int64?, dates: PostDates) throws {
    (self.post, self.readAt, self.dates) = (post, readAt, dates)
    (html, text) = (Array(post.html.utf8), Array(post.text.utf8))
    let stored = try post.thread.value()
    parts = stored.isEmpty ? [Self.only(post, html: html.count, text: text.count)] : stored
    tree = ThreadPart.tree(parts)
  }

  /// A post that is no thread.
  private static func only(_ post: PostRecord, html: Int, text: Int) -> ThreadPart {
    let head = post.head
    return ThreadPart(
      id: head.remoteID, number: 1, writer: head.isAnonymous ? nil : head.writer, at: head.publishedAt?.milliseconds,
      editedAt: head.editedAt?.milliseconds, arrivedAt: post.createdAt.milliseconds, htmlLength: html, textLength: text)
  }

  private func isNew(_ branch: ThreadPart.Branch) -> Bool {
    readAt.map { parts[branch.index].arrivedAt > $0 } ?? true
  }

  func page(after: String?, limit: Int, new onlyNew: Bool) throws -> ShowThread.Result {
    let newCount = tree.count(where: isNew)
    let shown = onlyNew ? tree.filter(isNew) : tree
    var start = 0
    if let after {
      // Its place in the whole tree: it may have been read since.
      guard let last = tree.firstIndex(where: { sameBytes(parts[$0.index].id, after) }) else {
        throw RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
      }
      let passed = Set(tree[...last].map(\.index))
      start = shown.firstIndex { !passed.contains($0.index) } ?? shown.count
    }
    var items: [ThreadPost] = []
    var room = ListPart.size
    for branch in shown.dropFirst(start).prefix(limit) {
      let item = item(branch)
      room -= item.html.utf8.count + item.contents.utf8.count
      if room < 0, !items.isEmpty { break }
      items.append(item)
    }
    let hasMore = start + items.count < shown.count
    return ShowThread.Result(
      items: items, offset: start, limit: limit, total: shown.count, totalIsEstimate: !post.head.isWhole,
      hasMore: hasMore, next: hasMore ? items.last?.id : nil, newCount: newCount, freshness: .cached, failure: nil)
  }

  private func item(_ branch: ThreadPart.Branch) -> ThreadPost {
    let part = parts[branch.index]
    let date = part.at.map { Instant(milliseconds: $0) }
    let isAnonymous = post.head.isAnonymous && part.writer == nil
    return ThreadPost(
      id: part.id, number: part.number, parent: branch.parent.map { parts[$0].id }, depth: branch.depth,
      writer: part.writer, date: date, editedAt: part.editedAt.map { Instant(milliseconds: $0) }, new: isNew(branch),
      contents: Self.slice(text, part.text, part.textLength), html: Self.slice(html, part.html, part.htmlLength),
      display: ThreadPost.Display(
        writer: part.writer ?? (isAnonymous ? anonymous : ""), date: dates.string(date, text: nil)))
  }

  /// Within the text, whatever a library from elsewhere states.
  private static func slice(_ text: [UInt8], _ start: Int, _ length: Int) -> String {
    let start = min(max(start, 0), text.count)
    return String(decoding: text[start..<start + min(max(length, 0), text.count - start)], as: UTF8.self)
  }
}
