import FoundationEssentials

/// The entries of a web page that has no feed.
package enum PageList {
  /// Bytes of an entry's HTML, and of that of all entries.
  private static let (entryLimit, pageLimit) = (256 << 10, 16 << 20)

  /// Reads the page as a feed of which each entry is one of these elements. An entry's link is that of its heading, else
  /// its first one; its title is the heading, else the text of the link; its date is that of its first `time`. An element
  /// without a link is no entry. Call it on a thread of its own: a hostile page takes long.
  ///
  /// - Parameter url: the page's URL after redirects: the base of its links.
  /// - Throws: `MarkupFailure`, and what `checkCancelled` throws.
  package static func read(
    _ data: Data, contentType: String?, url: String, items: ElementSelector, limits: FeedLimits = FeedLimits(),
    checkCancelled: () throws -> Void = {}
  ) throws -> FeedDocument {
    let source = TextDecoding(data, contentType: contentType).bytes
    let document = try HTMLDocument(source, limits: .page, checkCancelled: checkCancelled)
    let page = ArticlePage(document.tree)
    try checkCancelled()
    let metadata = ArticleMetadata(page, ArticleNames.all(in: page), url: url)
    let roots = items.matches(in: page)
    var (entries, known, bytes) = ([FeedEntry](), Set<String>(), 0)
    for root in roots.prefix(limits.entries) where bytes < pageLimit {
      let element = root..<page.end(of: root)
      guard var entry = entry(element, of: page, metadata.base, limits), known.insert(entry.id).inserted else {
        continue
      }
      try withoutActuallyEscaping(checkCancelled) { check in
        var writer = SafeHTMLWriter(
          tree: document.tree, base: metadata.base, limit: entryLimit, checkCancelled: check)
        try writer.run(over: element, without: [])
        (entry.html, entry.isCut) = (writer.html.text, writer.isCut)
      }
      bytes += entry.html?.utf8.count ?? 0
      entry.base = url
      entries.append(entry)
    }
    return FeedDocument(
      format: .page, title: metadata.title, summary: nil, site: url, language: nil, entries: entries, next: nil,
      timeToLive: nil, isComplete: !document.isTruncated,
      isTruncated: roots.count > limits.entries || bytes >= pageLimit)
  }

  /// The entry in an element, without its HTML.
  private static func entry(
    _ element: Range<Int>, of page: ArticlePage, _ base: WebReference?, _ limits: FeedLimits
  ) -> FeedEntry? {
    var (heading, date) = (String?.none, FeedDate?.none)
    // Of a link around the heading or in it, and of the first link that has a text.
    var (titled, first): (String?, (url: String, text: String)?)
    var around: (url: String, end: Int)?
    var headingEnd = element.lowerBound
    for index in element {
      let node = page.tree[index]
      guard node.isElement else { continue }
      switch node.name.string {
      case "a":
        guard let url = node.attribute("href").flatMap({ FeedLink.page($0, base: base) }) else { break }
        if index < headingEnd { titled = titled ?? url }
        around = (url, page.end(of: index))
        if first == nil, let text = FeedText.line(node.content, limit: limits.title) { first = (url, text) }
      case "h1", "h2", "h3", "h4", "h5", "h6":
        guard heading == nil, let text = FeedText.line(node.content, limit: limits.title) else { break }
        heading = text
        headingEnd = page.end(of: index)
        if let around, index < around.end { titled = around.url }
      case "time":
        guard date == nil else { break }
        let text = FeedText.line(node.attribute("datetime") ?? node.content, limit: limits.words)
        date = text.map { FeedDate(text: $0, instant: FeedDates.instant($0)) }
      default: break
      }
    }
    guard let link = titled ?? first?.url else { return nil }
    return FeedEntry(
      id: FeedText.cut(link, limit: limits.words), hasOwnID: false, link: link, title: heading ?? first?.text,
      html: nil, base: nil, author: nil, published: date, updated: nil, categories: [], enclosures: [],
      commentsCount: nil)
  }
}
