import Foundation
import HTTP
import Store

/// When two posts are one. An item that returns, or that two sources carry, is one item, and read once.
///
/// 1. Within a source a post is what the source's own id says, whatever else of it changes: its link, title or date.
///    The same id in another source says nothing, since services count from one.
/// 2. The post's id in the library follows from the kind and URL of the source and that id. So a post of a source that
///    was removed and added again is the one that was read or saved before.
/// 3. Posts of two sources are one where both carry the same id that is unique in the world by its form: a URL, a `tag:`
///    (RFC 4151) or a `urn:` (RFC 8141).
/// 4. They are one, too, where both have the same link and the same title. The link alone does not say it: who writes
///    about an article links to it as well. Scheme, fragment, a slash at the end and the parameters that count visits
///    do not tell links apart; the mere front page of a site is no link of a post.
/// 5. A link that two posts of a page share tells nothing of either.
///
/// The content of such a post comes from the source that had it first.
enum PostIdentity {
  /// The id in the library.
  static func id(_ remoteID: String, at address: SourceAddress) -> String {
    DerivedID.text(of: "post/\(address.kind.rawValue)/\(address.url)/\(remoteID)")
  }

  /// What a post is known by beside its source's own id.
  static func keys(of post: FetchedPost) -> [String] {
    var keys: [String] = []
    if let id = post.globalID, isGlobal(id) { keys.append("g:" + shortened(id)) }
    if let link = post.link.flatMap(plain), !post.title.isEmpty {
      keys.append("l:" + shortened(link + "\n" + foldedText(post.title)))
    }
    return keys
  }

  /// The keys that two or more posts of a page have.
  static func sharedKeys(in posts: [FetchedPost]) -> Set<String> {
    var seen: Set<String> = []
    var shared: Set<String> = []
    for key in posts.lazy.flatMap(keys) where !seen.insert(key).inserted { shared.insert(key) }
    return shared
  }

  private static func isGlobal(_ id: String) -> Bool {
    let lower = id.prefix(8).lowercased()
    return ["http://", "https://", "tag:", "urn:"].contains { lower.hasPrefix($0) } && id.utf8.count > 12
  }

  /// A link without what does not tell posts apart; nil for the front page of a site.
  private static func plain(_ link: String) -> String? {
    guard let url = try? WebURL(link) else { return nil }
    let parts = url.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = String(parts[0])
    while path.hasSuffix("/") { path.removeLast() }
    let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter { pair in
      !counters.contains { pair.hasPrefix($0) }
    }
    guard !path.isEmpty || !query.isEmpty else { return nil }
    let host = url.origin.host.hasPrefix("www.") ? String(url.origin.host.dropFirst(4)) : url.origin.host
    return "\(host):\(url.origin.port == 80 ? 443 : url.origin.port)\(path)?\(query.joined(separator: "&"))"
  }

  private static let counters = ["utm_", "fbclid=", "gclid=", "mc_cid=", "mc_eid=", "ref=rss"]

  /// Keys lie in an index; a long one is as good by its hash.
  private static func shortened(_ key: String) -> String {
    key.utf8.count <= 200 ? key : Blobs.hash(of: Array(key.utf8))
  }
}
