/// A parsed page with the measurements by which its article is found. A weight counts visible characters: 2 for one of
/// Han, kana or Hangul, which say more than a letter.
struct ArticlePage {
  /// What an element is for the search of the article.
  enum Role: UInt8 {
    case text, inline
    /// A block of text: `p`, `pre`, `td`, `h2`.
    case paragraph
    /// Contains other blocks: `div`, `section`.
    case container
    case list, item, heading, table, picture
    /// Never part of an article: `script`, `nav`, `footer`.
    case apart
  }

  /// Elements that are counted.
  enum Counted: Int, CaseIterable {
    case paragraph, picture, figure, item, input, heading, row, cell, header, table, code
  }

  let tree: MarkupTree
  private(set) var roles: [Role] = []
  /// The index of the enclosing element; -1 for the outermost ones.
  private(set) var parents: [Int32] = []
  /// The visible text in an element, without that of elements apart.
  private(set) var weights: [Int32] = []
  /// The part of it that is in links.
  private(set) var linked: [Int32] = []
  /// The commas and ends of sentences in an element.
  private(set) var marks: [Int32] = []
  /// Of each block, the text that no inner block contains, and the marks in it.
  private(set) var own: [(weight: Int32, marks: Int32)] = []
  /// The indices of the counted elements, ascending.
  private var places = Counted.allCases.map { _ in [Int]() }

  init(_ tree: MarkupTree) {
    self.tree = tree
    let count = tree.count
    roles.reserveCapacity(count)
    parents.reserveCapacity(count)
    weights = Array(repeating: 0, count: count)
    linked = weights
    marks = weights
    own = Array(repeating: (0, 0), count: count)
    var open: [(index: Int, end: Int, isLink: Bool)] = []
    var (blocks, links): ([Int], Int) = ([], 0)
    for index in 0..<count {
      while let last = open.last, last.end <= index {
        if last.isLink { links -= 1 }
        if blocks.last == last.index { blocks.removeLast() }
        open.removeLast()
      }
      let node = tree[index]
      parents.append(Int32(open.last?.index ?? -1))
      guard node.isElement else {
        roles.append(.text)
        let isApart = open.last.map { roles[$0.index] == .apart } ?? false
        if isApart { continue }
        let (weight, mark) = Self.measure(node.text.bytes)
        weights[index] = weight
        marks[index] = mark
        if links > 0 { linked[index] = weight }
        if let block = blocks.last {
          own[block].weight += weight
          own[block].marks += mark
        }
        continue
      }
      let parent = open.last.map { roles[$0.index] }
      let name = node.name.string
      let role = parent == .apart ? .apart : Self.role(of: name)
      roles.append(role)
      if let counted = Self.counted(name) { places[counted.rawValue].append(index) }
      let isLink = name == "a" && node.attribute("href").map { !$0.hasPrefix("#") } ?? false
      if isLink { links += 1 }
      open.append((index, node.end, isLink))
      if role != .inline, role != .picture { blocks.append(index) }
    }
    for index in stride(from: count - 1, through: 0, by: -1) {
      let parent = Int(parents[index])
      guard parent >= 0 else { continue }
      weights[parent] += weights[index]
      linked[parent] += linked[index]
      marks[parent] += marks[index]
    }
  }

  func end(of index: Int) -> Int { tree[index].end }

  /// The part of an element's text that is in links, from 0 to 1.
  func linkDensity(of index: Int) -> Double {
    weights[index] == 0 ? 0 : Double(linked[index]) / Double(weights[index])
  }

  /// How many such elements an element contains.
  func count(_ counted: Counted, in index: Int) -> Int {
    let places = places[counted.rawValue]
    return Self.count(below: end(of: index), in: places) - Self.count(below: index + 1, in: places)
  }

  private static func count(below index: Int, in places: [Int]) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func counted(_ name: String) -> Counted? {
    switch name {
    case "p": .paragraph
    case "img": .picture
    case "figure": .figure
    case "li": .item
    case "input", "textarea", "select", "button": .input
    case "h1", "h2", "h3", "h4", "h5", "h6": .heading
    case "tr": .row
    case "td": .cell
    case "th", "caption", "thead": .header
    case "table": .table
    case "code", "pre": .code
    default: nil
    }
  }

  /// Whether the element contains blocks.
  func hasBlocks(in index: Int) -> Bool {
    var inner = index + 1
    let end = end(of: index)
    while inner < end {
      switch roles[inner] {
      case .paragraph, .container, .list, .item, .heading, .table: return true
      case .apart: inner = self.end(of: inner)
      default: inner += 1
      }
    }
    return false
  }

  /// The elements around one, from the innermost.
  func ancestors(of index: Int) -> Ancestors { Ancestors(parents: parents, next: parents[index]) }

  struct Ancestors: Sequence, IteratorProtocol {
    fileprivate let parents: [Int32]
    fileprivate var upper: Int32

    fileprivate init(parents: [Int32], next: Int32) { (self.parents, upper) = (parents, next) }

    mutating func next() -> Int? {
      guard upper >= 0 else { return nil }
      defer { upper = parents[Int(upper)] }
      return Int(upper)
    }
  }

  private static func role(of name: String) -> Role {
    switch name {
    case "p", "pre", "td", "th", "blockquote", "dd", "dt", "figcaption": .paragraph
    case "h1", "h2", "h3", "h4", "h5", "h6": .heading
    case "ul", "ol", "dl", "menu": .list
    case "li": .item
    case "table", "tbody", "thead", "tr": .table
    case "img", "picture", "video", "figure", "svg", "math": .picture
    // Where a page opens no body, libxml2 leaves elements that it does not know, such as `article`, in the head.
    case "html", "head", "body", "div", "section", "article", "main", "center", "form", "fieldset", "details", "header",
      "address", "hgroup":
      .container
    case "nav", "footer", "aside", "dialog", "iframe", "object", "embed", "canvas": .apart
    default: HTMLElements.treatment(name) == .drop ? .apart : .inline
    }
  }

  /// The weight of a text, and its marks. Each run of white space counts as one character.
  private static func measure(_ bytes: UnsafeBufferPointer<UInt8>) -> (weight: Int32, marks: Int32) {
    var (weight, marks): (Int32, Int32) = (0, 0)
    var isBlank = true
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0...0x20:
        if !isBlank { weight += 1 }
        isBlank = true
        index += 1
        continue
      case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";"):
        if index + 1 == bytes.count || bytes[index + 1] <= 0x20 { marks += 1 }
        weight += 1
      case 0x80...0xBF: break
      case 0xE3...0xED:
        weight += 2
        if isCommaOfHan(bytes, index) { marks += 1 }
      case 0xEF:
        weight += 1
        if isCommaOfHan(bytes, index) { marks += 1 }
      default: weight += 1
      }
      isBlank = false
      index += 1
    }
    return (weight, marks)
  }

  /// `、`, `。` or `，`.
  private static func isCommaOfHan(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index + 2 < bytes.count else { return false }
    let rest = (bytes[index], bytes[index + 1], bytes[index + 2])
    return rest == (0xE3, 0x80, 0x81) || rest == (0xE3, 0x80, 0x82) || rest == (0xEF, 0xBC, 0x8C)
  }
}
