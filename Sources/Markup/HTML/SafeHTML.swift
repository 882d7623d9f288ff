/// A stranger's HTML made safe to be shown: what is on a list of allowed elements and attributes is written anew, and
/// nothing else ever comes through.
///
/// No `style`, `class`, `id`, form, drawing, script or event. Every link is http, https or mailto and complete. Nothing is
/// loaded when it is shown: a picture becomes `<img data-source="…" alt="…">`, whose address is no `src`;
/// `fill(_:with:)` puts files on this machine in its place. Films and frames become links.
package enum SafeHTML {
  package struct Cleaned: Sendable, Equatable {
    /// Balanced, in UTF-8; only what is named above.
    package var html: String
    /// The same as plain text: paragraphs, lists, quotes, preformatted lines, and where the links lead.
    package var text: String
    /// The addresses of its pictures in their order, each once.
    package var images: [String]
    /// Whether it was too large or too deep to be read to its end.
    package var isTruncated: Bool
  }

  /// - Parameters:
  ///   - base: what links are relative to; links that are not complete and have no base are left out.
  ///   - checkCancelled: called now and then, throws when nobody wants the rest.
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

  /// Puts pictures in: `address` gives for a `data-source` the `src` that is on this machine, or nil while it is not
  /// there. Takes only what `clean` has written.
  package static func fill(_ html: String, with address: (String) -> String?) -> String {
    let mark = "<img data-source=\""
    var result = ""
    var rest = html[...]
    while let start = rest.firstRange(of: mark) {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      let end = rest.firstIndex(of: "\"") ?? rest.endIndex
      let source = String(rest[..<end])
      // The only character of a complete link that was written as an entity.
      let url = source.replacing("&amp;", with: "&")
      if let path = address(url) { result += "<img src=\"\(FeedText.escaped(path))\" " } else { result += "<img " }
      result += "data-source=\"\(source)"
      rest = rest[end...]
    }
    return result + rest
  }
}

/// HTML as plain text, where no HTML is wanted at all: titles, descriptions.
package enum PlainText {
  package static func of(html: String, base: String? = nil) throws -> String {
    try SafeHTML.clean(html, base: base).text
  }
}
