import Contract
import HTTP

extension FetchedPost {
  /// More of a title than this is cut, and said to be: a page of titles has to fit into a reply.
  static let titleLimit = 1_000
  /// In UTF-8.
  static let textLimit = 1 << 20
  static let htmlLimit = 4 << 20
  /// So many pictures of a post are listed.
  static let imagesLimit = 100
  private static let wordLimit = 1_000
  private static let previewLength = 300

  /// The title on one line, as long as may be, and whether it was cut.
  var fittedTitle: (text: String, isCut: Bool) { Self.oneLine(title, limit: Self.titleLimit) }

  /// A word of the service, such as a name.
  static func fitted(_ word: String?) -> String? {
    guard let word else { return nil }
    let line = oneLine(word, limit: wordLimit).text
    return line.isEmpty ? nil : line
  }

  /// A URL of the service. What would turn its text round is written in percent, as every parser sends it.
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

  /// Blanks of any kind and length as one, none at the ends, and at most so many scalars; no character is cut.
  private static func oneLine(_ text: String, limit: Int) -> (text: String, isCut: Bool) {
    var line = String.UnicodeScalarView()
    var count = 0
    var isBlank = true
    for scalar in text.unicodeScalars {
      if count == limit { return (whole(line[...]), true) }
      // Control characters, U+0000 among them, are no part of a line. Nor are those that turn the direction of what
      // follows: a title could then seem to be another, and so could what a client writes behind it.
      if scalar.turnsText { continue }
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        if !isBlank {
          line.append(" ")
          count += 1
        }
        isBlank = true
      } else {
        line.append(scalar)
        count += 1
        isBlank = false
      }
    }
    while line.last == " " { line.removeLast() }
    return (String(line), false)
  }

  /// Without the last character, which may have been cut, unless nothing would be left.
  private static func whole(_ scalars: Substring.UnicodeScalarView) -> String {
    let text = String(scalars)
    let shorter = text.dropLast()
    return shorter.isEmpty ? text : String(shorter)
  }
}

extension FetchedPost.Body {
  /// As much of it as is kept. What is longer is said not to be whole.
  var fitted: FetchedPost.Body {
    var body = self
    body.html = html.replacing("\u{0}", with: "")
    body.text = text.replacing("\u{0}", with: "")
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
    return body
  }
}
