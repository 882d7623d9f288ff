import FoundationEssentials

/// Reads Atom 1.0 (RFC 4287) and 0.3.
struct AtomReader {
  let root: FeedNode
  let limits: FeedLimits
  /// The URL of the document, after redirects.
  let url: WebReference?
  let checkCancelled: () throws -> Void

  func document() throws -> FeedDocument {
    var document = FeedDocument(format: .atom, entries: [], isComplete: true, isTruncated: false)
    var author: FeedEntry.Person?
    var links = AtomLinks()
    for child in root.children {
      switch child.name {
      case "title" where isOurs(child): document.title = document.title ?? title(child)
      case "subtitle" where isOurs(child), "tagline" where isOurs(child): document.summary = title(child)
      case "author" where isOurs(child): author = author ?? Self.person(child, limits)
      case "link" where isOurs(child): links.add(child, url)
      default: break
      }
    }
    document.site = links.page
    document.next = links.next
    document.language = root.node.attributes.first { $0.name == "lang" }.map { String($0.value.string.prefix(40)) }
    for child in root.children where child.name == "entry" && isOurs(child) {
      guard document.entries.count < limits.entries else {
        document.isTruncated = true
        break
      }
      if document.entries.count % 64 == 0 { try checkCancelled() }
      document.entries.append(entry(child, feedAuthor: author))
    }
    return document
  }

  private func entry(_ node: FeedNode, feedAuthor: FeedEntry.Person?) -> FeedEntry {
    var parts = EntryParts(limits: limits)
    parts.base = node.base ?? url
    var links = AtomLinks()
    var source: FeedEntry.Person?
    for child in node.children {
      switch (child.vocabulary, child.name) {
      case (.media, "group"): readMedia(child, into: &parts)
      case (.media, "content"): addMedia(child, to: &parts)
      case (.thread, "total"): parts.commentsCount = child.text.flatMap { Int($0) }
      case (.dublinCore, "creator"):
        parts.setAuthor(child.text.flatMap { FeedPeople.person($0, limit: limits.words) })
      case (.dublinCore, "subject"): parts.addCategory(child.text)
      case (.dublinCore, "date"): parts.publishedDates += [child.text].compactMap(\.self)
      case _ where !isOurs(child): parts.substitutes.add(child)
      case (_, "id"): parts.id = child.text.flatMap { FeedText.line($0, limit: limits.words) }
      case (_, "title"): parts.title = parts.title ?? title(child)
      case (_, "content"):
        if let html = html(child) {
          parts.content = html
          // The content's own base, which defaults to the entry's.
          parts.base = child.base ?? parts.base
        }
      case (_, "summary"): parts.summary = html(child)
      case (_, "published"), (_, "issued"), (_, "created"): parts.publishedDates += [child.text].compactMap(\.self)
      case (_, "updated"), (_, "modified"): parts.updatedDates += [child.text].compactMap(\.self)
      case (_, "author"): parts.setAuthor(Self.person(child, limits))
      case (_, "source"):
        source = child.children.first { $0.name == "author" }.flatMap { Self.person($0, limits) }
      case (_, "category"): parts.addCategory(child.attribute("label") ?? child.attribute("term") ?? child.text)
      case (_, "link"):
        links.add(child, url)
        if child.attribute("rel")?.lowercased() == "enclosure" { addMedia(child, to: &parts) }
        if child.attribute("rel")?.lowercased() == "replies", let count = child.attribute("count").flatMap({ Int($0) })
        {
          parts.commentsCount = count
        }
      default: break
      }
    }
    parts.link = links.page
    parts.setAuthor(source ?? feedAuthor)
    // An entry with only a date of change counts as published at that date.
    if parts.publishedDates.isEmpty { parts.publishedDates = parts.updatedDates }
    return parts.entry()
  }

  /// The elements of video sites that replace content.
  private func readMedia(_ group: FeedNode, into parts: inout EntryParts) {
    for child in group.children where child.vocabulary == .media {
      switch child.name {
      case "description": parts.summary = parts.summary ?? child.text.map { FeedText.html(ofPlain: $0) }
      case "content": addMedia(child, to: &parts)
      default: parts.substitutes.add(child)
      }
    }
  }

  private func addMedia(_ node: FeedNode, to parts: inout EntryParts) {
    parts.addEnclosure(
      (node.attribute("url") ?? node.attribute("href")).flatMap { FeedLink.page($0, base: node.base ?? url) },
      type: node.attribute("type"), size: node.attribute("length") ?? node.attribute("fileSize"),
      title: node.attribute("title"), duration: node.attribute("duration"))
  }

  private func title(_ node: FeedNode) -> String? {
    switch TextKind(node) {
    case .elements: FeedText.line(FlatMarkup.shown(node.node), limit: limits.title)
    case .html: node.text.flatMap { FeedTitle.plain($0, isHTML: true, limit: limits.title) }
    case .plain: node.text.flatMap { FeedText.line($0, limit: limits.title) }
    case .base64: decoded(node).flatMap { FeedTitle.plain($0, isHTML: nil, limit: limits.title) }
    case .file: embedded(node).flatMap { FeedTitle.plain($0, isHTML: true, limit: limits.title) }
    }
  }

  private func html(_ node: FeedNode) -> String? {
    switch TextKind(node) {
    case .elements: FeedMarkup.html(in: node, limit: limits.body)
    case .html: node.text
    // `type="text"` is the default, and often wrong: tags decide.
    case .plain: node.text.map { FeedText.looksLikeHTML($0) ? $0 : FeedText.html(ofPlain: $0) }
    case .base64: decoded(node).map { FeedText.looksLikeHTML($0) ? $0 : FeedText.html(ofPlain: $0) }
    case .file: embedded(node)
    }
  }

  /// Content of another type is base64 (RFC 4287, 4.1.3.3), and used if it is text.
  private func embedded(_ node: FeedNode) -> String? {
    guard node.attribute("src") == nil, let data = data(node),
      let text = String(bytes: data, encoding: .utf8),
      !text.utf8.contains(where: { $0 < 0x20 && !(9...13).contains($0) })
    else { return nil }
    return FeedText.looksLikeHTML(text) ? text : FeedText.html(ofPlain: text)
  }

  private func decoded(_ node: FeedNode) -> String? {
    data(node).map { TextDecoding($0).text }
  }

  private func data(_ node: FeedNode) -> Data? {
    Data(base64Encoded: Data(node.node.content.utf8), options: .ignoreUnknownCharacters)
  }

  static func person(_ node: FeedNode, _ limits: FeedLimits) -> FeedEntry.Person? {
    var (name, address): (String?, String?)
    for child in node.children {
      switch child.name {
      case "name": name = child.text
      case "email": address = child.text
      default: break
      }
    }
    if name == nil, address == nil, !node.hasElements {
      return node.text.flatMap { FeedPeople.person($0, limit: limits.words) }
    }
    return FeedPeople.person(name: name, address: address, limit: limits.words)
  }

  /// Whether an element is Atom's, in the namespace of the feed or in none: other prefixes are ignored.
  private func isOurs(_ node: FeedNode) -> Bool {
    node.vocabulary == .atom || node.vocabulary == root.vocabulary || node.vocabulary == .plain
  }
}

/// The form of an element's text (RFC 4287, 3.1.1 and 4.1.3.3; Atom 0.3 has `mode`).
private enum TextKind {
  case plain, html, elements, base64
  /// Content in an external file, or of a type that is no text.
  case file

  init(_ node: FeedNode) {
    let type = node.attribute("type")?.lowercased() ?? ""
    switch node.attribute("mode")?.lowercased() {
    case "base64"?: self = .base64
    case "escaped"?: self = .html
    case "xml"?: self = node.hasElements ? .elements : .plain
    default:
      if type == "xhtml" || type.hasSuffix("+xml") || type.hasSuffix("/xml") || (type != "html" && node.hasElements) {
        self = .elements
      } else if type == "html" || type == "text/html" {
        self = .html
      } else if type.isEmpty || type.hasPrefix("text") {
        self = .plain
      } else {
        self = .file
      }
    }
  }
}

/// The links of a feed or an entry.
private struct AtomLinks {
  private(set) var next: String?
  private var alternate: (link: String, isHTML: Bool)?

  /// The page for people.
  var page: String? { alternate?.link }

  /// Keeps the first link to a page, else the first web link.
  mutating func add(_ node: FeedNode, _ url: WebReference?) {
    guard let link = node.attribute("href").flatMap({ FeedLink.page($0, base: node.base ?? url) }) else { return }
    switch node.attribute("rel")?.lowercased() {
    case "next": next = next ?? link
    case nil, "alternate", "http://www.iana.org/assignments/relation/alternate":
      let type = node.attribute("type")?.lowercased()
      let isHTML = type == nil || type == "text/html" || type == "application/xhtml+xml"
      if alternate == nil || (isHTML && alternate?.isHTML == false) { alternate = (link, isHTML) }
    default: break
    }
  }
}
