/// Formulas and drawings as a line of text, for output that cannot draw them.
enum FlatMarkup {
  /// The text of a `math` element: `a/b`, `x^2`, `√(a+b)`. The result is plain text, not HTML.
  static func math(_ node: MarkupNode) -> String {
    var text = ""
    writeMath(node, into: &text)
    return FeedText.line(text, limit: 10_000) ?? ""
  }

  /// The texts in a drawing, including HTML in it.
  ///
  /// - Parameter isChoice: whether only the first part with any words is shown.
  static func drawing(_ node: MarkupNode, isChoice: Bool = false) -> String {
    var words: [String] = []
    for child in node.children where child.isElement {
      if isChoice, words.contains(where: { !$0.isEmpty }) { break }
      switch child.name.string.lowercased() {
      case "text", "foreignobject": words.append(FeedText.line(shown(child), limit: 10_000) ?? "")
      case "a", "g", "svg": words.append(drawing(child))
      // Of several alternatives the first one with text is used.
      case "switch": words.append(drawing(child, isChoice: true))
      default: break
      }
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func writeMath(_ node: MarkupNode, into text: inout String) {
    let parts = node.children.filter(\.isElement)
    func write(_ part: Int, grouped: Bool = true) {
      guard part < parts.count else { return }
      var inner = ""
      writeMath(parts[part], into: &inner)
      text += grouped && inner.count > 1 && !inner.allSatisfy({ $0.isNumber || $0 == "." }) ? "(\(inner))" : inner
    }
    /// Writes all children in order, with the text between them.
    func writeAll() {
      for child in node.children {
        if child.isElement {
          writeMath(child, into: &text)
        } else {
          text += words(child.text.string)
        }
      }
    }
    func write(joined signs: String...) {
      write(0)
      for (index, sign) in signs.enumerated() where index + 1 < parts.count {
        text += sign
        write(index + 1)
      }
    }
    switch node.name.string {
    case "mi", "mn", "mo", "ms", "mtext": text += FeedText.line(shown(node), limit: 10_000) ?? ""
    case "mspace": text += " "
    case "mfrac": write(joined: "/")
    case "msup", "mover": write(joined: "^")
    case "msub", "munder": write(joined: "_")
    case "msubsup", "munderover": write(joined: "_", "^")
    case "msqrt":
      text += "√("
      writeAll()
      text += ")"
    case "mroot":
      write(joined: "^(1/")
      text += ")"
    case "mtr":
      for part in parts {
        writeMath(part, into: &text)
        text += " "
      }
      text += "; "
    // Alternative notations of the formula.
    case "annotation", "annotation-xml": break
    case let name where name == "math" || name == "semantics" || name.hasPrefix("m"): writeAll()
    case let name where HTMLElements.treatment(name) != .drop: text += words(shown(node))
    default: break
    }
  }

  /// Text between the elements of a formula, with spaces where the source has some. White space alone is only
  /// indentation.
  private static func words(_ text: String) -> String {
    guard let line = FeedText.line(text, limit: 10_000) else { return "" }
    return (text.first?.isWhitespace == true ? " " : "") + line + (text.last?.isWhitespace == true ? " " : "")
  }

  /// The text in an element, without that of scripts and styles.
  static func shown(_ node: MarkupNode) -> String {
    var text = ""
    for child in node.children {
      if !child.isElement {
        text += child.text.string
      } else if HTMLElements.treatment(child.name.string) != .drop {
        text += shown(child)
      }
    }
    return text
  }
}
