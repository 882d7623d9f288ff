import Contract
import Kit
import Markup
import SearchEngine
import Store
import Wire

/// A post's number in the API: 64 bits, which are the first ones of its id.
///
/// The ids of posts are derived from what identifies them, so the number of a post is the same on every device and
/// after a removal of its source.
struct AppItemID: Sendable, Equatable {
  let bits: UInt64

  private static let long = "tag:google.com,2005:reader/item/"

  /// Nil for a post whose id is no UUID, which no source makes.
  init?(post id: String) {
    let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
    let first = String(decoding: digits.prefix(16), as: UTF8.self)
    guard id.utf8.count == 36, digits.count == 32, let bits = UInt64(first, radix: 16) else { return nil }
    self.bits = bits
  }

  /// As an app writes it: the long form in hexadecimal digits, or a decimal number with or without a sign.
  init?(_ text: String) {
    if text.hasPrefix(Self.long) {
      guard let bits = UInt64(text.dropFirst(Self.long.count), radix: 16) else { return nil }
      self.bits = bits
    } else if let number = Int64(text) {
      bits = UInt64(bitPattern: number)
    } else if let bits = UInt64(text) ?? (text.utf8.count == 16 ? UInt64(text, radix: 16) : nil) {
      self.bits = bits
    } else {
      return nil
    }
  }

  private var hexadecimal: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  var longForm: String { Self.long + hexadecimal }
  var decimal: String { String(Int64(bitPattern: bits)) }

  /// The post that has it.
  func post(in snapshot: Snapshot) throws -> String? {
    let digits = hexadecimal
    let start = [digits.prefix(8), digits.dropFirst(8).prefix(4), digits.suffix(4)].joined(separator: "-")
    // `.` follows `-`.
    return try snapshot.db.first(
      "SELECT id FROM post WHERE id >= ? AND id < ? LIMIT 1", [.text(start + "-"), .text(start + ".")]
    ) { $0.text(0) }
  }
}

/// Writes posts as the API shows them, from one state of the library.
struct AppItems {
  let feeds: AppFeeds
  let snapshot: Snapshot

  /// Bytes of text in one answer: an app asks for what is missing.
  private static let mostBytes = 8 << 20

  /// The items of these posts, in their order, as far as they fit: at least the first.
  func items(_ posts: [String]) throws -> [JSONValue] {
    var items: [JSONValue] = []
    var bytes = 0
    for id in posts {
      guard let (item, size) = try item(id) else { continue }
      bytes += size
      guard items.isEmpty || bytes <= Self.mostBytes else { break }
      items.append(item)
    }
    return items
  }

  /// The items of these posts up to the most bytes of an answer, and the last post that was read for them.
  func page(_ found: [AppQuery.Found]) throws -> (items: [JSONValue], last: AppQuery.Found?) {
    var items: [JSONValue] = []
    var (bytes, last) = (0, AppQuery.Found?.none)
    for found in found {
      if let (item, size) = try item(found.id) {
        bytes += size
        guard items.isEmpty || bytes <= Self.mostBytes else { break }
        items.append(item)
      }
      last = found
    }
    return (items, last)
  }

  private func item(_ id: String) throws -> (item: JSONValue, size: Int)? {
    guard let number = AppItemID(post: id), let post = try snapshot.find(PostRecord.self, id: id) else { return nil }
    let placements = try post.head.placements.value()
    let record = try post.described(by: placements.first?.source, in: snapshot)
    var html = record.html
    if let article = try PostAccount.article(of: id, in: snapshot), !article.text.isEmpty { html = article.html }
    html = SafeHTML.fill(html) { $0 }
    let mark = try snapshot.find(PostMarkRecord.self, id: id)
    guard mark?.isHidden != true else { return nil }
    let feed = placements.lazy.compactMap { feeds.feed(ofBoard: $0.board) }.first ?? feeds.feed(AppFeeds.pages)
    let head = record.head
    let arrived = post.createdAt.milliseconds
    let published = (head.publishedAt ?? post.createdAt).milliseconds / 1_000
    var item: JSONObject = [
      "id": .string(number.longForm), "crawlTimeMsec": .string(String(arrived)),
      "timestampUsec": .string(String(arrived * 1_000)), "published": .integer(published),
      "updated": .integer((head.editedAt?.milliseconds).map { $0 / 1_000 } ?? published),
      "title": .string(head.title),
      "summary": ["direction": "ltr", "content": .string(html)],
      "categories": .array(categories(mark, feed)),
      "origin": [
        "streamId": .string(feed?.id ?? AppFeeds.pages), "title": .string(feed?.title ?? ""),
        "htmlUrl": .string(feed?.url ?? ""),
      ],
    ]
    if let writer = head.writer, !head.isAnonymous { item["author"] = .string(writer) }
    if let link = head.link {
      item["canonical"] = [["href": .string(link)]]
      item["alternate"] = [["href": .string(link), "type": "text/html"]]
    }
    let enclosures = try head.attachments.value().compactMap { attachment -> JSONValue? in
      guard let url = attachment.url else { return nil }
      var enclosure: JSONObject = ["href": .string(url)]
      if let type = attachment.type { enclosure["type"] = .string(type) }
      if let size = attachment.size { enclosure["length"] = .integer(size) }
      return .object(enclosure)
    }
    if !enclosures.isEmpty { item["enclosure"] = .array(enclosures) }
    return (.object(item), html.utf8.count + head.title.utf8.count + 1_024)
  }

  private func categories(_ mark: PostMarkRecord?, _ feed: AppFeed?) -> [JSONValue] {
    var categories = [AppStream.state("reading-list")]
    if mark?.readAt != nil { categories.append(AppStream.state("read")) }
    if mark?.savedAt != nil { categories.append(AppStream.state("starred")) }
    if let label = feed?.label { categories.append(AppFeeds.labelID(label)) }
    categories += (mark?.tags ?? []).map(AppFeeds.labelID)
    return categories.map { .string($0) }
  }
}
