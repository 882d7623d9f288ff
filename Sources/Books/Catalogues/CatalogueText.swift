/// The text of a little HTML, as Google Books has it in descriptions and snippets: `<b>`, `<br>`, `<p>`, entities. What
/// `SafeHTML` drops with all that is in it, such as a script, is dropped here too.
///
/// Written by hand, although posts are read by libxml2: that loads thirty megabytes, which no search for a book should
/// need, and what comes out of here is only ever shown as text.
struct CatalogueText: Sendable {
  let text: String

  init(html: String) {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      text = html
      return
    }
    var output = ""
    var rest = Substring(html)
    // What was looked for behind one tag is not looked for behind the next: a hostile text has a million.
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
    // A text that is cut off in a link's words still says where that leads.
    Self.end(link, in: &output)
    text = Self.tidied(output)
  }

  /// What programs mean by it is not what a reader reads. Those that have an end; others have nothing in them.
  private static let dropped: Set = [
    "applet", "button", "canvas", "datalist", "frameset", "head", "map", "math", "meter", "noembed", "noframes",
    "object",
    "optgroup", "option", "output", "portal", "progress", "script", "select", "slot", "style", "svg", "template",
    "textarea", "title", "xmp",
  ]

  /// A link that is open: its words end with where it leads.
  private struct Link {
    var target: String
    /// Where its words begin, in UTF-8.
    var start: Int
  }

  private static let blocks: Set = ["p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr"]

  /// A tag goes, and where it begins or ends a block a line ends. A `<` that begins none stays, and so does an address
  /// between `<` and `>`, as Markdown has it.
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
    // Readers of reviews hide what they give away.
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

  /// Where a link leads, if that is a page.
  private static func target(of tag: Substring) -> String? {
    guard let match = tag.firstMatch(of: /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/.ignoresCase()),
      let written = match.output.1 ?? match.output.2 ?? match.output.3
    else { return nil }
    let target = (String(written).readable ?? "").replacing("&amp;", with: "&")
    let start = target.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") ? target : nil
  }

  /// The `>` behind a tag: none of those that stand in the quoted value of an attribute.
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
    // A quotation mark that nothing closes is none.
    return quote == nil ? nil : inside.firstIndex(of: ">")
  }

  /// Behind the tag that ends an element. Where there is none, a script goes on to the end of all, as it does in a
  /// browser; any other was only a word in a text that is no HTML.
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
    let behind = inside[name.endIndex...]
    guard behind.first == ";", let character = character(named: String(name)) else {
      output.append("&")
      rest = inside
      return
    }
    output += character
    rest = behind.dropFirst()
  }

  private static func character(named name: String) -> String? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }.map { String($0) }
  }

  /// No line ends in blanks, and no more than one is empty in a row.
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
