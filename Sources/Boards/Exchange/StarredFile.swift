import Contract
import Exchange
import Kit
import Markup
import SearchEngine
import Store
import Wire

/// A post that was starred in another feed reader, in a file that it exported.
struct StarredPost: Sendable {
  /// Under its URL as id.
  var post: FetchedPost
  var isRead: Bool
  /// The labels that the user gave it.
  var tags: [String]
  /// The last change of it that the file states, which may be its star.
  var changedAt: Instant?
}

/// Reads the starred posts of another feed reader: `starred.json` of FreshRSS and of other programs with Google Reader's
/// API, which have `items`; the reply of miniflux to `/v1/entries?starred=true`, which has `entries`; or a list.
enum StarredFile {
  /// In bytes. Such a file contains the texts of its posts.
  static let limit = 32 << 20
  private static let most = 20_000

  static func isIts(_ bytes: [UInt8]) -> Bool {
    let first = bytes.withoutByteOrderMark.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Each post once, and notes on the other entries.
  static func read(
    _ bytes: [UInt8], checkCancelled: () throws -> Void
  ) throws -> (posts: [StarredPost], notes: [ImportNote]) {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw WrongFormat(reason: "notUTF8")
    }
    guard let json = try? JSONParser.parse(text) else { throw WrongFormat(reason: "notJSON", line: 1) }
    guard let entries = json.arrayValue ?? json["items"]?.arrayValue ?? json["entries"]?.arrayValue else {
      throw WrongFormat(reason: "noEntries")
    }
    var (posts, notes) = ([StarredPost](), [ImportNote]())
    var known: Set<String> = []
    for (index, entry) in entries.enumerated() {
      try checkCancelled()
      let place = ImportNote.Place(number: index + 1)
      let title = FetchedPost.fitted(entry["title"]?.stringValue) ?? ""
      guard posts.count < most else {
        notes.append(ImportNote(.cutOff, at: place, title: title, isSkipped: true))
        continue
      }
      guard entry["starred"]?.boolValue != false else {
        let text = Text("boards.notStarred")
        notes.append(ImportNote(.badValue, at: place, title: title, isSkipped: true, text: text))
        continue
      }
      let url: String
      do {
        url = try SourceURL.checked(link(of: entry) ?? "", field: "url")
      } catch {
        let isSecret = error.text.key == SourceURL.secretKey
        notes.append(ImportNote(isSecret ? .secret : .badURL, at: place, title: title))
        continue
      }
      guard known.insert(PostIdentity.plain(url) ?? url).inserted else {
        notes.append(ImportNote(.repeated, at: place, title: title))
        continue
      }
      posts.append(try post(entry, title: title, at: url, checkCancelled: checkCancelled))
    }
    return (posts, notes)
  }

  private static func post(
    _ entry: JSONValue, title: String, at url: String, checkCancelled: () throws -> Void
  ) throws -> StarredPost {
    let categories = (entry["categories"] ?? entry["tags"])?.arrayValue?.compactMap(\.stringValue) ?? []
    var post = FetchedPost(id: url)
    post.link = url
    post.title = title.isEmpty ? url : title
    post.writer = FetchedPost.fitted(entry["author"]?.stringValue).map { FetchedPost.Writer(name: $0) }
    post.publishedAt = instant(entry["published"] ?? entry["published_at"])
    // States and labels of Google Reader's API are `user/-/…`, all others the topics of the feed.
    post.categories = categories.filter { !$0.hasPrefix("user/") }
    if let html = text(of: entry) {
      do {
        post.body = try FetchedPost.Body.safe(html, base: url, checkCancelled: checkCancelled)
        post.hasInlineImage = post.body.map { !$0.images.isEmpty }
      } catch is MarkupFailure {
        // The post stays with its link.
      }
    }
    return StarredPost(
      post: post,
      isRead: entry["status"]?.stringValue == "read" || categories.contains { $0.hasSuffix("/state/com.google/read") },
      tags: TagList.possible(categories.compactMap(label)),
      changedAt: instant(entry["changed_at"]) ?? post.publishedAt)
  }

  private static func link(of entry: JSONValue) -> String? {
    for name in ["canonical", "alternate"] {
      if let link = entry[name]?.arrayValue?.first?["href"]?.stringValue?.readable { return link }
    }
    return (entry["url"] ?? entry["link"])?.stringValue?.readable
  }

  private static func text(of entry: JSONValue) -> String? {
    for name in ["content", "summary"] {
      let part = entry[name]
      if let html = (part?["content"] ?? part)?.stringValue?.readable { return html }
    }
    return nil
  }

  /// `books` of `user/-/label/books`.
  private static func label(_ category: String) -> String? {
    let parts = category.split(separator: "/", maxSplits: 3)
    return parts.count == 4 && parts[0] == "user" && parts[2] == "label" ? String(parts[3]) : nil
  }

  /// Seconds, or a text.
  private static func instant(_ value: JSONValue?) -> Instant? {
    if let seconds = value?.integerValue, seconds > 0 {
      let (milliseconds, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000)
      return isTooLate ? nil : Instant(exactly: milliseconds)
    }
    return value?.stringValue.flatMap { Instant($0) }
  }
}

extension StarredPost {
  /// Marks the post of a source that it is as saved; one that no source has becomes a kept page.
  func take(into counts: inout ImportCounts, isDryRun: Bool, in transaction: Transaction) throws {
    let known = try known(in: transaction.snapshot)
    if let known, let mark = try transaction.snapshot.find(PostMarkRecord.self, id: known), has(mark) {
      counts.known += 1
      return
    }
    if known == nil { counts.added += 1 } else { counts.updated += 1 }
    if isDryRun { return }
    let now = transaction.now
    let at = changedAt.map { min($0, now) } ?? now
    let id = try known ?? KeepPage.add(post, at: at, in: transaction)
    try PostMarks.set(id, in: transaction) { mark in
      mark.savedAt = mark.savedAt ?? at
      if isRead { mark.readAt = mark.readAt ?? now }
      for tag in tags { mark.setTag(tag, true) }
    }
  }

  private func has(_ mark: PostMarkRecord) -> Bool {
    mark.savedAt != nil && (!isRead || mark.readAt != nil)
      && tags.allSatisfy { tag in mark.tags.contains { foldedText($0) == foldedText(tag) } }
  }

  /// The kept page of its URL, or the only post of a source with its link and title.
  private func known(in snapshot: Snapshot) throws -> String? {
    let page = KeepPage.id(of: post.id)
    if try snapshot.find(PostSummary.self, id: page) != nil { return page }
    guard let key = PostIdentity.key(link: post.link, title: post.title) else { return nil }
    let posts = try snapshot.db.texts("SELECT post FROM postKey WHERE key = ? LIMIT 2", [.text(key)])
    return posts.count == 1 ? posts[0] : nil
  }
}
