import Contract
import Store
import Wire

/// An item of the Google Reader API as a post.
enum ReaderItem {
  private static let long = "tag:google.com,2005:reader/item/"

  /// An item's id in one form: the decimal number, or the text of a service whose ids are none.
  static func id(_ text: String) -> String {
    AppItemID(text)?.decimal ?? (text.hasPrefix(long) ? String(text.dropFirst(long.count)) : text)
  }

  /// The form that all services parse as the same number.
  static func longForm(of id: String) -> String { AppItemID(id)?.longForm ?? long + id }

  /// Nil for an item without an id or a feed.
  static func post(
    _ value: JSONValue, base: String, checkCancelled: () throws -> Void
  ) throws -> PlacedPost? {
    guard let fields = ServiceFields(value), let id = fields.id("id"),
      let board = ServiceFields(fields["origin"])?.text("streamId")
    else { return nil }
    var post = FetchedPost(id: Self.id(id))
    post.link = ["canonical", "alternate"].lazy.compactMap { link(fields.list($0)) }.first
    post.title = fields.text("title") ?? ""
    post.writer = fields.text("author").map { FetchedPost.Writer(name: $0) }
    let html = ["content", "summary"].lazy.compactMap { ServiceFields(fields[$0])?.text("content") }.first
    if let html {
      let body = try FetchedPost.Body.safe(html, base: post.link ?? base, checkCancelled: checkCancelled)
      (post.body, post.hasInlineImage) = (body, !body.images.isEmpty)
    }
    post.publishedAt = seconds(fields["published"])
    if let updated = seconds(fields["updated"]), updated != post.publishedAt { post.editedAt = updated }
    post.attachments = fields.list("enclosure").compactMap { value in
      guard let fields = ServiceFields(value), let url = fields.text("href") else { return nil }
      return FetchedPost.Attachment(
        url: url, title: nil, type: fields.text("type"), size: fields.count("length").map(Int64.init), duration: nil)
    }
    post.attachmentsCount = post.attachments.count
    let categories = fields.list("categories").compactMap(\.stringValue)
    // States, folders and labels are streams of the user; the others are the feed's own categories.
    post.categories = categories.filter { !$0.hasPrefix("user/") && !$0.isEmpty && !$0.hasNUL }
    post.mark = RemoteMark(isRead: has("read", categories), isSaved: has("starred", categories))
    return PlacedPost(board: board, post: post)
  }

  private static func link(_ links: [JSONValue]) -> String? {
    links.lazy.compactMap { ServiceFields($0)?.text("href") }.first
  }

  /// The number of the user is that of the account, or `-`.
  private static func has(_ state: String, _ categories: [String]) -> Bool {
    categories.contains { $0.hasPrefix("user/") && $0.hasSuffix("/state/com.google/\(state)") }
  }

  private static func seconds(_ value: JSONValue?) -> Instant? {
    let number = value?.integerValue ?? value?.stringValue.flatMap { Int64($0) }
    // Up to the year 9999.
    guard let number, (1...253_402_300_799).contains(number) else { return nil }
    return Instant(milliseconds: number * 1_000)
  }
}
