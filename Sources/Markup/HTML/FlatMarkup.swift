/// Formulas and drawings as a line of text, which is what is left of them where neither is drawn.
enum FlatMarkup {
  /// The words of a `math` element: `a/b`, `x^2`, `√(a+b)`. Nothing of it is HTML.
  static func math(_ node: MarkupNode) -> String {
    var text = ""
    writeMath(node, into: &text)
    return FeedText.line(text, limit: 10_000) ?? ""
  }

  /// The words that stand in a drawing, as text or as HTML in it.
  ///
  /// - Parameter isChoice: whether only the first part with any words is shown.
  static func drawing(_ node: MarkupNode, isChoice: Bool = false) -> String {
    var words: [String] = []
    for child in node.children where child.isElement {
      if isChoice, words.contains(where: { !$0.isEmpty }) { break }
      switch child.name.string.lowercased() {
      case "text", "foreignobject": words.append(FeedText.line(shown(child), limit: 10_000) ?? "")
      case "a", "g", "svg": words.append(drawing(child))
      // Of several the first is shown that can be.
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
    /// All that is in it in turn, with the words that stand between the parts.
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
    // What a formula says once more in another language.
    case "annotation", "annotation-xml": break
    case let name where name == "math" || name == "semantics" || name.hasPrefix("m"): writeAll()
    case let name where HTMLElements.treatment(name) != .drop: text += words(shown(node))
    default: break
    }
  }

  /// Bare words in a formula, apart from what stands beside them where a blank does. Blanks alone only indent it.
  private static func words(_ text: String) -> String {
    guard let line = FeedText.line(text, limit: 10_000) else { return "" }
    return (text.first?.isWhitespace == true ? " " : "") + line + (text.last?.isWhitespace == true ? " " : "")
  }

  /// The text in an element, without that of scripts and styles in it.
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
