import FoundationEssentials

/// Parses a feed of any format, which is detected by content, never by media type.
package enum FeedParser {
  /// - Parameters:
  ///   - contentType: the raw header, used only for the encoding.
  ///   - url: the URL of the document, after redirects; links are relative to it.
  ///   - checkCancelled: called regularly; throws to stop. Feeds take milliseconds, malicious ones seconds: parse on a
  ///     thread of its own.
  /// - Throws: `FeedFailure`, `MarkupFailure`, and what `checkCancelled` throws.
  package static func parse(
    _ data: Data, contentType: String?, url: String, limits: FeedLimits = FeedLimits(),
    checkCancelled: () throws -> Void = {}
  ) throws -> FeedDocument {
    guard data.count <= limits.markup.bytes else { throw MarkupFailure.tooLarge(limit: limits.markup.bytes) }
    let text = TextDecoding(data, contentType: contentType)
    let base = WebReference(base: url)
    return try withoutActuallyEscaping(checkCancelled) { check in
      var document: FeedDocument
      switch text.bytes.first(where: { $0 > 0x20 }) {
      case nil: throw FeedFailure.empty
      case UInt8(ascii: "{"):
        document = try JSONFeedReader(limits: limits, url: base, checkCancelled: check).document(text.bytes)
      default:
        document = try parseXML(text, limits, base, check)
      }
      document.entries = FeedIdentity.unique(document.entries)
      return document
    }
  }

  private static func parseXML(
    _ text: TextDecoding, _ limits: FeedLimits, _ url: WebReference?, _ checkCancelled: @escaping () throws -> Void
  ) throws -> FeedDocument {
    // A cut-off entry is dropped: it would replace the complete one, or get another id.
    let xml = try XMLDocument(
      text, limits: limits.markup, dropping: ["item", "entry"], checkCancelled: checkCancelled)
    guard let root = xml.root else {
      throw text.bytes.contains(UInt8(ascii: "<")) ? FeedFailure.empty : FeedFailure.notAFeed(isPage: false)
    }
    guard let feed = feed(in: root) else {
      throw FeedFailure.notAFeed(isPage: isPage(root, text))
    }
    var document: FeedDocument
    switch feed.name {
    case "feed":
      document = try AtomReader(root: feed, limits: limits, url: url, checkCancelled: checkCancelled).document()
    default:
      document = try RSSReader(root: feed, limits: limits, url: url, checkCancelled: checkCancelled).document()
    }
    document.isComplete = xml.isComplete || feed.name == "rss" && endsItsChannel(text.bytes)
    document.isTruncated = document.isTruncated || xml.isTruncated
    return document
  }

  /// Whether the channel of an RSS document is closed at its end. A missing or incomplete `</rss>` after it, which
  /// careless programs omit, loses no entry.
  private static func endsItsChannel(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    var end = bytes[...]
    func trim() { while let last = end.last, last <= 0x20 { end.removeLast() } }
    trim()
    let rest = Array("</rss>".utf8)
    if let length = (1...rest.count).last(where: { end.suffix($0).elementsEqual(rest.prefix($0)) }) {
      end.removeLast(length)
      trim()
    }
    return end.suffix("</channel>".utf8.count).elementsEqual("</channel>".utf8)
  }

  /// Whether it is a web page, which need not have an `html` element.
  private static func isPage(_ root: MarkupNode, _ text: TextDecoding) -> Bool {
    let name = root.name.string.lowercased()
    if ["html", "head", "body", "link", "meta", "title", "script", "style"].contains(name) { return true }
    let start = String(decoding: text.bytes.prefix(1 << 10), as: UTF8.self).lowercased()
    return start.contains("<!doctype html")
  }

  /// The feed's own element: the root, or one near the top of a document that wraps it.
  private static func feed(in root: MarkupNode) -> FeedNode? {
    let outermost = FeedNode(root, base: nil)
    if isFeed(outermost) { return outermost }
    for child in outermost.children.prefix(20) {
      if isFeed(child) { return child }
      if let inner = child.children.prefix(20).first(where: { isFeed($0) }) { return inner }
    }
    return nil
  }

  private static func isFeed(_ node: FeedNode) -> Bool {
    switch node.name {
    case "rss", "feed": true
    // The root of RSS 0.90 and 1.0, and a channel without a root.
    case "rdf": node.children.contains { $0.name == "channel" || $0.name == "item" }
    case "channel": node.children.contains { $0.name == "item" || $0.name == "title" }
    default: false
    }
  }
}
