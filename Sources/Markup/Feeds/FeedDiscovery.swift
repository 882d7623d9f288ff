import FoundationEssentials

/// Finds the feeds that the head of a web page links.
package enum FeedDiscovery {
  package struct Found: Sendable, Equatable {
    /// Absolute, http or https.
    package var url: String
    /// The title in the page's link.
    package var title: String?
    /// A media type in lower case.
    package var type: String
  }

  private static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    "application/x.atom+xml",
    "text/xml", "application/xml", "text/rss+xml",
  ]

  /// In the order of the page, which is its order of preference; feeds of comments come last.
  ///
  /// - Throws: `MarkupFailure`, and what `checkCancelled` throws.
  package static func feeds(
    in data: Data, contentType: String?, url: String, checkCancelled: () throws -> Void = {}
  ) throws -> [Found] {
    // The links are in the head, which is short.
    let text = TextDecoding(data.prefix(2 << 20), contentType: contentType)
    let page = try HTMLDocument(text.bytes, checkCancelled: checkCancelled)
    var base = WebReference(base: url)
    var found: [Found] = []
    var isBaseKnown = false
    for index in 0..<page.tree.count {
      let node = page.tree[index]
      guard node.isElement else { continue }
      if node.name == "base", !isBaseKnown,
        let link = node.attribute("href").flatMap({ WebReference.absolute($0, base: base) })
      {
        base = WebReference(base: link) ?? base
        isBaseKnown = true
      }
      guard node.name == "link", let rel = node.attribute("rel")?.lowercased(), let type = type(of: node),
        let link = node.attribute("href").flatMap({ FeedLink.page($0, base: base) })
      else { continue }
      let words = rel.split { $0.isWhitespace }
      guard words.contains("alternate") || words.contains("feed"), !words.contains("stylesheet"),
        !found.contains(where: { $0.url.utf8.elementsEqual(link.utf8) })
      else { continue }
      let title = node.attribute("title").flatMap { FeedText.line($0, limit: 200) }
      found.append(Found(url: link, title: title, type: type))
      if found.count == 50 { break }
    }
    return found.filter { !isOfComments($0) } + found.filter(isOfComments)
  }

  private static func type(of node: MarkupNode) -> String? {
    guard let type = node.attribute("type")?.lowercased() else { return nil }
    let bare = type.prefix { $0 != ";" }.trimmingWhitespace()
    return types.contains(bare) ? bare : nil
  }

  private static func isOfComments(_ feed: Found) -> Bool {
    feed.url.lowercased().contains("comments") || feed.title?.lowercased().contains("comments") == true
      || feed.title?.contains("댓글") == true
  }
}
