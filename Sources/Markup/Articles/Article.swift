import Contract
import FoundationEssentials

/// The article of a web page, without the page's navigation, advertisements, and lists of other pages.
package struct Article: Sendable, Equatable {
  /// On one line, without the site's name; nil if the page has none.
  package var title: String?
  /// The author's name.
  package var writer: String?
  /// The name of the site, as the page states it.
  package var site: String?
  /// When it was published, as the page states it.
  package var publishedAt: Instant?
  /// The URL that the page calls its own, if that is on the page's own host.
  package var canonicalURL: String?
  /// Safe, and as plain text; see ``SafeHTML``.
  package var body: SafeHTML.Cleaned

  /// Extracts the article. Call it on a thread of its own: a hostile page takes long.
  ///
  /// - Parameters:
  ///   - url: the page's URL after redirects: the base of its links.
  ///   - selector: the elements that contain the article, in place of a guess.
  /// - Returns: the article; without a text if the page has none, or no element that the selector matches.
  /// - Throws: `MarkupFailure`, and what `checkCancelled` throws.
  package static func extract(
    from data: Data, contentType: String?, url: String, selector: ElementSelector? = nil,
    limits: MarkupLimits = .page, checkCancelled: () throws -> Void = {}
  ) throws -> Article {
    let source = TextDecoding(data, contentType: contentType).bytes
    let document = try HTMLDocument(source, limits: limits, checkCancelled: checkCancelled)
    let page = ArticlePage(document.tree)
    try checkCancelled()
    let names = ArticleNames.all(in: page)
    let metadata = ArticleMetadata(page, names, url: url)
    let content: ArticleContent
    if let selector {
      content = ArticleContent(roots: selector.matches(in: page))
    } else {
      content = ArticleContent(of: page, names, title: metadata.title)
    }
    let body = try withoutActuallyEscaping(checkCancelled) { check in
      var writer = SafeHTMLWriter(
        tree: document.tree, base: metadata.base, limit: MarkupLimits.body.bytes, checkCancelled: check)
      for root in content.roots { try writer.run(over: root..<page.end(of: root), without: content.left) }
      return SafeHTML.Cleaned(
        html: writer.html.text, text: writer.plain.finished(), images: writer.images,
        isTruncated: document.isTruncated || writer.isCut)
    }
    return Article(
      title: metadata.title, writer: metadata.writer, site: metadata.site, publishedAt: metadata.publishedAt,
      canonicalURL: metadata.canonicalURL, body: body)
  }
}

extension MarkupLimits {
  /// For a web page of which a part is stored.
  package static let page = MarkupLimits(bytes: 8 << 20, nodes: 300_000, depth: 200)
}
