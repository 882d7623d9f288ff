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
  /// Whether it is the text of an article in microdata.
  private(set) var isArticleBody = false

  /// Of each element of a page; nil for texts, and for elements that are never part of an article.
  static func all(in page: ArticlePage) -> [ArticleNames?] {
    (0..<page.tree.count).map { index in
      let node = page.tree[index]
      return node.isElement && page.roles[index] != .apart ? ArticleNames(node) : nil
    }
  }

  private init(_ node: MarkupNode) {
    var meanings: Meanings = []
    for attribute in node.attributes {
      switch attribute.name.string {
      case "class", "id":
        let found = Meanings(of: attribute.value.bytes.prefix(2_000))
        if found.contains(.content) { weight += 25 }
        if found.contains(.beside) { weight -= 25 }
        meanings.formUnion(found)
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
    isByline = isByline || meanings.contains(.byline)
    isSharing = meanings.contains(.sharing)
    if meanings.contains(.apart) || meanings.contains(.unlikely) && !meanings.contains(.perhaps) { isUnlikely = true }
    // Pictures of formulas, which are hidden from screen readers because the formula is there as text too.
    if meanings.contains(.fallback) { isHidden = false }
  }

  private static let roles: Set = [
    "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog", "search", "banner",
    "contentinfo",
  ]
}

/// The meanings of the words in a class or an id.
private struct Meanings: OptionSet {
  let rawValue: UInt8
  static let unlikely = Meanings(rawValue: 1)
  /// An unlikely element may be part of the article all the same.
  static let perhaps = Meanings(rawValue: 2)
  static let content = Meanings(rawValue: 4)
  static let beside = Meanings(rawValue: 8)
  static let byline = Meanings(rawValue: 16)
  static let sharing = Meanings(rawValue: 32)
  /// Never part of an article.
  static let apart = Meanings(rawValue: 64)
  static let fallback = Meanings(rawValue: 128)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One pass over the name, whatever the number of words.
  init(of name: Slice<UnsafeBufferPointer<UInt8>>) {
    self = []
    let bytes = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    for start in bytes.indices {
      for word in Self.words[Int(bytes[start] & 0x7F)] where !isSuperset(of: word.meaning) {
        let end = start + word.bytes.count
        guard end <= bytes.count, bytes[start..<end].elementsEqual(word.bytes) else { continue }
        // These are whole words.
        if word.meaning == .apart {
          guard start == 0 || bytes[start - 1] <= 0x20, end == bytes.count || bytes[end] <= 0x20 else { continue }
        }
        formUnion(word.meaning)
      }
    }
  }

  /// By their first byte.
  private static let words: [[(bytes: [UInt8], meaning: Meanings)]] = {
    let rows: [(Meanings, String)] = [
      (
        .unlikely,
        """
        -ad- ai2html banner breadcrumb combx comment community cover-wrap disqus extra footer gdpr header legends menu \
        related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break agegate pagination \
        pager popup cookie newsletter subscribe recommend navbar
        """
      ),
      (.perhaps, "article body column content main mathjax shadow"),
      (.content, "article body content entry hentry main page post text blog story"),
      (
        .beside,
        """
        -ad- hidden banner combx comment com- contact footer gdpr masthead media meta outbrain promo related scroll share \
        shoutbox sidebar skyscraper sponsor shopping tags widget
        """
      ),
      (.byline, "byline dateline writtenby p-author author-name post-author"), (.sharing, "share sharing social"),
      (
        .apart,
        """
        toc noprint navbox nav catlinks mw-editsection mw-jump-link printfooter ad ads advert advertisement share tags \
        copyright
        """
      ),
      (.fallback, "fallback-image"),
    ]
    var words = Array(repeating: [(bytes: [UInt8], meaning: Meanings)](), count: 128)
    for (meaning, line) in rows {
      for word in line.split(separator: " ") { words[Int(word.utf8.first!)].append((Array(word.utf8), meaning)) }
    }
    return words
  }()
}
