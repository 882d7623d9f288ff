import FoundationEssentials

/// Reads and writes OPML (opml.org/spec2.opml).
package enum OPML {
  private static let words = 2000
  /// The namespace of attributes for which OPML has no word, and the prefix under which we write it.
  private static let (namespace, prefix) = ("urn:commonplace:subscriptions", "commonplace")
  /// The names of these attributes.
  private static let extensions = ["keepDays", "keepPosts", "every", "quiet", "items", "wholeText", "selector"]
  /// The namespace of FreshRSS, in which it states the article of a feed's pages.
  private static let freshRSS = "https://freshrss.org/opml"
  /// The prefixes under which we write other namespaces; further ones get a number.
  private static let prefixes = [
    namespace: prefix, freshRSS: "frss", "http://www.w3.org/XML/1998/namespace": "xml",
  ]
  /// The attributes of OPML that are read, in lower case.
  private static let known: Set = ["text", "title", "type", "xmlurl", "url", "htmlurl", "description"]
  /// The maximal number of feeds in a file.
  package static let limit = 20_000

  /// Reads a file, even if malformed. A feed in several folders is returned once per folder.
  ///
  /// - Throws: `OutlineFailure`, `MarkupFailure`, and what `checkCancelled` throws.
  package static func read(_ data: Data, checkCancelled: () throws -> Void = {}) throws -> OutlineDocument {
    let xml = try XMLDocument(TextDecoding(data), limits: MarkupLimits(), checkCancelled: checkCancelled)
    guard let root = xml.root, root.name.string.lowercased() == "opml" else { throw OutlineFailure.notAnOutline }
    var document = OutlineDocument(feeds: [])
    document.isComplete = xml.isComplete && !xml.isTruncated
    for part in root.children where part.isElement {
      switch part.name.string.lowercased() {
      case "head":
        document.title = part.children.first { $0.isElement && $0.name == "title" }.flatMap { line($0.content) }
      // Some files have outlines without a body around them.
      case "body": for outline in part.children { read(outline, in: [], into: &document) }
      default: read(part, in: [], into: &document)
      }
    }
    return document
  }

  private static func read(_ node: MarkupNode, in folders: [String], into document: inout OutlineDocument) {
    guard node.isElement, node.name.string.lowercased() == "outline" else { return }
    var attributes: [String: String] = [:]
    for attribute in node.attributes { attributes[attribute.name.string.lowercased()] = attribute.value.string }
    // A file whose namespace declaration was lost has them with their prefix.
    var ours: [String: String] = [:]
    for name in extensions {
      ours[name] = attributes[name.lowercased()] ?? attributes["\(prefix):\(name.lowercased())"]
    }
    // The part of its pages that FreshRSS takes for the article.
    if let article = (attributes["cssfullcontent"] ?? attributes["frss:cssfullcontent"]).flatMap(line) {
      ours["selector"] = ours["selector"] ?? article
      ours["wholeText"] = ours["wholeText"] ?? "always"
    }
    let title = line(attributes["title"] ?? "") ?? line(attributes["text"] ?? "")
    var inner = folders
    if let written = line(attributes["xmlurl"] ?? attributes["url"] ?? ""), attributes["type"]?.lowercased() != "link" {
      let address = whole(written)
      if let page = FeedLink.page(address, base: nil), document.feeds.count < limit {
        // Folders are what a feed is sorted by if a file has both.
        let categories = folders.isEmpty ? self.categories(attributes["category"] ?? "") : []
        // A feed with a password in its URL is refused with its title later; without the password it would be another
        // feed.
        let url = WebReference.namesUser(address) ? address : page
        document.feeds.append(
          OutlineDocument.Feed(
            url: url, title: title, site: attributes["htmlurl"].flatMap { FeedLink.page($0, base: nil) },
            folders: categories.first ?? folders, otherFolders: Array(categories.dropFirst()),
            type: line(attributes["type"] ?? ""), note: line(attributes["description"] ?? ""), extensions: ours,
            others: others(of: node, hasCategory: !categories.isEmpty)))
      } else {
        document.isComplete = document.isComplete && document.feeds.count < limit
        document.refused.append((title, FeedText.cut(written, limit: words), document.feeds.count))
      }
    } else if attributes["type"]?.lowercased() == "rss", !node.children.contains(where: \.isElement) {
      // A feed without its URL, and no folder.
      document.refused.append((title, "", document.feeds.count))
    } else if let title {
      inner.append(title)
    }
    for child in node.children { read(child, in: inner, into: &document) }
  }

  /// The most folders of one outline by its categories, and the most levels of one.
  private static let (mostCategories, deepestCategory) = (32, 16)

  /// `/Philosophy/Baseball,/Tourism,news`: the folders that the categories of an outline name, outermost first.
  private static func categories(_ text: String) -> [[String]] {
    var categories: [[String]] = []
    for category in text.split(separator: ",").prefix(mostCategories) {
      let folders = category.split(separator: "/").prefix(deepestCategory).compactMap { line(String($0)) }
      if !folders.isEmpty, !categories.contains(folders) { categories.append(folders) }
    }
    return categories
  }

  /// The most attributes of other programs that an outline keeps, and the most bytes of one.
  private static let (mostOthers, longestOther) = (32, 4_096)

  /// The attributes of other programs that a file of ours can state again: none with a secret, as FreshRSS exports the
  /// cookies of a feed.
  private static func others(of node: MarkupNode, hasCategory: Bool) -> [OutlineDocument.Attribute] {
    var others: [OutlineDocument.Attribute] = []
    for attribute in node.attributes {
      let (name, space, value) = (attribute.name.string, attribute.space.string, attribute.value.string)
      let lower = name.lowercased()
      let isRead =
        space == namespace || space == prefix || space.isEmpty && known.contains(lower)
        || extensions.contains { $0.lowercased() == lower } || lower == "cssfullcontent"
        || hasCategory && lower == "category"
      let isSecret =
        ["curlopt", "cookie", "password", "passwd", "secret", "token", "authorization", "apikey", "api_key", "session"]
        .contains(where: lower.contains) || ["auth", "key"].contains(lower)
        || WebReference.namesUser(value)
      let isWritable =
        name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.\-]*/) != nil && value.utf8.count <= longestOther
        && space.utf8.count <= longestOther && others.count < mostOthers
      if isRead || isSecret || !isWritable { continue }
      others.append(.init(name: name, space: space.isEmpty ? nil : space, value: value))
    }
    return others
  }

  /// Some files have `feed://…`, and some omit the scheme.
  private static func whole(_ address: String) -> String {
    let start = address.prefix(7).lowercased()
    if start == "feed://" { return "http://" + address.dropFirst(7) }
    if start.hasPrefix("feed:") { return String(address.dropFirst(5)) }
    return address.wholeMatch(of: /[\w\-]+(\.[\w\-]+)+(:[0-9]+)?([\/?#].*)?/) == nil ? address : "https://" + address
  }

  private static func line(_ text: String) -> String? { FeedText.line(text, limit: words) }

  /// Writes all feeds in their order; a folder is in the place of its first feed, and contains all of its feeds.
  package static func write(_ document: OutlineDocument) -> Data {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\""
    let spaces = Spaces(document.feeds.flatMap { attributes(of: $0) })
    for (space, prefix) in spaces.declared { text += " xmlns:\(prefix)=\"\(XMLText.escaped(space))\"" }
    text += ">\n  <head>"
    if let title = document.title { text += "\n    <title>\(XMLText.escaped(title))</title>\n  " }
    text += "</head>\n  <body>\n"
    write(document.feeds.map { ($0, $0.folders[...]) }, spaces, indent: "    ", into: &text)
    text += "  </body>\n</opml>\n"
    return Data(text.utf8)
  }

  private static func write(
    _ feeds: [(feed: OutlineDocument.Feed, folders: ArraySlice<String>)], _ spaces: Spaces, indent: String,
    into text: inout String
  ) {
    var written: Set<String> = []
    for (feed, folders) in feeds {
      guard let folder = folders.first else {
        text += indent + outline(feed, spaces) + "\n"
        continue
      }
      guard written.insert(folder).inserted else { continue }
      text += "\(indent)<outline text=\"\(XMLText.escaped(folder))\" title=\"\(XMLText.escaped(folder))\">\n"
      let inside = feeds.filter { $0.folders.first == folder }.map { ($0.feed, $0.folders.dropFirst()) }
      write(inside, spaces, indent: indent + "  ", into: &text)
      text += "\(indent)</outline>\n"
    }
  }

  /// The attributes of a feed besides those of OPML. FreshRSS has a word for the article of its pages.
  private static func attributes(of feed: OutlineDocument.Feed) -> [OutlineDocument.Attribute] {
    var attributes = feed.extensions.sorted { $0.key < $1.key }.map { name, value in
      OutlineDocument.Attribute(name: name, space: namespace, value: value)
    }
    if let selector = feed.extensions["selector"], feed.extensions["wholeText"] != nil {
      attributes.append(.init(name: "cssFullContent", space: freshRSS, value: selector))
    }
    return attributes + feed.others
  }

  /// The prefixes of the namespaces in a file.
  private struct Spaces {
    private(set) var declared: [(space: String, prefix: String)] = []
    private var prefixes: [String: String] = [:]

    init(_ attributes: [OutlineDocument.Attribute]) {
      for case let space? in attributes.lazy.map(\.space) where prefixes[space] == nil {
        let prefix = OPML.prefixes[space] ?? "x\(prefixes.count + 1)"
        prefixes[space] = prefix
        if prefix != "xml" { declared.append((space, prefix)) }
      }
    }

    func name(of attribute: OutlineDocument.Attribute) -> String {
      attribute.space.flatMap { prefixes[$0] }.map { "\($0):\(attribute.name)" } ?? attribute.name
    }
  }

  private static func outline(_ feed: OutlineDocument.Feed, _ spaces: Spaces) -> String {
    let title = feed.title ?? feed.url
    var text = "<outline type=\"\(XMLText.escaped(feed.type ?? "rss"))\" text=\"\(XMLText.escaped(title))\""
    if feed.title != nil { text += " title=\"\(XMLText.escaped(title))\"" }
    text += " xmlUrl=\"\(XMLText.escaped(feed.url))\""
    if let site = feed.site { text += " htmlUrl=\"\(XMLText.escaped(site))\"" }
    if let note = feed.note { text += " description=\"\(XMLText.escaped(note))\"" }
    var names: Set<String> = []
    for attribute in attributes(of: feed) {
      let name = spaces.name(of: attribute)
      if names.insert(name).inserted { text += " \(name)=\"\(XMLText.escaped(attribute.value))\"" }
    }
    return text + "/>"
  }
}
