import Wire

/// The text of an entry of Day One as Markdown, from the format of its editor. Only entries that have no Markdown of
/// their own (`text`) need it.
///
///     {"contents": [{"attributes": {"line": {"header": 1}}, "text": "A walk\n"},
///        {"text": "It "}, {"attributes": {"bold": true}, "text": "rained"}, {"text": ".\n"},
///        {"embeddedObjects": [{"type": "photo", "identifier": "5BC8"}]}]}
///
///     # A walk
///     It **rained**.
///     ![](dayone-moment://5BC8)
struct DayOneRichText {
  private var lines: [String] = []
  /// The line that is not ended yet; nil between lines.
  private var line: String?
  private var isInCode = false

  /// Nil for a text that is none.
  static func markdown(_ text: String) -> String? {
    guard let contents = (try? JSONParser.parse(text))?["contents"]?.arrayValue else { return nil }
    var markdown = Self()
    for node in contents { markdown.add(node) }
    markdown.endLine()
    markdown.setCode(false)
    return markdown.lines.joined(separator: "\n")
  }

  private mutating func add(_ node: JSONValue) {
    if let objects = node["embeddedObjects"]?.arrayValue {
      endLine()
      setCode(false)
      lines += objects.compactMap(Self.embedded)
      return
    }
    let (attributes, text) = (node["attributes"], node["text"]?.stringValue ?? "")
    let pieces = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      if index > 0 { endLine() }
      // The text of most nodes ends with its line.
      if piece.isEmpty, index == pieces.count - 1 { break }
      if line == nil { beginLine(attributes?["line"], isEmpty: piece.isEmpty) }
      line? += isInCode ? String(piece) : Self.formatted(piece, attributes)
    }
  }

  private mutating func endLine() {
    if let line { lines.append(line) }
    line = nil
  }

  private mutating func setCode(_ isCode: Bool) {
    if isCode != isInCode { lines.append("```") }
    isInCode = isCode
  }

  private mutating func beginLine(_ style: JSONValue?, isEmpty: Bool) {
    setCode(style?["codeBlock"] == true)
    line = isEmpty || isInCode ? "" : Self.beginning(style)
  }

  private static func beginning(_ style: JSONValue?) -> String {
    func number(_ name: String, in range: ClosedRange<Int64>) -> Int {
      Int(min(max(style?[name]?.integerValue ?? 0, range.lowerBound), range.upperBound))
    }
    let header = number("header", in: 0...6)
    if header > 0 { return String(repeating: "#", count: header) + " " }
    if style?["quote"] == true { return "> " }
    let indent = String(repeating: "  ", count: number("indentLevel", in: 1...16) - 1)
    let isChecked = style?["checked"] == true
    return switch style?["listStyle"]?.stringValue {
    case "bulleted": indent + "- "
    case "numbered": indent + "\(number("listIndex", in: 1...9_999)). "
    case "checkbox": indent + (isChecked ? "- [x] " : "- [ ] ")
    default: style?["checked"] == nil ? "" : indent + (isChecked ? "- [x] " : "- [ ] ")
    }
  }

  /// The signs of emphasis are beside the words: after a blank they would be text.
  private static func formatted(_ text: Substring, _ attributes: JSONValue?) -> String {
    let start = text.prefix(while: \.isWhitespace)
    var words = String(text.dropFirst(start.count))
    let end = String(words.reversed().prefix(while: \.isWhitespace).reversed())
    words.removeLast(end.count)
    if words.isEmpty { return String(text) }
    if attributes?["inlineCode"] == true {
      words = "`\(words)`"
    } else {
      for (name, sign) in [("bold", "**"), ("italic", "*"), ("strikethrough", "~~")] where attributes?[name] == true {
        words = sign + words + sign
      }
    }
    if let url = attributes?["linkURL"]?.stringValue, url != words, !url.contains(where: \.isWhitespace) {
      words = "[\(words)](\(url))"
    }
    return start + words + end
  }

  /// Media are named as in Day One's Markdown.
  private static func embedded(_ object: JSONValue) -> String? {
    let (type, identifier) = (object["type"]?.stringValue ?? "", object["identifier"]?.stringValue ?? "")
    switch type {
    case "photo": return "![](dayone-moment://\(identifier))"
    case "video", "audio", "pdfAttachment": return "![](dayone-moment:/\(type)/\(identifier))"
    case "horizontalRuleLine": return "---"
    case "renderableCodeBlock": return object["contents"]?.stringValue.map { "```\n\($0)\n```" }
    case "dayOneEntry": return object["entryID"]?.stringValue.map { "[Day One](dayone://view?entryId=\($0))" }
    default: return object["url"]?.stringValue.map { "<\($0)>" }
    }
  }
}
