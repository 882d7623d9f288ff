import Contract
import HTTP
import Wire

extension FetchedPost {
  /// A longer title is cut, and marked as cut: a page of titles has to fit into a reply.
  static let titleLimit = 1_000
  /// In UTF-8.
  static let textLimit = 1 << 20
  static let htmlLimit = 4 << 20
  /// The most pictures listed for a post.
  static let imagesLimit = 100
  private static let wordLimit = 1_000
  private static let previewLength = 300

  /// The title on one line, within its limit, and whether it was cut.
  var fittedTitle: (text: String, isCut: Bool) { Self.oneLine(title, limit: Self.titleLimit) }

  /// A name or another short text of the service.
  static func fitted(_ word: String?) -> String? {
    guard let word else { return nil }
    let line = oneLine(word, limit: wordLimit).text
    return line.isEmpty ? nil : line
  }

  /// A URL of the service. Direction controls are percent-encoded, as every parser sends them.
  static func fitted(link: String?) -> String? {
    guard let link = fitted(link.map { $0.unicodeScalars.contains(where: \.turnsText) ? escaped($0) : $0 }) else {
      return nil
    }
    return link
  }

  private static func escaped(_ link: String) -> String {
    var escaped = ""
    for scalar in link.unicodeScalars {
      if scalar.turnsText {
        for byte in Unicode.UTF8.encode(scalar) ?? .init() { PercentEncoding.append(byte, to: &escaped) }
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  static func preview(of text: String) -> String { oneLine(text, limit: previewLength).text }

  /// Any run of blanks becomes one, without blanks at the ends, and at most `limit` scalars; no character is cut.
  private static func oneLine(_ text: String, limit: Int) -> (text: String, isCut: Bool) {
    var line: [UInt8] = []
    line.reserveCapacity(min(text.utf8.count, 4 * limit))
    var count = 0
    var isBlank = true
    for scalar in text.unicodeScalars {
      if count == limit { return (whole(String(decoding: line, as: UTF8.self)), true) }
      // Direction controls are not part of a line: a title could seem to be another, and so could the text that a
      // client writes after it.
      if scalar.turnsText { continue }
      if isNoMark(scalar) {
        if !isBlank {
          line.append(0x20)
          count += 1
        }
        isBlank = true
      } else {
        if scalar.isASCII { line.append(UInt8(scalar.value)) } else { line += UTF8.encode(scalar)! }
        count += 1
        isBlank = false
      }
    }
    if line.last == 0x20 { line.removeLast() }
    return (String(decoding: line, as: UTF8.self), false)
  }

  /// White space and control characters, including U+0000. Checked for every incoming character: Unicode's are at or
  /// below U+3000, and most written text is above.
  private static func isNoMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x20, 0x7f...0xa0, 0x3000: true
    case 0x1680..<0x3000: scalar.properties.isWhitespace
    default: false
    }
  }

  /// Without the last character, which may have been cut, unless nothing would be left.
  private static func whole(_ text: String) -> String {
    // From the end: `dropLast` counts all characters of it.
    let shorter = text.isEmpty ? "" : text[..<text.index(before: text.endIndex)]
    return shorter.isEmpty ? text : String(shorter)
  }
}

extension FetchedPost.Body {
  /// As much of it as is stored. A longer body is marked as incomplete.
  var fitted: FetchedPost.Body {
    var body = self
    body.html = withoutNUL(html)
    body.text = withoutNUL(text)
    // The places of the parts would be wrong.
    if body.html.utf8.count != html.utf8.count || body.text.utf8.count != text.utf8.count { body.parts = [] }
    if body.html.utf8.count > FetchedPost.htmlLimit {
      body.html = ""
      body.isWhole = false
    }
    if body.text.utf8.count > FetchedPost.textLimit {
      var end = body.text.utf8.index(body.text.startIndex, offsetBy: FetchedPost.textLimit)
      end = body.text.unicodeScalars.index(before: body.text.unicodeScalars.index(after: end))
      body.text = String(body.text[..<end])
      body.isWhole = false
    }
    body.isCut = isCut || isWhole && !body.isWhole
    body.images = Array(images.prefix(FetchedPost.imagesLimit))
    body.parts = body.parts.map { $0.fitted(html: body.html.utf8.count, text: body.text.utf8.count) }
    return body
  }

  /// A library stores no U+0000.
  private func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : text
  }
}
