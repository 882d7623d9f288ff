/// Formulas and drawings as a line of text, which is what is left of them where neither is drawn.
enum FlatMarkup {
  /// The words of a `math` element: `a/b`, `x^2`, `√(a+b)`. Nothing of it is HTML.
  static func math(_ node: MarkupNode) -> String {
    var text = ""
    writeMath(node, into: &text)
    return FeedText.line(text, limit: 10_000) ?? ""
  }

  /// The words that stand in a drawing.
  static func drawing(_ node: MarkupNode) -> String {
    var words: [String] = []
    var index = node.index + 1
    while index < node.end {
      let inner = node.tree[index]
      if inner.isElement, inner.name == "text" {
        if let line = FeedText.line(shown(inner), limit: 10_000) { words.append(line) }
        index = inner.end
      } else if inner.isElement, !["a", "g", "svg", "switch"].contains(inner.name.string) {
        index = inner.end
      } else {
        index += 1
      }
    }
    return words.joined(separator: " ")
  }

  private static func writeMath(_ node: MarkupNode, into text: inout String) {
    let parts = node.children.filter(\.isElement)
    func write(_ part: Int, grouped: Bool = true) {
      guard part < parts.count else { return }
      var inner = ""
      writeMath(parts[part], into: &inner)
      text += grouped && inner.count > 1 && !inner.allSatisfy({ $0.isNumber || $0 == "." }) ? "(\(inner))" : inner
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
      for part in parts { writeMath(part, into: &text) }
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
    case let name where name == "math" || name == "semantics" || name.hasPrefix("m"):
      for part in parts { writeMath(part, into: &text) }
    default: break
    }
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
