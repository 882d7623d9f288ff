/// The text of a little HTML, as Google Books has it in descriptions and snippets: `<b>`, `<br>`, `<p>`, entities.
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
    while let place = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      output += rest[..<place]
      rest = rest[place...]
      if rest.first == "<" {
        Self.takeTag(&rest, into: &output)
      } else {
        Self.takeEntity(&rest, into: &output)
      }
    }
    output += rest
    text = Self.tidied(output)
  }

  private static let blocks: Set = ["p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr"]

  /// A tag goes, and where it begins or ends a block a line ends. A `<` that begins none stays.
  private static func takeTag(_ rest: inout Substring, into output: inout String) {
    let inside = rest.dropFirst()
    guard let first = inside.first, first.isLetter || first == "/" || first == "!", let end = inside.firstIndex(of: ">")
    else {
      output.append("<")
      rest = inside
      return
    }
    let name = inside[..<end].drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
    if blocks.contains(name) { output.append("\n") }
    rest = inside[inside.index(after: end)...]
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
