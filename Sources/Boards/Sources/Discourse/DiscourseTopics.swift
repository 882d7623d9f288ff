import Contract
import Markup
import Wire

/// Topics as lists have them.
struct DiscourseTopics: Sendable {
  let base: String
  private let names: [String: String]

  /// `users` are the users to which the topics of the same response refer by id.
  init(base: String, users: JSONValue?) {
    self.base = base
    var names: [String: String] = [:]
    for user in users?.arrayValue ?? [] {
      guard let fields = ServiceFields(user), let id = fields.id("id") else { continue }
      names[id] = fields.text("name") ?? fields.text("username")
    }
    self.names = names
  }

  func post(_ value: JSONValue, checkCancelled: () throws -> Void) throws -> FetchedPost? {
    guard let fields = ServiceFields(value), let id = fields.id("id") else { return nil }
    var post = FetchedPost(id: id)
    // The slug is empty for most Korean titles, so it is left out.
    post.link = "\(base)/t/\(id)"
    post.title = try title(fields)
    post.writer = writer(fields)
    post.publishedText = fields.text("created_at")
    post.publishedAt = fields.instant("created_at")
    post.listedAt = fields.instant("bumped_at") ?? fields.instant("last_posted_at") ?? post.publishedAt
    post.isPinned = fields.flag("pinned") == true || fields.flag("pinned_globally") == true
    post.viewCount = fields.count("views")
    post.commentsCount = fields.count("posts_count").map { max($0 - 1, 0) }
    post.hasReply = (post.commentsCount ?? 0) > 0
    post.hasInlineImage = fields.text("image_url").map { _ in true }
    // Texts, or objects that have one.
    post.categories = fields.list("tags").compactMap { $0.stringValue ?? ServiceFields($0)?.text("name") }
    if let excerpt = fields.text("excerpt") {
      post.body = try .safe(excerpt, base: base + "/", isWhole: false, checkCancelled: checkCancelled)
    }
    return post
  }

  /// `title` is plain text, `fancy_title` HTML.
  private func title(_ fields: ServiceFields) throws -> String {
    if let title = fields.text("title") { return title }
    return try fields.text("fancy_title").map { try PlainText.of(html: $0) } ?? ""
  }

  private func writer(_ fields: ServiceFields) -> FetchedPost.Writer? {
    let posters = fields.list("posters").compactMap { ServiceFields($0) }
    // The description is in the forum's language, so if it is not English the first is used: the author of the first
    // post.
    let first = posters.first { $0.text("description")?.contains("Original Poster") == true } ?? posters.first
    let id = first?.id("user_id") ?? ServiceFields(first?["user"])?.id("id")
    return id.flatMap { names[$0] }.map { FetchedPost.Writer(name: $0) }
  }
}

/// A forum's search results: topics, and beside them the posts that contain the words.
struct DiscourseHits: Sendable {
  let base: String

  func posts(_ answer: JSONValue, board: String, checkCancelled: () throws -> Void) throws -> [FetchedPost] {
    // Old forums answer with a list of lists.
    let topics = answer["topics"]?.arrayValue ?? answer.arrayValue?.flatMap { $0["results"]?.arrayValue ?? [] } ?? []
    let reader = DiscourseTopics(base: base, users: answer["users"])
    var firstPosts: [String: ServiceFields] = [:]
    for post in answer["posts"]?.arrayValue ?? [] {
      guard let fields = ServiceFields(post), let topic = fields.id("topic_id"), fields.count("post_number") == 1 else {
        continue
      }
      firstPosts[topic] = fields
    }
    return try topics.compactMap { topic in
      let category = ServiceFields(topic)?.id("category_id")
      guard board == DiscourseSource.latest || category == nil || category == board else { return nil }
      guard var post = try reader.post(topic, checkCancelled: checkCancelled) else { return nil }
      if post.writer == nil { post.writer = firstPosts[post.id].flatMap { DiscourseThread.writer($0) } }
      return post
    }
  }
}
