/// Writes the allowed parts of a page, and its plain text.
struct SafeHTMLWriter {
  private let tree: MarkupTree
  private let base: WebReference?
  private let limit: Int
  private let checkCancelled: () throws -> Void
  private(set) var html = HTMLText()
  private(set) var plain = PlainTextWriter()
  private(set) var images: [String] = []
  /// Whether the limit cut off the output.
  private(set) var isCut = false
  private var knownImages: Set<String> = []

  /// An open element, with the index of the node after it.
  private struct Open {
    var end: Int
    /// The written element; nil if only its contents are written.
    var name: String?
    var source: String
    var link: String?
  }
  private var open: [Open] = []

  /// The maximal number of pictures.
  private static let imageLimit = 1000

  /// `limit` is in bytes of output, since resolving links may multiply the size.
  init(tree: MarkupTree, base: WebReference?, limit: Int, checkCancelled: @escaping () throws -> Void) {
    self.tree = tree
    self.base = base
    self.limit = limit
    self.checkCancelled = checkCancelled
  }

  mutating func run() throws { try run(over: 0..<tree.count, without: []) }

  /// Writes some of the nodes. Call it for ranges in ascending order, each of whole elements.
  ///
  /// - Parameter left: the elements that are not written, with all that they contain.
  mutating func run(over nodes: Range<Int>, without left: Set<Int>) throws {
    var index = nodes.lowerBound
    while index < nodes.upperBound {
      close(upTo: index)
      if !left.isEmpty, left.contains(index) {
        index = tree[index].end
        continue
      }
      if index % 4096 == 0 { try checkCancelled() }
      guard html.count < limit, plain.count < limit else {
        isCut = true
        break
      }
      let node = tree[index]
      index = node.isElement ? begin(node) : write(node)
    }
    close(upTo: .max)
  }

  /// Writes a text; returns the index of the next node.
  private mutating func write(_ node: MarkupNode) -> Int {
    if let repaired = Windows1252.repaired(node.text.bytes) {
      writeLine(repaired)
    } else {
      html.write(node.text.bytes)
      plain.write(node.text.bytes)
    }
    return node.end
  }

  private mutating func writeLine(_ text: String) {
    html.write(text)
    plain.write(text)
  }

  /// Begins an element; returns the index of the next node, which is after the element if it is dropped.
  private mutating func begin(_ node: MarkupNode) -> Int {
    let name = node.name.string
    switch HTMLElements.treatment(name) {
    case .drop: return HTMLElements.hasNoEnd(name) ? node.index + 1 : node.end
    case .picture:
      writePicture(node)
      return node.index + 1
    case .frame:
      if !writeFrame(node), name == "video" || name == "audio" {
        // For a video without a link, the page's fallback content is written.
        push(node, name, written: nil)
        return node.index + 1
      }
      return HTMLElements.hasNoEnd(name) ? node.index + 1 : node.end
    case .math:
      writeLine(FlatMarkup.math(node))
      return node.end
    case .drawing:
      writeLine(FlatMarkup.drawing(node))
      return node.end
    case .unwrap: push(node, name, written: nil)
    case .block:
      html.begin("div")
      html.endOfTag()
      push(node, name, written: "div")
    case .keep: keep(node, name)
    }
    return node.index + 1
  }

  private mutating func keep(_ node: MarkupNode, _ name: String) {
    let link = name == "a" ? node.attribute("href").flatMap { safeLink($0) } : nil
    // An anchor without a link is useless without its name, and anchors cannot be nested.
    guard name != "a" || (link != nil && !open.contains { $0.link != nil }) else {
      return push(node, name, written: nil)
    }
    html.begin(name)
    if let link {
      html.attribute("href", link)
      // The linked page gets no referrer and no access to the window.
      html.attribute("rel", "noopener noreferrer nofollow")
    }
    for attribute in node.attributes {
      let key = attribute.name.string
      guard HTMLElements.keeps(key, on: name) else { continue }
      let value = Windows1252.repaired(attribute.value.string)
      if HTMLElements.isGood(value, of: key) { html.attribute(key, value) }
    }
    html.endOfTag()
    if HTMLElements.isVoid(name) {
      plain.void(name)
    } else {
      push(node, name, written: name, link: link)
    }
  }

  private mutating func push(_ node: MarkupNode, _ name: String, written: String?, link: String? = nil) {
    let value = name == "ol" ? node.attribute("start") : name == "li" ? node.attribute("value") : nil
    plain.begin(name, number: value.flatMap { Int($0) })
    open.append(Open(end: node.end, name: written, source: name, link: link))
  }

  private mutating func close(upTo index: Int) {
    while let last = open.last, last.end <= index {
      open.removeLast()
      if let name = last.name { html.end(name) }
      plain.end(last.source, link: last.link)
    }
  }

  // MARK: Content that is not loaded

  private mutating func writePicture(_ node: MarkupNode) {
    let alternative = node.attribute("alt").flatMap { FeedText.line(Windows1252.repaired($0), limit: 1000) } ?? ""
    guard !isBeacon(node), images.count < Self.imageLimit, let source = pictureSource(node) else {
      writeLine(alternative)
      return
    }
    html.begin("img")
    html.attribute("data-source", source)
    html.attribute("alt", alternative)
    for name in ["width", "height"] {
      let value = node.attributes.first { $0.name.string == name }?.value.string
      if let value, let number = Int(value), (1...20_000).contains(number) { html.attribute(name, String(number)) }
    }
    html.endOfTag()
    plain.picture(alternative)
    if knownImages.insert(source).inserted { images.append(source) }
  }

  /// The URL of a picture, also on pages that load it by a script.
  private func pictureSource(_ node: MarkupNode) -> String? {
    var candidates = ["data-source", "data-src", "data-original", "data-lazy-src", "src"].compactMap { name in
      node.attributes.first { $0.name.string == name }?.value.string
    }
    if let set = node.attribute("srcset")?.split(whereSeparator: \.isWhitespace).first {
      candidates.append(String(set))
    }
    return candidates.lazy.compactMap { safeLink($0) }.first { !$0.hasPrefix("mailto:") }
  }

  /// A tracking pixel: it shows nothing and reports that the page was opened.
  private func isBeacon(_ node: MarkupNode) -> Bool {
    let sizes = [node.attribute("width"), node.attribute("height")].compactMap(\.self)
    return !sizes.isEmpty && sizes.allSatisfy { ["0", "1", "0px", "1px"].contains($0) }
  }

  /// Writes a link to embedded content; returns false if its URL is unknown.
  private mutating func writeFrame(_ node: MarkupNode) -> Bool {
    var source = node.attribute("src").flatMap { safeLink($0) }
    var index = node.index + 1
    while source == nil, index < node.end {
      let inner = tree[index]
      if inner.isElement, inner.name == "source" { source = inner.attribute("src").flatMap { safeLink($0) } }
      index += 1
    }
    guard let source else { return false }
    let title = node.attribute("title").flatMap { FeedText.line(Windows1252.repaired($0), limit: 1000) } ?? source
    let isInLink = open.contains { $0.link != nil }
    html.write(" ")
    if !isInLink {
      html.begin("a")
      html.attribute("href", source)
      html.attribute("rel", "noopener noreferrer nofollow")
      html.endOfTag()
    }
    html.write(title)
    if !isInLink { html.end("a") }
    html.write(" ")
    plain.frame(title, link: isInLink ? nil : source)
    return true
  }

  /// An absolute http, https or mailto link; nil for anything else.
  private func safeLink(_ text: String) -> String? {
    guard let link = WebReference.absolute(text, base: base) else { return nil }
    let start = link.prefix(8).lowercased()
    guard start.hasPrefix("http://") || start.hasPrefix("https://") else {
      return start.hasPrefix("mailto:") ? link : nil
    }
    return link
  }
}

extension HTMLText {
  fileprivate mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }
}

extension PlainTextWriter {
  fileprivate mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }
}
