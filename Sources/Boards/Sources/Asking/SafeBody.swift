import Markup

extension FetchedPost.Body {
  /// A body from a service's HTML. Call it on a thread of its own: hostile HTML takes long.
  static func safe(
    _ html: String, base: String?, isWhole: Bool = true, checkCancelled: () throws -> Void
  ) throws -> FetchedPost.Body {
    let clean = try SafeHTML.clean(html, base: base, checkCancelled: checkCancelled)
    return FetchedPost.Body(
      html: clean.html, text: clean.text, images: clean.images, isWhole: isWhole && !clean.isTruncated,
      isCut: isWhole && clean.isTruncated)
  }
}

/// URLs of a service.
enum ServiceURL {
  /// A base URL from the user, without trailing slashes, query and fragment.
  static func base(_ url: String) -> String {
    var base = String(url.prefix { $0 != "?" && $0 != "#" })
    while base.hasSuffix("/") { base.removeLast() }
    return base
  }
}
