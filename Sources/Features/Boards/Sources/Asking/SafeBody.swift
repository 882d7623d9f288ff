import Markup

extension FetchedPost.Body {
  /// A body from a service's HTML. Call it on a thread of its own: a hostile one takes its time.
  static func safe(
    _ html: String, base: String?, isWhole: Bool = true, checkCancelled: () throws -> Void
  ) throws -> FetchedPost.Body {
    let clean = try SafeHTML.clean(html, base: base, checkCancelled: checkCancelled)
    return FetchedPost.Body(
      html: clean.html, text: clean.text, images: clean.images, isWhole: isWhole && !clean.isTruncated)
  }
}

/// URLs of a service.
enum ServiceURL {
  /// A base as a reader gives it, without slashes at its end, query and fragment.
  static func base(_ url: String) -> String {
    var base = String(url.prefix { $0 != "?" && $0 != "#" })
    while base.hasSuffix("/") { base.removeLast() }
    return base
  }

  /// A value of a query, or a part of a path.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
