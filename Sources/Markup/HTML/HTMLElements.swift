/// The treatment of each element of untrusted HTML, by its name.
enum HTMLElements {
  enum Treatment {
    /// The element is written, with the attributes that are allowed for its name.
    case keep
    /// The element is removed; its contents stay.
    case unwrap
    /// The element is removed; its contents become a block.
    case block
    /// The element is removed with its contents.
    case drop
    /// An image, a video or an embedded page. Nothing is loaded; a link or a placeholder takes its place.
    case picture, frame
    /// A formula or a drawing. Its words stay.
    case math, drawing
  }

  static func treatment(_ name: String) -> Treatment {
    if allowed.contains(name) { return .keep }
    if dropped.contains(name) { return .drop }
    switch name {
    case "img", "image": return .picture
    case "iframe", "video", "audio", "embed": return .frame
    case "math": return .math
    case "svg": return .drawing
    default: return blocks.contains(name) ? .block : .unwrap
    }
  }

  private static let allowed: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "dd", "del", "details", "dfn", "div",
    "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark",
    "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "small", "strike", "strong", "sub", "summary", "sup",
    "table",
    "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul", "var", "wbr",
  ]

  /// Scripts, form fields and elements that need a browser. `object`, `canvas` and `applet` are not among them, since
  /// their fallback contents stay.
  private static let dropped: Set<String> = [
    "base", "basefont", "button", "datalist", "frame", "frameset", "head", "input", "link", "map",
    "area", "meta", "meter", "noembed", "noframes", "optgroup", "option", "output", "param",
    "plaintext",
    "portal", "progress", "script", "select", "slot", "source", "style", "template", "textarea", "title",
    "track",
    "xmp",
  ]

  private static let blocks: Set<String> = [
    "address", "article", "aside", "center", "dir", "fieldset", "footer", "form", "header", "hgroup", "legend",
    "listing",
    "main", "menu", "nav", "section",
  ]

  /// Void elements that libxml2 does not know. It parses the text after one of them as its contents.
  static func hasNoEnd(_ name: String) -> Bool { name == "embed" || name == "source" || name == "track" }

  /// Void elements that stay.
  static func isVoid(_ name: String) -> Bool { name == "br" || name == "hr" || name == "wbr" }

  /// The number of line ends before and after the element in plain text.
  static func lineEnds(_ name: String) -> Int {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "table", "figure", "hr": 2
    case "address", "article", "aside", "caption", "center", "dd", "details", "div", "dt", "fieldset", "figcaption",
      "footer", "form", "header", "hgroup", "legend", "li", "main", "menu", "nav", "section", "summary", "tr", "dir":
      1
    default: 0
    }
  }

  /// Whether an attribute is allowed on an element.
  static func keeps(_ attribute: String, on element: String) -> Bool {
    switch attribute {
    case "dir", "lang": true
    case "title": element == "a" || element == "abbr" || element == "dfn"
    case "colspan", "rowspan": element == "td" || element == "th"
    case "start", "reversed": element == "ol"
    case "value": element == "li"
    case "datetime": element == "time" || element == "del" || element == "ins"
    default: false
    }
  }

  /// Whether the value is valid for the attribute: a number, a direction, a short text.
  static func isGood(_ value: String, of attribute: String) -> Bool {
    switch attribute {
    case "dir": ["ltr", "rtl", "auto"].contains(value.lowercased())
    case "lang": value.utf8.count <= 35 && value.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "-") }
    case "colspan", "rowspan", "start", "value":
      value.utf8.count <= 4 && !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
    case "datetime": value.utf8.count <= 40
    default: value.utf8.count <= 1000
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
