/// The plain text of simple HTML in descriptions and snippets of Google Books: `<b>`, `<br>`, `<p>`, entities. Elements
/// that `SafeHTML` drops with their content, such as scripts, are dropped here too.
///
/// Hand-written, although posts are parsed by libxml2: loading that takes thirty megabytes, which a search for books
/// should not need, and the result is only ever shown as text.
struct CatalogueText: Sendable {
  let text: String

  init(html: String) {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      text = html
      return
    }
    var output = ""
    var rest = Substring(html)
    // A search that failed after one tag is not repeated after the next: a malicious text has a million tags.
    let lastEnd = html.lastIndex(of: ">")
    var unclosed: Set<String> = []
    var link: Link?
    while let place = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      output += rest[..<place]
      rest = rest[place...]
      if rest.first == "<" {
        guard let lastEnd, place < lastEnd else {
          output.append("<")
          rest = rest.dropFirst()
          continue
        }
        Self.takeTag(&rest, into: &output, &unclosed, &link)
      } else {
        Self.takeEntity(&rest, into: &output)
      }
    }
    output += rest
    // A text that is cut off inside a link still gets the link's address.
    Self.end(link, in: &output)
    text = Self.tidied(output)
  }

  /// Elements whose content is not for people. Only elements with an end tag; others have no content.
  private static let dropped: Set = [
    "applet", "button", "canvas", "datalist", "frameset", "head", "map", "math", "meter", "noembed", "noframes",
    "object",
    "optgroup", "option", "output", "portal", "progress", "script", "select", "slot", "style", "svg", "template",
    "textarea", "title", "xmp",
  ]

  /// An open link; its address follows its words.
  private struct Link {
    var target: String
    /// The offset in UTF-8 at which its words begin.
    var start: Int
  }

  private static let blocks: Set = ["p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr"]

  /// Removes a tag; a block tag becomes a line end. A `<` that begins no tag stays, and so does an address between `<`
  /// and `>`, as in Markdown.
  private static func takeTag(
    _ rest: inout Substring, into output: inout String, _ unclosed: inout Set<String>, _ link: inout Link?
  ) {
    let inside = rest.dropFirst()
    if inside.hasPrefix("!--"), !unclosed.contains("!--") {
      if let end = inside.dropFirst(3).firstRange(of: "-->") {
        rest = inside[end.upperBound...]
        return
      }
      unclosed.insert("!--")
    }
    guard let first = inside.first, first.isLetter || first == "/" || first == "!", let end = end(ofTag: inside)
    else {
      output.append("<")
      rest = inside
      return
    }
    let tag = inside[..<end]
    let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
    rest = inside[inside.index(after: end)...]
    if name.hasPrefix("http"), tag.dropFirst(name.count).hasPrefix("://") {
      output += tag
      return
    }
    if blocks.contains(name) { output.append("\n") }
    // Spoilers in reviews are marked.
    if name == "spoiler" { output += first == "/" ? "[/spoiler]" : "[spoiler]" }
    if name == "a" {
      Self.end(link, in: &output)
      link = first == "/" ? nil : target(of: tag).map { Link(target: $0, start: output.utf8.count) }
    }
    if first != "/", tag.last != "/", dropped.contains(name) { skip(name, &rest, &unclosed) }
  }

  /// Appends the address of a link in parentheses to its words, unless the words are the address.
  private static func end(_ link: Link?, in output: inout String) {
    guard let link, !output.utf8.dropFirst(link.start).elementsEqual(link.target.utf8) else { return }
    output += " (\(link.target))"
  }

  /// The address of a link, if it is a web page.
  private static func target(of tag: Substring) -> String? {
    guard let match = tag.firstMatch(of: /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/.ignoresCase()),
      let written = match.output.1 ?? match.output.2 ?? match.output.3
    else { return nil }
    let target = (String(written).readable ?? "").replacing("&amp;", with: "&")
    let start = target.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") ? target : nil
  }

  /// The `>` that ends a tag, outside of quoted attribute values.
  private static func end(ofTag inside: Substring) -> Substring.Index? {
    var quote: Character?
    var isValue = false
    for index in inside.indices {
      let character = inside[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == ">" {
        return index
      } else if isValue, character == "\"" || character == "'" {
        quote = character
      }
      isValue = character == "=" || isValue && character == " "
    }
    // A quotation mark that is never closed does not count.
    return quote == nil ? nil : inside.firstIndex(of: ">")
  }

  /// Skips to the end tag of an element. Without one, a script extends to the end of the text, as in a browser; another
  /// name was only a word in a text that is no HTML.
  private static func skip(_ name: String, _ rest: inout Substring, _ unclosed: inout Set<String>) {
    if unclosed.contains(name) { return }
    var ahead = rest
    while let place = ahead.firstIndex(of: "<") {
      ahead = ahead[ahead.index(after: place)...]
      guard ahead.first == "/" else { continue }
      let closing = ahead.dropFirst().prefix { $0.isLetter || $0.isNumber }.lowercased()
      guard closing == name else { continue }
      rest = ahead.firstIndex(of: ">").map { ahead[ahead.index(after: $0)...] } ?? ahead[ahead.endIndex...]
      return
    }
    if name == "script" || name == "style" { rest = rest[rest.endIndex...] } else { unclosed.insert(name) }
  }

  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "mdash": "—", "ndash": "–", "hellip": "…",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "eacute": "é", "middot": "·",
  ]

  private static func takeEntity(_ rest: inout Substring, into output: inout String) {
    let inside = rest.dropFirst()
    let name = inside.prefix(10).prefix { $0.isLetter || $0.isNumber || $0 == "#" }
    let after = inside[name.endIndex...]
    guard after.first == ";", let character = character(named: String(name)) else {
      output.append("&")
      rest = inside
      return
    }
    output += character
    rest = after.dropFirst()
  }

  private static func character(named name: String) -> String? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }.map { String($0) }
  }

  /// Removes spaces at line ends, and all but one of consecutive empty lines.
  private static func tidied(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = String(line).readable ?? ""
      if line.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
