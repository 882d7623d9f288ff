import Exchange
import HTTP
import Kit
import SearchEngine
import Store

/// When two posts are one. An item that returns, or that two sources carry, is one item, with one read mark.
///
/// 1. Within a source a post is identified by the source's own id, whatever else of it changes: its link, title or
///    date. The same id in another source proves nothing, since services count from one.
/// 2. The post's id in the library is derived from the kind and URL of the source and that id. So a post of a source
///    that was removed and added again is the same that was read or saved before.
/// 3. Posts of two sources are one if both carry the same id that is globally unique by its form, a URL or a `tag:`
///    (RFC 4151), and both sources are on the host that the id names. From any other source such an id proves
///    nothing: a copy of another post's id would take its place.
/// 4. They are also one if both currently have the same link and the same title. The link alone does not prove it:
///    posts about an article link to it as well. Scheme, fragment, a slash at the end and tracking parameters do not
///    distinguish links; the mere front page of a site is not a link of a post.
/// 5. A link that two posts of a page share identifies neither.
///
/// Each source's content of such a post is shown on its own boards (`PostAccount`). If no board is requested, the
/// content is that of the source on the host of the link, else of the source that had it first.
enum PostIdentity {
  /// The id in the library.
  static func id(_ remoteID: String, at address: SourceAddress) -> String {
    DerivedID.text(of: "post/\(address.kind.rawValue)/\(address.url)/\(remoteID)")
  }

  /// The keys of a source's post besides the source's own id.
  static func keys(of post: FetchedPost, from source: SourceRecord) -> [String] {
    var keys: [String] = []
    if let id = post.globalID, id.utf8.count > 12, let host = Self.host(of: id), isHome(host, of: source) {
      keys.append("i:" + shortened(id))
    }
    let (title, _) = post.fittedTitle
    if let key = Self.key(link: post.link, title: title) { keys.append(key) }
    return keys
  }

  /// The keys of each post of a page, without keys that two or more of them share: those identify none.
  static func keys(ofEach posts: [FetchedPost], from source: SourceRecord) -> [[String]] {
    let all = posts.map { keys(of: $0, from: source) }
    var seen: Set<String> = []
    var shared: Set<String> = []
    for key in all.joined() where !seen.insert(key).inserted { shared.insert(key) }
    return all.map { keys in keys.filter { !shared.contains($0) } }
  }

  /// Whether a stored key of a post is still valid: its link or title may have changed.
  static func holds(_ key: String, of post: PostHead) -> Bool {
    !key.hasPrefix("l:") || key == self.key(link: post.link, title: post.title)
  }

  /// Whether a source is on the host of a link.
  static func owns(_ link: String?, _ source: SourceRecord) -> Bool {
    guard let link, let host = Origin(link)?.host else { return false }
    return isHome(host, of: source)
  }

  /// The key that posts of two sources with the same link and title share.
  static func key(link: String?, title: String) -> String? {
    guard let link = link.flatMap(plain), !title.isEmpty else { return nil }
    return "l:" + shortened(link + "\n" + foldedText(title))
  }

  private static func isHome(_ host: String, of source: SourceRecord) -> Bool {
    [source.url, source.movedTo].contains { address in
      address.flatMap { Origin($0)?.host }.map { bare($0) == bare(host) } ?? false
    }
  }

  /// The host that a globally unique id names; nil for other ids, and for a `urn:`, which names no host.
  private static func host(of id: String) -> String? {
    guard id.prefix(4).lowercased() == "tag:" else { return Origin(id)?.host }
    guard let comma = id.firstIndex(of: ",") else { return nil }
    let authority = id[..<comma].dropFirst(4)
    return authority.split(separator: "@", omittingEmptySubsequences: false).last.map { $0.lowercased() }
  }

  private static func bare(_ host: String) -> String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }

  /// A link without the parts that do not distinguish posts; nil for the front page of a site.
  static func plain(_ link: String) -> String? {
    guard let url = try? WebURL(link) else { return nil }
    let parts = url.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = String(parts[0])
    while path.hasSuffix("/") { path.removeLast() }
    let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter { pair in
      !counters.contains { pair.hasPrefix($0) }
    }
    guard !path.isEmpty || !query.isEmpty else { return nil }
    let host = bare(url.origin.host)
    return "\(host):\(url.origin.port == 80 ? 443 : url.origin.port)\(path)?\(query.joined(separator: "&"))"
  }

  private static let counters = ["utm_", "fbclid=", "gclid=", "mc_cid=", "mc_eid=", "ref=rss"]

  /// Keys are in an index, so a long one is replaced by its hash.
  private static func shortened(_ key: String) -> String {
    key.utf8.count <= 200 ? key : Blobs.hash(of: Array(key.utf8))
  }
}
