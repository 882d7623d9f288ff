/// A selector of elements, in the part of CSS that names the article of a page: types, classes, ids and attributes,
/// descendants and children, and lists of selectors.
///
///     article.post > div[itemprop="text"], #content
package struct ElementSelector: Sendable, Equatable {
  /// What one element has to be.
  fileprivate struct Compound: Sendable, Equatable {
    var name: String?
    var id: String?
    var classes: [String] = []
    var attributes: [Condition] = []
    /// Whether the element is a child of the one that the preceding compound matches, and not any descendant.
    var isChild = false
  }

  fileprivate struct Condition: Sendable, Equatable {
    var name: String
    var comparison: UInt8
    var value: String
  }

  private var alternatives: [[Compound]] = []

  package static let lengthLimit = 500

  /// - Returns: nil for a text that is no selector, or uses another part of CSS.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    var reader = Reader(bytes: Array(text.utf8))
    repeat {
      guard let compounds = reader.compounds() else { return nil }
      alternatives.append(compounds)
    } while reader.skip(UInt8(ascii: ","))
    guard reader.isAtEnd else { return nil }
  }

  /// The outermost elements that it matches, in the page's order.
  func matches(in page: ArticlePage) -> [Int] {
    var all: Set<Int> = []
    for compounds in alternatives { all.formUnion(Self.matches(compounds, in: page)) }
    var end = 0
    return all.sorted().filter { index in
      guard index >= end else { return false }
      end = page.end(of: index)
      return true
    }
  }

  /// For each element, bit n says that the first n + 1 compounds end with it (`own`), or with an element around it
  /// (`above`). So the time does not depend on how often a hostile page nests what matches.
  private static func matches(_ compounds: [Compound], in page: ArticlePage) -> [Int] {
    var own = Array(repeating: UInt8(0), count: page.tree.count)
    var above = own
    var found: [Int] = []
    for index in 0..<page.tree.count {
      let node = page.tree[index]
      guard node.isElement else { continue }
      let parent = Int(page.parents[index])
      if parent >= 0 { above[index] = above[parent] | own[parent] }
      for (number, compound) in compounds.enumerated() {
        let outer = compound.isChild ? (parent >= 0 ? own[parent] : 0) : above[index]
        guard number == 0 || outer & 1 << (number - 1) != 0, compound.matches(node) else { continue }
        own[index] |= 1 << number
      }
      if own[index] & 1 << (compounds.count - 1) != 0 { found.append(index) }
    }
    return found
  }

  /// Reads a selector from its start to its end.
  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    var isAtEnd: Bool { place == bytes.count }
    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
      while let next, next <= 0x20 { place += 1 }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
      skipBlanks()
      guard next == byte else { return false }
      place += 1
      return true
    }

    /// The compounds of one selector. Eight are enough for any page, and are the bits of a byte.
    mutating func compounds() -> [Compound]? {
      var all: [Compound] = []
      var isChild = false
      while true {
        skipBlanks()
        guard var compound = compound(), all.count < 8 else { return nil }
        compound.isChild = isChild
        all.append(compound)
        skipBlanks()
        if isAtEnd || next == UInt8(ascii: ",") { return all }
        isChild = skip(UInt8(ascii: ">"))
      }
    }

    private mutating func compound() -> Compound? {
      var compound = Compound()
      let start = place
      if next == UInt8(ascii: "*") { place += 1 } else { compound.name = word()?.lowercased() }
      while let mark = next {
        switch mark {
        case UInt8(ascii: "."):
          place += 1
          guard let name = word() else { return nil }
          compound.classes.append(name)
        case UInt8(ascii: "#"):
          place += 1
          guard let name = word(), compound.id == nil else { return nil }
          compound.id = name
        case UInt8(ascii: "["):
          guard let condition = condition() else { return nil }
          compound.attributes.append(condition)
        default: return place > start ? compound : nil
        }
      }
      return place > start ? compound : nil
    }

    /// `[name]`, `[name=value]`, `[name^="value"]`; also with `$`, `*` and `~`.
    private mutating func condition() -> Condition? {
      place += 1
      skipBlanks()
      guard let name = word()?.lowercased() else { return nil }
      skipBlanks()
      if skip(UInt8(ascii: "]")) { return Condition(name: name, comparison: 0, value: "") }
      var comparison = UInt8(ascii: "=")
      if let mark = next, "^$*~".utf8.contains(mark) {
        comparison = mark
        place += 1
      }
      guard skip(UInt8(ascii: "=")) else { return nil }
      skipBlanks()
      guard let value = quoted() ?? word(), skip(UInt8(ascii: "]")) else { return nil }
      return Condition(name: name, comparison: comparison, value: value)
    }

    private mutating func quoted() -> String? {
      guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = bytes[(place + 1)...].firstIndex(of: quote)
      else { return nil }
      defer { place = end + 1 }
      return String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    }

    private mutating func word() -> String? {
      let start = place
      while let byte = next, Self.isOfWord(byte) { place += 1 }
      return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
        || (0x61...0x7a).contains(byte | 0x20)
    }
  }
}

extension ElementSelector.Compound {
  fileprivate func matches(_ node: MarkupNode) -> Bool {
    guard node.isElement else { return false }
    if let name, !name.utf8.elementsEqual(node.name.bytes) { return false }
    if id == nil, classes.isEmpty, attributes.isEmpty { return true }
    if let id, node.attribute("id") != id { return false }
    if !classes.isEmpty {
      let own = (node.attribute("class") ?? "").split { $0.isWhitespace }
      guard classes.allSatisfy({ name in own.contains { $0.utf8.elementsEqual(name.utf8) } }) else { return false }
    }
    return attributes.allSatisfy { condition in
      let value = node.attributes.first { $0.name.bytes.elementsEqual(condition.name.utf8) }?.value.string
      return value.map(condition.holds) ?? false
    }
  }
}

extension ElementSelector.Condition {
  fileprivate func holds(_ text: String) -> Bool {
    switch comparison {
    case 0: true
    case UInt8(ascii: "^"): !value.isEmpty && text.hasPrefix(value)
    case UInt8(ascii: "$"): !value.isEmpty && text.hasSuffix(value)
    case UInt8(ascii: "*"): !value.isEmpty && text.contains(value)
    case UInt8(ascii: "~"): text.split { $0.isWhitespace }.contains { $0.utf8.elementsEqual(value.utf8) }
    default: text.utf8.elementsEqual(value.utf8)
    }
  }
}
