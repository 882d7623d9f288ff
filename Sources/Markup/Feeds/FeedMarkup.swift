/// Serializes HTML that a feed contains as elements. The result is not sanitized.
enum FeedMarkup {
  /// The content of an element. Links are resolved if a base is known, since inner elements may have bases of their
  /// own.
  static func html(in node: FeedNode, limit: Int) -> String {
    var result: [UInt8] = []
    for child in node.node.children {
      // The `div` that Atom requires around it is written too, which is harmless.
      write(child, base: node.base, limit: limit, into: &result)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let void: Set<String> = ["br", "hr", "img", "wbr", "input", "source", "area", "col", "embed", "track"]

  private static func write(_ node: MarkupNode, base: WebReference?, limit: Int, into result: inout [UInt8]) {
    guard result.count < limit else { return }
    guard node.isElement else {
      write(escaped: node.text.bytes, into: &result)
      return
    }
    let element = FeedNode(node, base: base)
    let name = Array(element.name.utf8)
    result.append(UInt8(ascii: "<"))
    result += name
    for attribute in node.attributes where attribute.space.isEmpty {
      var value = attribute.value.string
      if attribute.name == "href" || attribute.name == "src" {
        value = element.base?.resolve(value) ?? value
      }
      result.append(UInt8(ascii: " "))
      result += attribute.name.bytes
      result += "=\"".utf8
      result += FeedText.escaped(value).utf8
      result.append(UInt8(ascii: "\""))
    }
    result.append(UInt8(ascii: ">"))
    guard !void.contains(element.name) else { return }
    for child in node.children { write(child, base: element.base, limit: limit, into: &result) }
    result += "</".utf8
    result += name
    result.append(UInt8(ascii: ">"))
  }

  private static func write(escaped bytes: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      default: result.append(byte)
      }
    }
  }
}
