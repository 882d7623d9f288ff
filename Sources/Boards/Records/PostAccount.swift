import Contract
import Exchange
import Kit
import Store

/// What one source says of a post.
protocol PostContent {
  var head: PostHead { get set }
  var images: StoredJSON<[String]> { get set }
  var text: String { get set }
  /// Safe.
  var html: String { get set }
}

/// What a further source says of a post that another carries as well: an item that two sources carry is one item, read
/// once, but on each of their boards it is shown in the words of that board's source. What the first one says is the
/// post's own row.
struct PostAccount: StoredItem, PostContent {
  static let collectionName = "postAccounts"
  static let tableName = "postAccount"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var post = ""
  var source = ""
  /// Without placements and keys: those are the post's.
  var head = PostHead()
  var images = StoredJSON<[String]>(stored: "[]")
  var text = ""
  var html = ""

  static let fields = Fields<Self> {
    Field("post", \.post)
    Field("source", \.source)
    PostHead.fields.of(\.head)
    Field("images", \.images)
    Field("text", \.text)
    Field("html", \.html)
  }

  static func id(of post: String, from source: String) -> String { DerivedID.text(of: "account/\(post)/\(source)") }

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

/// The same without what is long: only read.
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
  /// The post in the words of one of its sources.
  func told(by source: String?, in snapshot: Snapshot) throws -> PostRecord {
    guard let source, let account = try PostAccount.find(of: id, from: source, in: snapshot) else { return self }
    var told = self
    told.takeContent(of: account)
    return told
  }
}

extension PostContent {
  /// Takes over what another source says, but not where the post stands, by what it is listed, and what it is known by.
  mutating func takeContent(of other: some PostContent) {
    head.takeContent(of: other.head)
    (images, text, html) = (other.images, other.text, other.html)
  }

  /// Nothing of another source's content stays below the name of this one.
  mutating func forgetContent(of remoteID: String) {
    var empty = PostAccount()
    empty.head.remoteID = remoteID
    takeContent(of: empty)
  }

  /// Takes over what a source says of the post. What it does not say stays.
  mutating func take(_ fetched: FetchedPost) throws {
    try head.take(fetched)
    // A text that is not all of it does not take the place of one that is, unless the post was edited since: then the
    // beginning of what it says now is more than all of what it does not say any more.
    guard let body = fetched.body?.fitted, body.isWhole || !head.isWhole || body.isCut else { return }
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

  /// Only of new content; those of known content are written quietly.
  mutating func take(counts fetched: FetchedPost) {
    viewCount = fetched.viewCount
    commentsCount = fetched.commentsCount
    isNewPost = fetched.isNewPost
  }

  /// What the list says of a post that may have another body by now.
  var listMark: String {
    "\(editedAt?.milliseconds ?? 0)/\(at.milliseconds)/\(commentsCount ?? 0)"
  }
}
