/// Sanitizes untrusted HTML: allowed elements and attributes are written anew, and nothing else passes.
///
/// There is no `style`, `class`, `id`, form, drawing, script or event handler. Every link is an absolute http, https or
/// mailto URL. Showing it loads nothing: a picture becomes `<img data-source="…" alt="…">` without `src`, which
/// `fill(_:with:)` replaces by a local file. Videos and frames become links.
package enum SafeHTML {
  package struct Cleaned: Sendable, Equatable {
    /// Balanced, in UTF-8, with allowed elements only.
    package var html: String
    /// The same as plain text: paragraphs, lists, quotes, preformatted lines, and the addresses of links.
    package var text: String
    /// The URLs of its pictures in order, without duplicates.
    package var images: [String]
    /// Whether it was cut off at a limit of size or depth.
    package var isTruncated: Bool
  }

  /// - Parameters:
  ///   - base: the base URL of links; relative links without a base are removed.
  ///   - checkCancelled: called regularly; throws to stop.
  /// - Throws: `MarkupFailure`, and what `checkCancelled` throws.
  package static func clean(
    _ html: String, base: String?, limits: MarkupLimits = .body, checkCancelled: () throws -> Void = {}
  ) throws -> Cleaned {
    let document = try HTMLDocument(
      Array(html.utf8).filter { $0 != 0 }, limits: limits, checkCancelled: checkCancelled)
    return try withoutActuallyEscaping(checkCancelled) { check in
      var writer = SafeHTMLWriter(
        tree: document.tree, base: base.flatMap { WebReference(base: $0) }, limit: limits.bytes, checkCancelled: check)
      try writer.run()
      return Cleaned(
        html: writer.html.text, text: writer.plain.finished(), images: writer.images,
        isTruncated: document.isTruncated || writer.isCut)
    }
  }

  /// Inserts local pictures: `address` returns the local `src` for a `data-source`, or nil if there is none yet.
  /// Accepts only the output of `clean`.
  package static func fill(_ html: String, with address: (String) -> String?) -> String {
    let mark = "<img data-source=\""
    var result = ""
    var rest = html[...]
    while let start = rest.firstRange(of: mark) {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      let end = rest.firstIndex(of: "\"") ?? rest.endIndex
      let source = String(rest[..<end])
      // The only character of an absolute link that is written as an entity.
      let url = source.replacing("&amp;", with: "&")
      if let path = address(url) { result += "<img src=\"\(FeedText.escaped(path))\" " } else { result += "<img " }
      result += "data-source=\"\(source)"
      rest = rest[end...]
    }
    return result + rest
  }
}

/// HTML as plain text, for fields without any HTML: titles, descriptions.
package enum PlainText {
  /// - Throws: `MarkupFailure`.
  package static func of(html: String, base: String? = nil) throws -> String {
    try SafeHTML.clean(html, base: base).text
  }
}
