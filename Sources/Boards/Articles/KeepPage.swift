import Contract
import Exchange
import FoundationEssentials
import HTTP
import Kit
import Markup
import Store
import Wire

enum KeepPage: ExternalWriteMethod {
  static let name = "boards/keep"
  static let summary =
    "Keeps a web page to read later: its article becomes a saved, unread post of no board. Keeping a page again updates it; "
    + "the earlier text is a version. A page without a recognisable article is kept with its title and its URL."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.keepPage")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.invalidURL]

  /// `PostHead.kind` of kept pages.
  static let kind = "page"
  /// The rows of kept pages in the table of posts: what is on a board came from a feed.
  static let rows = "kind = '\(kind)' AND placements = '[]'"

  struct Params: Payload {
    var url: String
    var html: String?
    var title: String?
    var quote: String?
    var note: String?
    var tags: [String]?
    var read: Bool?
    static let example = Params(
      url: "https://site.example/lunch", html: nil, title: nil, quote: "At noon.", note: nil, tags: ["food"], read: nil)
    static let fields = [
      "url": "The page's URL, without a password or token.",
      "html":
        "The page as a browser shows it, of at most 8 MiB: then nothing is fetched, and pages that require a login can be "
        + "kept.",
      "title": "Its title. Default: the page's own.", "quote": "A passage of it to mark.",
      "note": "A note on that passage.", "tags": "Tags to add.", "read": "Whether it is marked as read.",
    ]
    static let limits: [String: FieldLimits] = [
      "url": .length(1...4_096, notBlank: true), "html": .length(1...PageFetch.limit, notBlank: true),
      "title": .length(1...FetchedPost.titleLimit, notBlank: true),
      "quote": PostQuote.limits["text"]!, "note": PostQuote.limits["note"]!, "tags": .length(0...TagList.most),
    ]
  }
  typealias Result = Post

  struct Plan: Sendable {
    var params: Params
    var url: String
    var tags: [String]
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if params.note != nil, params.quote == nil {
      throw RPCError.invalidParams(field: "note", reason: Text("boards.noteWithoutQuote"))
    }
    return Plan(
      params: params, url: try SourceURL.checked(params.url, field: "url"),
      tags: try TagList.normalized(params.tags ?? []))
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> FetchedPage {
    guard let html = plan.params.html else { return try await PageFetch(url: plan.url).page(with: services) }
    return try await PageFetch.page(
      Data(html.utf8), contentType: "text/html; charset=utf-8", url: plan.url, given: plan.url)
  }

  static func finish(_ page: FetchedPage, of plan: Plan, in transaction: Transaction) throws -> Post {
    let snapshot = transaction.snapshot
    let id = id(of: page.url)
    var fetched = page.post(title: plan.params.title)
    fetched.kind = kind
    if let known = try snapshot.find(PostRecord.self, id: id) {
      try transaction.change(known) { try $0.take(fetched, at: transaction.now) }
    } else {
      // It is listed by the time when it was kept; the article may be old.
      _ = try add(fetched, at: transaction.now, in: transaction)
    }
    try mark(id, plan, in: transaction)
    let record = try snapshot.get(PostRecord.self, id: id)
    return try Post(ShownPost.single(record, in: snapshot))
  }

  /// Adds the page of a URL, which is the id of `fetched`.
  static func add(_ fetched: FetchedPost, at: Instant, in transaction: Transaction) throws -> String {
    var record = PostRecord()
    record.id = id(of: fetched.id)
    record.head.remoteID = fetched.id
    record.head.at = at
    var fetched = fetched
    fetched.kind = kind
    try record.take(fetched, at: transaction.now)
    try transaction.insert(post: record)
    return record.id
  }

  private static func mark(_ id: String, _ plan: Plan, in transaction: Transaction) throws {
    let params = plan.params
    let known = try transaction.snapshot.find(PostMarkRecord.self, id: id)
    let quotes = try params.quote.map { quote in
      try PostQuote.adding(
        PostQuote(text: quote, note: params.note), to: known?.quotes.value() ?? [], at: transaction.now, field: "quote")
    }
    let tags = try TagList.normalized((known?.tags ?? []) + plan.tags)
    guard tags.count <= TagList.most else {
      throw RPCError.invalidParams(
        field: "tags", reason: Text("param.count.maximum", ["maximum": String(TagList.most)]))
    }
    try PostMarks.set(id, in: transaction) { mark in
      mark.savedAt = mark.savedAt ?? transaction.now
      mark.tags = tags
      if let quotes { mark.quotes = quotes }
      switch params.read {
      case true?: mark.readAt = mark.readAt ?? transaction.now
      case false?: mark.readAt = nil
      case nil: break
      }
    }
  }

  /// The same for all URLs of a page that differ only in their scheme, fragment or tracking parameters.
  static func id(of url: String) -> String { DerivedID.text(of: "page/\(PostIdentity.plain(url) ?? url)") }
}

/// Removes a kept page.
enum RemovePage: RemoveItemMethod {
  static let name = "boards/removePage"
  static let summary =
    "Removes a post that is on no board, with its marks: a kept page, or a saved post whose source was removed."
  typealias Item = PostRecord

  static func remove(_ post: PostRecord, in transaction: Transaction) throws {
    guard try post.head.placements.value().isEmpty else {
      throw RPCError.invalidParams(field: "id", reason: Text("boards.postHasBoard"))
    }
    if let mark = try transaction.snapshot.find(PostMarkRecord.self, id: post.id) { try transaction.remove(mark) }
    try PostRemoval.remove(post, in: transaction)
  }
}
