/// Reads all versions of RSS: items inside the channel (0.91 to 2.0), or beside it (RDF: 0.90 and 1.0).
struct RSSReader {
  let root: FeedNode
  let limits: FeedLimits
  /// The URL of the document, after redirects.
  let url: WebReference?
  let checkCancelled: () throws -> Void

  func document() throws -> FeedDocument {
    var document = FeedDocument(
      format: isRDF ? .rdf : .rss, entries: [], isComplete: true,
      isTruncated: false)
    let channel =
      isPlain(root) && root.name == "channel" ? root : root.children.first { isPlain($0, "channel") } ?? root
    var period: Int?
    var frequency: Int?
    var substitutes = EntrySubstitutes()
    for child in channel.children {
      switch (child.vocabulary, child.name) {
      case (.syndication, "updateperiod"): period = child.text.flatMap(Self.seconds)
      case (.syndication, "updatefrequency"): frequency = child.text.flatMap { Int($0) }
      default:
        read(child, into: &document)
        substitutes.add(child)
      }
    }
    document.title =
      document.title ?? substitutes.title.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.words) }
    document.summary =
      document.summary ?? substitutes.html.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.words) }
    if document.timeToLive == nil, let period {
      document.timeToLive = .seconds(period / min(max(frequency ?? 1, 1), 10_000))
    }
    // Links of RSS are relative to the site unless `xml:base` states otherwise.
    let siteBase = document.site.flatMap { WebReference(base: $0) } ?? url
    try readItems(siteBase, into: &document)
    return document
  }

  private func read(_ child: FeedNode, into document: inout FeedDocument) {
    switch (child.vocabulary, child.name) {
    case (_, "title") where isPlain(child) && document.title == nil:
      document.title = child.text.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.words) }
    case (_, "description") where isPlain(child):
      document.summary = child.text.flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.words) }
    case (_, "link") where isPlain(child) && document.site == nil:
      document.site = (child.text ?? child.attribute("href")).flatMap { FeedLink.page($0, base: child.base ?? url) }
    case (.atom, "link"):
      guard let link = child.attribute("href").flatMap({ FeedLink.page($0, base: child.base ?? url) }) else { return }
      switch child.attribute("rel") {
      case "next": document.next = link
      case "alternate", nil: document.site = document.site ?? link
      default: break
      }
    case (_, "language") where isPlain(child), (.dublinCore, "language"):
      document.language = document.language ?? child.text.flatMap { FeedText.line($0, limit: 40) }
    case (_, "ttl") where isPlain(child):
      // In minutes, at most a year.
      document.timeToLive = child.text.flatMap { Int($0) }.flatMap { $0 > 0 ? .seconds(min($0, 525_600) * 60) : nil }
    default: break
    }
  }

  private func readItems(_ siteBase: WebReference?, into document: inout FeedDocument) throws {
    let tree = root.node.tree
    var index = root.node.index + 1
    // The base of the elements around an item: the channel's, or the root's.
    let channelBase = root.children.first { isPlain($0, "channel") }?.base ?? root.base
    while index < root.node.end {
      let node = tree[index]
      guard node.isElement else {
        index += 1
        continue
      }
      let element = FeedNode(node, base: channelBase)
      if isPlain(element, "item") {
        guard document.entries.count < limits.entries else {
          document.isTruncated = true
          return
        }
        if document.entries.count % 64 == 0 { try checkCancelled() }
        document.entries.append(entry(element, siteBase))
      }
      // Descends into every element: an item that was never closed contains the next one.
      index += 1
    }
  }

  private func entry(_ item: FeedNode, _ siteBase: WebReference?) -> FeedEntry {
    var parts = EntryParts(limits: limits)
    parts.base = item.base ?? siteBase
    var guid: (text: String, isLink: Bool)?
    var alternate: String?
    for child in item.children {
      switch (child.vocabulary, child.name) {
      case (_, "title") where isPlain(child): parts.setTitle(child.text, isHTML: nil)
      case (_, "link") where isPlain(child):
        if let link = child.text ?? child.attribute("href") {
          parts.link = parts.link ?? FeedLink.page(link, base: child.base ?? siteBase)
        }
      case (_, "guid") where isPlain(child):
        guid = child.text.map { ($0, child.attribute("isPermaLink")?.lowercased() != "false") }
      case (_, "description") where isPlain(child):
        parts.summary = child.hasElements ? FeedMarkup.html(in: child, limit: limits.body) : child.text
      case (.content, "encoded"): parts.content = child.text ?? parts.content
      case (.xhtml, "body"), (.xhtml, "div"):
        parts.content = parts.content ?? FeedMarkup.html(in: child, limit: limits.body)
      case (_, "body") where isPlain(child), (_, "fullitem") where isPlain(child):
        parts.content =
          parts.content ?? (child.hasElements ? FeedMarkup.html(in: child, limit: limits.body) : child.text)
      case (_, "pubdate") where isPlain(child): parts.publishedDates.insert(child.text ?? "", at: 0)
      case (.dublinCore, "date"), (.dublinCore, "created"), (.dublinCore, "issued"), (.atom, "published"):
        parts.publishedDates += [child.text].compactMap(\.self)
      case (.dublinCore, "modified"), (.atom, "updated"): parts.updatedDates += [child.text].compactMap(\.self)
      case (_, "author") where isPlain(child), (.dublinCore, "creator"), (.dublinCore, "author"),
        (.podcast, "author"):
        parts.setAuthor(child.text.flatMap { FeedPeople.person($0, limit: limits.words) })
      case (.atom, "author"): parts.setAuthor(AtomReader.person(child, limits))
      case (_, "category") where isPlain(child), (.dublinCore, "subject"): parts.addCategory(child.text)
      case (.media, "category"): parts.addCategory(child.attribute("label") ?? child.text)
      case (.podcast, "category"): addPodcastCategory(child, to: &parts)
      case (_, "enclosure") where isPlain(child), (.media, "content"):
        addMedia(child, to: &parts)
      case (.media, "group"):
        for media in child.children {
          if media.name == "content" { addMedia(media, to: &parts) } else { parts.substitutes.add(media) }
        }
      case (.podcast, "duration"): parts.duration = parts.duration ?? child.text.flatMap(EntryParts.seconds)
      case (.slash, "comments"), (.thread, "total"): parts.commentsCount = child.text.flatMap { Int($0) }
      case (.atom, "link"):
        let rel = child.attribute("rel") ?? "alternate"
        if rel == "alternate" { alternate = alternate ?? child.attribute("href") }
        if rel == "enclosure" { addMedia(child, to: &parts) }
      default: parts.substitutes.add(child)
      }
    }
    parts.publishedDates.removeAll(where: \.isEmpty)
    parts.id = guid.flatMap { FeedText.line($0.text, limit: limits.words) }
    parts.link = parts.link ?? alternate.flatMap { FeedLink.page($0, base: item.base ?? siteBase) }
    // A guid that is marked as no permanent link is none, and one that is marked as such may be anything.
    if parts.link == nil, let guid, guid.isLink, FeedLink.isPage(guid.text) {
      parts.link = FeedLink.page(guid.text, base: nil)
    }
    // RSS 1.0 identifies items by `rdf:about`, which mostly is the link.
    if parts.id == nil, isRDF { parts.id = item.attribute("about") }
    return parts.entry()
  }

  /// A category may contain a narrower one.
  private func addPodcastCategory(_ node: FeedNode, to parts: inout EntryParts) {
    parts.addCategory(node.attribute("text"))
    for child in node.children where child.vocabulary == .podcast && child.name == "category" {
      parts.addCategory(child.attribute("text"))
    }
  }

  private var isRDF: Bool { root.vocabulary == .rdf || root.name == "rdf" }

  private func addMedia(_ node: FeedNode, to parts: inout EntryParts) {
    parts.addEnclosure(
      node.attribute("url") ?? node.attribute("href"), type: node.attribute("type"),
      size: node.attribute("length") ?? node.attribute("fileSize"), duration: node.attribute("duration"))
  }

  /// Whether an element is RSS's own: without a namespace, or in that of the root.
  private func isPlain(_ node: FeedNode, _ name: String? = nil) -> Bool {
    (node.vocabulary == .plain || (node.vocabulary == root.vocabulary && node.vocabulary == .other))
      && (name == nil || node.name == name)
  }

  private static func seconds(_ period: String) -> Int? {
    switch period.lowercased() {
    case "hourly": 3_600
    case "daily": 86_400
    case "weekly": 604_800
    case "monthly": 2_592_000
    case "yearly": 31_536_000
    default: nil
    }
  }
}
