/// The texts of feeds, which are plain text or HTML, and do not always state which.
enum FeedText {
  /// Without surrounding white space; nil if nothing is left.
  static func trimmed(_ text: some StringProtocol) -> String? {
    var bytes = Substring(text).utf8
    while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
    return bytes.isEmpty ? nil : String(Substring(bytes))
  }

  /// On one line of at most `limit` bytes.
  static func line(_ text: String, limit: Int) -> String? {
    if isLine(text) { return cut(text, limit: limit) }
    let line = text.split { $0.isWhitespace }.joined(separator: " ")
    return line.isEmpty ? nil : cut(line, limit: limit)
  }

  /// Whether it certainly is one line without changes: ASCII with single spaces between words.
  private static func isLine(_ text: String) -> Bool {
    var isBlank = true
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7f, !(isBlank && byte == 0x20) else { return false }
      isBlank = byte == 0x20
    }
    return !isBlank
  }

  /// At most `limit` bytes, cut at a character boundary, with an ellipsis if it was cut.
  static func cut(_ text: String, limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "…"
  }

  /// Whether it contains a tag or an entity, so that it is HTML: `1 < 2` is not.
  static func looksLikeHTML(_ text: String) -> Bool {
    var bytes = Substring(text).utf8
    while let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
      let isTag = bytes[mark] == UInt8(ascii: "<")
      bytes = bytes[mark...].dropFirst()
      if isTag {
        let name = bytes.first == UInt8(ascii: "/") ? bytes.dropFirst() : bytes
        guard let first = name.first, isLetter(first),
          let end = name.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
        else { continue }
        if name[end] == UInt8(ascii: ">") { return true }
        bytes = name[end...]
      } else {
        let name = bytes.prefix(10).prefix { isLetter($0) || $0 == UInt8(ascii: "#") || ($0 >= 0x30 && $0 <= 0x39) }
        if name.count > 1, bytes.dropFirst(name.count).first == UInt8(ascii: ";") { return true }
      }
    }
    return false
  }

  /// Removes one level of escaping from HTML that was escaped twice: it has no tags, but escaped ones that end an
  /// element.
  static func withoutDoubleEscape(_ html: String) -> String {
    guard !html.utf8.contains(UInt8(ascii: "<")), html.utf8.contains(UInt8(ascii: "&")) else { return html }
    let ends = [
      "p", "div", "a", "ul", "ol", "li", "span", "strong", "em", "b", "i", "blockquote", "table", "pre", "h2",
    ]
    let marks = ends.map { "&lt;/\($0)&gt;" } + ["&lt;br&gt;", "&lt;br/&gt;", "&lt;br /&gt;"]
    guard marks.contains(where: { html.contains($0) }) else { return html }
    return html.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Plain text as HTML, with its lines.
  static func html(ofPlain text: String) -> String {
    var html = ""
    for paragraph in text.split(separator: "\n\n", omittingEmptySubsequences: true) {
      html += "<p>" + escaped(String(paragraph)).replacing("\n", with: "<br>") + "</p>"
    }
    return html
  }

  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
