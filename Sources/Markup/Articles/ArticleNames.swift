/// What the `class`, `id`, `role` and `style` of an element say about it. Sites follow the same habits: `sidebar`,
/// `post-content`.
struct ArticleNames {
  /// Whether it is most likely not part of an article.
  private(set) var isUnlikely = false
  /// Positive for the names of contents, negative for those of things beside them: -50, -25, 0, 25 or 50.
  private(set) var weight = 0.0
  private(set) var isHidden = false
  private(set) var isByline = false
  private(set) var isSharing = false
  /// The text of `articleBody` in microdata.
  private(set) var isArticleBody = false

  init(_ node: MarkupNode) {
    var names = ""
    for attribute in node.attributes {
      switch attribute.name.string {
      case "class", "id":
        let name = attribute.value.string.lowercased()
        if name.utf8.count > 2_000 { continue }
        if Self.contains(name, Self.positive) { weight += 25 }
        if Self.contains(name, Self.negative) { weight -= 25 }
        names += " " + name
      case "hidden": isHidden = true
      case "aria-hidden": isHidden = isHidden || attribute.value == "true"
      case "style":
        let style = attribute.value.string.lowercased().filter { $0 != " " }
        isHidden = isHidden || style.contains("display:none") || style.contains("visibility:hidden")
      case "role": isUnlikely = isUnlikely || Self.roles.contains(attribute.value.string.lowercased())
      case "itemprop":
        isArticleBody = attribute.value.string.lowercased().contains("articlebody")
        isByline = isByline || attribute.value == "author"
      case "rel": isByline = isByline || attribute.value == "author"
      default: break
      }
    }
    guard !names.isEmpty else { return }
    isByline = isByline || Self.contains(names, Self.bylines)
    isSharing = Self.contains(names, ["share", "sharing", "social"])
    if names.split(whereSeparator: \.isWhitespace).contains(where: { Self.apart.contains(String($0)) }) {
      isUnlikely = true
    }
    if Self.contains(names, Self.unlikely), !Self.contains(names, Self.perhaps) { isUnlikely = true }
    // Pictures of formulas, which are hidden from screen readers because the formula is there as text too.
    if names.contains("fallback-image") { isHidden = false }
  }

  private static func contains(_ name: String, _ words: [String]) -> Bool {
    words.contains { name.utf8.firstRange(of: $0.utf8) != nil }
  }

  private static let roles: Set = [
    "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog", "search", "banner",
    "contentinfo",
  ]
  /// As a whole class or id.
  private static let apart: Set = [
    "toc", "noprint", "navbox", "nav", "catlinks", "mw-editsection", "mw-jump-link", "printfooter", "ad", "ads",
    "advert", "advertisement", "share", "tags", "copyright",
  ]
  private static let unlikely = [
    "-ad-", "ai2html", "banner", "breadcrumb", "combx", "comment", "community", "cover-wrap", "disqus", "extra",
    "footer", "gdpr", "header", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar",
    "skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate", "pagination", "pager", "popup",
    "cookie", "newsletter", "subscribe", "recommend", "navbar",
  ]
  private static let perhaps = ["article", "body", "column", "content", "main", "mathjax", "shadow"]
  private static let positive = [
    "article", "body", "content", "entry", "hentry", "main", "page", "post", "text", "blog", "story",
  ]
  private static let negative = [
    "-ad-", "hidden", "banner", "combx", "comment", "com-", "contact", "footer", "gdpr", "masthead", "media", "meta",
    "outbrain", "promo", "related", "scroll", "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping",
    "tags", "widget",
  ]
  private static let bylines = ["byline", "dateline", "writtenby", "p-author", "author-name", "post-author"]
}
