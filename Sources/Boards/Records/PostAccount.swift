import Contract
import Exchange
import Kit
import Store

/// The content of a post from one source.
protocol PostContent {
  var head: PostHead { get set }
  var images: StoredJSON<[String]> { get set }
  var text: String { get set }
  /// Safe.
  var html: String { get set }
  /// The posts of a thread, as parts of `text` and `html`; empty for a post of its own.
  var thread: StoredJSON<[ThreadPart]> { get set }
}

/// The content of a post from a further source. An item that two sources carry is one item, with one read mark, but
/// on each board it is shown with the content of that board's source. The first source's content is in the post's own
/// row.
///
/// The whole article of a post is one too, from no source but its page: the source's own words stay beside it.
struct PostAccount: StoredItem, PostContent {
  static let collectionName = "postAccounts"
  static let tableName = "postAccount"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var post = ""
  var source = ""
  /// Without placements and keys: those belong to the post.
  var head = PostHead()
  var images = StoredJSON<[String]>(stored: "[]")
  var text = ""
  var html = ""
  var thread = StoredJSON<[ThreadPart]>(stored: "[]")

  static let fields = Fields<Self> {
    Field("post", \.post)
    Field("source", \.source)
    PostHead.fields.of(\.head)
    Field("images", \.images)
    Field("text", \.text)
    Field("html", \.html)
    Field("thread", \.thread)
  }

  static func id(of post: String, from source: String) -> String { DerivedID.text(of: "account/\(post)/\(source)") }

  /// In place of a source, for the whole article from the page that the post links to.
  static let page = "page"

  /// The whole article of a post, if it was fetched.
  static func article(of post: String, in snapshot: Snapshot) throws -> PostAccount? {
    try find(of: post, from: page, in: snapshot)
  }

  static func find(of post: String, from source: String, in snapshot: Snapshot) throws -> PostAccount? {
    try snapshot.find(PostAccount.self, id: id(of: post, from: source))
  }

  static func all(of post: String, in snapshot: Snapshot) throws -> [PostAccount] {
    try all(in: snapshot.db, "WHERE post = ? ORDER BY createdAt, id", [.text(post)])
  }

  init() {}

  init(of post: String, from source: String) {
    id = Self.id(of: post, from: source)
    (self.post, self.source) = (post, source)
  }
}

/// The same without the long columns; read-only.
struct PostAccountSummary: StoredItem {
  static let collectionName = PostAccount.collectionName
  static let tableName = PostAccount.tableName

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var head = PostHead()

  static let fields = Fields<Self> {
    PostHead.fields.of(\.head)
  }
}

extension PostRecord {
  /// The post with the content of one of its sources.
  func described(by source: String?, in snapshot: Snapshot) throws -> PostRecord {
    guard let source, let account = try PostAccount.find(of: id, from: source, in: snapshot) else { return self }
    var described = self
    described.takeContent(of: account)
    return described
  }
}

extension PostRecord {
  /// The same with the content of the first of two that there is.
  func described(by source: String?, else other: String?, in snapshot: Snapshot) throws -> PostRecord {
    guard let source, let account = try PostAccount.find(of: id, from: source, in: snapshot) else {
      return try described(by: other, in: snapshot)
    }
    var described = self
    described.takeContent(of: account)
    return described
  }
}

extension PostContent {
  /// Copies another source's content, except the post's placements, its list order and its keys.
  mutating func takeContent(of other: some PostContent) {
    head.takeContent(of: other.head)
    (images, text, html, thread) = (other.images, other.text, other.html, other.thread)
  }

  /// Removes another source's content, so that it is not shown under this source's name.
  mutating func forgetContent(of remoteID: String) {
    var empty = PostAccount()
    empty.head.remoteID = remoteID
    takeContent(of: empty)
  }

  /// Copies the content that a source gave of the post at `now`. Values that the source left out stay.
  mutating func take(_ fetched: FetchedPost, at now: Instant) throws {
    try head.take(fetched)
    // A partial text does not replace a whole one, unless the post was edited since: then the beginning of the new
    // text is worth more than the whole outdated one. Nor does an excerpt replace the part of a long thread.
    guard let body = fetched.body?.fitted,
      body.isWhole || body.isCut || !head.isWhole && (thread.json == "[]" || !body.parts.isEmpty)
    else { return }
    thread = try StoredJSON(ThreadPart.arrived(body.parts, at: now, after: thread.value()))
    head.isWhole = body.isWhole
    html = body.html
    text = body.text
    images = try StoredJSON(body.images)
    head.preview = FetchedPost.preview(of: body.text)
  }
}

extension PostHead {
  mutating func takeContent(of other: PostHead) {
    let (at, placements, keys) = (at, placements, keys)
    self = other
    (self.at, self.placements, self.keys) = (at, placements, keys)
  }

  fileprivate mutating func take(_ fetched: FetchedPost) throws {
    (title, isTitleCut) = fetched.fittedTitle
    writer = FetchedPost.fitted(fetched.writer?.name)
    address = FetchedPost.fitted(fetched.writer?.address)
    isAnonymous = fetched.isAnonymous
    publishedAt = fetched.publishedAt ?? publishedAt
    publishedText = FetchedPost.fitted(fetched.publishedText) ?? publishedText
    editedAt = fetched.editedAt ?? editedAt
    link = FetchedPost.fitted(link: fetched.link) ?? link
    kind = FetchedPost.fitted(fetched.kind)
    hasReply = fetched.hasReply
    isOwner = fetched.isOwner ?? isOwner
    hasInlineImage = fetched.hasInlineImage ?? hasInlineImage
    attachmentsCount = fetched.attachmentsCount ?? (fetched.attachments.isEmpty ? nil : fetched.attachments.count)
    attachments = try StoredJSON(
      fetched.attachments.prefix(1_000).map { attachment in
        var attachment = attachment
        attachment.url = FetchedPost.fitted(link: attachment.url)
        attachment.title = FetchedPost.fitted(attachment.title)
        return attachment
      })
    categories = try StoredJSON(fetched.categories.prefix(100).compactMap { FetchedPost.fitted($0) })
  }

  /// Only for new content; the counts of existing content are written without a new revision.
  mutating func take(counts fetched: FetchedPost) {
    viewCount = fetched.viewCount
    commentsCount = fetched.commentsCount
    isNewPost = fetched.isNewPost
  }

  /// A mark of the list's data of the post, which changes when the post may have another body.
  var listMark: String {
    "\(editedAt?.milliseconds ?? 0)/\(at.milliseconds)/\(commentsCount ?? 0)"
  }
}
