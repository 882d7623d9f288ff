import PDF

/// A parsed PDF value, as far as pages and images need it.
enum PDFValue {
  case null
  case boolean(Bool)
  case number(Double)
  case name(String)
  /// A string, whose contents are not needed.
  case text
  case list([PDFValue])
  case entries([String: PDFValue])
  /// A reference to an object of generation 0: for other generations there may be two objects, and poppler chooses.
  case reference(Int)
  /// An operator, or a keyword that begins or ends an object.
  case word(String)

  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var integer: Int? { number.flatMap { Int(exactly: $0) } }
  var name: String? { if case .name(let name) = self { name } else { nil } }
  var list: [PDFValue]? { if case .list(let list) = self { list } else { nil } }
  var entries: [String: PDFValue]? { if case .entries(let entries) = self { entries } else { nil } }
  var isText: Bool { if case .text = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }

  func isWord(_ word: String) -> Bool { if case .word(word) = self { true } else { false } }
}

/// Parses values one after the other. It repairs nothing: in case of an error poppler renders the page.
struct Syntax {
  private static let deepest = 16
  /// The most nested values in one value: each takes far more memory than its bytes. The page list of a book is one
  /// value.
  private static let most = 500_000
  /// References are only valid in objects.
  private let hasReferences: Bool
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private var count = 0

  init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, hasReferences: Bool = true) {
    self.bytes = bytes
    self.position = position
    self.hasReferences = hasReferences
  }

  /// Nil at the end, and for invalid syntax.
  mutating func value() -> PDFValue? {
    count = 0
    return value(depth: 0)
  }

  mutating func takes(_ word: String) -> Bool {
    value()?.isWord(word) ?? false
  }

  /// Whether only blanks remain.
  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return position >= bytes.count
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) && byte != 0x0b || byte == 0 }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  private mutating func skipBlanks() {
    while let byte {
      if byte == UInt8(ascii: "%") {
        while let byte = self.byte, byte != 0x0a, byte != 0x0d { position += 1 }
      } else if Self.isSpace(byte) {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func value(depth: Int) -> PDFValue? {
    skipBlanks()
    count += 1
    guard let first = byte, depth < Self.deepest, count <= Self.most else { return nil }
    switch first {
    case UInt8(ascii: "/"):
      position += 1
      return name().map { .name($0) }
    case UInt8(ascii: "("):
      return skipText() ? .text : nil
    case UInt8(ascii: "<"):
      position += 1
      if byte != UInt8(ascii: "<") { return skipDigits() ? .text : nil }
      position += 1
      return entries(depth: depth)
    case UInt8(ascii: "["):
      position += 1
      return list(depth: depth)
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return numberOrReference()
    default:
      guard !Self.isDelimiter(first) else { return nil }
      return word()
    }
  }

  private mutating func regular() -> UnsafeRawBufferPointer {
    let start = position
    while let byte, !Self.isSpace(byte), !Self.isDelimiter(byte) { position += 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func name() -> String? {
    let name = regular()
    // A name with escapes could equal one that is looked up, so it is refused.
    guard name.count <= 127, !name.contains(UInt8(ascii: "#")) else { return nil }
    return String(validating: name, as: UTF8.self)
  }

  private mutating func word() -> PDFValue? {
    let word = regular()
    guard word.count <= 16, let text = String(validating: word, as: UTF8.self) else { return nil }
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: return .word(text)
    }
  }

  private mutating func skipText() -> Bool {
    var open = 0
    while let byte {
      position += 1
      switch byte {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "("): open += 1
      case UInt8(ascii: ")"):
        open -= 1
        if open == 0 { return position <= bytes.count }
      default: break
      }
    }
    return false
  }

  private mutating func skipDigits() -> Bool {
    while let byte {
      position += 1
      if byte == UInt8(ascii: ">") { return true }
      let isDigit = 48...57 ~= byte || 97...102 ~= byte | 0x20
      guard isDigit || Self.isSpace(byte) else { return false }
    }
    return false
  }

  private mutating func list(depth: Int) -> PDFValue? {
    var values: [PDFValue] = []
    while true {
      skipBlanks()
      guard let byte else { return nil }
      if byte == UInt8(ascii: "]") {
        position += 1
        return .list(values)
      }
      guard let value = value(depth: depth + 1) else { return nil }
      if case .word = value { return nil }
      values.append(value)
    }
  }

  private mutating func entries(depth: Int) -> PDFValue? {
    var entries: [String: PDFValue] = [:]
    while true {
      skipBlanks()
      guard let byte else { return nil }
      if byte == UInt8(ascii: ">") {
        position += 1
        guard self.byte == UInt8(ascii: ">") else { return nil }
        position += 1
        return .entries(entries)
      }
      guard case .name(let name)? = value(depth: depth + 1), let value = value(depth: depth + 1) else { return nil }
      if case .word = value { return nil }
      // For duplicate keys other parsers may use another value.
      guard entries.updateValue(value, forKey: name) == nil else { return nil }
    }
  }

  private mutating func numberOrReference() -> PDFValue? {
    guard let number = number() else { return nil }
    guard hasReferences, let object = Int(exactly: number), object > 0 else { return .number(number) }
    let end = position
    skipBlanks()
    if let byte, 48...57 ~= byte, let generation = self.number() {
      skipBlanks()
      if self.byte == UInt8(ascii: "R") {
        position += 1
        let isWord = self.byte.map { Self.isSpace($0) || Self.isDelimiter($0) } ?? true
        if isWord { return generation == 0 ? .reference(object) : nil }
      }
    }
    position = end
    return .number(number)
  }

  private mutating func number() -> Double? {
    let digits = regular()
    guard 1...20 ~= digits.count else { return nil }
    var isNegative = false
    var value = 0.0
    var scale: Double?
    var count = 0
    for (index, digit) in digits.enumerated() {
      switch digit {
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: ".") where scale == nil: scale = 1
      case 48...57:
        count += 1
        value = value * 10 + Double(digit - 48)
        scale = scale.map { $0 * 10 }
      default: return nil
      }
    }
    guard count > 0 else { return nil }
    return (isNegative ? -value : value) / (scale ?? 1)
  }
}
