import Contract
import Wire

/// What a page states about itself: its title, author, site and URL.
struct ArticleMetadata {
  private(set) var title: String?
  private(set) var writer: String?
  private(set) var site: String?
  private(set) var publishedAt: Instant?
  private(set) var canonicalURL: String?
  /// The base URL of its links.
  private(set) var base: WebReference?

  private static let limit = 1_000

  init(_ page: ArticlePage, _ names: [ArticleNames?], url: String) {
    let home = WebReference(base: url)
    base = home
    var found = Found()
    var isBaseKnown = false
    for index in 0..<page.tree.count {
      let node = page.tree[index]
      guard node.isElement else { continue }
      switch node.name.string {
      case "base":
        guard !isBaseKnown, let link = node.attribute("href").flatMap({ FeedLink.page($0, base: home) }) else { break }
        base = WebReference(base: link) ?? home
        isBaseKnown = true
      case "meta": found.add(node)
      case "title": found.head = found.head ?? FeedText.line(node.content, limit: Self.limit)
      case "h1": found.headings.append(FeedText.line(node.content, limit: Self.limit) ?? "")
      case "link":
        guard found.canonical == nil, node.attribute("rel")?.lowercased() == "canonical" else { break }
        found.canonical = node.attribute("href")
      case "time": found.time = found.time ?? node.attribute("datetime")
      default:
        guard found.byline == nil, names[index]?.isByline == true else { break }
        if page.weights[index] < 200, page.weights[index] > 0 { found.addByline(node) }
      }
    }
    site = found.properties["og:site_name"]
    title = found.title(of: site)
    writer = found.writer
    publishedAt = found.published.flatMap { FeedDates.instant($0) }
    canonicalURL = (found.canonical ?? found.properties["og:url"]).flatMap { FeedLink.page($0, base: base) }
      .flatMap { Self.host(of: $0) == Self.host(of: url) ? $0 : nil }
  }

  /// A page of another host's name must not pass for that page.
  private static func host(of url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    return url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
  }

  private struct Found {
    var properties: [String: String] = [:]
    var head: String?
    var headings: [String] = []
    var canonical: String?
    var time: String?
    var byline: String?

    private static let names: Set = [
      "og:title", "og:site_name", "og:url", "twitter:title", "dc.title", "author", "dc.creator", "article:author",
      "article:published_time", "date", "dc.date", "datepublished", "parsely-pub-date", "sailthru.date",
      "parsely-author",
    ]

    mutating func add(_ node: MarkupNode) {
      let keys = [node.attribute("property"), node.attribute("name"), node.attribute("itemprop")].compactMap(\.self)
      guard let value = node.attribute("content").flatMap({ FeedText.line($0, limit: ArticleMetadata.limit) }) else {
        return
      }
      for key in keys.joined(separator: " ").lowercased().split(separator: " ").map(String.init)
      where Self.names.contains(key) && properties[key] == nil {
        properties[key] = value
      }
    }

    mutating func addByline(_ node: MarkupNode) {
      guard var line = FeedText.line(node.content, limit: 200) else { return }
      for start in ["By ", "by ", "BY "] where line.hasPrefix(start) { line = String(line.dropFirst(3)) }
      byline = line
    }

    /// The page's title without the name of its site.
    func title(of site: String?) -> String? {
      let given = properties["og:title"] ?? properties["twitter:title"] ?? properties["dc.title"] ?? head
      guard let given else { return headings.first { !$0.isEmpty } }
      for separator in [" | ", "｜", " - ", " – ", " — ", " :: ", " : ", " · ", " » "] {
        // A heading that begins the title is the title without the site's name.
        if let heading = headings.first(where: { !$0.isEmpty && given.hasPrefix($0 + separator) }) { return heading }
        guard let site, given.hasSuffix(separator + site) else { continue }
        return String(given.dropLast(separator.count + site.count))
      }
      return given
    }

    var writer: String? {
      let given = ["author", "parsely-author", "dc.creator", "article:author"].compactMap { properties[$0] }
      return given.first { !$0.contains("://") } ?? byline
    }

    var published: String? {
      ["article:published_time", "datepublished", "parsely-pub-date", "sailthru.date", "dc.date", "date"]
        .lazy.compactMap { properties[$0] }.first ?? time
    }
  }
}
