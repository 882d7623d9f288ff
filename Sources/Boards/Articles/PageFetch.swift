import Contract
import FoundationEssentials
import HTTP
import Kit
import Markup
import Wire

/// The article of a page, as it is stored.
struct FetchedPage: Sendable {
  /// The URL under which it is stored: the page's own, if that is on the same host, else that after redirects.
  var url: String
  var article: Article

  /// As the content of a post.
  ///
  /// - Parameter title: in place of the page's own.
  func post(title: String? = nil) -> FetchedPost {
    var post = FetchedPost(id: url)
    post.link = url
    post.title = title ?? article.title ?? url
    post.writer = article.writer.map { FetchedPost.Writer(name: $0) }
    post.publishedAt = article.publishedAt
    let body = article.body
    if !body.text.isEmpty {
      post.body = FetchedPost.Body(
        html: body.html, text: body.text, images: body.images, isWhole: !body.isTruncated, isCut: body.isTruncated)
      post.hasInlineImage = !body.images.isEmpty
    }
    return post
  }
}

/// Fetches a page and extracts its article.
struct PageFetch: Sendable {
  let url: String
  var selector: ElementSelector?
  /// Whether the URL is from a feed, and not from the user: then it reaches public addresses only.
  var isNamedByContent = false
  var urgency = RequestPriority.Urgency.interactive

  /// A larger page is refused. The article in it is far smaller.
  static let limit = 8 << 20

  private static let accept = "text/html, application/xhtml+xml;q=0.9, text/plain;q=0.5, */*;q=0.1"

  /// - Throws: `RPCError`: those of the network; `badResponse` for a response that is no page.
  func page(with services: Services) async throws -> FetchedPage {
    let host = Origin(url)?.description ?? url
    let request = HTTPRequest(
      url: url, headers: ["Accept": Self.accept], limit: Self.limit,
      budget: RequestBudget(service: "page \(host)", tokens: 30, refill: .milliseconds(200), atOnce: 2),
      urgency: urgency, isNamedByContent: isNamedByContent)
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await services.http.get(request)
      try response.requireSuccess()
    } catch {
      if case .cancelled = error { throw CancellationError() }
      throw RPCError(error)
    }
    let final = response.finalURL.text
    let type = response.headers["Content-Type"]
    try Self.requirePage(response.body, type, of: response.finalURL.masked)
    return try await Self.page(response.body, contentType: type, url: final, selector: selector, given: url)
  }

  /// The article in the HTML of a page.
  ///
  /// - Parameters:
  ///   - url: the base of its links.
  ///   - given: the URL under which it is stored if its own may not be stored.
  static func page(
    _ html: Data, contentType: String?, url: String, selector: ElementSelector? = nil, given: String
  ) async throws -> FetchedPage {
    try await onThread { check in
      let article = try Article.extract(
        from: html, contentType: contentType, url: url, selector: selector, checkCancelled: check)
      let place = [article.canonicalURL, url].compactMap(\.self).lazy.compactMap(storable).first ?? given
      return FetchedPage(url: place, article: article)
    }
  }

  /// Without a fragment; nil for one with a secret in it, which the server issued for this request.
  private static func storable(_ url: String) -> String? {
    guard let text = (try? WebURL(url))?.text, sameBytes(WebURL.masked(text), text) else { return nil }
    return text
  }

  /// Refuses what is certainly no page, such as a PDF or a picture, whatever the server calls it.
  private static func requirePage(_ body: Data, _ type: String?, of url: String) throws(RPCError) {
    let bare = type.map { $0.prefix { $0 != ";" }.lowercased().filter { $0 > " " } } ?? "text/html"
    if bare == "application/pdf" || body.starts(with: "%PDF-".utf8) {
      throw RPCError(.badResponse, text: Text("boards.pageIsPDF", ["url": url]))
    }
    let isText = bare.hasPrefix("text/") || bare.hasSuffix("xml") || bare == "application/octet-stream"
    guard isText, !body.prefix(1_000).contains(0) else {
      throw RPCError(.badResponse, text: Text("boards.notPage", ["url": url, "type": bare]))
    }
  }
}
