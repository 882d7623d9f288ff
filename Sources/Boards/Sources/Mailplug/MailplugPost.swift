import Contract
import Wire

/// The envelope of every list of the service: `{value, count, offset, limit, total}`.
struct MailplugEnvelope: Sendable {
  let items: [JSONValue]
  let total: Int?

  init(_ value: JSONValue) throws {
    guard let fields = ServiceFields(value) else { throw SourceFailure.useless("noObject", .notSource) }
    guard let items = fields["value"]?.arrayValue else { throw SourceFailure.useless("noList", .notSource) }
    self.items = items
    total = fields.count("total")
  }

  static func board(_ value: JSONValue) -> FetchedBoard? {
    guard let fields = ServiceFields(value), let id = fields.id("boardId") else { return nil }
    return FetchedBoard(id: id, displayName: fields.text("displayName") ?? "")
  }
}

/// A post of the service. Everything but its id may be missing, or have another type than its client expects.
struct MailplugPost {
  /// The base URL of links in a post.
  let base: String
  let checkCancelled: () throws -> Void

  func post(_ value: JSONValue) throws -> FetchedPost? {
    guard let fields = ServiceFields(value), let id = fields.id("postId") else { return nil }
    var post = FetchedPost(id: id)
    post.title = fields.text("title") ?? ""
    post.writer = writer(fields["writer"])
    post.isAnonymous = fields.flag("isAnonymous") ?? false
    if let contents = fields.text("contents") {
      post.body = try .safe(contents, base: base, checkCancelled: checkCancelled)
    } else if fields["contents"]?.stringValue != nil {
      post.body = FetchedPost.Body(html: "", text: "")
    }
    post.publishedText = fields.text("createdDateTime")
    post.publishedAt = fields.instant("createdDateTime")
    post.kind = fields.text("postType")
    post.hasReply = fields.flag("hasReply") ?? false
    post.isNewPost = fields.flag("isNewPost")
    post.isOwner = fields.flag("isOwner")
    post.hasInlineImage = fields.flag("hasInlineImage")
    post.viewCount = fields.count("viewCount")
    post.commentsCount = fields.count("commentsCount")
    post.attachmentsCount = fields.count("attachmentsCount")
    return post
  }

  private func writer(_ value: JSONValue?) -> FetchedPost.Writer? {
    guard let fields = ServiceFields(value) else { return nil }
    let (name, address) = (fields.text("displayName"), fields.text("emailAddress"))
    guard name != nil || address != nil else { return nil }
    return FetchedPost.Writer(name: name ?? "", address: address)
  }
}
