import Contract

/// The format in which an item is shared, the same for all collections.
package enum ShareFormat: String, Choice {
  case text, markdown, html
}

/// A text that is shared with another program.
package struct SharedText: Payload {
  package var text: String
  package static let example = SharedText(text: "A walk\nAlong the river.")
  package static let fields = ["text": "The whole text, in the requested form."]

  package init(text: String) { self.text = text }

  /// The same as plain text: title, a line end, body.
  package init(title: String, body: String, as format: ShareFormat) {
    switch format {
    case .text: text = title + "\n" + body
    case .markdown: text = "# \(title)\n\n\(body)"
    case .html: text = "<h1>\(Self.escaped(title))</h1>\n" + Self.paragraphs(of: body)
    }
  }

  /// A blank line ends a paragraph, any other line end is a line break.
  private static func paragraphs(of body: String) -> String {
    var paragraphs: [[Substring]] = [[]]
    for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.allSatisfy(\.isWhitespace) {
        paragraphs.append([])
      } else {
        paragraphs[paragraphs.count - 1].append(line)
      }
    }
    return paragraphs.filter { !$0.isEmpty }
      .map { "<p>\($0.map { escaped($0) }.joined(separator: "<br>\n"))</p>\n" }.joined()
  }

  /// Text for an element or an attribute of HTML.
  package static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
